#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Installs what scripts/packages.txt lists; says nothing to apt when all of it is there.
set -eu
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

wanted() {
	sed 's/#.*//; s/[[:space:]].*//; /^$/d' "$scripts/packages.txt"
}

missing() {
	local name
	for name in $(wanted); do
		dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
			echo "$name"
	done
}

install_missing() {
	local names
	names=$(missing) # again, under the lock: another clone may have done it
	if [ -z "$names" ]; then
		echo "another ./dwmac installed them meanwhile"
		return 0
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get -q -o Acquire::Retries=3 update ||
		die "apt-get update failed" "check the network and this machine's apt sources"
	# shellcheck disable=SC2086 # a list of names
	apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 install -y \
		--no-install-recommends $names ||
		die "apt-get install failed for: $(echo "$names" | tr '\n' ' ')" "check the network, then run ./dwmac setup"
	echo "$(echo "$names" | wc -l) installed of $(wanted | wc -l)"
}

command -v apt-get >/dev/null || die "no apt-get here" \
	"set-up is for Debian 12; elsewhere install the tools of scripts/packages.txt by hand"
names=$(missing)
if [ -n "$names" ]; then
	count=$(echo "$names" | wc -l)
	[ "$(id -u)" = 0 ] || die "$count packages are missing: $(echo "$names" | tr '\n' ' ')" \
		"run ./dwmac setup as root once"
	locked "$apt_lock" install_missing
else
	echo "all $(wanted | wc -l) are installed"
fi
