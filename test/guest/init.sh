#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# init of the guest. By default it serves commands from the serial line: "ID COMMAND" in, what the
# command says and "@@ID STATUS" out. With dwmac.shell on the kernel's command line it gives a shell to a person.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ip link set lo up
while read -r module; do
	# dwmac.later=NAME: left to who gives the commands
	! grep -qw "dwmac.later=$module" /proc/cmdline || continue
	insmod "/modules/$module.ko" || echo "init: cannot load $module"
done </modules/order

if grep -q dwmac.shell /proc/cmdline; then
	echo "Linux $(uname -r); 'poweroff -f' ends the guest"
	setsid sh -c 'exec sh -l </dev/ttyS0 >/dev/ttyS0 2>&1'
	poweroff -f
fi
stty -echo </dev/ttyS0
printf '\n@@boot 0\n'
while IFS= read -r line; do
	eval "${line#* }" </dev/null
	printf '\n@@%s %d\n' "${line%% *}" $?
done </dev/ttyS0
poweroff -f
