#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Sourced in the guest: DPDK programs on PCI functions. One at a time; descriptor 7 is its input.

# shellcheck disable=SC3043 # busybox has local
pmd_said=/tmp/pmd.out
pmd_pid=

# give FUNCTION DRIVER: takes it from the driver it has; "" is whichever driver knows it
give() {
	local function="/sys/bus/pci/devices/$1"
	[ ! -e "$function/driver" ] || echo "$1" >"$function/driver/unbind"
	echo "$2" >"$function/driver_override"
	echo "$1" >/sys/bus/pci/drivers_probe
	basename "$(readlink "$function/driver")"
}

# renew FUNCTION DRIVER: forgets it, finds it anew and gives it
renew() {
	echo 1 >"/sys/bus/pci/devices/$1/remove"
	echo 1 >/sys/bus/pci/rescan
	give "$1" "$2"
}

# huge_pages COUNT, of 2 MiB; prints how many there are
huge_pages() {
	mkdir -p /dev/hugepages /var/run
	mount -t hugetlbfs huge /dev/hugepages
	echo "$1" >/proc/sys/vm/nr_hugepages
	cat /proc/sys/vm/nr_hugepages
}

# pmd_new BYTES: what was said after so many
pmd_new() {
	tail -c "+$(($1 + 1))" $pmd_said | tr -d '\r'
}

# pmd_answer BYTES SECONDS PATTERN: waits for it after so many bytes; prints them to there
pmd_answer() {
	local tries=$(($2 * 10))
	while ! pmd_new "$1" | grep -q "$3"; do
		tries=$((tries - 1))
		if [ $tries -eq 0 ] || ! kill -0 "$pmd_pid" 2>/dev/null; then
			pmd_new "$1"
			return 1
		fi
		usleep 100000
	done
	pmd_new "$1" | sed "s/testpmd> .*//"
}

# pmd_start PATTERN PROGRAM ARGUMENT…: until it says PATTERN. Its output is a file, which the C
# library would buffer while prompts, written around it, come at once.
pmd_start() {
	local pattern="$1"
	shift
	rm -f /tmp/pmd.in
	mkfifo /tmp/pmd.in
	exec 7<>/tmp/pmd.in
	stdbuf -oL "$@" </tmp/pmd.in >$pmd_said 2>&1 7<&- &
	pmd_pid=$!
	pmd_answer 0 60 "$pattern"
}

# pmd_ask PATTERN COMMAND: prints the answer, which ends with PATTERN
pmd_ask() {
	local before
	before=$(wc -c <$pmd_said)
	echo "$2" >&7
	pmd_answer "$before" 20 "$1"
}

testpmd() { # ARGUMENT…
	pmd_start 'testpmd> ' dpdk-testpmd -d /plugins --iova-mode=va --lcores 0@0,1@0 "$@"
}

pmd() { # COMMAND
	pmd_ask 'testpmd> ' "$1"
}

# pmd_quit: what testpmd says at its end; its exit status
pmd_quit() {
	local before status=0
	before=$(wc -c <$pmd_said)
	echo quit >&7
	wait "$pmd_pid" || status=$?
	exec 7>&-
	pmd_new "$before"
	return $status
}
