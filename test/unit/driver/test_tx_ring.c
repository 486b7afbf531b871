/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Ring arithmetic of the transmit side: every size, every wrap, never an entry too many; what is
 * freed, by whom, and how much of it. */

#include <errno.h>

#include <rte_errno.h>

#include "rig.h"

#define POOL_SIZE 4096

static struct rig rig;
static struct rte_mempool *pool, *other_pool, *sp_pool;

static int
group_setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("tx_ring", POOL_SIZE, 256, 0);
	other_pool = checked_pool("tx_other", 256, 256, 0);
	sp_pool = checked_pool("tx_sp", 64, 256, RTE_MEMPOOL_F_SP_PUT);
	return pool != NULL && other_pool != NULL && sp_pool != NULL ? 0 : -1;
}

static int
setup(void **state)
{
	(void)state;
	rig_init(&rig, 2);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	rig_close(&rig);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE);
	assert_int_equal(checked_pool_count(other_pool), 256);
	assert_int_equal(checked_pool_count(sp_pool), 64);
	assert_int_equal(checked_pool_faults(pool), 0);
	assert_int_equal(checked_pool_faults(other_pool), 0);
	assert_int_equal(checked_pool_faults(sp_pool), 0);
	return 0;
}

/* A device that falls behind and catches up at random, against a producer that asks for random
 * bursts. The descriptors in flight are counted here, independently. */
static void
random_walk(uint16_t nb_desc, bool full, uint32_t seed)
{
	uint64_t offloads =
			full ? RTE_ETH_TX_OFFLOAD_MULTI_SEGS : RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	struct dwmac_txq *txq = rig_txq(&rig, 0, nb_desc, offloads);
	unsigned int in_flight = 0; /* given and not written back */
	unsigned int round, i, wraps = 0;
	uint16_t device_at = 0, at = 0;
	struct rte_mbuf *pkts[96];

	rig_start(&rig);
	for (round = 0; round < 3000; round++) {
		const unsigned int n = 1 + rig_random(&seed) % RTE_DIM(pkts);
		unsigned int sent, segs = 0, want;

		for (i = 0; i < n; i++)
			pkts[i] = rig_mbuf(pool, full ? 1 + rig_random(&seed) % 8 : 1, 60);
		sent = full ? dwmac_eqos_tx_burst_full(txq, pkts, n)
			    : dwmac_eqos_tx_burst_simple(txq, pkts, n);
		for (i = 0; i < sent; i++)
			segs += pkts[i]->nb_segs;
		in_flight += segs;
		wraps += at + segs >= nb_desc;
		at = (at + segs) % nb_desc;
		assert_true(in_flight <= nb_desc - 1u);
		assert_true(txq->nb_free <= nb_desc - 1u - in_flight);
		/* It stopped only for want of room, with everything free counted in. */
		assert_true(sent == n || pkts[sent]->nb_segs > nb_desc - 1u - in_flight);
		assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + at * 16);
		assert_int_equal(txq->prod, at);
		for (i = sent; i < n; i++)
			rte_pktmbuf_free(pkts[i]);

		for (want = rig_random(&seed) % 64; want > 0; want--) {
			const uint16_t before = device_at;

			if (!rig_tx_complete(txq, &device_at, 0, ~0u, ~0u))
				break;
			in_flight -= dwmac_ring_distance(before, device_at, nb_desc);
		}
	}
	assert_true(wraps > 3);
	while (rig_tx_complete(txq, &device_at, 0, 0, 0))
		;
	assert_int_equal(device_at, at);
	dwmac_sweep_foreign(txq->slot, 0);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE);
	dwmac_queues_stop(&rig.dev);
	dwmac_tx_queue_release(&rig.dev, 0);
}

static void
no_size_and_no_wrap_loses_an_entry(void **state)
{
	static const uint16_t sizes[] = { 64, 72, 128, 256, 512, 1000, 1024 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(sizes); i++) {
		random_walk(sizes[i], true, 1 + i);
		random_walk(sizes[i], false, 100 + i);
	}
}

