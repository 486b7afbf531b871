#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced by pmd-vfio.sh: what DPDK in the guest is asked to do, and what must come of it. Each
# function prints what went wrong and is silent otherwise; note tells a figure.
# shellcheck disable=SC2154 # $world is world.sh's

# -nodefaults leaves the slots from 1 on to the devices, in their order
functions=(0000:00:01.0 0000:00:02.0 0000:00:03.0)
low_memory='--legacy-mem --base-virtaddr=0x20000000'
ptp_sync=011b1900000002000000000188f70002002c$(printf %032d 0)020000fffe00000100010000
# a burst of each port goes round for ever
rounding=64

device_count() { # DEVICE JQ-PATH
	world_ctl counters "device=$1" | jq "$2"
}

# xstat PORT NAME, of the last show_xstats
xstat() {
	awk -v port="$1" -v name="$2:" '/^###### NIC/ { at = $NF }
		at == port && $1 == name { print $2 }' "$world/xstats"
}

show_xstats() {
	vm_run 40 'pmd "show port xstats all"' >"$world/xstats" || echo "testpmd shows no xstats"
}

judge_bind() {
	local function driver
	vm_run 10 '. /bin/pmd.sh'
	for function in "${functions[@]}"; do
		driver=$(vm_run 20 "give $function vfio-pci" | tail -n 1)
		[ "$driver" = vfio-pci ] || echo "$function has the driver '$driver'"
	done
	[ "$(vm_run 20 'huge_pages 64')" = 64 ] || echo "no 64 huge pages"
}

start_testpmd() { # EAL-ARGUMENTS [TESTPMD-ARGUMENTS]
	vm_run 90 "testpmd -m 64 $1 -- -i --total-num-mbufs=4096 ${2:-}"
}

judge_start() {
	local said
	said=$(start_testpmd "-a ${functions[0]} -a ${functions[1]}") || echo "no prompt"
	echo "$said" | grep -q "Selected IOVA mode 'VA'" || echo "IOVA mode is not VA"
	echo "$said" | grep -q 'Using IOMMU type 1' || echo "no type 1 IOMMU"
	echo "$said" | grep -q '^Port 0: 02:00:5E:10:00:01' || echo "no port 0 of eth0's address"
	echo "$said" | grep -q '^Port 1: 02:00:5E:10:00:02' || echo "no port 1 of eth1's address"
	echo "$said" | grep -iE 'error|fail|cannot|could not'
	note "memory windows at the device: $(device_count eth0 .bus.dma_windows)"
}

judge_link() {
	local said='' tries
	for tries in $(seq 20); do
		said=$(vm_run 40 'pmd "show port info all"')
		[ "$(echo "$said" | grep -c 'Link status: up')" != 2 ] || break
		sleep 0.5
	done
	[ "$(echo "$said" | grep -c 'Link speed: 1 Gbps')" = 2 ] &&
		[ "$(echo "$said" | grep -c 'Link duplex: full-duplex')" = 2 ] ||
		echo "after $tries tries: $said"
	[ "$(echo "$said" | grep -c 'Driver name: net_dwmac_pci')" = 2 ] || echo "another driver"
}

# frames_grow COUNT: both devices send that many more
frames_grow() {
	local name start deadline=$((SECONDS + 30))
	for name in eth0 eth1; do
		start=$(device_count $name .counters.mac_tx_frames)
		while [ $(($(device_count $name .counters.mac_tx_frames) - start)) -lt "$1" ]; do
			[ $SECONDS -lt $deadline ] || {
				echo "$name does not send $1 frames in 30 s"
				break
			}
			sleep 0.2
		done
	done
}

# total KIND: of testpmd's forward statistics for all ports in $world/stopped
total() {
	sed -n "/Accumulated/,\$s/.*$1-packets: \([0-9]*\).*/\1/p" "$world/stopped" | head -n 1
}

judge_traffic() {
	local port name sent received
	vm_run 40 'pmd "start tx_first"' >/dev/null || echo "testpmd does not start"
	frames_grow 20000
	vm_run 40 'pmd stop' >"$world/stopped" || echo "testpmd does not stop"
	show_xstats
	for port in 0 1; do
		name=eth$port
		sent=$(xstat $port tx_good_packets)
		received=$(xstat $port rx_good_packets)
		[ "$sent" = "$(device_count $name .counters.mac_tx_frames)" ] &&
			[ "$sent" = "$(device_count eth$((1 - port)) .counters.mac_rx_frames)" ] &&
			[ "$sent" = "$(xstat $((1 - port)) mmc_rx_packets_gb)" ] ||
			echo "port $port sent $sent frames; the model knows others"
		note "port $port sent $sent and received $received frames"
	done
	[ $(($(total TX) - $(total RX))) = $rounding ] ||
		echo "$(total TX) frames sent, $(total RX) received, not $rounding less"
}

