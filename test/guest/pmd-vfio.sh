#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# pmd-vfio.sh BUILD: our driver on modelled PCI functions behind an IOMMU: Debian's testpmd in QEMU,
# vfio-pci, memory mapped by type 1. eth0 and eth1 are two ends of a cable, eth2 has 32 address bits
# and captures for a wire. TAP; a check that says nothing has passed.
set -u
# shellcheck source=vm.sh
. "$(dirname "$0")/vm.sh"
# shellcheck source=world.sh
. "$guest_dir/world.sh"
# shellcheck source=../checks/tap.sh
. "$root/test/checks/tap.sh"
# shellcheck source=judges_pmd.sh
. "$guest_dir/judges_pmd.sh"
build=$1
vm_iommu=dma
keep=$logs/guest-pmd-vfio
pmd=$build/drivers/net/dwmac/librte_net_dwmac.so

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# note TEXT…: a figure for who reads the result
note() {
	echo "$*" >>"$keep/notes"
}

finish() {
	# in a subshell: a guest that does not answer must not keep us from cleaning up
	(vm_run 10 'dmesg') >"$keep/dmesg.log" 2>/dev/null || true
	cp "$world/model.log" "$keep/" 2>/dev/null || true
	world_stop
}

pmd_initramfs() { # OUT
	"$guest_dir/closure.sh" "$world/closure" "$(command -v dpdk-testpmd)" \
		"$(command -v stdbuf)" /usr/libexec/coreutils/libstdbuf.so \
		"$build/test/e2e/timesync_probe" -- "$pmd" \
		/usr/lib/*/dpdk/pmds-*/librte_mempool_ring.so.*.* || return 1
	# the last one in order is the one that is loaded later
	"$guest_dir/initramfs.sh" "$1" vfio-pci vfio_iommu_type1 realtek af_packet dwmac-intel -- \
		"$guest_dir/pmd.sh" || return 1
	cat "$world/closure" >>"$1"
}

for part in qemu kernel; do
	said=$("$guest_dir/get.sh" $part 2>&1) || skip_all "$(echo "$said" | grep '^error' | head -n 1)"
done
for file in "$pmd" "$build/app/dwmac-model/dwmac-model"; do
	[ -e "$file" ] || skip_all "no $file"
done
mkdir -p "$keep"
: >"$keep/notes"
world=$(mktemp -d)
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
python3 "$guest_dir/frames.py" make "$world/in.pcap" 3000
world_model \
	--device "name=eth0,socket=$world/eth0.sock,mac=02:00:5e:10:00:01" \
	--device "name=eth1,socket=$world/eth1.sock,mac=02:00:5e:10:00:02" \
	--device "name=eth2,socket=$world/eth2.sock,mac=02:00:5e:10:00:03,profile=ehl-pse" \
	--wire cable:eth0,eth1 --control "$world/control.sock" \
	--wire "pcap:eth2,in=$world/in.pcap,out=$world/out.pcap,speed=full,rate=off,wait=start"
pmd_initramfs "$world/initramfs" >"$keep/initramfs.log" || exit 1
mapfile -t device < <(for name in eth0 eth1 eth2; do vm_device "$world/$name.sock"; done)
vm_start "$keep/serial.log" "$world/initramfs" dwmac.later=dwmac_intel "${device[@]}"

check "the functions are bound to vfio-pci" judge_bind
check "testpmd probes two ports, with the addresses the model has" judge_start
check "the link comes up at 1 Gb/s full duplex" judge_link
check "frames go round both ways, and driver and device count the same" judge_traffic
check "no statistic tells of an error" judge_xstats
check "ports stop, give every mbuf back, start, and frames go round again" judge_restart
check "testpmd quits, and no memory is left mapped" judge_quit
check "the PTP clocks are set, read and stamp frames by the model's true time" judge_timesync
check "32 address bits: refused with the remedy" judge_refused
check "32 address bits: with the remedy frames are sent back, contents compared" judge_contents
check "the model has nothing to complain about" judge_complaints
check "Linux takes a function back" judge_to_linux
check "and DPDK takes it from Linux" judge_from_linux
check "the kernel has nothing to report" judge_dmesg
tap_end
