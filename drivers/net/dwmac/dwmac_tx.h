/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_TX_H
#define DWMAC_TX_H

/*
 * The transmit and the reclaim loop, written once. A file of a generation instantiates one of
 * them with its descriptor functions; these are static inline members of a const struct, so no
 * indirect call is left (test/checks looks at the object code).
 */

#include <rte_mempool.h>

#include "dwmac.h"
#include "dwmac_dma_sync.h"
#include "dwmac_sweep.h"

#define DWMAC_TX_FIRST RTE_BIT32(0)
#define DWMAC_TX_LAST  RTE_BIT32(1)
#define DWMAC_TX_STAMP RTE_BIT32(2)

enum dwmac_tx_state { DWMAC_TX_PENDING, DWMAC_TX_SENT, DWMAC_TX_FAILED };

struct dwmac_tx_ops {
	/* Write all words but the one that gives the entry to the device; return that one. */
	uint32_t (*fill)(void *ring, uint16_t i, uint64_t iova, uint16_t len, uint32_t packet_len,
			uint32_t flags);
	/* Give it, after everything written before. */
	void (*give)(void *ring, uint16_t i, uint32_t word);
	/* Of a packet's last descriptor; reads after it see what the device wrote before. */
	enum dwmac_tx_state (*state)(const void *ring, uint16_t i);
	/* The stamp in a last descriptor; false: none was captured. */
	bool (*stamp)(const void *ring, uint16_t i, struct dwmac_stamp *stamp);
};

/* ---- consumer side: the sweep lock is held ---- */

static inline void
dwmac_tx_keep_stamp(struct dwmac_txq *txq, const struct dwmac_stamp *stamp)
{
	if ((uint16_t)(txq->stamp_tail - txq->stamp_head) == DWMAC_TX_STAMPS) {
		txq->stamp_head++;
		txq->counters.stamps_dropped++;
	}
	txq->stamps[txq->stamp_tail++ % DWMAC_TX_STAMPS] = *stamp;
}

/* Move `done` over every packet whose last descriptor came back; note stamps and errors. The
 * published prod is what keeps this off a packet that is being filled. */
static __rte_always_inline void
dwmac_tx_harvest(struct dwmac_txq *txq, const struct dwmac_tx_ops *ops)
{
	const uint16_t prod = __atomic_load_n(&txq->prod, __ATOMIC_ACQUIRE);
	struct dwmac_stamp stamp;
	uint16_t done = txq->done;

	while (done != prod) {
		const uint16_t word = txq->last[done];
		const uint16_t last = word & DWMAC_TX_LAST_MASK;
		const enum dwmac_tx_state state = ops->state(txq->ring, last);

		if (state == DWMAC_TX_PENDING)
			break;
		if (unlikely(state == DWMAC_TX_FAILED))
			txq->counters.errors++;
		if (unlikely(word & DWMAC_TX_WANTS_STAMP)) {
			if (ops->stamp(txq->ring, last, &stamp))
				dwmac_tx_keep_stamp(txq, &stamp);
			else
				txq->counters.stamps_missed++;
		}
		done = dwmac_ring_next(last, txq->nb_desc);
	}
	txq->done = done;
}

/* Entries [from, to), no wrap: all from one pool, one reference each. */
static inline void
dwmac_tx_free_fast(struct dwmac_txq *txq, uint16_t from, uint16_t to)
{
	rte_mempool_put_bulk(txq->mbufs[from]->pool, (void **)&txq->mbufs[from], to - from);
}

static inline void
dwmac_tx_free_any(struct dwmac_txq *txq, uint16_t from, uint16_t to)
{
	struct rte_mbuf *batch[64];
	unsigned int n = 0;

	for (; from != to; from++) {
		struct rte_mbuf *m = rte_pktmbuf_prefree_seg(txq->mbufs[from]);

		if (unlikely(m == NULL))
			continue;
		if (n == RTE_DIM(batch) || (n > 0 && m->pool != batch[0]->pool)) {
			rte_mempool_put_bulk(batch[0]->pool, (void **)batch, n);
			n = 0;
		}
		batch[n++] = m;
	}
	if (n > 0)
		rte_mempool_put_bulk(batch[0]->pool, (void **)batch, n);
}

