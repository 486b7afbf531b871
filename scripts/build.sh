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
ninja -C "$dir" -j "${DWMAC_JOBS:-$(nproc)}" || die "the build in $dir failed" \
	"the compiler's words are above and, by step, under $logs"
echo "$dir is up to date"