/* From every position: the ring takes all but one, whatever the burst asks for. */
static void
a_burst_larger_than_the_ring(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, 0);
	struct rte_mbuf *pkts[2000];
	uint16_t device_at = 0;
	unsigned int i, start;

	(void)state;
	rig_start(&rig);
	for (start = 0; start < 130; start++) {
		for (i = 0; i < RTE_DIM(pkts); i++)
			pkts[i] = rig_mbuf(pool, 1, 60);
		assert_int_equal(dwmac_eqos_tx_burst_simple(txq, pkts, RTE_DIM(pkts)), 63);
		assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &pkts[63], 1), 0);
		for (i = 63; i < RTE_DIM(pkts); i++)
			rte_pktmbuf_free(pkts[i]);
		for (i = 0; i < 63; i++)
			assert_true(rig_tx_complete(txq, &device_at, 0, 0, 0));
		assert_false(rig_tx_complete(txq, &device_at, 0, 0, 0));
	}
}

static void
a_chain_waits_for_room_for_all_of_it(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	struct rte_mbuf *pkts[3];
	uint16_t device_at = 0;
	unsigned int start;

	(void)state;
	rig_start(&rig);
	for (start = 0; start < 130; start++) {
		pkts[0] = rig_mbuf(pool, 60, 60);
		pkts[1] = rig_mbuf(pool, 4, 60); /* three are left */
		pkts[2] = rig_mbuf(pool, 1, 60); /* would fit, but may not overtake */
		assert_int_equal(dwmac_eqos_tx_burst_full(txq, pkts, 3), 1);
		assert_int_equal(dwmac_eqos_tx_burst_full(txq, &pkts[1], 2), 0);
		assert_true(rig_tx_complete(txq, &device_at, 0, 0, 0));
		assert_int_equal(dwmac_eqos_tx_burst_full(txq, &pkts[1], 2), 2);
		assert_true(rig_tx_complete(txq, &device_at, 0, 0, 0));
		assert_true(rig_tx_complete(txq, &device_at, 0, 0, 0));
		assert_false(rig_tx_complete(txq, &device_at, 0, 0, 0));
	}
}

/* ---- the doorbell ---- */

/* A socket that is full: the packets stand in the ring, the tail is owed and comes later. */
static void
an_owed_tail_is_rung_by_the_next_burst(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, 0);
	struct rte_mbuf *m = rig_mbuf(pool, 1, 60), *none[1];
	const uint32_t base = (uint32_t)txq->ring_iova;

	(void)state;
	rig_start(&rig);
	rig.post_ret = -EAGAIN;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &m, 1), 1);
	assert_true(txq->tail_owed);
	assert_int_equal(txq->tails_owed, 1);
	assert_int_equal(rig.tx_tail[0], base);
	m = rig_mbuf(pool, 1, 60);
	rig.post_ret = 0;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &m, 1), 1);
	assert_false(txq->tail_owed);
	assert_int_equal(rig.tx_tail[0], base + 32);
	/* a device that is gone is not asked for ever */
	m = rig_mbuf(pool, 1, 60);
	rig.post_ret = -ENODEV;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &m, 1), 1);
	assert_false(txq->tail_owed);
	rig.post_ret = 0;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, none, 0), 0);
	assert_int_equal(rig.nb_posts, 3);
}

/* A full ring with an owed tail: nothing can be added, but the doorbell must ring. */
static void
an_owed_tail_is_rung_when_nothing_can_be_added(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, 0);
	struct rte_mbuf *pkts[64];
	unsigned int i;

	(void)state;
	rig_start(&rig);
	for (i = 0; i < 64; i++)
		pkts[i] = rig_mbuf(pool, 1, 60);
	rig.post_ret = -EAGAIN;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, pkts, 64), 63);
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &pkts[63], 1), 0);
	assert_true(txq->tail_owed);
	rig.post_ret = 0;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &pkts[63], 1), 0);
	assert_false(txq->tail_owed);
	assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + 63 * 16);
	rte_pktmbuf_free(pkts[63]);
}

/* ---- freeing ---- */

static void
send_and_complete(struct dwmac_txq *txq, struct rte_mbuf *m, uint16_t *device_at)
{
	assert_int_equal(dwmac_eqos_tx_burst_full(txq, &m, 1), 1);
	assert_true(rig_tx_complete(txq, device_at, 0, 0, 0));
}

