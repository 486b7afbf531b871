/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_RX_H
#define DWMAC_RX_H

/*
 * The receive loop, written once; a file of a generation instantiates it with its descriptor
 * functions (see dwmac_tx.h).
 *
 * Entries [refill, next) have been taken and wait to be given back in bulk; of the others the
 * device owns all but one. An entry whose mbuf stayed (a context descriptor, a dropped frame)
 * is given back with the same mbuf.
 */

#include <string.h>

#include <rte_mempool.h>

#include "dwmac.h"
#include "dwmac_dma_sync.h"
#include "dwmac_sweep.h"

/* No length field can name a longer packet: a chain beyond this is a device gone wrong. */
#define DWMAC_RX_PACKET_MAX 32767

struct dwmac_rx_ops {
	/* The word that tells who owns the entry; reads after it see what was written before. */
	uint32_t (*status)(const void *ring, uint16_t i);
	bool (*owned)(uint32_t status);
	bool (*context)(uint32_t status);
	bool (*first)(uint32_t status);
	bool (*last)(uint32_t status);
	/* Bytes of the whole packet, valid with last; 15 bits of whatever the device wrote. */
	uint16_t (*length)(uint32_t status);
	/* Count why a frame must be dropped; false: it is good. */
	bool (*bad)(uint32_t status, struct dwmac_rx_counters *counters);
	/* A context descriptor with the timestamp follows. Valid with last. */
	bool (*stamped)(const void *ring, uint16_t i, uint32_t status);
	/* The stamp in a context descriptor; false: corrupt. */
	bool (*stamp)(const void *ring, uint16_t i, struct dwmac_stamp *stamp);
	/* RTE_PTYPE_* and RTE_MBUF_F_RX_* of a last descriptor. */
	uint32_t (*packet_type)(const void *ring, uint16_t i, uint32_t status, uint64_t *ol_flags);
	void (*give)(void *ring, uint16_t i, uint64_t iova);
};

/* dwmac_rx_slow.c: rare, and kept out of the burst functions. */
void dwmac_rx_drop_partial(struct dwmac_rxq *rxq);
void dwmac_rx_cut_crc_segment(struct dwmac_rxq *rxq);
uint16_t dwmac_rx_alloc(struct dwmac_rxq *rxq, uint16_t n);

/* Take entry i; its mbuf leaves the ring, or stays to be given back when `keep`. */
static __rte_always_inline void
dwmac_rx_take(struct dwmac_rxq *rxq, bool keep)
{
	if (!keep)
		rxq->mbufs[rxq->next] = NULL;
	rxq->next = dwmac_ring_next(rxq->next, rxq->nb_desc);
	rxq->nb_hold++;
}

/* Entry i is the last one of a stamped packet: fetch the stamp from the context descriptor
 * behind it. The device may write that one later: never wait for it here. */
enum dwmac_rx_stamp { DWMAC_RX_STAMP_NONE, DWMAC_RX_STAMP_FOUND, DWMAC_RX_STAMP_LATER };

static inline enum dwmac_rx_stamp
dwmac_rx_find_stamp(
		struct dwmac_rxq *rxq, const struct dwmac_rx_ops *ops, struct dwmac_stamp *stamp)
{
	const uint16_t i = dwmac_ring_next(rxq->next, rxq->nb_desc);
	uint32_t status;
	uint64_t now;

	/* The device had no entry for it (it should have said so instead). */
	if (rxq->nb_hold + 2 >= rxq->nb_desc) {
		rxq->counters.stamps_bad++;
		return DWMAC_RX_STAMP_NONE;
	}
	status = ops->status(rxq->ring, i);
	if (ops->owned(status)) {
		now = rte_rdtsc();
		if (rxq->stamp_wait_tsc == 0)
			rxq->stamp_wait_tsc = now + rxq->stamp_patience_tsc;
		if (now < rxq->stamp_wait_tsc)
			return DWMAC_RX_STAMP_LATER;
		rxq->stamp_wait_tsc = 0;
		rxq->counters.stamps_late++;
		return DWMAC_RX_STAMP_NONE;
	}
	rxq->stamp_wait_tsc = 0;
	if (!ops->context(status) || !ops->stamp(rxq->ring, i, stamp)) {
		rxq->counters.stamps_bad++;
		return DWMAC_RX_STAMP_NONE;
	}
	return DWMAC_RX_STAMP_FOUND;
}

