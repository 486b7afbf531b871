#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# timesync.sh BUILD ROWS [OPTION…]: see build/test/bench/timesync/timesync-bench --help.
set -eu
build=$1 rows=$2
shift 2
exec "$build/test/bench/timesync/timesync-bench" --rows "$rows" "$@"
