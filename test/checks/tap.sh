#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced: the little TAP the checks need. A check prints what it objects to; silence is success.

tap_count=0
tap_failed=0

# check TITLE COMMAND…
check() {
	tap_title=$1
	shift
	tap_count=$((tap_count + 1))
	tap_status=0
	tap_said=$("$@" 2>&1) || tap_status=$?
	# 1 is what grep says when it finds nothing to object to
	[ $tap_status -le 1 ] || tap_said="$tap_said
(status $tap_status)"
	if [ -z "$tap_said" ]; then
		echo "ok $tap_count - $tap_title"
	else
		tap_failed=1
		echo "not ok $tap_count - $tap_title"
		echo "$tap_said" | sed 's/^/#   /'
	fi
}

tap_end() {
	echo "1..$tap_count"
	exit $tap_failed
}