/* Slot 0 repeats the newest stamp for applications that do not pass mbuf->timesync. */
static inline void
dwmac_rx_keep_stamp(struct dwmac_rxq *rxq, struct rte_mbuf *m, const struct dwmac_stamp *stamp)
{
	const uint16_t slot = rxq->stamp_next;

	__atomic_store_n(&rxq->stamps[slot], DWMAC_RX_STAMP(stamp), __ATOMIC_RELAXED);
	__atomic_store_n(&rxq->stamps[0], DWMAC_RX_STAMP(stamp), __ATOMIC_RELAXED);
	rxq->stamp_next = slot + 1 == DWMAC_RX_STAMPS ? 1 : slot + 1;
	m->timesync = rxq->queue_id << 8 | slot;
	m->ol_flags |= RTE_MBUF_F_RX_IEEE1588_TMST;
}

/* Append the mbuf of entry `next` to the packet being put together. */
static __rte_always_inline void
dwmac_rx_append(struct dwmac_rxq *rxq, struct rte_mbuf *m, uint16_t len)
{
	uintptr_t rearm = (uintptr_t)&m->rearm_data;

	*(uint64_t *)rearm = rxq->rearm;
	m->data_len = len;
	if (rxq->head == NULL) {
		m->pkt_len = len;
		rxq->head = m;
	} else {
		rxq->tail->next = m;
		rxq->head->nb_segs++;
		rxq->head->pkt_len += len;
	}
	rxq->tail = m;
}

/* Cut the FCS, which may stand in a segment of its own. */
static __rte_always_inline void
dwmac_rx_cut_crc(struct dwmac_rxq *rxq)
{
	if (unlikely(rxq->tail->data_len <= rxq->crc_bytes)) {
		dwmac_rx_cut_crc_segment(rxq);
		return;
	}
	rxq->head->pkt_len -= rxq->crc_bytes;
	rxq->tail->data_len -= rxq->crc_bytes;
}

/* A device may lie: the bytes of the last segment must fit its buffer, and the packet must be
 * longer than the FCS that is cut from it. */
static __rte_always_inline bool
dwmac_rx_length_ok(const struct dwmac_rxq *rxq, uint16_t total)
{
	const uint32_t before = rxq->head == NULL ? 0 : rxq->head->pkt_len;

	return total > before && total - before <= rxq->buf_bytes && total > rxq->crc_bytes;
}

/* The last segment of a good packet of `total` bytes is in entry `next`: take the packet out. */
static __rte_always_inline struct rte_mbuf *
dwmac_rx_finish(struct dwmac_rxq *rxq, const struct dwmac_rx_ops *ops, uint32_t status,
		uint16_t total)
{
	const uint16_t i = rxq->next;
	struct rte_mbuf *m = rxq->mbufs[i];
	uint64_t ol_flags = 0;

	total -= rxq->head == NULL ? 0 : rxq->head->pkt_len;
	dwmac_dma_sync_for_cpu(rte_pktmbuf_mtod(m, void *), total);
	dwmac_rx_append(rxq, m, total);
	dwmac_rx_cut_crc(rxq);
	m = rxq->head;
	rxq->head = NULL;
	rxq->tail = NULL;
	m->packet_type = ops->packet_type(rxq->ring, i, status, &ol_flags);
	m->ol_flags = ol_flags;
	dwmac_rx_take(rxq, false);
	return m;
}

