#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced by smoke.sh: what the guest is asked to do, and what must come of it. Each function
# prints what went wrong and is silent otherwise; note tells a figure.
# shellcheck disable=SC2154 # $world, $guest_ip and so on are world.sh's

# guest_sysfs FILE: a file of the interface's folder
guest_sysfs() {
	vm_run 30 "cat /sys/class/net/eth0/$1"
}

# guest_becomes FILE VALUE SECONDS
guest_becomes() {
	local value='' deadline=$((SECONDS + $3))
	while [ $SECONDS -lt "$deadline" ]; do
		value=$(guest_sysfs "$1" 2>/dev/null)
		[ "$value" != "$2" ] || return 0
		sleep 0.2
	done
	echo "$1 is '$value' after $3 s, expected $2"
}

judge_probe() {
	local driver mac
	driver=$(vm_run 30 'basename $(readlink /sys/class/net/eth0/device/driver)')
	[ "$driver" = dwmac-intel ] || [ "$driver" = intel-eth-pci ] ||
		echo "eth0 has the driver '$driver'"
	note "Linux $(vm_run 10 'uname -r'), $("$guest_dir/qemu.sh" --version | head -n 1 |
		cut -d' ' -f1,4)"
	mac=$(guest_sysfs address)
	[ "$mac" = "$guest_mac" ] || echo "eth0 has the address '$mac', the model $guest_mac"
}

judge_link() {
	vm_run 20 'ip link set eth0 up' || echo "eth0 does not come up"
	vm_run 30 "ip addr add $guest_ip/24 dev eth0" || echo "eth0 takes no address"
	guest_becomes carrier 1 20
	guest_becomes speed 1000 1
	guest_becomes duplex full 1
	note "link at $(guest_sysfs speed) Mb/s, $(guest_sysfs duplex) duplex"
}

judge_ping_out() {
	local said
	said=$(vm_run 40 "ping -c 20 -i 0.1 -s 1000 -W 2 $host_ip")
	echo "$said" | grep -q '20 packets received' || echo "$said"
	note "ping out: $(echo "$said" | grep 'packets received')"
}

# ping compares what comes back with what it sent and says "wrong data" if it differs.
host_pings() { # SIZE COUNT [PING-OPTION…]
	local said size=$1 count=$2
	shift 2
	said=$(world_in ping -q -c "$count" -i 0.05 -W 2 -s "$size" -p 5aa5f00f81 "$@" "$guest_ip" 2>&1)
	if ! echo "$said" | grep -q "$count received" || echo "$said" | grep -q wrong; then
		echo "size $size: $said"
	fi
}

judge_ping_in() {
	local size bad='' sizes='1 18 19 56 64 500 1000 1471 1472 4000'
	# below the minimum frame, around cache lines and descriptors, the largest frame, fragments
	for size in $sizes; do
		bad+=$(host_pings "$size" 10)
	done
	[ -z "$bad" ] || echo "$bad"
	[ -n "$bad" ] || note "ping in: 10 replies to each of $sizes bytes, contents compared"
}

sum_of() {
	sha256sum "$1" | cut -d' ' -f1
}

judge_transfer_in() {
	local sum
	head -c 1048576 /dev/urandom >"$world/in"
	world_in timeout 30 socat -u "OPEN:$world/in" "TCP:$guest_ip:5001,retry=50,interval=0.2" &
	sum=$(vm_run 60 'timeout 30 nc -l -p 5001 >/tmp/in; sha256sum </tmp/in' | cut -d' ' -f1)
	wait $!
	[ "$sum" = "$(sum_of "$world/in")" ] || echo "the guest received other bytes"
	note "TCP: $(stat -c %s "$world/in") bytes into the guest, SHA-256 ${sum:0:12}…"
}

judge_transfer_out() {
	world_in timeout 30 socat -u TCP-LISTEN:5002,reuseaddr "CREATE:$world/out" &
	vm_run 60 "sleep 1; timeout 30 nc $host_ip 5002 </tmp/in" || echo "the guest cannot send"
	wait $!
	[ "$(sum_of "$world/out")" = "$(sum_of "$world/in")" ] || echo "the host received other bytes"
}

# Frames above 1514 bytes; Linux wants the interface down to change the MTU.
judge_jumbo() {
	local size
	world_in ip link set dw0 mtu 4000
	world_in ip link set dw1 mtu 4000
	vm_run 20 'ip link set eth0 down; ip link set eth0 mtu 4000 && ip link set eth0 up' ||
		echo "no MTU of 4000"
	guest_becomes carrier 1 20
	for size in 1473 1500 2048 3972; do
		host_pings $size 10 -M "do"
	done
	vm_run 20 'ip link set eth0 down; ip link set eth0 mtu 1500; ip link set eth0 up'
	guest_becomes carrier 1 20
}

