/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Packets of any number of segments. */

#include "eqos_tx.h"

uint16_t
dwmac_eqos_tx_burst_full(void *txq, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return dwmac_tx_burst(txq, pkts, nb_pkts, &eqos_tx_ops, dwmac_eqos_tx_reclaim, true);
}