/* Packets, not descriptors; no more than asked for; 0 = all. */
static void
cleanup_counts_packets(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	unsigned int round, i, segs;
	uint16_t device_at = 0;

	(void)state;
	rig_start(&rig);
	txq->sweep_every = UINT16_MAX; /* the producer's own sweep stays out of it */
	for (round = 0; round < 20; round++) {
		for (i = segs = 0; i < 6; i++) {
			send_and_complete(txq, rig_mbuf(pool, 1 + i, 60), &device_at);
			segs += 1 + i;
		}
		assert_int_equal(dwmac_sweep_foreign(txq->slot, 1), 1);
		assert_int_equal(checked_pool_count(pool), POOL_SIZE - segs + 1);
		assert_int_equal(dwmac_sweep_foreign(txq->slot, 2), 2);
		assert_int_equal(checked_pool_count(pool), POOL_SIZE - segs + 6);
		assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 3);
		assert_int_equal(checked_pool_count(pool), POOL_SIZE);
		assert_int_equal(dwmac_sweep_foreign(txq->slot, 5), 0);
	}
}

/* More mbufs than one batch, from two pools, one of them still in use elsewhere. */
static void
every_mbuf_returns_to_its_own_pool(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 512, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	struct rte_mbuf *kept = rig_mbuf(pool, 1, 60);
	uint16_t device_at = 0;
	unsigned int i;

	(void)state;
	rig_start(&rig);
	rte_mbuf_refcnt_update(kept, 1);
	send_and_complete(txq, kept, &device_at);
	for (i = 0; i < 200; i++)
		send_and_complete(txq, rig_mbuf(i % 7 == 0 ? other_pool : pool, 1 + i % 2, 60),
				&device_at);
	dwmac_sweep_foreign(txq->slot, 0);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE - 1);
	assert_int_equal(checked_pool_count(other_pool), 256);
	assert_int_equal(rte_mbuf_refcnt_read(kept), 1);
	rte_pktmbuf_free(kept);
}

/* A pool that only one producer may put to is left to the lcore that owns the queue. */
static void
a_stranger_leaves_single_producer_pools_alone(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	uint16_t device_at = 0;
	struct rte_mbuf *chain;

	(void)state;
	rig_start(&rig);
	send_and_complete(txq, rig_mbuf(pool, 1, 60), &device_at);
	chain = rig_mbuf(pool, 1, 60);
	chain->next = rig_mbuf(sp_pool, 1, 60); /* hidden in the middle of a packet */
	chain->nb_segs = 2;
	send_and_complete(txq, chain, &device_at);
	send_and_complete(txq, rig_mbuf(pool, 1, 60), &device_at);
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 1);
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 0);
	assert_int_equal(checked_pool_count(sp_pool), 63);
	/* the queue's own thread frees it */
	assert_int_equal(dwmac_sweep_own(txq->slot, 0), 2);
	assert_int_equal(checked_pool_count(sp_pool), 64);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE);
}

/* A clone takes the mbuf it points into along. */
static void
a_stranger_looks_behind_clones(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	struct rte_mbuf *original = rig_mbuf(sp_pool, 1, 60);
	struct rte_mbuf *clone = rte_pktmbuf_clone(original, pool);
	uint16_t device_at = 0;

	(void)state;
	rig_start(&rig);
	assert_non_null(clone);
	rte_pktmbuf_free(original);
	send_and_complete(txq, clone, &device_at);
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 0);
	assert_int_equal(checked_pool_count(sp_pool), 63);
	assert_int_equal(dwmac_sweep_own(txq->slot, 0), 1);
	assert_int_equal(checked_pool_count(sp_pool), 64);
}

/* ---- prepare ---- */

static uint16_t
prepare(struct dwmac_txq *txq, struct rte_mbuf *m)
{
	uint16_t n;

	rte_errno = 0;
	n = dwmac_tx_prepare(txq, &m, 1);
	assert_int_equal(rte_errno != 0, n == 0);
	rte_pktmbuf_free(m);
	return n;
}

