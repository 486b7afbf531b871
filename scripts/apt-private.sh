#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced: an apt state of our own. It asks the archives this machine already uses for things the
# machine does not list (sources, a newer suite) without touching the machine's configuration.

# shellcheck source=common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# apt_archives: "SITE SUITE COMPONENT" of every Debian archive in the machine's configuration.
# Without downloaded lists the origin is not known yet; then every archive counts.
apt_archives() {
	local format='$(SITE) $(RELEASE) $(COMPONENT)' list
	list=$(apt-get indextargets --format "$format" 'Created-By: Packages' 'Origin: Debian')
	[ -n "$list" ] || list=$(apt-get indextargets --format "$format" 'Created-By: Packages')
	echo "$list" | { grep -v '^cdrom:' || true; } | awk 'NF == 3 && !seen[$0]++'
}

# apt_know_archives: apt names its archives only while their lists are on the disk; container images
# come without.
apt_know_archives() {
	[ -z "$(apt_archives)" ] || return 0
	echo "this machine has no package lists"
	locked "$apt_lock" apt-get -q -o Acquire::Retries=3 update || true
	[ -n "$(apt_archives)" ] || die "this machine's apt knows no archive" \
		"run apt-get update as root; if that succeeds, look at /etc/apt/sources.list"
}

# apt_main_site: the site that holds the machine's own release, not updates or security.
apt_main_site() {
	local codename
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	apt_archives | awk -v c="$codename" '$2 == c || $2 == "stable" || $2 == "oldstable" \
		{ print $1; exit }'
}

# apt_private FOLDER: makes the state; sources.list is written by the caller. Keys are the ones
# the machine trusts or carries for its archives.
apt_private() {
	local dir=$1 key
	mkdir -p "$dir"/lists/partial "$dir"/cache/archives/partial "$dir"/preferences.d \
		"$dir"/trusted.gpg.d
	for key in /etc/apt/trusted.gpg.d/*.gpg /etc/apt/trusted.gpg.d/*.asc \
		/etc/apt/keyrings/*.gpg /etc/apt/keyrings/*.asc \
		/usr/share/keyrings/*archive-keyring.gpg; do
		[ ! -f "$key" ] || ln -sf "$key" "$dir/trusted.gpg.d/"
	done
	: >"$dir/status"
	# A file, not -o options: apt splits option values at spaces, paths may contain some.
	cat >"$dir/apt.conf" <<-CONF
		Dir::State::lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
		Dir::Cache::archives "$dir/cache/archives";
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferencesparts "$dir/preferences.d";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::trusted "/dev/null";
		Dir::Etc::trustedparts "$dir/trusted.gpg.d";
		Acquire::Languages "none";
		Acquire::Retries "3";
		APT::Sandbox::User "root";
	CONF
}

# apt_in FOLDER APT-GET-ARGUMENT…
apt_in() {
	local dir=$1
	shift
	APT_CONFIG=$dir/apt.conf apt-get -q "$@"
}
