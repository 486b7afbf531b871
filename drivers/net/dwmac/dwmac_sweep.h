/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_SWEEP_H
#define DWMAC_SWEEP_H

/*
 * The TX completion sweep: sent mbufs come back without a timer, an interrupt or a thread.
 * The protocol and why it cannot lose a wake-up: doc/design/sweep.rst.
 *
 * A lcore that transmits arms the queue once: it notes itself in armed_by and puts the queue with
 * a deadline on its own list. Later transmits see armed_by and do nothing, so the deadline is
 * never postponed. The lcore runs what is due on its list whenever it polls any port of this
 * driver; only it disarms, and only when nothing is pending.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_cycles.h>
#include <rte_lcore.h>

#include "dwmac.h"

/* Between any two steps of the protocol another thread may come: the race test puts delays there
 * (test/unit/driver), the driver nothing. */
#ifndef DWMAC_SWEEP_STEP
#define DWMAC_SWEEP_STEP() ((void)0)
#endif

#define DWMAC_SWEEP_SLOTS (RTE_MAX_ETHPORTS * DWMAC_MAX_QUEUES)

/* One TX queue's place in the sweep. Slots are shared memory and outlive their queues, so that a
 * lcore whose list still names a released queue finds an empty slot instead of freed memory. */
struct dwmac_sweep_slot {
	rte_spinlock_t lock; /* owns the queue's consumer side; tried, not waited for */
	struct dwmac_txq *txq;
} __rte_cache_aligned;

/* What one lcore has promised. Only that lcore touches it. */
struct dwmac_sweep_list {
	uint64_t next_due_tsc;
	uint16_t nb;
	struct {
		struct dwmac_sweep_slot *slot;
		uint64_t due_tsc;
	} entries[DWMAC_SWEEP_SLOTS];
} __rte_cache_aligned;

extern struct dwmac_sweep_list dwmac_sweep_lists[RTE_MAX_LCORE];

/* Map the slots, create them in the primary process. Idempotent. */
int dwmac_sweep_init(void);
/* Connect a queue to its slot before its first transmit; disconnect before it is freed. These
 * wait for the lock: control path only. */
void dwmac_sweep_attach(struct dwmac_txq *txq);
void dwmac_sweep_detach(struct dwmac_txq *txq);

/* A promise of this lcore to sweep txq. Slow path of tx_burst. */
void dwmac_sweep_arm(struct dwmac_txq *txq, unsigned int lcore);
/* Everything due on this lcore's list. */
void dwmac_sweep_run(struct dwmac_sweep_list *list, unsigned int lcore, uint64_t now);

/* Free what is sent and ring an owed tail, without a promise: never disarms. `max` packets,
 * 0 = all. _foreign: the caller is not the thread that uses the queue, so packets of pools that
 * allow one producer only are left alone.
 * @return packets freed, or -EBUSY: somebody else is at it. */
int dwmac_sweep_own(struct dwmac_sweep_slot *slot, uint32_t max);
int dwmac_sweep_foreign(struct dwmac_sweep_slot *slot, uint32_t max);

/* Generation's own: read completions, free. The slot's lock is held. */
uint32_t dwmac_eqos_tx_reclaim(struct dwmac_txq *txq, uint32_t max_packets, bool foreign);
void dwmac_eqos_tx_harvest(struct dwmac_txq *txq);

/* Opt-in service (devarg sweep_service=1). */
int dwmac_sweep_service_register(void);
struct dwmac_sweep_slot *dwmac_sweep_slot_at(unsigned int i);

/* Run point without a clock read while nothing is promised. */
static __rte_always_inline void
dwmac_sweep_poll(void)
{
	const unsigned int lcore = rte_lcore_id();
	struct dwmac_sweep_list *list;
	uint64_t now;

	if (unlikely(lcore >= RTE_MAX_LCORE))
		return;
	list = &dwmac_sweep_lists[lcore];
	if (list->nb == 0)
		return;
	now = rte_rdtsc();
	if (now >= list->next_due_tsc)
		dwmac_sweep_run(list, lcore, now);
}

#endif /* DWMAC_SWEEP_H */
