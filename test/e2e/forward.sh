#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# forward.sh BUILD: testpmd forwards real captures between two dwmac ports, in both directions at
# once. What each wire records has to be what the other one played, byte for byte, and the model
# must have nothing to complain about.
set -eu
build=$1
# shellcheck source=e2e.sh
. "$(dirname "$0")/e2e.sh"
here=$root/test/e2e

# Captures of the test data folder (or of $DWMAC_CAPTURES), else one made here and now.
shopt -s nullglob
captures=("${DWMAC_CAPTURES:-$root/test/captures}"/*.pcap)
if [ ${#captures[@]} -eq 0 ]; then
	bash "$here/record.sh" "$work/recorded.pcap"
	captures=("$work/recorded.pcap")
fi
# The two directions carry different frames: the captures in opposite order.
reversed=()
for file in "${captures[@]}"; do
	reversed=("$file" "${reversed[@]}")
done
count=$(python3 "$here/frames.py" select "$work/a.pcap" 1514 "${captures[@]}")
python3 "$here/frames.py" select "$work/b.pcap" 1514 "${reversed[@]}" >/dev/null
echo "$count frames of ${#captures[@]} captures, each way"

e2e_model --quiet \
	--device "name=eth0,socket=$work/eth0.sock" --device "name=eth1,socket=$work/eth1.sock" \
	--wire "pcap:eth0,in=$work/a.pcap,out=$work/a.out.pcap,speed=full" \
	--wire "pcap:eth1,in=$work/b.pcap,out=$work/b.out.pcap,speed=full"
e2e_testpmd --vdev "net_dwmac0,socket=$work/eth0.sock" \
	--vdev "net_dwmac1,socket=$work/eth1.sock" \
	-- -i --forward-mode=io --auto-start --total-num-mbufs=4096

recorded_all() {
	[ "$(e2e_ctl wire device=eth0 | jq .counters.recorded)" = "$count" ] &&
		[ "$(e2e_ctl wire device=eth1 | jq .counters.recorded)" = "$count" ]
}
start=$(now_ms)
e2e_wait 60 recorded_all ||
	echo "not all frames came back: $(e2e_ctl wire device=eth0 | jq -c .counters)" \
		"$(e2e_ctl wire device=eth1 | jq -c .counters)"
echo "forwarded in $(seconds $(($(now_ms) - start)))"
e2e_say "stop"
e2e_say "quit"
wait "$testpmd_pid" || die "testpmd ended with status $?" "$(tail -n 5 "$work/testpmd.log")"
testpmd_pid=
e2e_ctl wire device=eth0 action=flush >/dev/null
e2e_ctl wire device=eth1 action=flush >/dev/null

rc=0
echo "eth0 to eth1: $(python3 "$here/frames.py" same "$work/a.pcap" "$work/b.out.pcap" 2>&1)"
echo "eth1 to eth0: $(python3 "$here/frames.py" same "$work/b.pcap" "$work/a.out.pcap" 2>&1)"
python3 "$here/frames.py" same "$work/a.pcap" "$work/b.out.pcap" >/dev/null 2>&1 || rc=1
python3 "$here/frames.py" same "$work/b.pcap" "$work/a.out.pcap" >/dev/null 2>&1 || rc=1
for device in eth0 eth1; do
	said=$(e2e_complaints $device)
	[ -z "$said" ] || rc=1
	echo "$device: ${said:-no complaint}"
done
exit $rc
