#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# test_socket.sh BENCH BUILD: ./dwmac bench timesync ends with the driver's timesync calls on the
# model, each of them answered, read back at least once and without a complaint of the model.
set -eu
bench=$1 build=$2
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
bash "$bench" "$build" "$rows" --rounds 10 --slow-rounds 1 --hardware-us 1.6 --register-us 0
jq -es 'map(select(.transport == "socket")) |
	(map(.op) | sort) == ["adjust_freq", "adjust_time", "write_time"] and
	all(.[]; .method == "polled" and .hardware_us == 1.6 and .calls == 200 and
		.timeouts == 0 and .polls >= 1 and .call_us_p50 > 0)' "$rows" || {
	cat "$rows" >&2
	exit 1
}