/* One descriptor. Returns a finished packet, or NULL; *stop: nothing more now. */
static __rte_always_inline struct rte_mbuf *
dwmac_rx_entry(struct dwmac_rxq *rxq, const struct dwmac_rx_ops *ops, bool *stop)
{
	const uint16_t i = rxq->next;
	const uint32_t status = ops->status(rxq->ring, i);
	enum dwmac_rx_stamp stamped = DWMAC_RX_STAMP_NONE;
	struct rte_mbuf *m = rxq->mbufs[i];
	struct dwmac_stamp stamp;
	uint16_t total;

	*stop = true;
	if (ops->owned(status))
		return NULL;
	if (unlikely(ops->context(status))) {
		/* The stamp of a packet that was delivered without it. */
		*stop = false;
		dwmac_rx_take(rxq, true);
		return NULL;
	}
	if (ops->last(status) && unlikely(ops->stamped(rxq->ring, i, status))) {
		stamped = dwmac_rx_find_stamp(rxq, ops, &stamp);
		if (stamped == DWMAC_RX_STAMP_LATER)
			return NULL;
	}
	*stop = false;

	if (unlikely(ops->first(status) != (rxq->head == NULL))) {
		rxq->counters.bad_sequence++;
		if (rxq->head != NULL)
			dwmac_rx_drop_partial(rxq);
		if (!ops->first(status))
			goto drop;
	}
	if (!ops->last(status)) {
		if (unlikely(rxq->head != NULL && rxq->head->pkt_len > DWMAC_RX_PACKET_MAX)) {
			rxq->counters.bad_sequence++;
			goto drop;
		}
		/* Lengths are valid on the last descriptor only; all others are full. */
		dwmac_dma_sync_for_cpu(rte_pktmbuf_mtod(m, void *), rxq->buf_bytes);
		dwmac_rx_append(rxq, m, rxq->buf_bytes);
		dwmac_rx_take(rxq, false);
		return NULL;
	}
	total = ops->length(status);
	if (unlikely(ops->bad(status, &rxq->counters)))
		goto drop;
	if (unlikely(!dwmac_rx_length_ok(rxq, total))) {
		rxq->counters.bad_length++;
		goto drop;
	}
	m = dwmac_rx_finish(rxq, ops, status, total);
	if (unlikely(stamped == DWMAC_RX_STAMP_FOUND)) {
		dwmac_rx_keep_stamp(rxq, m, &stamp);
		dwmac_rx_take(rxq, true);
	}
	return m;

drop:
	if (rxq->head != NULL)
		dwmac_rx_drop_partial(rxq);
	dwmac_rx_take(rxq, true);
	if (stamped == DWMAC_RX_STAMP_FOUND)
		dwmac_rx_take(rxq, true);
	return NULL;
}

/* Give entries back and ring the doorbell once. */
static __rte_always_inline void
dwmac_rx_refill(struct dwmac_rxq *rxq, const struct dwmac_rx_ops *ops)
{
	const uint16_t before = rxq->refill;
	uint16_t n, got, i;

	while (rxq->nb_hold > 0) {
		n = RTE_MIN(rxq->nb_hold, rxq->nb_desc - rxq->refill);
		n = RTE_MIN(n, DWMAC_BURST_DEFAULT);
		got = dwmac_rx_alloc(rxq, n);
		for (i = 0; i < got; i++) {
			struct rte_mbuf *m = rxq->mbufs[rxq->refill];

			/* All words: write-back has overwritten the address. */
			ops->give(rxq->ring, rxq->refill, m->buf_iova + rxq->data_off);
			rxq->refill = dwmac_ring_next(rxq->refill, rxq->nb_desc);
		}
		rxq->nb_hold -= got;
		if (got < n)
			break;
	}
	if (rxq->refill == before && !rxq->tail_owed)
		return;
	/* The first entry not given: never ambiguous (eqos.md §14). */
	rxq->tail_owed = dwmac_post32(dwmac_queue_io(rxq->port_id), rxq->tail_offset,
					 rxq->ring_low_iova + (uint32_t)rxq->refill *
									      DWMAC_DESC_BYTES) ==
			 -EAGAIN;
}

static __rte_always_inline uint16_t
dwmac_rx_burst(struct dwmac_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts,
		const struct dwmac_rx_ops *ops)
{
	uint64_t bytes = 0;
	uint16_t n = 0;
	bool stop;

	dwmac_sweep_poll();
	/* nb_desc - 1 entries held: the device has none, what stands there is old. */
	while (n < nb_pkts && rxq->nb_hold + 1 < rxq->nb_desc) {
		struct rte_mbuf *m = dwmac_rx_entry(rxq, ops, &stop);

		if (stop)
			break;
		if (m != NULL) {
			bytes += m->pkt_len;
			pkts[n++] = m;
		}
	}
	rxq->packets += n;
	rxq->bytes += bytes;
	if (rxq->nb_hold >= rxq->free_thresh || unlikely(rxq->tail_owed))
		dwmac_rx_refill(rxq, ops);
	return n;
}

#endif /* DWMAC_RX_H */
