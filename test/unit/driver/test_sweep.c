/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The sweep's protocol step by step, in one thread that plays several lcores (design.md,
 * «Sweep»). What threads do to it is in test_sweep_races.c. */

#include <errno.h>

#include <rte_lcore.h>
#include <rte_service.h>

#include "rig.h"

#define POOL_SIZE 1024
#define NEVER_TSC UINT64_MAX / 4 /* an interval no test outlives */

static struct rig rig, other_rig;
static struct rte_mempool *pool;
static struct dwmac_txq *txq;
static uint16_t device_at;

static void
become(unsigned int lcore)
{
	RTE_PER_LCORE(_lcore_id) = lcore;
}

static int
group_setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("sweep", POOL_SIZE, 256, 0);
	return pool != NULL ? 0 : -1;
}

static int
setup(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_MAX_LCORE; i++)
		dwmac_sweep_lists[i].nb = 0;
	rig_init(&rig, 4);
	rig_init(&other_rig, 5);
	txq = rig_txq(&rig, 0, 256, 0);
	rig_start(&rig);
	txq->interval_tsc = NEVER_TSC;
	device_at = 0;
	become(10);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	become(0);
	rig_close(&rig);
	rig_close(&other_rig);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE);
	assert_int_equal(checked_pool_faults(pool), 0);
	return 0;
}

static void
transmit(unsigned int n)
{
	while (n-- > 0) {
		struct rte_mbuf *m = rig_mbuf(pool, 1, 60);

		assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &m, 1), 1);
	}
}

static void
complete(unsigned int n)
{
	while (n-- > 0)
		assert_true(rig_tx_complete(txq, &device_at, 0, 0, 0));
}

static void
poll_as(unsigned int lcore)
{
	become(lcore);
	dwmac_sweep_poll();
}

/* Its deadline has come. */
static void
make_due(unsigned int lcore)
{
	struct dwmac_sweep_list *list = &dwmac_sweep_lists[lcore];
	unsigned int i;

	for (i = 0; i < list->nb; i++)
		list->entries[i].due_tsc = 1;
	list->next_due_tsc = 1;
}

static unsigned int
listed(unsigned int lcore)
{
	return dwmac_sweep_lists[lcore].nb;
}

static unsigned int
in_flight(void)
{
	return POOL_SIZE - checked_pool_count(pool);
}

static void
transmits_arm_once_and_never_postpone(void **state)
{
	uint64_t due;

	(void)state;
	assert_int_equal(txq->armed_by, DWMAC_SWEEP_NOBODY);
	transmit(1);
	assert_int_equal(txq->armed_by, 10);
	assert_int_equal(listed(10), 1);
	due = dwmac_sweep_lists[10].next_due_tsc;
	assert_true(due > txq->interval_tsc);
	transmit(20);
	assert_int_equal(txq->arms, 1);
	assert_int_equal(listed(10), 1);
	assert_true(dwmac_sweep_lists[10].next_due_tsc == due);
	assert_true(dwmac_sweep_lists[10].entries[0].due_tsc == due);
}

static void
nothing_runs_before_its_time(void **state)
{
	(void)state;
	transmit(5);
	complete(5);
	poll_as(10);
	assert_int_equal(in_flight(), 5);
	assert_int_equal(txq->counters.runs_due, 0);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
	assert_int_equal(txq->counters.runs_due, 1);
}

/* Disarmed only when nothing is pending; as long as something is, the promise stands. */
static void
the_promise_stands_until_all_is_sent(void **state)
{
	(void)state;
	transmit(5);
	complete(3);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 2);
	assert_int_equal(txq->armed_by, 10);
	assert_int_equal(listed(10), 1);
	assert_true(dwmac_sweep_lists[10].next_due_tsc > NEVER_TSC);
	complete(2);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
	assert_int_equal(txq->armed_by, DWMAC_SWEEP_NOBODY);
	assert_int_equal(listed(10), 0);
	/* one arm per pending period */
	assert_int_equal(txq->arms, 1);
	transmit(1);
	assert_int_equal(txq->arms, 2);
	assert_int_equal(txq->armed_by, 10);
}

