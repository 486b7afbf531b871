#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# smoke.sh BUILD [dma|pt|none [PROFILE [short]]]: Debian's kernel boots in QEMU with the modelled device as a PCI function; its own
# dwmac-intel driver has to probe it, bring the link up, move frames both ways unharmed, keep time
# and never be complained about. TAP; a check that says nothing has passed. Figures worth telling are
# left in the log folder as "notes". Short is what the demo shows: half a minute.
set -u
# shellcheck source=vm.sh
. "$(dirname "$0")/vm.sh"
# shellcheck source=world.sh
. "$guest_dir/world.sh"
# shellcheck source=../checks/tap.sh
. "$root/test/checks/tap.sh"
# shellcheck source=judges.sh
. "$guest_dir/judges.sh"
build=$1
vm_iommu=${2:-dma}
profile=${3:-ehl-pch}
extent=${4:-full}
keep=$logs/guest-$profile-$vm_iommu
tcpdump_pid=

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# note TEXT…: a figure for who reads the result
note() {
	echo "$*" >>"$keep/notes"
}

check_if_full() {
	[ "$extent" = short ] || check "$@"
}

# The world is gone at the end; what it said stays.
finish() {
	# in a subshell: a guest that does not answer must not keep us from cleaning up
	(vm_run 10 'dmesg') >"$keep/dmesg.log" 2>/dev/null || true
	world_ctl complaints >"$keep/complaints.json" 2>/dev/null || true
	cp "$world/model.log" "$keep/" 2>/dev/null || true
	cp "$world/wire.pcap" "$keep/" 2>/dev/null || true
	stop_capture
	world_stop
}

# A background job of its own, not of a function: the pid has to be tcpdump's.
stop_capture() {
	[ -n "$tcpdump_pid" ] || return 0
	kill "$tcpdump_pid" 2>/dev/null
	wait "$tcpdump_pid" 2>/dev/null
	tcpdump_pid=
}

for part in qemu kernel; do
	said=$("$guest_dir/get.sh" $part 2>&1) || skip_all "$(echo "$said" | grep '^error' | head -n 1)"
done
[ -x "$build/app/dwmac-model/dwmac-model" ] || skip_all "no dwmac-model in $build"
mkdir -p "$keep"
: >"$keep/notes"
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
world_start "profile=$profile" || skip_all "no network namespace here: $(cat "$world/netns.log")"
world_initramfs "$world/initramfs" || exit 1
mapfile -t device < <(vm_device "$world/eth0.sock")
ip netns exec "$world_netns" tcpdump -i dw1 -U -w "$world/wire.pcap" >"$world/tcpdump.log" 2>&1 &
tcpdump_pid=$!
vm_start "$keep/serial.log" "$world/initramfs" "" "${device[@]}"

check "dwmac-intel probes the function" judge_probe
check "the link comes up at 1 Gb/s full duplex" judge_link
check "the guest pings the host" judge_ping_out
check "the host pings the guest, all sizes" judge_ping_in
check "a megabyte arrives in the guest unharmed" judge_transfer_in
check_if_full "a megabyte arrives on the host unharmed" judge_transfer_out
check_if_full "interrupts arrive, one vector per queue and direction if there are that many" judge_vectors
check_if_full "larger frames pass" judge_jumbo
check_if_full "VLAN tags pass" judge_vlan
check "the PTP clock reads the model's true time" judge_phc_read
check_if_full "the PTP clock is set" judge_phc_set
check_if_full "the PTP clock is stepped both ways" judge_phc_step
check "the PTP clock runs at the rate it is given" judge_phc_rate
check_if_full "sent PTP frames are stamped" judge_stamp_tx
check_if_full "received PTP frames are stamped" judge_stamp_rx
check_if_full "the cable is pulled and plugged in again" judge_cable
check_if_full "the interface goes down and up" judge_restart
check_if_full "the driver is unbound and bound again" judge_rebind
stop_capture
check "requests and replies on the wire are equal" judge_wire
check "the kernel has nothing to report" judge_dmesg
check "the model has nothing to complain about" judge_complaints
tap_end
