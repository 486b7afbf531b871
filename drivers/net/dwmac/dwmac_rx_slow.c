/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* What a receive burst does once per batch or rarely, out of line. */

#include <string.h>

#include "dwmac_rx.h"

void
dwmac_rx_drop_partial(struct dwmac_rxq *rxq)
{
	rte_pktmbuf_free(rxq->head);
	rxq->head = NULL;
	rxq->tail = NULL;
}

/* The last segment holds nothing but FCS bytes: it goes, and the rest of them with it. */
void
dwmac_rx_cut_crc_segment(struct dwmac_rxq *rxq)
{
	struct rte_mbuf *tail = rxq->tail;
	struct rte_mbuf *m;

	for (m = rxq->head; m->next != tail; m = m->next)
		;
	rxq->head->pkt_len -= rxq->crc_bytes;
	rxq->head->nb_segs--;
	m->data_len -= rxq->crc_bytes - tail->data_len;
	m->next = NULL;
	rte_pktmbuf_free_seg(tail);
	rxq->tail = m;
}

/* Fresh mbufs for the empty ones of n entries from `refill` on, no wrap. When the pool cannot
 * serve all at once take what there is, so that a nearly empty pool never starves the ring.
 * Returns how many entries are complete. */
uint16_t
dwmac_rx_alloc(struct dwmac_rxq *rxq, uint16_t n)
{
	struct rte_mbuf **entry = &rxq->mbufs[rxq->refill];
	struct rte_mbuf *fresh[DWMAC_BURST_DEFAULT];
	uint16_t i, missing = 0, used = 0;

	for (i = 0; i < n; i++)
		missing += entry[i] == NULL;
	if (likely(missing == n)) {
		if (likely(rte_mempool_get_bulk(rxq->pool, (void **)entry, n) == 0))
			return n;
		/* A failed get may leave pointers behind that it took back. */
		memset(entry, 0, n * sizeof(*entry));
	} else if (missing == 0) {
		return n;
	} else if (rte_mempool_get_bulk(rxq->pool, (void **)fresh, missing) == 0) {
		for (i = 0; i < n; i++) {
			if (entry[i] == NULL)
				entry[i] = fresh[used++];
		}
		return n;
	}
	for (i = 0; i < n; i++) {
		if (entry[i] == NULL && rte_mempool_get(rxq->pool, (void **)&entry[i]) < 0) {
			entry[i] = NULL;
			rxq->counters.no_mbuf++;
			break;
		}
	}
	return i;
}
