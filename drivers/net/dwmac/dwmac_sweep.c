/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>

#include <rte_atomic.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_memzone.h>

#include "dwmac_sweep.h"

#define SLOTS_MEMZONE "dwmac_sweep_slots"

struct dwmac_sweep_list dwmac_sweep_lists[RTE_MAX_LCORE];
static struct dwmac_sweep_slot *slots;

int
dwmac_sweep_init(void)
{
	const size_t size = DWMAC_SWEEP_SLOTS * sizeof(*slots);
	const struct rte_memzone *mz;
	unsigned int i;

	if (slots != NULL)
		return 0;
	mz = rte_memzone_lookup(SLOTS_MEMZONE);
	if (mz == NULL && rte_eal_process_type() == RTE_PROC_PRIMARY) {
		mz = rte_memzone_reserve_aligned(
				SLOTS_MEMZONE, size, SOCKET_ID_ANY, 0, RTE_CACHE_LINE_SIZE);
		if (mz != NULL) {
			struct dwmac_sweep_slot *slot = mz->addr;

			for (i = 0; i < DWMAC_SWEEP_SLOTS; i++) {
				rte_spinlock_init(&slot[i].lock);
				slot[i].txq = NULL;
			}
		}
	}
	if (mz == NULL) {
		DWMAC_LOG(ERR, "no memory for the sweep slots (%zu bytes): give EAL more with -m",
				size);
		return -ENOMEM;
	}
	slots = mz->addr;
	return 0;
}

struct dwmac_sweep_slot *
dwmac_sweep_slot_at(unsigned int i)
{
	return &slots[i];
}

static uint32_t
reclaim(struct dwmac_txq *txq, uint32_t max_packets, bool foreign)
{
	/* The one generation so far; a switch on the port's generation comes with the next. */
	return dwmac_eqos_tx_reclaim(txq, max_packets, foreign);
}

static bool
pending(const struct dwmac_txq *txq)
{
	return txq->cons != __atomic_load_n(&txq->prod, __ATOMIC_ACQUIRE);
}

void
dwmac_sweep_attach(struct dwmac_txq *txq)
{
	struct dwmac_sweep_slot *slot = &slots[txq->port_id * DWMAC_MAX_QUEUES + txq->queue_id];

	txq->slot = slot;
	__atomic_store_n(&txq->armed_by, DWMAC_SWEEP_NOBODY, __ATOMIC_RELAXED);
	rte_spinlock_lock(&slot->lock);
	/* Atomic: the service looks before it takes the lock. */
	__atomic_store_n(&slot->txq, txq, __ATOMIC_RELAXED);
	rte_spinlock_unlock(&slot->lock);
}

void
dwmac_sweep_detach(struct dwmac_txq *txq)
{
	rte_spinlock_lock(&txq->slot->lock);
	__atomic_store_n(&txq->slot->txq, NULL, __ATOMIC_RELAXED);
	rte_spinlock_unlock(&txq->slot->lock);
}

void
dwmac_sweep_arm(struct dwmac_txq *txq, unsigned int lcore)
{
	struct dwmac_sweep_list *list;
	uint64_t due;
	unsigned int i;

	/* All unregistered threads share LCORE_ID_ANY: it cannot keep a promise. */
	if (lcore >= RTE_MAX_LCORE || txq->interval_tsc == 0)
		return;
	list = &dwmac_sweep_lists[lcore];
	txq->arms++;

	/* Still listed from before another lcore took the queue over, or from a queue that stood
	 * in this slot earlier: the nearer deadline stands. */
	due = rte_rdtsc() + txq->interval_tsc;
	for (i = 0; i < list->nb; i++) {
		if (list->entries[i].slot == txq->slot)
			break;
	}
	if (i == list->nb) {
		list->entries[i].slot = txq->slot;
		list->entries[i].due_tsc = due;
		if (list->nb++ == 0)
			list->next_due_tsc = due;
	}
	list->entries[i].due_tsc = RTE_MIN(list->entries[i].due_tsc, due);
	list->next_due_tsc = RTE_MIN(list->next_due_tsc, due);
	DWMAC_SWEEP_STEP();
	__atomic_store_n(&txq->armed_by, lcore, __ATOMIC_RELAXED);
}

