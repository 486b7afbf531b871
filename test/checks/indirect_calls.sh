#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# indirect_calls.sh PMD.so: the burst functions of the built driver call nothing through a pointer.
# Two exceptions are DPDK's own slow paths, inlined into any burst: a mempool whose cache ran empty
# calls its ops, and the last user of an external buffer calls its owner. Debug information tells
# which header a call came from. Calls through the GOT (%rip) have a fixed target. TAP.
set -u
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
pmd=$1
allowed='/?(rte_mempool|rte_mbuf)\.h:[0-9]+'

# "ADDRESS FUNCTION" of each indirect call or tail jump inside burst functions. A jump table is an
# indirect jump, too, but to the sum of the table and an entry: the last instruction that wrote the
# register was an addition.
indirect() {
	objdump -d --no-show-raw-insn "$pmd" | awk '
		/^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name) }
		name !~ /dwmac_[a-z0-9]+_.*burst/ || NF < 2 { next }
		{ address = $1; sub(/:/, "", address); sub(/^[ \t]*[0-9a-f]+:[ \t]*/, "") }
		/^(notrack )?jmp[ql]? +\*%/ { if (wrote[substr($NF, 2)] !~ /^add/) print address, name }
		/^call[ql]? +\*|^jmp[ql]? +\*[^%]/ &&
			!/\(%rip\)/ { print address, name }
		{ split($0, words, /[ ,]+/); register = $0
			sub(/ *[#<].*/, "", register); sub(/.*,/, "", register)
			wrote[register] = words[1] }'
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

line_of() { # ADDRESS
	addr2line -e "$pmd" "0x$1"
}

no_indirect_calls() {
	indirect | while read -r address name; do
		origin=$(line_of "$address")
		echo "$origin" | grep -qE "$allowed" ||
			echo "$name: indirect call at $address, from $origin"
	done
}

has_lines() {
	readelf -S "$pmd" | grep -q '\.debug_line' || echo "$pmd has no debug information"
}

if ! objdump -f "$pmd" | grep -q 'architecture: i386:x86-64'; then
	echo "1..0 # SKIP reads x86 disassembly only"
	exit 0
fi
check "the driver has burst functions" has_bursts
check "it has debug information to tell inlined calls apart" has_lines
check "its bursts call nothing through a pointer" no_indirect_calls
tap_end
