#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced by end-to-end tests with $build set: a work folder, a model, a testpmd; all gone at exit.

# shellcheck source=../../scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
: "${build:?the build folder}"
model=$build/app/dwmac-model/dwmac-model
pmd=$build/drivers/net/dwmac/librte_net_dwmac.so
work=$(mktemp -d)
model_pid=
testpmd_pid=

e2e_stop() { # PID: ends a program we started, however it feels about it
	local tries
	[ -n "$1" ] || return 0
	kill "$1" 2>/dev/null || return 0
	for tries in $(seq 50); do
		kill -0 "$1" 2>/dev/null || break
		[ "$tries" -lt 50 ] || kill -9 "$1" 2>/dev/null
		sleep 0.1
	done
	wait "$1" 2>/dev/null
}

e2e_end() {
	e2e_stop "$testpmd_pid"
	e2e_stop "$model_pid"
	rm -rf "$work"
}
trap e2e_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# e2e_wait SECONDS COMMAND…: until the command succeeds
e2e_wait() {
	local deadline=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.1
	done
}

# e2e_model ARGUMENT…: with the control socket $work/control.sock; ready when this returns
e2e_model() {
	"$model" "$@" --control "$work/control.sock" >"$work/model.log" 2>&1 &
	model_pid=$!
	e2e_wait 10 e2e_ctl devices || {
		cat "$work/model.log" >&2
		die "dwmac-model did not start" "read what it said above"
	}
}

e2e_ctl() {
	"$model" ctl "$work/control.sock" "$@"
}

e2e_complaints() { # DEVICE
	e2e_ctl complaints "device=$1" |
		jq -r '.complaints[] | "complaint: \(.kind): \(.text) (\(.count) times)"'
}

# e2e_testpmd EAL-ARGUMENT… -- TESTPMD-ARGUMENT…: interactive, commands go to descriptor $testpmd_in.
# No hugepages are assumed, and every run has a file prefix of its own.
e2e_testpmd() {
	mkfifo "$work/testpmd.in"
	dpdk-testpmd --no-huge -m 256 --no-pci --file-prefix "dwmac-e2e-$$" -l 0,1 -d "$pmd" "$@" \
		<"$work/testpmd.in" >"$work/testpmd.log" 2>&1 &
	testpmd_pid=$!
	exec {testpmd_in}>"$work/testpmd.in"
	e2e_wait 30 grep -q '^testpmd>' "$work/testpmd.log" || {
		tail -n 20 "$work/testpmd.log" >&2
		die "testpmd did not start" "read what it said above"
	}
}

e2e_say() { # TESTPMD-COMMAND
	echo "$1" >&"$testpmd_in"
}