/* The doorbell that found the socket full. The queue may have passed to another lcore since
 * armed_by was read, and that one rings too: looking at prod again after the write makes sure
 * that the newest tail is the last one written, whoever wrote it. */
static void
ring_owed_tail(struct dwmac_txq *txq)
{
	uint16_t prod;

	if (!__atomic_load_n(&txq->tail_owed, __ATOMIC_RELAXED) ||
			!__atomic_exchange_n(&txq->tail_owed, false, __ATOMIC_SEQ_CST))
		return;
	do {
		prod = __atomic_load_n(&txq->prod, __ATOMIC_ACQUIRE);
		DWMAC_SWEEP_STEP();
		if (dwmac_post32(dwmac_queue_io(txq->port_id), txq->tail_offset,
				    txq->ring_low_iova + (uint32_t)prod * DWMAC_DESC_BYTES) ==
				-EAGAIN) {
			__atomic_store_n(&txq->tail_owed, true, __ATOMIC_RELAXED);
			return;
		}
		DWMAC_SWEEP_STEP();
		rte_atomic_thread_fence(__ATOMIC_SEQ_CST);
	} while (__atomic_load_n(&txq->prod, __ATOMIC_ACQUIRE) != prod);
}

enum verdict { KEEP_DUE, KEEP_AGAIN, DROP };

/* One due entry. Disarming is a compare-and-swap: another lcore may have armed itself since. */
static enum verdict
sweep_one(struct dwmac_sweep_slot *slot, unsigned int lcore, uint64_t late_tsc,
		uint64_t *interval_tsc)
{
	enum verdict verdict = KEEP_AGAIN;
	struct dwmac_txq *txq;
	uint32_t me = lcore;

	if (!rte_spinlock_trylock(&slot->lock))
		return KEEP_DUE;
	txq = slot->txq;
	if (txq == NULL || __atomic_load_n(&txq->armed_by, __ATOMIC_RELAXED) != lcore) {
		verdict = DROP;
	} else {
		DWMAC_SWEEP_STEP();
		ring_owed_tail(txq);
		reclaim(txq, 0, false);
		txq->counters.runs_due++;
		txq->counters.late_max_tsc = RTE_MAX(txq->counters.late_max_tsc, late_tsc);
		*interval_tsc = txq->interval_tsc;
		DWMAC_SWEEP_STEP();
		if (!pending(txq)) {
			DWMAC_SWEEP_STEP();
			__atomic_compare_exchange_n(&txq->armed_by, &me, DWMAC_SWEEP_NOBODY, false,
					__ATOMIC_RELAXED, __ATOMIC_RELAXED);
			verdict = DROP;
		}
	}
	rte_spinlock_unlock(&slot->lock);
	return verdict;
}

void
dwmac_sweep_run(struct dwmac_sweep_list *list, unsigned int lcore, uint64_t now)
{
	uint64_t next_due = UINT64_MAX;
	uint64_t interval = 0;
	unsigned int i = 0;

	while (i < list->nb) {
		uint64_t due = list->entries[i].due_tsc;

		if (due <= now) {
			switch (sweep_one(list->entries[i].slot, lcore, now - due, &interval)) {
			case KEEP_DUE:
				break;
			case KEEP_AGAIN:
				due = now + interval;
				break;
			case DROP:
				list->entries[i] = list->entries[--list->nb];
				continue;
			}
			list->entries[i].due_tsc = due;
		}
		next_due = RTE_MIN(next_due, due);
		i++;
	}
	list->next_due_tsc = next_due;
}

static int
sweep_without_promise(struct dwmac_sweep_slot *slot, uint32_t max, bool foreign)
{
	struct dwmac_txq *txq;
	int ret = 0;

	if (!rte_spinlock_trylock(&slot->lock))
		return -EBUSY;
	txq = __atomic_load_n(&slot->txq, __ATOMIC_RELAXED);
	if (txq != NULL) {
		ring_owed_tail(txq);
		ret = reclaim(txq, max == 0 ? UINT32_MAX : max, foreign);
	}
	rte_spinlock_unlock(&slot->lock);
	return ret;
}

int
dwmac_sweep_foreign(struct dwmac_sweep_slot *slot, uint32_t max)
{
	return sweep_without_promise(slot, max, true);
}

int
dwmac_sweep_own(struct dwmac_sweep_slot *slot, uint32_t max)
{
	return sweep_without_promise(slot, max, false);
}
