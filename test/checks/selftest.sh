#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# Every rule must object to a tree that breaks it and accept one that does not. TAP.
set -u
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
# shellcheck source=rules.sh
. "$here/rules.sh"
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git -C "$tree" init -q

# objects RULE FILE TEXT: the rule names FILE once TEXT is in it, and is silent before and after
objects() {
	[ -z "$("$1")" ] || echo "$1 objects to an empty tree"
	mkdir -p "$tree/$(dirname "$2")"
	printf '%s\n' "$3" >"$tree/$2"
	"$1" | grep -qF "$2:" || echo "$1 does not see $2"
	rm "$tree/$2"
}

# accepts RULE FILE TEXT
accepts() {
	mkdir -p "$tree/$(dirname "$2")"
	printf '%s\n' "$3" >"$tree/$2"
	"$1"
	rm "$tree/$2"
}

pmd=drivers/net/dwmac
check "registers of a generation in a common file" objects rule_generations \
	$pmd/dwmac_tx.h '#include "base/eqos_regs.h"'
check "… in the other generation's file" objects rule_generations \
	$pmd/base/xgmac_core.c '#include "eqos_desc.h"'
check "… in its own file are fine" accepts rule_generations \
	$pmd/base/eqos_core.c '#include "eqos_regs.h"'
check "… in a burst file of its own are fine" accepts rule_generations \
	$pmd/eqos_rx.c '#include "base/eqos_desc.h"'
check "the model including the driver" objects rule_strangers \
	app/dwmac-model/x.c '#include "../../drivers/net/dwmac/base/eqos_regs.h"'
check "the model using DPDK" objects rule_strangers \
	app/dwmac-model/x.c '#include <rte_ring.h>'
check "the driver including the model" objects rule_strangers \
	$pmd/x.c '#include "../../../app/dwmac-model/device.h"'
check "the model linking DPDK" objects rule_strangers \
	app/dwmac-model/meson.build "dependency('libdpdk')"
check "vfio_user using ethdev" objects rule_vfio_user $pmd/vfio_user/x.c 'rte_eth_dev_count();'
check "vfio_user knowing the device" objects rule_vfio_user \
	$pmd/vfio_user/x.h '#include "../base/dwmac_core.h"'
check "base using ethdev" objects rule_base $pmd/base/x.c '#include <ethdev_driver.h>'
check "a long file" objects rule_length long.c "$(seq 601)"
check "a file of 600 lines is fine" accepts rule_length long.c "$(seq 600)"
check "a file without licence" objects rule_licence bare.c 'int x;'
check "a package host" objects rule_hosts a.sh "$(printf 'get http://%s.%s.org' deb debian)"
check "unfinished business" objects rule_unfinished a.c "$(printf '/* %s%s */' TO DO)"
tap_end
