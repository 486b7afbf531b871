/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Single-segment packets only: RTE_ETH_TX_OFFLOAD_MULTI_SEGS is off on the queue. */

#include "eqos_tx.h"

uint16_t
dwmac_eqos_tx_burst_simple(void *txq, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return dwmac_tx_burst(txq, pkts, nb_pkts, &eqos_tx_ops, dwmac_eqos_tx_reclaim, false);
}
