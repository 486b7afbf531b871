#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# build.sh FOLDER [MESON-OPTION…]: configure once, reconfigure when the options differ, compile.
set -eu
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

dir=$1
shift
if [ ! -f "$dir/build.ninja" ]; then
	meson setup "$@" "$dir" "$root" ||
		die "meson cannot configure $dir" "see $dir/meson-logs/meson-log.txt"
elif [ $# -gt 0 ]; then
	meson configure "$@" "$dir"
fi
out=$dir/ninja.log
if ! ninja -C "$dir" -j "${DWMAC_JOBS:-$(nproc)}" >"$out" 2>&1; then
	cat "$out"
	grep -E ': (fatal )?error: |(undefined reference|multiple definition)' "$out" | head -n 5 | sed 's/^/error: /' >&2
	die "the build in $dir failed" "all the compiler said is in $out"
fi
tail -n 3 "$out"
echo "$dir is up to date"
