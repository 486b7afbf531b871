#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# closure.sh OUT FILE… [-- PLUGIN…]: a cpio archive with the files in /bin, the plug-ins in /plugins
# and every library one of them is linked with where the loader looks for it. Appended to an
# initramfs, this machine's own programs run in the guest.
set -eu
out=$1
shift
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

add_library() { # PATH
	[ ! -e "$tree$1" ] || return 0
	mkdir -p "$tree${1%/*}"
	cp -L "$1" "$tree$1"
}

add() { # FILE FOLDER
	local library
	mkdir -p "$tree/$2"
	cp -L "$1" "$tree/$2/"
	ldd "$1" | sed -n 's/.*=> \(\/.*\) (.*/\1/p; s/^\t\(\/.*\) (.*/\1/p' |
		while read -r library; do
			add_library "$library"
		done
}

folder=bin
for file in "$@"; do
	if [ "$file" = -- ]; then
		folder=plugins
	else
		add "$file" $folder
	fi
done
# the C library opens it by itself when a thread is cancelled
add_library "$(ldconfig -p | sed -n 's/.*libgcc_s\.so\.1 .*=> //p' | head -n 1)"
(cd "$tree" && find . | cpio -o -H newc --quiet -R 0:0) >"$out"
echo "$(($(stat -c %s "$out") >> 20)) MiB"