/* testpmd's layout: the owner polls RX of another port only; and an empty transmit does too. */
static void
any_port_of_the_driver_is_a_run_point(void **state)
{
	struct rte_mempool *rx_pool = checked_pool("sweep_rx", 128, 256, 0);
	struct dwmac_rxq *rxq = rig_rxq(&other_rig, 0, 64, rx_pool);
	struct dwmac_txq *other = rig_txq(&other_rig, 0, 64, 0);
	struct rte_mbuf *pkts[1];

	(void)state;
	rig_start(&other_rig);
	transmit(5);
	complete(5);
	make_due(10);
	assert_int_equal(dwmac_eqos_rx_burst(rxq, pkts, 1), 0);
	assert_int_equal(in_flight(), 0);
	transmit(5);
	complete(5);
	make_due(10);
	assert_int_equal(dwmac_eqos_tx_burst_full(other, pkts, 0), 0);
	assert_int_equal(in_flight(), 0);
	dwmac_queues_stop(&other_rig.dev);
	assert_int_equal(checked_pool_count(rx_pool), 128);
}

static void
the_lcore_that_transmits_last_owns_the_queue(void **state)
{
	(void)state;
	transmit(1);
	become(11);
	transmit(1);
	assert_int_equal(txq->armed_by, 11);
	assert_int_equal(txq->arms, 2);
	complete(2);
	/* the former owner lets go without sweeping or disarming */
	make_due(10);
	poll_as(10);
	assert_int_equal(listed(10), 0);
	assert_int_equal(in_flight(), 2);
	assert_int_equal(txq->armed_by, 11);
	make_due(11);
	poll_as(11);
	assert_int_equal(in_flight(), 0);
	assert_int_equal(txq->armed_by, DWMAC_SWEEP_NOBODY);
}

/* Back at the first before it noticed: still one entry, and the earlier deadline. */
static void
a_queue_that_returns_keeps_the_earlier_deadline(void **state)
{
	uint64_t due;

	(void)state;
	transmit(1);
	due = dwmac_sweep_lists[10].next_due_tsc;
	become(11);
	transmit(1);
	become(10);
	transmit(1);
	assert_int_equal(txq->armed_by, 10);
	assert_int_equal(listed(10), 1);
	assert_true(dwmac_sweep_lists[10].next_due_tsc == due);
	assert_true(dwmac_sweep_lists[10].entries[0].due_tsc == due);
	complete(3);
	make_due(11);
	poll_as(11);
	assert_int_equal(listed(11), 0);
	assert_int_equal(txq->armed_by, 10);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
}

/* All unregistered threads share LCORE_ID_ANY: its queue is swept by count. */
static void
unregistered_threads_own_nothing(void **state)
{
	(void)state;
	become(LCORE_ID_ANY);
	transmit(31);
	complete(31);
	assert_int_equal(txq->armed_by, DWMAC_SWEEP_NOBODY);
	assert_int_equal(txq->arms, 0);
	dwmac_sweep_poll();
	assert_int_equal(in_flight(), 31);
	transmit(2);
	assert_int_equal(in_flight(), 2);
	/* nor do they take a queue from an owner */
	become(10);
	transmit(1);
	become(LCORE_ID_ANY);
	transmit(1);
	assert_int_equal(txq->armed_by, 10);
}

static void
without_an_interval_only_the_count_sweeps(void **state)
{
	(void)state;
	txq->interval_tsc = 0;
	transmit(32);
	complete(32);
	assert_int_equal(txq->armed_by, DWMAC_SWEEP_NOBODY);
	assert_int_equal(listed(10), 0);
	assert_int_equal(in_flight(), 32);
	transmit(1);
	assert_int_equal(in_flight(), 1);
}

/* A stranger frees and leaves the promise alone: the owner would skip arming otherwise. */
static void
a_stranger_frees_and_never_disarms(void **state)
{
	(void)state;
	transmit(5);
	complete(5);
	become(12);
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 5);
	assert_int_equal(txq->armed_by, 10);
	assert_int_equal(listed(10), 1);
	assert_int_equal(in_flight(), 0);
}

