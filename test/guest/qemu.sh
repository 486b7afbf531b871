#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# qemu.sh ARGUMENT…: the unpacked QEMU under its own C library, so this machine's may be older.
set -eu
# shellcheck source=../../scripts/common.sh
. "$(dirname "$0")/../../scripts/common.sh"
tree=$cache/guest/qemu
libs=$tree/usr/lib/x86_64-linux-gnu
exec "$tree/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libs:$libs/pulseaudio" \
	--argv0 qemu-system-x86_64 "$tree/usr/bin/qemu-system-x86_64" \
	-L "$tree/usr/share/qemu" -L "$tree/usr/share/seabios" -L "$tree/usr/lib/ipxe/qemu" "$@"
