#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# bench.sh BUILD NAME [--json FILE] [ARGUMENT…]: runs test/bench/NAME.sh BUILD ROWS ARGUMENT…, which
# prints for people and appends one JSON object per figure to the file ROWS; packs the rows with
# what they were measured on.
set -eu
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
benches=$root/test/bench
build=$1
shift

machine() {
	jq -n --arg cpu "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" \
		--argjson cpus "$(nproc)" --arg kernel "$(uname -sr)" \
		--arg dpdk "$(pkg-config --modversion libdpdk)" \
		--arg compiler "$(${CC:-gcc} --version | head -n 1)" \
		--arg commit "$(git -C "$root" describe --always --dirty 2>/dev/null)" \
		'{$cpu, $cpus, $kernel, $dpdk, $compiler, $commit}'
}

name=${1:-}
[ -n "$name" ] || usage_error "bench wants a name; there are: $(there_are_benches | tr '\n' ' ')"
shift
[ -f "$benches/$name.sh" ] || usage_error "no bench '$name'; there are: $(there_are_benches | tr '\n' ' ')"
command="./dwmac bench $name $*"
json='' arguments=()
while [ $# -gt 0 ]; do
	case $1 in
	--help) exec bash "$benches/$name.sh" "$build" /dev/null --help ;;
	--json)
		[ $# -ge 2 ] || usage_error "--json wants a file"
		json=$2
		shift
		;;
	*) arguments+=("$1") ;;
	esac
	shift
done
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
bash "$benches/$name.sh" "$build" "$rows" "${arguments[@]}"
[ -s "$rows" ] || die "bench $name measured nothing" "read what it said above"
[ -z "$json" ] || jq -s --arg bench "$name" --arg command "${command% }" \
	--argjson machine "$(machine)" '{$bench, $command, $machine, rows: .}' "$rows" >"$json"
