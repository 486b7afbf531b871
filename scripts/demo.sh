#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# demo.sh BUILD: the main jobs of this repository, each shown by the program that tests it. A part
# that is missing or fails makes the demo fail.
set -u
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
build=$1
rc=0

# part TITLE COMMAND…
part() {
	local title=$1 start
	shift
	start=$(now_ms)
	printf '\n== %s\n' "$title"
	if "$@"; then
		printf -- '-- done in %s\n' "$(seconds $(($(now_ms) - start)))"
	else
		printf -- '-- FAILED after %s\n' "$(seconds $(($(now_ms) - start)))"
		rc=1
	fi
}

guest() {
	if [ ! -d "$cache/guest/qemu" ] || [ ! -d "$cache/guest/kernel" ]; then
		echo "left out: QEMU and its kernel are not here yet (150 MB); ./dwmac guest gets them"
		return 0
	fi
	bash "$root/test/guest/smoke.sh" "$build"
}

part "testpmd forwards a real capture through driver and model, byte for byte" \
	python3 "$root/test/e2e/forward.py" "$build"
part "a PTP clock is steered through ethdev, and what that costs" \
	bash "$scripts/bench.sh" "$build" timesync --quick --hardware-us 1.6 --register-us 0
part "sent buffers come back although traffic stopped" \
	python3 "$root/test/e2e/sweep.py" "$build"
part "Linux' own driver drives the same model" guest

cat <<NEXT

== where to look next
  ./dwmac test            all suites
  ./dwmac bench tx        cycles per packet against other drivers
  ./dwmac guest shell     Linux in QEMU on the modelled device
  doc/guides/             the driver and the tools
  doc/design/             how and why
NEXT
exit $rc
