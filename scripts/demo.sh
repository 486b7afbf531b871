#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# demo.sh BUILD BEGAN-MS [GUEST-LEFT-OUT]: the main jobs of this repository, each shown by the program
# that tests it; the last screen says what ran, with figures. GUEST-LEFT-OUT is why there is no
# guest. A part that fails makes the demo fail, in CI one that is left out as well.
set -u -o pipefail
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
build=$1
began=$2
no_guest=${3:-}
figures=$logs/demo
rc=0
summary=()
left_out=()

# part NAME TITLE COMMAND…: NAME is the log's, and that of the function that tells the figures
part() {
	local name=$1 title=$2 start log=$figures/$1.log took said=passed line
	shift 2
	start=$(now_ms)
	printf '\n== %s\n' "$title"
	"$@" 2>&1 | tee "$log" | show || said=FAILED
	took=$(seconds $(($(now_ms) - start)))
	[ $said = passed ] || rc=1
	if grep -q '^1\.\.0 # SKIP' "$log"; then
		leave_out "$title" "$(sed -n 's/^1\.\.0 # SKIP *//p' "$log")"
		return
	fi
	summary+=("$said  $title ($took)")
	[ $said = passed ] || summary+=("        all it said: $log")
	while IFS= read -r line; do
		summary+=("        $line")
	done < <([ $said = FAILED ] || "figures_$name" "$log")
}

leave_out() { # TITLE WHY
	summary+=("LEFT OUT $1")
	left_out+=("$1: $2")
	[ "${DWMAC_CI:-}" != 1 ] || rc=1
}

# TAP for people; what is no TAP stays in the log.
show() {
	sed -n -u -e 's/^ok [0-9]* - \(.*\) # SKIP \(.*\)/  -   \1 (skipped: \2)/p; t' \
		-e 's/^ok [0-9]* - /  ok  /p; t' -e 's/^not ok [0-9]* - /  BAD /p; t' \
		-e 's/^\(#   \|error: \|remedy: \)/      &/p'
}

cases() { # LOG
	grep -c '^ok [^#]*$' "$1"
}

figures_forward() {
	echo "$(sed -n 's/^# //p' "$1" | head -n 1); in $(cases "$1") layouts of mbufs"
}

figures_sweep() {
	sed -n 's/^# //p' "$1"
}

timesync() {
	bash "$scripts/bench.sh" "$build" timesync --quick --hardware-us 1.6 --register-us 0 \
		--json "$figures/timesync.json" || return
	echo "ok 1 - $(jq '[.rows[].calls] | add' "$figures/timesync.json") clock commands timed"
}

figures_timesync() {
	jq -r '.rows | map(select(.op == "adjust_freq") |
			{key: (.transport + " " + .method), value: .call_us_p50}) | from_entries |
		"a change of rate on hardware that takes 1.6 us: \(.["mapped polled"]) us (median)",
		"the same with a wait of 10 ms, as Linux had it: \(.["mapped fixed_10ms"]) us",
		"by an application, over vfio-user, on the model: \(.["socket polled"]) us"' \
		"$figures/timesync.json"
}

figures_guest() {
	cat "$logs/guest-ehl-pch-dma/notes"
}

mkdir -p "$figures"
part forward "testpmd forwards captures through driver and model" \
	python3 "$root/test/e2e/forward.py" "$build"
part timesync "a PTP clock is steered; what a call costs" timesync
part sweep "sent buffers come back although traffic stopped" \
	python3 "$root/test/e2e/sweep.py" "$build"
if [ -z "$no_guest" ]; then
	part guest "Linux' own driver, stmmac, drives the same model in QEMU" \
		bash "$root/test/guest/smoke.sh" "$build" dma ehl-pch short
else
	leave_out "Linux' own driver, stmmac, drives the same model in QEMU" "$no_guest"
fi

printf '\n== what ran, in %s with set-up and build\n' "$(seconds $(($(now_ms) - began)))"
printf '  %s\n' "${summary[@]}"
if [ ${#left_out[@]} -gt 0 ]; then
	printf '\n*** NOT EVERYTHING RAN ***\n'
	printf '  %s\n' "${left_out[@]}"
fi
cat <<NEXT

== where to look next
  ./dwmac test            all suites
$(there_are_benches | sed 's|.*|  ./dwmac bench &|')
  ./dwmac guest           all checks of the guest; «guest shell» for a prompt in it
  README.md               what this is, what was verified and what was not
  doc/guides/             the driver and the tools
  doc/design/             how and why
  .cache/log/demo/        all that the parts above said
NEXT
exit $rc
