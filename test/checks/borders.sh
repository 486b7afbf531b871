#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# borders.sh TREE: who may include whom, and what every file owes. TAP.
set -u
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
# shellcheck source=rules.sh
. "$here/rules.sh"
tree=$1

check "generation headers stay in their generation" rule_generations
check "model and driver include nothing of each other" rule_strangers
check "vfio_user knows neither ethdev nor our device" rule_vfio_user
check "base knows no ethdev" rule_base
check "no file is longer than 600 lines" rule_length
check "every file names licence and owners" rule_licence
check "no package host is named" rule_hosts
check "nothing is left to be done in comments" rule_unfinished
tap_end