static void
nobody_waits_for_the_lock(void **state)
{
	unsigned int still_in_flight, still_listed;
	uint64_t due;
	int stranger;

	(void)state;
	transmit(5);
	complete(5);
	make_due(10);
	/* No assertion while it is held: what failed could not clean up. */
	rte_spinlock_lock(&txq->slot->lock);
	poll_as(10);
	still_in_flight = in_flight();
	still_listed = listed(10);
	due = dwmac_sweep_lists[10].next_due_tsc;
	stranger = dwmac_sweep_foreign(txq->slot, 0);
	transmit(100); /* more than a count's worth */
	rte_spinlock_unlock(&txq->slot->lock);
	assert_int_equal(still_in_flight, 5);
	assert_int_equal(txq->armed_by, 10);
	assert_int_equal(still_listed, 1);
	assert_true(due == 1); /* still due: not put off by an interval */
	assert_int_equal(stranger, -EBUSY);
	complete(100);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
}

/* A list may name a queue that is gone, and then one that has come in its place. */
static void
a_released_queue_is_dropped_from_lists(void **state)
{
	(void)state;
	transmit(2);
	dwmac_queues_stop(&rig.dev);
	dwmac_tx_queue_release(&rig.dev, 0);
	assert_int_equal(listed(10), 1);
	make_due(10);
	poll_as(10);
	assert_int_equal(listed(10), 0);

	txq = rig_txq(&rig, 0, 64, 0);
	rig_start(&rig);
	txq->interval_tsc = NEVER_TSC;
	transmit(2);
	dwmac_queues_stop(&rig.dev);
	dwmac_tx_queue_release(&rig.dev, 0);
	txq = rig_txq(&rig, 0, 64, 0);
	rig_start(&rig);
	txq->interval_tsc = NEVER_TSC;
	device_at = 0;
	become(11);
	transmit(3);
	complete(3);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 3);
	assert_int_equal(listed(10), 0);
	make_due(11);
	poll_as(11);
	assert_int_equal(in_flight(), 0);
}

/* Stop and start of the port between two transmits: the promise is still good. */
static void
a_restart_keeps_the_promise(void **state)
{
	(void)state;
	transmit(3);
	dwmac_queues_stop(&rig.dev);
	rig_start(&rig);
	device_at = 0;
	transmit(3);
	complete(3);
	assert_int_equal(listed(10), 1);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
}

/* Several queues on one list: those that are due run, the others keep their time. */
static void
one_list_many_queues(void **state)
{
	struct dwmac_txq *first = txq, *second = rig_txq(&rig, 1, 64, 0);
	uint16_t second_at = 0;

	(void)state;
	rig_start(&rig);
	second->interval_tsc = NEVER_TSC / 2;
	transmit(1);
	txq = second;
	transmit(1);
	assert_int_equal(listed(10), 2);
	/* the list's time is that of the earliest */
	assert_true(dwmac_sweep_lists[10].next_due_tsc == dwmac_sweep_lists[10].entries[1].due_tsc);
	/* one is due and stays pending: the earliest of what is left counts, wherever it stands */
	first->interval_tsc = NEVER_TSC / 4;
	dwmac_sweep_lists[10].entries[0].due_tsc = 1;
	dwmac_sweep_lists[10].next_due_tsc = 1;
	poll_as(10);
	assert_int_equal(listed(10), 2);
	assert_true(dwmac_sweep_lists[10].entries[0].due_tsc <
			dwmac_sweep_lists[10].entries[1].due_tsc);
	assert_true(dwmac_sweep_lists[10].next_due_tsc == dwmac_sweep_lists[10].entries[0].due_tsc);
	assert_true(rig_tx_complete(first, &device_at, 0, 0, 0));
	assert_true(rig_tx_complete(second, &second_at, 0, 0, 0));
	dwmac_sweep_lists[10].entries[0].due_tsc = 1;
	dwmac_sweep_lists[10].next_due_tsc = 1;
	poll_as(10);
	assert_int_equal(in_flight(), 1);
	assert_int_equal(first->armed_by, DWMAC_SWEEP_NOBODY);
	assert_int_equal(second->armed_by, 10);
	assert_int_equal(listed(10), 1);
	make_due(10);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
}

