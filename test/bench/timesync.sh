#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# timesync.sh BUILD ROWS [--socket PATH] [OPTION…]: first over a mapped BAR that a thread plays, see
# build/test/bench/timesync/timesync-bench --help for the options; then over a vfio-user socket, with
# the server at PATH, or a model of our own if there is one in BUILD.
set -eu
build=$1 rows=$2
shift 2
bench=$build/test/bench/timesync
model=$build/app/dwmac-model/dwmac-model
update_us=1.6 # the longest measured on a board (ptp.md §5)

socket='' known=() options=() work='' pid=''
while [ $# -gt 0 ]; do
	case $1 in
	--help)
		"$bench/timesync-bench" --help
		exec echo '  --socket PATH        measure the vfio-user server at PATH, not a model'
		;;
	--socket)
		[ $# -ge 2 ] || {
			echo "error: --socket wants a path" >&2
			exit 2
		}
		socket=$2
		shift
		;;
	*) options+=("$1") ;;
	esac
	shift
done

end() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || :
	[ -z "$work" ] || rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

start_model() {
	work=$(mktemp -d)
	socket=$work/device
	known=(--hardware-us "$update_us")
	mkfifo "$work/ready"
	"$model" --quiet --strict --ready-fd 3 --wire loop:dev --device \
		"name=dev,socket=$socket,ptp_update_ns=$(jq -n "$update_us * 1000")" 3>"$work/ready" &
	pid=$!
	read -r _ <"$work/ready" || {
		echo "error: $model did not start" >&2
		exit 1
	}
}

"$bench/timesync-bench" --rows "$rows" "${options[@]}"
if [ -z "$socket" ] && [ -x "$model" ]; then
	start_model
fi
if [ -z "$socket" ] || [ ! -x "$bench/timesync-ethdev" ]; then
	echo "no model or no driver in $build: nothing measured over a socket"
	exit 0
fi
printf '\nrte_eth_timesync_* calls over vfio-user, every register read a round trip:\n'
"$bench/timesync-ethdev" --socket "$socket" "${known[@]}" --rows "$rows"
if [ -n "$pid" ]; then
	kill "$pid"
	rc=0
	wait "$pid" || rc=$?
	pid=''
	[ $rc -eq 0 ] || {
		echo "error: the model ended with $rc: it has complaints about the driver" >&2
		exit 1
	}
fi
