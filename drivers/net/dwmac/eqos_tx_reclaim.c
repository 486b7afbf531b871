/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The consumer side of a TX queue, shared by all transmit paths and by the sweep. */

#include "eqos_tx.h"

uint32_t
dwmac_eqos_tx_reclaim(struct dwmac_txq *txq, uint32_t max_packets, bool foreign)
{
	return dwmac_tx_reclaim(txq, max_packets, foreign, &eqos_tx_ops);
}

void
dwmac_eqos_tx_harvest(struct dwmac_txq *txq)
{
	dwmac_tx_harvest(txq, &eqos_tx_ops);
}
