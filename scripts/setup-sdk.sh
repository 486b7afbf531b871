#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# The driver-side headers of DPDK. Distributions ship DPDK without enable_driver_sdk: libraries
# export the symbols, the headers are left out. They are taken from the source package of exactly
# the installed version and kept under .cache/sdk/VERSION; .cache/sdk/include points to them.
set -eu
# shellcheck source=apt-private.sh
. "$(dirname "$0")/apt-private.sh"

headers='ethdev_driver.h ethdev_pci.h ethdev_vdev.h dev_driver.h bus_driver.h
	bus_pci_driver.h bus_vdev_driver.h'
sdk=$cache/sdk

has_all() { # FOLDER
	local name
	for name in $headers; do
		[ -f "$1/$name" ] || return 1
	done
}

point_to() { # FOLDER, relative to .cache/sdk or absolute
	mkdir -p "$sdk"
	[ "$(readlink "$sdk/include")" != "$1" ] || return 0
	[ -L "$sdk/include" ] || rm -rf "$sdk/include"
	ln -sfn "$1" "$sdk/include"
}

# from_source PACKAGE VERSION FOLDER
from_source() {
	local work name found
	! has_all "$3" || return 0 # the other clone was quicker
	work=$(mktemp -d "$sdk/tmp.XXXXXX")
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$work'" EXIT
	apt_private "$work/apt"
	apt_know_archives
	apt_archives | sed 's/^/deb-src /' >"$work/apt/sources.list"
	# Third-party archives need not offer sources: what counts is whether ours is found.
	apt_in "$work/apt" update || echo "some archives gave no source index"
	(cd "$work" && apt_in "$work/apt" source --download-only "$1=$2") ||
		die "no archive of this machine offers the source of $1 $2" \
			"check the network; if it moved on: apt-get install --only-upgrade dpdk dpdk-dev libdpdk-dev"
	dpkg-source --no-check -x "$work"/*.dsc "$work/tree"
	mkdir "$work/include"
	for name in $headers; do
		found=$(find "$work/tree/lib" "$work/tree/drivers/bus" -name "$name" | head -n 1)
		[ -n "$found" ] || die "$name is not in the source of $1 $2" \
			"report it: this DPDK keeps its driver headers elsewhere"
		cp "$found" "$work/include/"
	done
	mkdir -p "$(dirname "$3")"
	rm -rf "$3"
	mv "$work/include" "$3"
}

pkg-config --exists libdpdk || die "pkg-config does not find libdpdk" \
	"run ./dwmac setup as root, or set PKG_CONFIG_PATH to your DPDK"
dpdk_version=$(pkg-config --modversion libdpdk)
dpdk_include=$(pkg-config --variable=includedir libdpdk)
if has_all "$dpdk_include"; then
	point_to "$dpdk_include"
	echo "DPDK $dpdk_version has its own (enable_driver_sdk)"
	exit 0
fi
read -r source version < <(dpkg-query -W -f '${source:Package} ${source:Version}\n' \
	libdpdk-dev 2>/dev/null) ||
	die "DPDK $dpdk_version lacks driver headers and is not a Debian package" \
		"build it with -Denable_driver_sdk=true"
dir=$sdk/$version/include
if ! has_all "$dir"; then
	mkdir -p "$sdk"
	locked "$sdk/.lock" from_source "$source" "$version" "$dir"
fi
point_to "$version/include"
echo "headers of DPDK $version"
