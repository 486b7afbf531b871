#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced: one guest per shell. vm_start boots it, vm_run runs a command in it over the serial
# line, vm_stop ends it. Guest memory is a shared memfd: a vfio-user device does DMA into it.

# shellcheck source=../../scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
guest_dir=$root/test/guest
vm_log=/dev/null
vm_pid=

# How a device gets at guest memory and sends interrupts; to be set before vm_start.
# dma: an IOMMU, each buffer mapped as the driver asks for it
# pt: an IOMMU, all memory mapped at once
# none: no IOMMU; without interrupt remapping a function gets a single MSI vector
vm_iommu=dma

# Plain emulation: no machine can be expected to have /dev/kvm.
vm_qemu() { # INITRAMFS APPEND QEMU-ARGUMENT…
	local initramfs=$1 append=$2
	shift 2
	case $vm_iommu in
	dma) append="intel_iommu=on $append" ;;
	pt) append="intel_iommu=on iommu=pt $append" ;;
	esac
	[ "$vm_iommu" = none ] || set -- -device intel-iommu,intremap=on,caching-mode=on "$@"
	exec "$guest_dir/qemu.sh" -nodefaults -no-user-config -display none -no-reboot \
		-serial stdio -cpu max -smp 1 -m 512 -M q35,kernel-irqchip=split \
		-object memory-backend-memfd,id=mem,size=512M,share=on -machine memory-backend=mem \
		-kernel "$cache/guest/kernel/vmlinux" -initrd "$initramfs" \
		-append "console=ttyS0 quiet loglevel=0 panic=-1 $append" "$@"
}

# vm_device SOCKET: the QEMU arguments that attach a vfio-user device
vm_device() {
	printf '%s\n' -device \
		"{\"driver\":\"vfio-user-pci\",\"socket\":{\"path\":\"$1\",\"type\":\"unix\"}}"
}

# vm_read SECONDS ID: waits for the guest's answer "@@ID STATUS", leaves the status in $vm_answer and
# prints the lines before it. Answers of other ids belong to commands somebody gave up waiting for.
vm_read() {
	local line said='' deadline=$((SECONDS + $1))
	vm_answer=
	while [ $SECONDS -lt $deadline ]; do
		if IFS= read -r -t $((deadline - SECONDS)) -u "$vm_out" line; then
			line=${line%$'\r'}
			printf '%s\n' "$line" >>"$vm_log"
			case $line in
			"@@$2 "*)
				vm_answer=${line##* }
				printf %s "$said"
				return 0
				;;
			@@*) said= ;;
			?*) said+=$line$'\n' ;;
			esac
		elif ! kill -0 "$vm_pid" 2>/dev/null; then
			die "QEMU ended" "see $vm_log"
		fi
	done
	die "the guest did not answer in $1 s" "see $vm_log"
}

# vm_start LOG INITRAMFS APPEND QEMU-ARGUMENT…
vm_start() {
	vm_log=$1
	shift
	: >"$vm_log"
	coproc VM { vm_qemu "$@" 2>>"$vm_log"; }
	vm_pid=$VM_PID
	# copies: bash closes the originals when the coprocess ends
	exec {vm_out}<&"${VM[0]}" {vm_in}>&"${VM[1]}"
	vm_read 180 boot
}

# vm_run SECONDS COMMAND: one line; its output on stdout, its status returned
vm_run() {
	local id=$BASHPID.$EPOCHREALTIME
	printf '$ %s\n' "$2" >>"$vm_log"
	printf '%s %s\n' "$id" "$2" >&"$vm_in"
	vm_read "$1" "$id"
	return "$vm_answer"
}

vm_stop() {
	[ -n "$vm_pid" ] || return 0
	kill "$vm_pid" 2>/dev/null || true
	wait "$vm_pid" 2>/dev/null || true
	vm_pid=
}
