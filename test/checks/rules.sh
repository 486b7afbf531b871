#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced: the rules of the house as functions over a tree ($tree). Each prints every offence as
# FILE:LINE: text and nothing else. borders.sh runs them on the repository, selftest.sh on trees
# that offend on purpose.

: "${tree:=.}" # the one who sources this sets it

# tracked [PATHSPEC…]: files that are, or would be, committed
tracked() {
	git -C "$tree" ls-files -co --exclude-standard -- "$@" 2>/dev/null | sort -u | while read -r file; do
		[ ! -f "$tree/$file" ] || echo "$file"
	done
}

# grep_in PATTERN: greps the files named on stdin, relative to the tree
grep_in() {
	(cd "$tree" && tr '\n' '\0' | xargs -0 -r grep -nHIE -e "$1" --) || true
}

# A generation's registers and descriptors stay behind its own files: the rest of the driver must
# work for the next generation unchanged.
rule_generations() {
	for generation in eqos xgmac gmac; do
		tracked 'drivers/net/dwmac/*.[ch]' |
			grep -vE "/${generation}_[^/]*$" |
			grep_in "#include.*[\"/<]${generation}_(regs|desc)\.h"
	done
}

# Model and driver check each other, so neither may borrow from the other.
rule_strangers() {
	tracked 'app/dwmac-model/*.[ch]' | grep_in '#include.*(drivers/|dwmac_[a-z_]*\.h|rte_)'
	tracked 'drivers/*.[ch]' | grep_in '#include.*(dwmac-model|silicon/)'
	tracked 'app/dwmac-model/*meson.build' | grep_in 'drivers|libdpdk'
	tracked 'drivers/*meson.build' | grep_in 'dwmac-model'
}

rule_vfio_user() {
	tracked 'drivers/net/dwmac/vfio_user/*.[ch]' |
		grep_in '\brte_eth_|#include.*(ethdev|(dwmac|eqos|xgmac|gmac)_)'
}

# base/ is hardware without ethdev: unit tests link it without EAL.
rule_base() {
	tracked 'drivers/net/dwmac/base/*.[ch]' | grep_in '#include.*ethdev'
}

sources() {
	tracked '*.c' '*.h' '*.sh' '*.py' '*meson.build' meson_options.txt dwmac .ci/run '*.S' \
		'*.rst' '*.md'
}

rule_length() {
	sources | grep -vE '\.(rst|md)$' | while read -r file; do
		lines=$(wc -l <"$tree/$file")
		[ "$lines" -le 600 ] || echo "$file:$lines: more than 600 lines"
	done
}

rule_licence() {
	sources | while read -r file; do
		for words in 'SPDX-License-Identifier: BSD-3-Clause' \
			'Copyright \(c\) 2026, the dwmac-dpdk authors'; do
			head -n 6 "$tree/$file" | grep -qE "$words" || echo "$file:1: lacks $words"
		done
	done
}

# The archive is whatever the machine is configured for.
rule_hosts() {
	hosts='(deb|ftp|security|snapshot|archive)\.[a-z.]*(debian|ubuntu)\.(org|com|net)'
	hosts="$hosts|pypi\.org|registry\.npmjs|crates\.io|proxy\.golang|debian[-]security/"
	tracked | grep -v '\.pcap' | grep_in "$hosts"
}

rule_unfinished() {
	tracked '*.c' '*.h' '*.py' '*.sh' '*meson.build' | grep_in '\b(TO''DO|FIX''ME|X''XX)\b'
}
