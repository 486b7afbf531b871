#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# record.sh OUT: captures real traffic of this machine's own stack on a veth pair between two
# network namespaces: ARP, ICMP of all sizes, fragments, a TCP transfer, UDP.
set -eu
# shellcheck source=../../scripts/common.sh
. "$(dirname "$0")/../../scripts/common.sh"
out=$1
left=dwmac-rec-l-$$ right=dwmac-rec-r-$$

leave() {
	ip netns del $left 2>/dev/null || true
	ip netns del $right 2>/dev/null || true
}
trap leave EXIT
ip netns add $left 2>/dev/null || die "no network namespace can be made here" \
	"run as root, or give captures: DWMAC_CAPTURES=FOLDER"
ip netns add $right
ip -n $left link add veth0 type veth peer name veth0 netns $right
ip -n $left addr add 192.0.2.1/24 dev veth0
ip -n $right addr add 192.0.2.2/24 dev veth0
for side in $left $right; do
	# frames as a wire would carry them: whole checksums, no larger than they may be
	ip netns exec $side ethtool -K veth0 tx off rx off gso off gro off tso off >/dev/null 2>&1
	ip -n $side link set veth0 up
done
ip netns exec $left tcpdump -i veth0 -U -w "$out" >/dev/null 2>&1 &
capture=$!
sleep 1
for size in 1 18 64 500 1472 4000; do
	ip netns exec $left ping -q -c 5 -i 0.01 -s $size 192.0.2.2 >/dev/null
done
ip netns exec $right socat -u TCP-LISTEN:5001,reuseaddr OPEN:/dev/null &
sink=$!
sleep 0.3
head -c 500000 /dev/urandom | ip netns exec $left socat -u - TCP:192.0.2.2:5001,retry=20,interval=0.1
wait $sink
for turn in 1 2 3 4 5; do
	echo "datagram $turn" | ip netns exec $left socat -u - UDP:192.0.2.2:5002
done
sleep 0.5
kill $capture
wait $capture