static inline void
dwmac_tx_free_range(struct dwmac_txq *txq, uint16_t from, uint16_t to)
{
	if (from == to)
		return;
	if (txq->fast_free)
		dwmac_tx_free_fast(txq, from, to);
	else
		dwmac_tx_free_any(txq, from, to);
}

/* A clone goes back to its pool and may take the mbuf it points into along. */
static inline bool
dwmac_tx_single_producer(struct rte_mbuf *m)
{
	unsigned int flags = m->pool->flags;

	if (RTE_MBUF_CLONED(m))
		flags |= rte_mbuf_from_indirect(m)->pool->flags;
	return (flags & RTE_MEMPOOL_F_SP_PUT) != 0;
}

/* A lcore that is not the owner must not put into a pool that allows one producer only. */
static inline bool
dwmac_tx_may_free(const struct dwmac_txq *txq, uint16_t first, uint16_t last)
{
	uint16_t i = first;

	for (;; i = dwmac_ring_next(i, txq->nb_desc)) {
		if (dwmac_tx_single_producer(txq->mbufs[i]))
			return false;
		if (i == last)
			return true;
	}
}

/* How far to free: all that is done, or `max` packets of it. */
static inline uint16_t
dwmac_tx_reclaim_limit(const struct dwmac_txq *txq, uint32_t max, bool foreign, uint32_t *packets)
{
	uint16_t i = txq->cons;
	uint32_t n = 0;

	while (i != txq->done && (max == 0 || n < max)) {
		const uint16_t last = txq->last[i] & DWMAC_TX_LAST_MASK;

		if (foreign && !dwmac_tx_may_free(txq, i, last))
			break;
		i = dwmac_ring_next(last, txq->nb_desc);
		n++;
	}
	*packets = n;
	return i;
}

static __rte_always_inline uint32_t
dwmac_tx_reclaim(struct dwmac_txq *txq, uint32_t max, bool foreign, const struct dwmac_tx_ops *ops)
{
	const uint16_t cons = txq->cons;
	uint32_t packets = 0;
	uint16_t end;

	dwmac_tx_harvest(txq, ops);
	DWMAC_SWEEP_STEP();
	end = txq->done;
	if (max != 0 || foreign)
		end = dwmac_tx_reclaim_limit(txq, max, foreign, &packets);
	txq->counters.runs++;
	if (end == cons)
		return packets;
	txq->counters.freed += dwmac_ring_distance(cons, end, txq->nb_desc);
	if (end < cons) {
		dwmac_tx_free_range(txq, cons, txq->nb_desc);
		dwmac_tx_free_range(txq, 0, end);
	} else {
		dwmac_tx_free_range(txq, cons, end);
	}
	DWMAC_SWEEP_STEP();
	/* The producer may overwrite the entries from here on. */
	__atomic_store_n(&txq->cons, end, __ATOMIC_RELEASE);
	return packets;
}

/* ---- producer side ---- */

typedef uint32_t (*dwmac_tx_reclaim_t)(struct dwmac_txq *txq, uint32_t max, bool foreign);

/* Sweep now if nobody else is at it; either way learn how much room there is behind `prod`. */
static __rte_always_inline uint16_t
dwmac_tx_make_room(struct dwmac_txq *txq, uint16_t prod, dwmac_tx_reclaim_t reclaim)
{
	if (rte_spinlock_trylock(&txq->slot->lock)) {
		reclaim(txq, 0, false);
		rte_spinlock_unlock(&txq->slot->lock);
	}
	txq->since_sweep = 0;
	return txq->nb_desc - 1 -
	       dwmac_ring_distance(
			       __atomic_load_n(&txq->cons, __ATOMIC_ACQUIRE), prod, txq->nb_desc);
}

/* One packet of any number of segments; returns the entry after it. The first descriptor is
 * given last: the device must not start on a packet that is not whole. */