static void
prepare_refuses_what_the_device_cannot_send(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 128, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	struct rte_mbuf *pkts[3], *m;

	(void)state;
	assert_int_equal(prepare(txq, rig_mbuf(pool, 1, 14)), 1);
	assert_int_equal(prepare(txq, rig_mbuf(pool, 63, 60)), 1);
	assert_int_equal(prepare(txq, rig_mbuf(pool, 1, 13)), 0);
	assert_int_equal(prepare(txq, rig_mbuf(pool, 64, 60)), 0);  /* the smallest ring's worth */
	assert_int_equal(prepare(txq, rig_mbuf(pool, 63, 128)), 1); /* 8064 bytes */
	m = rig_mbuf(pool, 2, 60);
	m->next->data_len = 0; /* an empty last descriptor (pitfalls.md 43h) */
	m->pkt_len = 60;
	assert_int_equal(prepare(txq, m), 0);
	m = rig_mbuf(pool, 2, 60);
	m->pkt_len--;
	assert_int_equal(prepare(txq, m), 0);
	m = rig_mbuf(pool, 1, 60);
	m->ol_flags |= RTE_MBUF_F_TX_VLAN;
	assert_int_equal(prepare(txq, m), 0);
	assert_int_equal(rte_errno, ENOTSUP);
	m = rig_mbuf(pool, 1, 60);
	m->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
	assert_int_equal(prepare(txq, m), 1);
	txq->offloads = 0;
	assert_int_equal(prepare(txq, rig_mbuf(pool, 2, 60)), 0);
	/* those before the first bad one */
	pkts[0] = rig_mbuf(pool, 1, 60);
	pkts[1] = rig_mbuf(pool, 1, 5);
	pkts[2] = rig_mbuf(pool, 1, 60);
	assert_int_equal(dwmac_tx_prepare(txq, pkts, 3), 1);
	rte_pktmbuf_free_bulk(pkts, 3);
}

static void
stop_takes_back_what_was_never_sent(void **state)
{
	struct dwmac_txq *txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	unsigned int round, i;
	uint16_t device_at;
	struct rte_mbuf *m;

	(void)state;
	for (round = 0; round < 5; round++) {
		rig_start(&rig);
		device_at = 0;
		for (i = 0; i < 20; i++) {
			m = rig_mbuf(pool, 1 + i % 3, 60);
			assert_int_equal(dwmac_eqos_tx_burst_full(txq, &m, 1), 1);
		}
		for (i = 0; i < round; i++)
			rig_tx_complete(txq, &device_at, 0, 0, 0);
		dwmac_queues_stop(&rig.dev);
		assert_int_equal(checked_pool_count(pool), POOL_SIZE);
		/* nothing old may stand there with OWN when the channel starts again */
		for (i = 0; i < 64; i++)
			assert_int_equal(rig_status(txq->ring, i), 0);
	}
}

static void
ring_sizes_and_addresses_that_cannot_be(void **state)
{
	static const uint16_t sizes[] = { 0, 8, 56, 65, 1025, 1032, 4096 };
	const struct rte_eth_txconf conf = { 0 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(sizes); i++)
		assert_int_equal(dwmac_tx_queue_setup(&rig.dev, 0, sizes[i], SOCKET_ID_ANY, &conf),
				-EINVAL);
	rig.port.caps.addr_bits = 32; /* EAL memory here lies at 4 GiB and above */
	assert_true(dwmac_tx_queue_setup(&rig.dev, 0, 64, SOCKET_ID_ANY, &conf) < 0);
	assert_null(rig.tx_queues[0]);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(no_size_and_no_wrap_loses_an_entry),
		CASE(a_burst_larger_than_the_ring),
		CASE(a_chain_waits_for_room_for_all_of_it),
		CASE(an_owed_tail_is_rung_by_the_next_burst),
		CASE(an_owed_tail_is_rung_when_nothing_can_be_added),
		CASE(cleanup_counts_packets),
		CASE(every_mbuf_returns_to_its_own_pool),
		CASE(a_stranger_leaves_single_producer_pools_alone),
		CASE(a_stranger_looks_behind_clones),
		CASE(prepare_refuses_what_the_device_cannot_send),
		CASE(stop_takes_back_what_was_never_sent),
		CASE(ring_sizes_and_addresses_that_cannot_be),
	};

	return RUN_TESTS(tests, group_setup, rig_eal_teardown);
}
