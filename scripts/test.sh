#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# test.sh FOLDER [SUITE…]: runs the suites (all of them by default) of a finished build and ends
# with one line: N passed, N failed, N skipped. Skips fail when DWMAC_CI=1.
set -eu
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

dir=$1
shift
args=()
for suite in "$@"; do
	grep -qxF "$suite" "$root/test/suites.txt" ||
		usage_error "no suite '$suite'; there are: $(grep -v '^#' "$root/test/suites.txt" |
			tr '\n' ' ')"
	args+=(--suite "$suite")
done
# UBSan only prints by default; a TSan report shall end the program that earned it.
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
log=$dir/meson-logs/testlog.json
rm -f "$log"
rc=0
meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes 2 \
	--timeout-multiplier "${DWMAC_TIMEOUTS:-1}" "${args[@]}" || rc=$?
# A suite without tests makes no log; counting an empty one then fails, as it should.
[ -f "$log" ] || : >"$log"
python3 "$root/test/count_results.py" "$log" "$rc"
