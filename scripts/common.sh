#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced by ./dwmac and everything under scripts/: places, messages, steps.

# shellcheck disable=SC2034 # names are for those who source this file
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034
scripts=$root/scripts
cache=${DWMAC_CACHE:-$root/.cache}
logs=$cache/log

# die WHAT [REMEDY]: the one way a script gives up. step() shows both to the user.
die() {
	echo "error: $1" >&2
	[ $# -lt 2 ] || echo "remedy: $2" >&2
	exit "${DIE_CODE:-1}"
}

usage_error() {
	DIE_CODE=2 die "$1" "see ./dwmac help"
}

# The names ./dwmac bench takes, one a line.
there_are_benches() {
	find "$root/test/bench" -maxdepth 1 -name '*.sh' -printf '%f\n' | sed 's/\.sh$//' | sort
}

now_ms() {
	local t=${EPOCHREALTIME/[.,]/}
	echo $((t / 1000))
}

seconds() { # MILLISECONDS
	printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
}

# step TITLE COMMAND [ARGUMENT…]: runs a command with its output in a log file and prints one
# line: the title, the last line the command said, and the time it took.
step() {
	local title=$1 log start rc=0
	shift
	mkdir -p "$logs"
	log=$logs/$(printf %s "$title" | tr -cs 'a-zA-Z0-9' '-').log
	start=$(now_ms)
	printf '%-22s ' "$title"
	"$@" >"$log" 2>&1 </dev/null || rc=$?
	if [ $rc -eq 0 ]; then
		printf '%s (%s)\n' "$(tail -n 1 "$log")" "$(seconds $(($(now_ms) - start)))"
		return 0
	fi
	printf 'FAILED (%s)\n' "$(seconds $(($(now_ms) - start)))"
	grep -E '^(error|remedy): ' "$log" >&2 || tail -n 5 "$log" >&2
	echo "step '$title' failed with status $rc; all it said is in $log" >&2
	return $rc
}

# locked FILE COMMAND…: one at a time, machine-wide, waiting without spinning.
locked() {
	local file=$1
	shift
	(
		exec 9>"$file"
		flock -w 1200 9 || die "another ./dwmac holds $file" "wait for it or end it"
		"$@" 9>&-
	)
}

# shellcheck disable=SC2034
apt_lock=/var/lock/dwmac-dpdk-apt.lock