judge_xstats() {
	grep -E '(error|overflow|no_mbuf|no_descriptor|bad|dropped|missed|timeouts|runts|jabbers|giants|late)[a-z]*: ' \
		"$world/xstats" | grep -v ': 0$'
	[ "$(grep -c '^link_changes: 1$' "$world/xstats")" = 2 ] || echo "link changes are not 1"
	[ "$(wc -l <"$world/xstats")" -gt 100 ] || echo "fewer than 100 lines of xstats"
}

# What the pool lacks: neither in it nor in a lcore's cache
mbufs_in_use() {
	vm_run 40 'pmd "dump_mempool mb_pool_0"' | tr ' ' '\n' | awk -F= '
		$1 == "size" { size = $2 }
		$1 == "common_pool_count" { free += $2 }
		$1 == "total_cache_count" { free += $2 }
		END { print size - free }'
}

judge_restart() {
	local turn used
	for turn in 1 2 3; do
		vm_run 40 'pmd "port stop all"' >/dev/null || echo "turn $turn: ports do not stop"
		used=$(mbufs_in_use)
		[ "$used" = 0 ] || echo "turn $turn: $used mbufs are in use after the stop"
		vm_run 40 'pmd "port start all"' >/dev/null || echo "turn $turn: ports do not start"
		judge_link
		vm_run 40 'pmd "start tx_first"' >/dev/null || echo "turn $turn: testpmd does not start"
		frames_grow 5000
		vm_run 40 'pmd stop' >/dev/null || echo "turn $turn: testpmd does not stop"
	done
}

no_memory_mapped() {
	local name windows
	for name in eth0 eth1 eth2; do
		windows=$(device_count $name .bus.dma_windows)
		[ "$windows" = 0 ] || echo "$windows memory windows are left at $name"
	done
}

quit_testpmd() {
	local said
	said=$(vm_run 60 pmd_quit) || echo "testpmd ends with an error: $said"
	echo "$said" | grep -q 'Bye' || echo "testpmd does not say Bye: $said"
	no_memory_mapped
}

judge_quit() {
	quit_testpmd
	note "the cable carried $(device_count eth0 .wire.tx_frames) frames in all"
}

ask() { # COMMAND: of timesync_probe; the answer without its 0 for success
	vm_run 30 "pmd_ask '^-*[0-9]' '$1'" | sed -n 's/^0 \?//p'
}

# between WHAT BEFORE VALUE AFTER
between() {
	[ "${2:-0}" -le "${3:--1}" ] && [ "$3" -le "${4:-0}" ] || echo "$1 is $3, not in $2..$4"
}

device_now_ns() { # DEVICE
	world_truth "$1" | cut -d' ' -f2
}

stamp_ns() { # COMMAND: an answer that ends with seconds and nanoseconds
	ask "$1" | awk 'NF >= 2 { printf "%d%09d\n", $(NF - 1), $NF }'
}

judge_timesync() {
	local port before0 before1 turn ns ptp stamped flags
	vm_run 90 "pmd_start ready env LD_LIBRARY_PATH=/plugins timesync_probe -d /plugins --iova-mode=va --lcores 0@0 -m 64 \
-a ${functions[0]} -a ${functions[1]}" >"$world/probe" || cat "$world/probe"
	for port in 0 1; do
		ask "enable $port" >/dev/null
		ask "write $port $((1700000000 + port)) 5" >/dev/null
		before0=$(device_now_ns eth$port)
		between "clock $port, just set," $((1700000000 + port))000000005 "$before0" 1700000099000000000
		ns=$(stamp_ns "read $port")
		between "clock $port" "$before0" "$ns" "$(device_now_ns eth$port)"
	done
	for turn in 1 2 3; do
		before0=$(device_now_ns eth0)
		before1=$(device_now_ns eth1)
		ask "send 0 1 $ptp_sync" >/dev/null
		read -r ptp stamped flags < <(ask 'recv 1 2000000')
		[ "${ptp:-0} ${stamped:-0}" = '1 1' ] || echo "$turn: no stamped frame"
		between "stamp $turn of the sender" "$before0" "$(stamp_ns 'txstamp 0 1000000')" \
			"$(device_now_ns eth0)"
		between "stamp $turn of the receiver" "$before1" "$(stamp_ns "rxstamp 1 ${flags:-0}")" \
			"$(device_now_ns eth1)"
	done
	# shellcheck disable=SC2016 # the guest's variable
	vm_run 30 'exec 7>&-; wait $pmd_pid' || echo "timesync_probe ends with an error"
	no_memory_mapped
}

