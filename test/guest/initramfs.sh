#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# initramfs.sh OUT MODULE… [-- FILE…]: a root file system of busybox, the modules with all they
# depend on (in load order, as /modules/order), FILEs in /bin, and init.
set -eu
# shellcheck source=../../scripts/common.sh
. "$(dirname "$0")/../../scripts/common.sh"
modules=$cache/guest/kernel/modules
out=$1
shift
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

module_path() { # NAME; file names use - and _ as they like
	local pattern
	pattern=$(echo "$1" | sed 's/[-_]/[-_]/g')
	find "$modules/kernel" -name "$pattern.ko*" | head -n 1
}

# add_module NAME: dependencies first. The package has no modules.dep (depmod makes it on
# installation), but each module says in .modinfo what it needs.
add_module() {
	local name path file dependency
	name=$(echo "$1" | tr - _)
	file=$tree/modules/$name.ko
	[ ! -f "$file" ] || return 0
	path=$(module_path "$name")
	if [ -z "$path" ]; then
		grep -qE "/$(echo "$name" | sed 's/_/[-_]/g')\.ko$" "$modules/modules.builtin" ||
			die "the guest's kernel has no module $1"
		return 0
	fi
	case $path in
	*.xz) xz -dc "$path" >"$file" ;;
	*.zst) zstd -dcq "$path" >"$file" ;;
	*) cp "$path" "$file" ;;
	esac
	for dependency in $(readelf -p .modinfo "$file" | sed -n 's/.*] *depends=//p' |
		tr ',' ' '); do
		add_module "$dependency"
	done
	echo "$name" >>"$tree/modules/order"
}

mkdir -p "$tree"/{bin,dev,proc,sys,tmp,run,modules,etc,root}
: >"$tree/modules/order"
cp /bin/busybox "$tree/bin/busybox"
ln -s busybox "$tree/bin/sh"
cp "$(dirname "$0")/init.sh" "$tree/init"
chmod +x "$tree/init"
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	add_module "$1"
	shift
done
[ $# -eq 0 ] || shift
for file in "$@"; do
	cp "$file" "$tree/bin/"
done
(cd "$tree" && find . | cpio -o -H newc --quiet -R 0:0) >"$out"
echo "$(wc -l <"$tree/modules/order") modules"
