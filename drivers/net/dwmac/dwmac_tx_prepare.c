/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* rte_eth_tx_prepare(): refuse what the device cannot send, before it is in the ring. */

#include <errno.h>

#include <rte_errno.h>

#include "dwmac.h"

/* 0 or a positive errno. */
static int
check(const struct dwmac_txq *txq, const struct rte_mbuf *m)
{
	const struct rte_mbuf *seg;
	uint32_t total = 0;
	uint16_t n = 0;

	if ((m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK & ~RTE_MBUF_F_TX_IEEE1588_TMST) != 0)
		return ENOTSUP;
	if (m->nb_segs > 1 && !(txq->offloads & RTE_ETH_TX_OFFLOAD_MULTI_SEGS))
		return ENOTSUP;
	for (seg = m; seg != NULL; seg = seg->next) {
		/* An empty last descriptor is illegal (pitfalls.md 43h). */
		if (seg->data_len == 0 || seg->data_len > DWMAC_TX_SEGMENT_MAX)
			return EINVAL;
		total += seg->data_len;
		if (++n > DWMAC_TX_SEGMENTS_MAX)
			return EINVAL;
	}
	if (n != m->nb_segs || total != m->pkt_len || total < RTE_ETHER_HDR_LEN ||
			total > DWMAC_MTU_MAX + DWMAC_FRAME_OVERHEAD - RTE_ETHER_CRC_LEN)
		return EINVAL;
	return 0;
}

uint16_t
dwmac_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct dwmac_txq *txq = queue;
	uint16_t i;
	int err;

	for (i = 0; i < nb_pkts; i++) {
		err = check(txq, pkts[i]);
		if (err != 0) {
			rte_errno = err;
			break;
		}
	}
	return i;
}
