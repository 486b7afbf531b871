#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# What `./dwmac guest` does: Linux in QEMU, whose own stmmac driver drives the modelled device.
set -eu
# shellcheck source=vm.sh
. "$(dirname "$0")/vm.sh"
# shellcheck source=world.sh
. "$guest_dir/world.sh"
build=${DWMAC_BUILD:-$root/build}

guest_get() {
	step "guest: QEMU" "$guest_dir/get.sh" qemu
	step "guest: kernel" "$guest_dir/get.sh" kernel
}

# A shell in the guest, the device on a veth pair whose other end has an address.
guest_shell() {
	world_start
	trap world_stop EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	world_initramfs "$world/initramfs"
	mapfile -t device < <(vm_device "$world/eth0.sock")
	echo "the other end of the wire: ip netns exec $world_netns sh; control: $world/control.sock"
	(vm_qemu "$world/initramfs" dwmac.shell "${device[@]}")
}

command=${1:-smoke}
[ $# -eq 0 ] || shift
case $command in
get)
	guest_get
	;;
smoke)
	guest_get
	bash "$scripts/setup-packages.sh" >/dev/null
	exec bash "$guest_dir/smoke.sh" "$build" "$@"
	;;
shell)
	guest_get
	guest_shell
	;;
*) usage_error "no guest command '$command'; there are: get smoke shell" ;;
esac
