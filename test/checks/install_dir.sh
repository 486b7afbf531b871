#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# install_dir.sh PMD.so BUILD-FOLDER: `meson install` puts the driver where EAL looks for plugins
# by itself, so that no application needs -d. TAP.
set -u
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
pmd=$(basename "$1")
build=$2
dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT

in_plugin_folder() {
	DESTDIR=$dest meson install -C "$build" --no-rebuild --quiet >"$dest/log" 2>&1 ||
		cat "$dest/log"
	folder=$(pkg-config --variable=driverdir libdpdk)
	# DPDK of Debian 12 names no driverdir; EAL has its plugin folder compiled in.
	eal=$(pkg-config --variable=libdir libdpdk)/librte_eal.so
	[ -n "$folder" ] ||
		folder=$(strings "$eal" | sed -n '/=/d; /\/pmds-[0-9.]*$/p' |
			head -n 1)
	[ -n "$folder" ] || echo "cannot tell where EAL looks for plugins"
	ls "$dest$folder/$pmd"* >/dev/null 2>&1 ||
		echo "$pmd is not in $folder but in: $(cd "$dest" && find . -name "$pmd*")"
}

check "meson install puts $pmd into EAL's plugin folder" in_plugin_folder
tap_end
