#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# indirect_calls.sh PMD.so: the burst functions of the built driver call nothing through a pointer.
# Two exceptions are DPDK's own slow paths, inlined into any burst: a mempool whose cache ran empty
# calls its ops, and the last user of an external buffer calls its owner. Debug information tells
# which inline function a call came from. Calls through the GOT (%rip) have a fixed target. TAP.
set -u
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
pmd=$1
allowed='^(rte_mempool_ops_(dequeue_bulk|dequeue_contig_blocks|enqueue_bulk)'
allowed="$allowed|__rte_pktmbuf_free_extbuf)$"

# "ADDRESS FUNCTION" of each indirect call or tail jump inside burst functions. A jump table is
# a jump, too, but one marked notrack or through a register loaded from a table: only jumps
# through memory leave the function.
indirect() {
	objdump -d --no-show-raw-insn "$pmd" | awk '
		/^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name) }
		name ~ /dwmac_[a-z0-9]+_.*burst/ &&
			(/\tcall[ql]? +\*/ || /\tjmp[ql]? +\*0?x?[0-9a-f]*\(/ || /\tblr\t/) &&
			!/\(%rip\)/ { sub(/:/, "", $1); print $1, name }'
}

bursts() {
	objdump -t "$pmd" | awk '$3 == "F" || $4 == "F" { print $NF }' |
		grep -E "dwmac_[a-z0-9]+_.*$1.*burst|dwmac_[a-z0-9]+_.*burst.*$1" || true
}

has_bursts() {
	for direction in rx tx; do
		[ -n "$(bursts $direction)" ] || echo "no $direction burst function in $pmd"
	done
}

innermost() { # ADDRESS
	addr2line -f -i -e "$pmd" "0x$1" | head -n 1
}

no_indirect_calls() {
	indirect | while read -r address name; do
		origin=$(innermost "$address")
		echo "$origin" | grep -qE "$allowed" ||
			echo "$name: indirect call at $address, in $origin"
	done
}

has_lines() {
	readelf -S "$pmd" | grep -q '\.debug_line' || echo "$pmd has no debug information"
}

check "the driver has burst functions" has_bursts
check "it has debug information to tell inlined calls apart" has_lines
check "its bursts call nothing through a pointer" no_indirect_calls
tap_end
