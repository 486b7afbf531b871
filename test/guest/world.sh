#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced after vm.sh: the guest's surroundings on the host. A network namespace with a veth pair:
# the model's wire is dw0, dw1 is a neighbour with an address. Everything goes with world_stop.
# shellcheck disable=SC2034,SC2154 # judges.sh uses the names, vm.sh gave $guest_dir; who sources this sets $build

world=
world_netns=
world_model_pid=
host_ip=192.0.2.1
guest_ip=192.0.2.2
guest_mac=02:00:5e:10:00:01

world_in() {
	ip netns exec "$world_netns" "$@"
}

# world_start [DEVICE-OPTION…]: namespace, pair and model of $build. Returns 77 where the machine does
# not let us have a network namespace.
world_start() {
	local options
	options=$(printf ',%s' "$@")
	[ $# -gt 0 ] || options=
	world=$(mktemp -d)
	world_netns=dwmac-guest-$$
	ip netns add "$world_netns" 2>"$world/netns.log" || return 77
	world_in sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 \
		2>/dev/null || true
	world_in ip link add dw0 type veth peer name dw1
	world_in ip addr add "$host_ip/24" dev dw1
	# On a real wire checksums are there and no frame is larger than it may be.
	world_in ethtool -K dw1 tx off rx off gso off gro off tso off txvlan off rxvlan off \
		>/dev/null 2>&1 || true
	world_in ethtool -K dw0 gro off gso off tso off txvlan off rxvlan off >/dev/null 2>&1 || true
	world_in ip link set dw0 up
	world_in ip link set dw1 up
	world_model \
		--device "name=eth0,socket=$world/eth0.sock,mac=$guest_mac$options" \
		--wire af_packet:eth0,if=dw0 --control "$world/control.sock"
}

world_model() { # ARGUMENT…
	local tries in=()
	[ -z "$world_netns" ] || in=(ip netns exec "$world_netns")
	"${in[@]}" "$build/app/dwmac-model/dwmac-model" "$@" \
		>"$world/model.log" 2>&1 &
	world_model_pid=$!
	for tries in $(seq 100); do
		[ ! -S "$world/eth0.sock" ] || return 0
		kill -0 $world_model_pid 2>/dev/null || break
		sleep 0.1
	done
	cat "$world/model.log" >&2
	die "the model did not open its socket (${tries}00 ms)" "see what it said above"
}

# world_ctl COMMAND [KEY=VALUE…]: one command on the control socket, its JSON on stdout
world_ctl() {
	"$build/app/dwmac-model/dwmac-model" ctl "$world/control.sock" "$@"
}

# world_truth [DEVICE]: "true_ns device_ns" of the device's clock, out of the oscillator. Not by jq: its
# numbers are doubles, too short for nanoseconds since 1970.
world_truth() {
	world_ctl truth device="${1:-eth0}" | tr ',{}' '\n\n\n' | tr -d ' "' | awk -F: '
		$1 == "true_ns" { true_ns = $2 }
		$1 == "device_ns" { device_ns = $2 }
		END { print true_ns, device_ns }'
}

world_initramfs() { # OUT
	"$guest_dir/initramfs.sh" "$1" dwmac-intel realtek af_packet 8021q -- \
		"$build/test/guest/phc" "$build/test/guest/stamp" >/dev/null
}

world_stop() {
	vm_stop
	if [ -n "$world_model_pid" ]; then
		kill "$world_model_pid" 2>/dev/null || true
		wait "$world_model_pid" 2>/dev/null || true
		world_model_pid=
	fi
	[ -z "$world_netns" ] || ip netns del "$world_netns" 2>/dev/null || true
	[ -z "$world" ] || rm -rf "$world"
	world=
}