# Linux has the tag inserted and removed by hardware if that offers it.
judge_vlan() {
	local size said echoed
	for size in 18 1472; do
		timeout 30 ip netns exec "$world_netns" python3 "$guest_dir/vlan_echo.py" dw1 5 \
			198.51.100.1 10 20 >"$world/echoed" &
		vm_run 20 'ip link add link eth0 name eth0.5 type vlan id 5' || echo "no VLAN here"
		vm_run 20 'ip addr add 198.51.100.2/24 dev eth0.5; ip link set eth0.5 up'
		said=$(vm_run 30 "ping -c 10 -i 0.1 -W 2 -s $size 198.51.100.1")
		echo "$said" | grep -q '10 packets received' || echo "$said"
		wait $!
		echoed=$(cat "$world/echoed")
		[ "$echoed" = 10 ] || echo "$echoed tagged echoes of 10 on the wire, size $size"
		vm_run 20 'ip link del eth0.5'
	done
}

# Without interrupt remapping everything is on one line, else "eth0:rx-0" names one.
judge_vectors() {
	local expected=2
	[ "$vm_iommu" != none ] || expected=1
	vm_run 30 'cat /proc/interrupts' | awk -v expected=$expected '
		/eth0:[rt]x-0$/ || / eth0$/ { used++; if ($2 == 0) print $NF " never fired" }
		END { if (used != expected) print used + 0 " of " expected " vectors are there" }'
}

guest_phc() {
	vm_run 30 "phc /dev/ptp0 $1"
}

truth_device_ns() {
	world_truth | cut -d' ' -f2
}

# device time minus true time
truth_offset_ns() {
	local true_ns device_ns
	read -r true_ns device_ns < <(world_truth)
	echo $((device_ns - true_ns))
}

judge_phc_read() {
	local before_ns after_ns phc_ns
	before_ns=$(truth_device_ns)
	read -r _ phc_ns _ < <(guest_phc get)
	after_ns=$(truth_device_ns)
	[ "${before_ns:-0}" -le "${phc_ns:-0}" ] && [ "${phc_ns:-0}" -le "${after_ns:-0}" ] ||
		echo "read $phc_ns, but the clock went from $before_ns to $after_ns meanwhile"
	guest_phc caps | grep -q 'max_adj_ppb=[1-9]' || echo "max_adj is zero"
}

judge_phc_set() {
	local set_ns=1700000000123456789 device_ns
	guest_phc "set $set_ns"
	device_ns=$(truth_device_ns)
	# the command's way back over the serial line takes some of that time
	[ "$device_ns" -ge $set_ns ] && [ "$device_ns" -lt $((set_ns + 20000000000)) ] ||
		echo "set to $set_ns, the model's clock is at $device_ns"
}

judge_phc_step() {
	local before_ns after_ns step_ns
	guest_phc 'freq 0'
	for step_ns in 123456789 -987654321 1 -7 2000000000; do
		before_ns=$(truth_offset_ns)
		guest_phc "step $step_ns"
		after_ns=$(truth_offset_ns)
		# The clock advances by 9 ns at a time (2 / 204.8 MHz), so each reading may be as far
		# behind; between them it loses 1.24 ns a second (doc/design/foreign-eyes.md).
		within $((after_ns - before_ns)) "$step_ns" 15 || echo "a step of $step_ns ns" \
			"moved the clock by $((after_ns - before_ns)) ns"
	done
}

within() { # VALUE EXPECTED TOLERANCE
	[ "$1" -ge $(($2 - $3)) ] && [ "$1" -le $(($2 + $3)) ]
}

# counted_ppb SECONDS: the rate of the model's clock against true time, from two readings
counted_ppb() {
	local true0_ns device0_ns true1_ns device1_ns
	read -r true0_ns device0_ns < <(world_truth)
	sleep "$1"
	read -r true1_ns device1_ns < <(world_truth)
	echo $((((device1_ns - device0_ns) - (true1_ns - true0_ns)) * 1000000000 /
		(true1_ns - true0_ns)))
}

