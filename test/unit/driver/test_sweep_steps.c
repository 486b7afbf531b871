/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The sweep, interleaved on purpose: while one lcore is at a step of the protocol another one runs
 * a whole operation, at every step in turn. One thread plays them all, so each interleaving is
 * tried for certain; test_sweep_races.c tries the rest by chance.
 */

#include <errno.h>

#include <rte_lcore.h>

#include "rig.h"

#define POOL_SIZE 256
#define NEVER_TSC UINT64_MAX / 4
#define OLD_LCORE 10
#define NEW_LCORE 11

static struct rig rig;
static struct rte_mempool *pool;
static struct dwmac_txq *txq;
static uint16_t device_at;

/* What comes in between, and before which step of the outer operation. */
static struct {
	void (*intruder)(void);
	unsigned int at;
	unsigned int passed;
	bool inside;
	bool done;
} seam;

void
sweep_step(void)
{
	if (seam.intruder == NULL || seam.inside || seam.done || seam.passed++ != seam.at)
		return;
	seam.inside = true;
	seam.intruder();
	seam.inside = false;
	seam.done = true;
}

static void
become(unsigned int lcore)
{
	RTE_PER_LCORE(_lcore_id) = lcore;
}

static void
transmit(void)
{
	struct rte_mbuf *m = rig_mbuf(pool, 1, 60);

	if (dwmac_eqos_tx_burst_full(txq, &m, 1) == 0)
		rte_pktmbuf_free(m);
}

static void
make_due(unsigned int lcore)
{
	struct dwmac_sweep_list *list = &dwmac_sweep_lists[lcore];
	unsigned int i;

	for (i = 0; i < list->nb; i++)
		list->entries[i].due_tsc = 1;
	list->next_due_tsc = 1;
}

static void
poll_due(unsigned int lcore)
{
	const unsigned int me = rte_lcore_id();

	become(lcore);
	make_due(lcore);
	dwmac_sweep_poll();
	become(me);
}

static unsigned int
complete_all(void)
{
	const uint16_t tail = (rig.tx_tail[0] - txq->ring_low_iova) / 16;
	unsigned int n = 0;

	while (device_at != tail && rig_tx_complete(txq, &device_at, 0, 0, 0))
		n++;
	return n;
}

static void
start(void)
{
	unsigned int i;

	for (i = 0; i < RTE_MAX_LCORE; i++)
		dwmac_sweep_lists[i].nb = 0;
	rig_init(&rig, 6);
	txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	rig_start(&rig);
	txq->interval_tsc = NEVER_TSC;
	device_at = 0;
	seam.intruder = NULL;
	become(OLD_LCORE);
}

/* The device sends what it was told of; whoever promised to sweep does; nothing may be left. The
 * one that transmitted last comes last: it must not depend on anybody else. */
static void
everything_comes_back(unsigned int last_transmitter)
{
	seam.intruder = NULL;
	rig.post_ret = 0;
	poll_due(OLD_LCORE + NEW_LCORE - last_transmitter);
	poll_due(last_transmitter); /* an owed tail */
	complete_all();
	poll_due(last_transmitter);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE);
	assert_int_equal(txq->armed_by, DWMAC_SWEEP_NOBODY);
	assert_int_equal(dwmac_sweep_lists[last_transmitter].nb, 0);
}

/* Run `outer` with `intruder` before its first, second, … step until it has no more of them. */
static void
at_every_step(void (*prepare)(void), void (*outer)(void), void (*intruder)(void),
		unsigned int last_transmitter, unsigned int least_steps)
{
	unsigned int at;

	for (at = 0;; at++) {
		start();
		prepare();
		seam.at = at;
		seam.passed = 0;
		seam.done = false;
		seam.intruder = intruder;
		outer();
		if (seam.done)
			everything_comes_back(last_transmitter);
		rig_close(&rig);
		assert_int_equal(checked_pool_count(pool), POOL_SIZE);
		assert_int_equal(checked_pool_faults(pool), 0);
		if (!seam.done)
			break;
	}
	assert_true(at >= least_steps);
}