/* The owner transmits no more: its sweep rings what the full socket refused. */
static void
the_owner_rings_an_owed_tail(void **state)
{
	(void)state;
	rig.post_ret = -EAGAIN;
	transmit(3);
	make_due(10);
	poll_as(10);
	assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova);
	assert_true(txq->tail_owed);
	rig.post_ret = 0;
	make_due(10);
	poll_as(10);
	assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + 3 * 16);
	assert_false(txq->tail_owed);
}

/* So does a stranger who frees, and an empty transmit: no promise is needed for that. */
static void
whoever_comes_by_rings_an_owed_tail(void **state)
{
	(void)state;
	become(LCORE_ID_ANY);
	rig.post_ret = -EAGAIN;
	transmit(3);
	dwmac_sweep_foreign(txq->slot, 0);
	assert_true(txq->tail_owed);
	rig.post_ret = 0;
	become(12);
	dwmac_sweep_foreign(txq->slot, 0);
	assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + 3 * 16);
	assert_false(txq->tail_owed);
	become(LCORE_ID_ANY);
	rig.post_ret = -EAGAIN;
	transmit(1);
	rig.post_ret = 0;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, NULL, 0), 0);
	assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + 4 * 16);
}

/* A lcore's list may name the slot from an earlier queue with a longer interval. */
static void
the_nearer_deadline_stands(void **state)
{
	(void)state;
	transmit(1);
	dwmac_queues_stop(&rig.dev);
	dwmac_tx_queue_release(&rig.dev, 0);
	txq = rig_txq(&rig, 0, 64, 0);
	rig_start(&rig);
	device_at = 0;
	txq->interval_tsc = 1;
	transmit(1);
	complete(1);
	assert_int_equal(listed(10), 1);
	poll_as(10);
	assert_int_equal(in_flight(), 0);
}

/* The opt-in service: first look notes, a look an interval later sweeps; it never disarms. */
static void
the_service_sweeps_after_an_interval(void **state)
{
	uint64_t idle_since;
	uint32_t id;

	(void)state;
	assert_int_equal(dwmac_sweep_service_register(), 0);
	assert_int_equal(dwmac_sweep_service_register(), 0);
	assert_int_equal(rte_service_get_by_name("dwmac_sweep", &id), 0);
	assert_int_equal(rte_service_runstate_set(id, 1), 0);
	become(10);
	transmit(4);
	complete(4);
	become(0);
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	assert_int_equal(in_flight(), 4); /* not due */
	txq->interval_tsc = 1;
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	assert_int_equal(in_flight(), 0);
	assert_int_equal(txq->armed_by, 10);
	/* a new pending period starts its own clock */
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	txq->interval_tsc = NEVER_TSC;
	become(10);
	transmit(1);
	complete(1);
	become(0);
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	assert_int_equal(in_flight(), 1);
	/* whatever time has passed since the last one: the first look never sweeps */
	dwmac_sweep_foreign(txq->slot, 0);
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	txq->interval_tsc = 1000;
	idle_since = rte_rdtsc();
	while (rte_rdtsc() - idle_since < 2000)
		rte_pause();
	become(10);
	transmit(1);
	complete(1);
	become(0);
	assert_int_equal(rte_service_run_iter_on_app_lcore(id, 1), 0);
	assert_int_equal(in_flight(), 1);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(transmits_arm_once_and_never_postpone),
		CASE(nothing_runs_before_its_time),
		CASE(the_promise_stands_until_all_is_sent),
		CASE(any_port_of_the_driver_is_a_run_point),
		CASE(the_lcore_that_transmits_last_owns_the_queue),
		CASE(a_queue_that_returns_keeps_the_earlier_deadline),
		CASE(unregistered_threads_own_nothing),
		CASE(without_an_interval_only_the_count_sweeps),
		CASE(a_stranger_frees_and_never_disarms),
		CASE(nobody_waits_for_the_lock),
		CASE(a_released_queue_is_dropped_from_lists),
		CASE(a_restart_keeps_the_promise),
		CASE(one_list_many_queues),
		CASE(the_owner_rings_an_owed_tail),
		CASE(whoever_comes_by_rings_an_owed_tail),
		CASE(the_nearer_deadline_stands),
		CASE(the_service_sweeps_after_an_interval),
	};

	return RUN_TESTS(tests, group_setup, rig_eal_teardown);
}