judge_phc_rate() {
	local ppb got rates='0 50000 -50000 100 -1000000'
	[ "$extent" = full ] || rates='50000 -50000'
	for ppb in $rates; do
		guest_phc "freq $ppb"
		# Linux rounds 10^9 / 9 ns down before it divides by the clock rate (1 ppb), and the
		# addend's last bit, lost up to twice, is worth 0.4 ppb.
		got=$(world_ctl truth device=eth0 | jq '.clocks.eth0.rate_ppb | round')
		within "$got" $((ppb - 1)) 1 || echo "at $ppb ppb the clock runs at $got ppb"
		# each reading is up to 9 ns late
		got=$(counted_ppb 2)
		note "/dev/ptp0 told $ppb ppb runs at $got ppb of true time"
		within "$got" "$ppb" 10 || echo "at $ppb ppb the clock counts at $got ppb"
	done
	guest_phc 'freq 0'
}

judge_stamp_tx() {
	local said
	said=$(vm_run 40 'stamp eth0 tx 10 /dev/ptp0')
	echo "$said" | awk 'NF != 4 || $2 > $3 || $3 > $4 { print "not between two reads: " $0 }'
	[ "$(echo "$said" | wc -l)" = 10 ] || echo "$(echo "$said" | wc -l) stamps of 10"
}

judge_stamp_rx() {
	local said before_ns
	before_ns=$(truth_device_ns)
	(sleep 2 && world_in "$build/test/guest/stamp" dw1 send 10) &
	said=$(vm_run 40 'stamp eth0 rx 10 /dev/ptp0')
	wait $!
	# the frames are 20 ms apart, more on a busy machine, never less than the sleep between them
	echo "$said" | awk -v last="$before_ns" 'NF != 3 || $2 < last || $2 > $3 {
			print "out of order: " $0 }
		{ last = $2 + 15000000 }'
	[ "$(echo "$said" | wc -l)" = 10 ] || echo "$(echo "$said" | wc -l) stamps of 10"
}

judge_cable() {
	world_ctl link up=false >/dev/null || echo "the model does not pull the cable"
	guest_becomes carrier 0 10
	world_ctl link up=true mbps=100 >/dev/null || echo "the model does not plug it in again"
	guest_becomes carrier 1 10
	guest_becomes speed 100 1
	host_pings 1000 10
	world_ctl link up=true mbps=1000 >/dev/null || echo "the model does not change the speed"
	guest_becomes speed 1000 10
	guest_becomes carrier 1 10
	host_pings 1000 10
}

judge_restart() {
	local turn
	for turn in 1 2 3; do
		vm_run 20 'ip link set eth0 down; ip link set eth0 up' || echo "turn $turn fails"
		guest_becomes carrier 1 20
		host_pings 100 5
	done
}

judge_rebind() {
	vm_run 30 'f=$(readlink -f /sys/class/net/eth0/device)'
	vm_run 30 'echo ${f##*/} >$f/driver/unbind; sleep 1'
	vm_run 30 'echo ${f##*/} >/sys/bus/pci/drivers_probe; sleep 1'
	vm_run 20 "ip link set eth0 up; ip addr add $guest_ip/24 dev eth0" || echo "no eth0 again"
	guest_becomes carrier 1 20
	host_pings 100 5
}

# tcpdump saw every frame outside guest and model.
judge_wire() {
	python3 "$guest_dir/echo_pairs.py" "$world/wire.pcap"
	# A TCP checksum that comes out as 0 leaves Linux as 0xffff, the other zero of one's
	# complement, when the kernel sums in software; tshark calls that bad, receivers do not.
	tshark -r "$world/wire.pcap" -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE \
		-Y 'ip.checksum.status == 0 || icmp.checksum.status == 0 ||
			(tcp.checksum.status == 0 && tcp.checksum != 0xffff)' \
		2>/dev/null | head -n 3 | sed 's/^/bad checksum: /'
}

# levels 0 to 3, and what the kernel says at other levels when a driver misbehaves
judge_dmesg() {
	vm_run 30 'dmesg -r' | grep -E '^<[0-3]>|WARNING:|BUG:|Call Trace|NETDEV WATCHDOG' |
		grep -vFf <(grep -v '^#' "$guest_dir/accepted-dmesg.txt")
}

# doc/design/foreign-eyes.md tells the story of each accepted complaint.
judge_complaints() {
	world_ctl complaints | jq -r '
		if .ok then .complaints[] | "\(.kind): \(.text) (\(.count) times)"
		else "the model did not say: \(.error)" end' |
		grep -vFf <(grep -v '^#' "$guest_dir/accepted-complaints.txt")
}