judge_refused() {
	local said
	said=$(start_testpmd "-a ${functions[2]}") # testpmd may go on without ports
	echo "$said" | grep -q "beyond the device's 32 address bits: run with $low_memory" ||
		echo "no remedy is named: $said"
	vm_run 30 pmd_quit >/dev/null || true
	no_memory_mapped
}

judge_contents() {
	local tries said
	said=$(start_testpmd "-a ${functions[2]} $low_memory" --port-topology=loop)
	echo "$said" | grep -q '^Port 0: 02:00:5E:10:00:03' || echo "no port: $said"
	# what a full ring refuses would be thrown away
	vm_run 40 'pmd "set fwd io retry"' >/dev/null
	vm_run 40 'pmd "set burst tx delay 10 retry 100000"' >/dev/null
	vm_run 40 'pmd start' >/dev/null
	world_ctl wire device=eth2 action=start >/dev/null || echo "the model does not play"
	for tries in $(seq 100); do
		[ "$(device_count eth2 .counters.mac_tx_frames)" -lt 3000 ] || break
		sleep 0.2
	done
	vm_run 40 'pmd stop' >/dev/null
	quit_testpmd
	world_ctl wire device=eth2 action=flush >/dev/null
	python3 "$guest_dir/frames.py" same "$world/in.pcap" "$world/out.pcap" || echo "($tries tries)"
	note "contents: $(stat -c %s "$world/out.pcap") bytes of capture, byte for byte"
}

judge_complaints() {
	local name
	for name in eth0 eth1 eth2; do
		world_ctl complaints device=$name | jq -r --arg name $name '
			if .ok then .complaints[] | "\($name): \(.kind): \(.text) (\(.count) times)"
			else "\($name): the model did not say: \(.error)" end'
	done
}

judge_to_linux() {
	local driver mac
	vm_run 30 'insmod /modules/dwmac_intel.ko' || echo "dwmac-intel is not loaded"
	driver=$(vm_run 30 "give ${functions[0]} ''" | tail -n 1)
	[ "$driver" = dwmac-intel ] || [ "$driver" = intel-eth-pci ] || echo "the driver is '$driver'"
	mac=$(vm_run 30 'cat /sys/class/net/eth0/address')
	[ "$mac" = 02:00:5e:10:00:01 ] || echo "eth0 has the address '$mac'"
	vm_run 30 'ip link set eth0 up' || echo "eth0 does not come up"
}

# Linux' stmmac leaves runtime power management of the function disabled, so vfio-pci cannot wake
# it (VFIO_GROUP_GET_DEVICE_FD: EACCES). A function found anew has it enabled, if no driver of Linux
# is there to have it first: a rescan does not ask drivers_autoprobe.
judge_from_linux() {
	local said
	vm_run 30 'ip link set eth0 down'
	vm_run 30 'rmmod dwmac_intel' || echo "dwmac-intel does not go"
	[ "$(vm_run 30 "renew ${functions[0]} vfio-pci" | tail -n 1)" = vfio-pci ] || echo "not bound"
	said=$(start_testpmd "-a ${functions[0]}")
	echo "$said" | grep -q '^Port 0: 02:00:5E:10:00:01' || echo "no port: $said"
	vm_run 40 'pmd "start tx_first"' >/dev/null
	vm_run 40 'pmd stop' | grep -q 'TX-packets: 32 ' || echo "no burst is sent"
	quit_testpmd
}

# levels 0 to 3, and what the kernel says at other levels when a driver misbehaves
judge_dmesg() {
	vm_run 30 'dmesg -r' | grep -E '^<[0-3]>|WARNING:|BUG:|Call Trace|NETDEV WATCHDOG' |
		grep -vFf <(grep -v '^#' "$guest_dir/accepted-dmesg.txt")
}
