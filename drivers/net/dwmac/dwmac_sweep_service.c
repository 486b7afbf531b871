/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The sweep as a service (devarg sweep_service=1), for applications whose lcores may stop polling
 * with packets in flight. It sweeps on behalf of nobody: it never disarms, and keeps its own
 * note of when it first saw a queue pending.
 */

#include <errno.h>

#include <rte_service_component.h>

#include "dwmac_sweep.h"

static uint64_t first_seen_tsc[DWMAC_SWEEP_SLOTS];
static uint32_t service_id;
static bool registered;

static void
look_at(struct dwmac_sweep_slot *slot, uint64_t *first_seen, uint64_t now)
{
	struct dwmac_txq *txq;
	uint64_t interval;
	bool pending;

	if (!rte_spinlock_trylock(&slot->lock))
		return;
	txq = slot->txq;
	pending = txq != NULL && txq->cons != __atomic_load_n(&txq->prod, __ATOMIC_ACQUIRE);
	interval = txq == NULL ? 0 : txq->interval_tsc;
	rte_spinlock_unlock(&slot->lock);

	if (!pending) {
		*first_seen = 0;
	} else if (*first_seen == 0) {
		*first_seen = now;
	} else if (now - *first_seen >= interval && dwmac_sweep_foreign(slot, 0) >= 0) {
		*first_seen = now;
	}
}

static int32_t
run(void *arg)
{
	const uint64_t now = rte_rdtsc();
	unsigned int i;

	RTE_SET_USED(arg);
	for (i = 0; i < DWMAC_SWEEP_SLOTS; i++) {
		struct dwmac_sweep_slot *slot = dwmac_sweep_slot_at(i);

		/* Empty slots are the rule: a plain look saves the lock. */
		if (__atomic_load_n(&slot->txq, __ATOMIC_RELAXED) != NULL)
			look_at(slot, &first_seen_tsc[i], now);
	}
	return 0;
}

/* Once per process, at the first probe that asks: EAL starts services only once. */
int
dwmac_sweep_service_register(void)
{
	struct rte_service_spec spec = {
		.name = "dwmac_sweep",
		.callback = run,
	};
	int ret;

	if (registered)
		return 0;
	ret = rte_service_component_register(&spec, &service_id);
	if (ret != 0) {
		DWMAC_LOG(ERR, "sweep service: %s", rte_strerror(-ret));
		return ret;
	}
	rte_service_component_runstate_set(service_id, 1);
	registered = true;
	return 0;
}
