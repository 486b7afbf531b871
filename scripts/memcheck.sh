#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# memcheck.sh FOLDER: the programs of suite unit of a finished build under valgrind. Bad accesses,
# values nobody set and memory nobody freed are failures. Ends as test.sh does.
set -eu
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
dir=$1

# driver_ptp_sequences holds the driver to deadlines of a millisecond; translating its code takes
# valgrind longer. driver_sweep_races is about threads, which valgrind runs one at a time; TSan has
# it. model_vfu_server wants more address space than valgrind has, to map neighbours side by side.
excluded='^(driver_ptp_sequences|driver_sweep_races.*|model_vfu_server)$'

# Scripts are out: their interpreter would be what is checked.
programs() {
	meson introspect --tests "$dir" | jq -r --arg dir "$(readlink -f "$dir")/" \
		--arg excluded "$excluded" '.[] | select(any(.suite[]; endswith("unit"))) |
		select(.cmd[0] | startswith($dir)) | .name | select(test($excluded) | not)'
}

mapfile -t tests < <(programs)
[ ${#tests[@]} -gt 0 ] || die "no unit tests in $dir" "build with -Dtests=true"
log=$dir/meson-logs/testlog-valgrind.json
rm -f "$log"
rc=0
meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes 2 \
	--timeout-multiplier "$((4 * ${DWMAC_TIMEOUTS:-1}))" --wrapper \
	"valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite" \
	"${tests[@]}" || rc=$?
[ -f "$log" ] || : >"$log"
python3 "$root/test/count_results.py" "$log" "$rc"