/* ---- operations ---- */

static void
old_transmits(void)
{
	become(OLD_LCORE);
	transmit();
}

static void
new_transmits(void)
{
	const unsigned int me = rte_lcore_id();

	become(NEW_LCORE);
	transmit();
	become(me);
}

static void
new_transmits_and_it_is_sent(void)
{
	new_transmits();
	complete_all();
}

static void
old_polls(void)
{
	poll_due(OLD_LCORE);
}

static void
stranger_sweeps(void)
{
	dwmac_sweep_foreign(txq->slot, 0);
}

/* ---- states to start from ---- */

static void
one_sent(void)
{
	old_transmits();
	complete_all();
}

static void
one_pending(void)
{
	old_transmits();
}

/* The socket was full for the last packet; it has room now. */
static void
one_owed(void)
{
	old_transmits();
	complete_all();
	rig.post_ret = -EAGAIN;
	old_transmits();
	rig.post_ret = 0;
}

static void
new_has_promised_before(void)
{
	new_transmits();
	old_transmits();
	complete_all();
}

/* ---- cases ---- */

static void
a_queue_taken_over_during_its_sweep(void **state)
{
	(void)state;
	at_every_step(one_sent, old_polls, new_transmits, NEW_LCORE, 5);
	at_every_step(one_sent, old_polls, new_transmits_and_it_is_sent, NEW_LCORE, 5);
	at_every_step(one_pending, old_polls, new_transmits, NEW_LCORE, 3);
	at_every_step(new_has_promised_before, old_polls, new_transmits, NEW_LCORE, 5);
}

static void
a_sweep_by_the_former_owner_during_a_transmit(void **state)
{
	(void)state;
	at_every_step(one_sent, new_transmits, old_polls, NEW_LCORE, 4);
	at_every_step(one_pending, new_transmits, old_polls, NEW_LCORE, 4);
	at_every_step(new_has_promised_before, new_transmits, old_polls, NEW_LCORE, 3);
}

static void
a_stranger_at_any_moment(void **state)
{
	(void)state;
	at_every_step(one_sent, old_polls, stranger_sweeps, OLD_LCORE, 5);
	at_every_step(one_sent, old_transmits, stranger_sweeps, OLD_LCORE, 3);
	at_every_step(one_sent, stranger_sweeps, new_transmits, NEW_LCORE, 2);
	at_every_step(one_owed, stranger_sweeps, new_transmits, NEW_LCORE, 4);
	at_every_step(one_owed, new_transmits, stranger_sweeps, NEW_LCORE, 3);
}

/* The newest tail is the last one written, or it is known to be owed. */
static void
an_owed_tail_during_a_take_over(void **state)
{
	(void)state;
	at_every_step(one_owed, old_polls, new_transmits, NEW_LCORE, 5);
	at_every_step(one_owed, new_transmits, old_polls, NEW_LCORE, 4);
	at_every_step(one_owed, old_polls, new_transmits_and_it_is_sent, NEW_LCORE, 5);
}

static void
socket_fills_and_new_transmits(void)
{
	rig.post_ret = -EAGAIN;
	new_transmits();
	rig.post_ret = 0;
}

static void
a_tail_owed_anew_while_an_old_one_is_rung(void **state)
{
	(void)state;
	at_every_step(one_owed, old_polls, socket_fills_and_new_transmits, NEW_LCORE, 5);
	at_every_step(one_owed, stranger_sweeps, socket_fills_and_new_transmits, NEW_LCORE, 4);
}

static int
group_setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("steps", POOL_SIZE, 256, 0);
	return pool != NULL ? 0 : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_queue_taken_over_during_its_sweep),
		cmocka_unit_test(a_sweep_by_the_former_owner_during_a_transmit),
		cmocka_unit_test(a_stranger_at_any_moment),
		cmocka_unit_test(an_owed_tail_during_a_take_over),
		cmocka_unit_test(a_tail_owed_anew_while_an_old_one_is_rung),
	};

	return RUN_TESTS(tests, group_setup, rig_eal_teardown);
}
