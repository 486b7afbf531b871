/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_COMPAT_H
#define DWMAC_COMPAT_H

/* What differs between DPDK 22.11 and 25.11, and nothing else. */

#include <rte_version.h>

/* ethdev has timesync_adjust_freq from 24.11; before, rte_pmd_dwmac.h offers it. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define DWMAC_ETHDEV_HAS_ADJUST_FREQ 1
#else
#define DWMAC_ETHDEV_HAS_ADJUST_FREQ 0
#endif

/* From 25.07 exported symbols are marked in the source instead of a version map. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 7, 0, 0)
#include <eal_export.h>
#define DWMAC_EXPORT_EXPERIMENTAL(symbol, version) RTE_EXPORT_EXPERIMENTAL_SYMBOL(symbol, version)
#else
#define DWMAC_EXPORT_EXPERIMENTAL(symbol, version)
#endif

/* From 25.11 the per-queue part of stats_get is an argument of its own. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define DWMAC_STATS_GET_ARGS \
	struct rte_eth_dev *dev, struct rte_eth_stats *stats, struct eth_queue_stats *queues
#define DWMAC_QUEUE_STATS(queues, stats) (queues)
#else
#define DWMAC_STATS_GET_ARGS		 struct rte_eth_dev *dev, struct rte_eth_stats *stats
#define DWMAC_QUEUE_STATS(queues, stats) (stats)
#endif

#endif /* DWMAC_COMPAT_H */
