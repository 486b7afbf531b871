#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# get.sh qemu|kernel: unpacks a QEMU with vfio-user-pci (10.1 or newer) or a Linux kernel from
# newer Debian suites on this machine's own mirror into .cache/guest; installs nothing. Once there,
# no network is needed. What the suites offer is taken: no version is fixed.
set -eu
# shellcheck source=../../scripts/apt-private.sh
. "$(dirname "$0")/../../scripts/apt-private.sh"
guest=${cache:?}/guest

# The two newest suites that are stable enough to be the same tomorrow.
suites='trixie trixie-backports'

prepare_apt() { # FOLDER
	local site suite
	apt_know_archives
	site=$(apt_main_site)
	[ -n "$site" ] || die "this machine's apt has no Debian release among its archives" \
		"look at /etc/apt/sources.list"
	apt_private "$1"
	for suite in $suites; do
		echo "deb $site $suite main"
	done >"$1/sources.list"
	# A foreign status file: apt shall believe that nothing is installed.
	echo 'APT::Architecture "amd64"; APT::Architectures { "amd64"; };' >>"$1/apt.conf"
	apt_in "$1" update --error-on=any || die "no package lists of $suites" \
		"check the network; the guest needs them once"
}

unpack_qemu() { # APT-STATE TARGET
	local deb
	apt_in "$1" install -y --no-install-recommends --download-only -t trixie-backports \
		qemu-system-x86 || die "cannot download qemu-system-x86" "check the network"
	for deb in "$1"/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$2"
	done
	[ -x "$2/usr/bin/qemu-system-x86_64" ] || die "the packages hold no qemu-system-x86_64" \
		"report it with the log"
}

unpack_kernel() { # APT-STATE TARGET
	local name vmlinuz
	name=$(APT_CONFIG=$1/apt.conf apt-cache -q depends -t trixie linux-image-amd64 |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' | head -n 1)
	[ -n "$name" ] || die "linux-image-amd64 depends on no kernel image" "report it with the log"
	(cd "$1" && apt_in "$1" download "$name") || die "cannot download $name" "check the network"
	dpkg-deb -x "$1"/linux-image-*.deb "$1/unpacked"
	mv "$1/unpacked/usr/lib/modules/"* "$2/modules"
	vmlinuz=$(find "$1/unpacked" -name 'vmlinuz*' | head -n 1)
	uncompressed "$vmlinuz" >"$2/vmlinux"
	file_type=$(head -c 4 "$2/vmlinux" | tr -d '\0' | od -An -c | tr -d ' \n')
	[ "$file_type" = '177ELF' ] || die "the kernel in $name is not a zstd stream" \
		"report it with the log"
	echo "${name#linux-image-}" >"$2/release"
}

# uncompressed VMLINUZ: the ELF file inside. Booting it by PVH skips decompression under
# emulation, most of a boot's time.
uncompressed() {
	local offset
	# the zstd magic 28 b5 2f fd; the payload is the last such stream that unpacks
	LC_ALL=C grep -obUaP '\x28\xb5\x2f\xfd' "$1" | cut -d: -f1 | while read -r offset; do
		if tail -c "+$((offset + 1))" "$1" | zstd -dcq 2>/dev/null | head -c 4 |
			LC_ALL=C grep -qaP '^\x7fELF'; then
			tail -c "+$((offset + 1))" "$1" | zstd -dcq 2>/dev/null || true
			break
		fi
	done
}

get() { # PART
	local work
	[ ! -d "$guest/$1" ] || return 0 # the other one was quicker
	work=$(mktemp -d "$guest/tmp.XXXXXX")
	# shellcheck disable=SC2064 # the folder of now
	trap "rm -rf '$work'" EXIT
	mkdir "$work/new"
	prepare_apt "$work/apt"
	"unpack_$1" "$work/apt" "$work/new"
	mv "$work/new" "$guest/$1"
}

part=${1:-}
case $part in
qemu | kernel) ;;
*) usage_error "usage: get.sh qemu|kernel" ;;
esac
[ "$(dpkg --print-architecture)" = amd64 ] || die "the guest needs an amd64 machine" \
	"run the other suites"
mkdir -p "$guest"
[ -d "$guest/$part" ] || locked "$guest/.lock-$part" get "$part"
case $part in
qemu) "$(dirname "$0")/qemu.sh" --version | head -n 1 ;;
kernel) echo "Linux $(cat "$guest/kernel/release")" ;;
esac