static __rte_always_inline uint16_t
dwmac_tx_packet(struct dwmac_txq *txq, struct rte_mbuf *m, uint16_t first,
		const struct dwmac_tx_ops *ops, const bool multi_seg)
{
	uint32_t flags = DWMAC_TX_FIRST;
	uint32_t first_word = 0;
	uint16_t i = first;
	uint16_t last = first;
	const uint32_t packet_len = m->pkt_len;

	if (unlikely(txq->stamps_on && (m->ol_flags & RTE_MBUF_F_TX_IEEE1588_TMST)))
		flags |= DWMAC_TX_STAMP;
	do {
		struct rte_mbuf *next = multi_seg ? m->next : NULL;
		uint32_t word;

		if (next == NULL)
			flags |= DWMAC_TX_LAST;
		txq->mbufs[i] = m;
		dwmac_dma_sync_for_device(rte_pktmbuf_mtod(m, void *), m->data_len);
		word = ops->fill(txq->ring, i, rte_mbuf_data_iova(m), m->data_len, packet_len,
				flags);
		if (i == first)
			first_word = word;
		else
			ops->give(txq->ring, i, word);
		if (i == first)
			txq->last[first] = flags & DWMAC_TX_STAMP ? DWMAC_TX_WANTS_STAMP : 0;
		flags &= ~(DWMAC_TX_FIRST | DWMAC_TX_STAMP);
		last = i;
		i = dwmac_ring_next(i, txq->nb_desc);
		m = next;
	} while (multi_seg && m != NULL);
	txq->last[first] |= last;
	ops->give(txq->ring, first, first_word);
	return i;
}

/* The doorbell: one tail write per burst. */
static __rte_always_inline void
dwmac_tx_ring_tail(struct dwmac_txq *txq, uint16_t prod)
{
	const uint32_t tail = txq->ring_low_iova + (uint32_t)prod * DWMAC_DESC_BYTES;

	/* Atomic: the owner's sweep may ring what a lcore before this one owed. */
	__atomic_store_n(&txq->tail_owed, false, __ATOMIC_RELAXED);
	if (unlikely(dwmac_post32(dwmac_queue_io(txq->port_id), txq->tail_offset, tail) ==
			    -EAGAIN)) {
		__atomic_store_n(&txq->tail_owed, true, __ATOMIC_RELAXED);
		txq->tails_owed++;
	}
}

static __rte_always_inline uint16_t
dwmac_tx_burst(struct dwmac_txq *txq, struct rte_mbuf **pkts, uint16_t nb_pkts,
		const struct dwmac_tx_ops *ops, dwmac_tx_reclaim_t reclaim, const bool multi_seg)
{
	const unsigned int lcore = rte_lcore_id();
	uint16_t prod = txq->prod;
	uint16_t nb_free = txq->nb_free;
	uint64_t bytes = 0;
	uint16_t n;

	if (unlikely(nb_pkts == 0)) {
		dwmac_sweep_poll();
		if (__atomic_load_n(&txq->tail_owed, __ATOMIC_RELAXED))
			dwmac_tx_ring_tail(txq, prod);
		return 0;
	}
	if (txq->since_sweep >= txq->sweep_every || nb_free < nb_pkts)
		nb_free = dwmac_tx_make_room(txq, prod, reclaim);

	for (n = 0; n < nb_pkts; n++) {
		struct rte_mbuf *m = pkts[n];
		const uint16_t segs = multi_seg ? m->nb_segs : 1;

		if (unlikely(segs > nb_free)) {
			nb_free = dwmac_tx_make_room(txq, prod, reclaim);
			if (segs > nb_free)
				break;
		}
		bytes += m->pkt_len;
		prod = dwmac_tx_packet(txq, m, prod, ops, multi_seg);
		nb_free -= segs;
	}
	txq->nb_free = nb_free;

	if (likely(n > 0)) {
		txq->since_sweep += dwmac_ring_distance(txq->prod, prod, txq->nb_desc);
		txq->packets += n;
		txq->bytes += bytes;
		DWMAC_SWEEP_STEP();
		__atomic_store_n(&txq->prod, prod, __ATOMIC_RELEASE);
	} else if (!__atomic_load_n(&txq->tail_owed, __ATOMIC_RELAXED)) {
		return 0;
	}
	DWMAC_SWEEP_STEP();
	dwmac_tx_ring_tail(txq, prod);
	DWMAC_SWEEP_STEP();
	if (unlikely(__atomic_load_n(&txq->armed_by, __ATOMIC_RELAXED) != lcore))
		dwmac_sweep_arm(txq, lcore);
	return n;
}

#endif /* DWMAC_TX_H */
