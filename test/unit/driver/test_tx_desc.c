/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* TX descriptors, bit by bit (eqos.md §13), and the order in which they are given away. */

#include <errno.h>
#include <time.h>

#include "dwmac_tx.h"
#include "rig.h"

#define TTSE (1u << 30)
#define TTSS (1u << 17)
#define ES   (1u << 15)
#define DE   (1u << 23)

static struct rig rig;
static struct dwmac_txq *txq;
static struct rte_mempool *pool;
static uint16_t device_at;

static int
setup_full(void **state)
{
	(void)state;
	if (pool == NULL)
		pool = checked_pool("tx_desc", 512, 512, 0);
	assert_non_null(pool);
	rig_init(&rig, 1);
	txq = rig_txq(&rig, 0, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	rig_start(&rig);
	device_at = 0;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	rig_close(&rig);
	assert_int_equal(checked_pool_count(pool), 512);
	assert_int_equal(checked_pool_faults(pool), 0);
	return 0;
}

static uint16_t
send_one(struct rte_mbuf *m)
{
	return dwmac_eqos_tx_burst_full(txq, &m, 1);
}

static void
check_segment(uint16_t i, const struct rte_mbuf *m, uint32_t w2, uint32_t w3)
{
	const struct raw_desc *desc = rig_desc(txq->ring, i % 64);
	const uint64_t iova = m->buf_iova + m->data_off;

	assert_int_equal(desc->word[0], (uint32_t)iova);
	assert_int_equal(desc->word[1], (uint32_t)(iova >> 32));
	assert_int_equal(desc->word[2], w2);
	assert_int_equal(desc->word[3], w3);
}

/* Twice around the ring: every position, the tail always the first entry not given. */
static void
one_segment_at_every_position(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 128; i++) {
		struct rte_mbuf *m = rig_mbuf(pool, 1, 60 + i);

		assert_int_equal(send_one(m), 1);
		check_segment(i, m, 60 + i, OWN | FD | LD | (60 + i));
		assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + (i + 1) % 64 * 16);
		/* a write-back that leaves garbage everywhere it may */
		assert_true(rig_tx_complete(txq, &device_at, 0xffff0000u & ~(OWN | DE | CTXT),
				0xa5a5a5a5, 0x5a5a5a5a));
	}
}

static void
chains_at_every_position(void **state)
{
	static const unsigned int counts[] = { 2, 3, 7, 31, 63 };
	unsigned int i, k, at = 0, round;

	(void)state;
	for (round = 0; round < 40; round++) {
		for (i = 0; i < RTE_DIM(counts); i++) {
			struct rte_mbuf *m = rig_mbuf(pool, counts[i], 100 + i);
			const uint32_t total = m->pkt_len;

			assert_int_equal(send_one(m), 1);
			for (k = 0; k < counts[i]; k++, m = m->next)
				check_segment(at + k, m, 100 + i,
						OWN | (k == 0 ? FD | total : 0) |
								(k == counts[i] - 1 ? LD : 0));
			at = (at + counts[i]) % 64;
			assert_int_equal(rig.tx_tail[0], (uint32_t)txq->ring_iova + at * 16);
			assert_true(rig_tx_complete(txq, &device_at, 0, 1, 2));
			assert_int_equal(device_at, at);
		}
	}
}

static void
the_simple_path_sends_the_same_words(void **state)
{
	struct rte_mbuf *m = rig_mbuf(pool, 1, 64);

	(void)state;
	assert_int_equal(dwmac_eqos_tx_burst_simple(txq, &m, 1), 1);
	check_segment(0, m, 64, OWN | FD | LD | 64);
}

static void
addresses_above_4_gib(void **state)
{
	struct rte_mbuf *m = rig_mbuf(pool, 2, 64);
	const uint64_t first = m->buf_iova, second = m->next->buf_iova;

	(void)state;
	m->buf_iova = UINT64_C(0x98fffffff0) - m->data_off;
	m->next->buf_iova = UINT64_C(0x1fffffffff) - m->next->data_off;
	assert_int_equal(send_one(m), 1);
	assert_int_equal(rig_desc(txq->ring, 0)->word[0], 0xfffffff0);
	assert_int_equal(rig_desc(txq->ring, 0)->word[1], 0x98);
	assert_int_equal(rig_desc(txq->ring, 1)->word[0], 0xffffffff);
	assert_int_equal(rig_desc(txq->ring, 1)->word[1], 0x1f);
	m->next->buf_iova = second;
	m->buf_iova = first;
}

/* Asked per packet, in the first descriptor only, and only while timesync is on. */
static void
a_stamp_is_asked_for_in_the_first_descriptor(void **state)
{
	struct rte_mbuf *m;
	unsigned int on;

	(void)state;
	for (on = 0; on < 2; on++) {
		txq->stamps_on = on;
		m = rig_mbuf(pool, 3, 64);
		m->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
		assert_int_equal(send_one(m), 1);
		check_segment(on * 3, m, 64 | (on ? TTSE : 0), OWN | FD | 192);
		check_segment(on * 3 + 1, m->next, 64, OWN);
		check_segment(on * 3 + 2, m->next->next, 64, OWN | LD);
	}
	m = rig_mbuf(pool, 1, 64);
	assert_int_equal(send_one(m), 1);
	check_segment(6, m, 64, OWN | FD | LD | 64);
}

/* ---- write-back ---- */

static bool
read_stamp(struct timespec *ts)
{
	return dwmac_timesync_read_tx(&rig.dev, ts) == 0;
}

static void
send_stamped(unsigned int segs)
{
	struct rte_mbuf *m = rig_mbuf(pool, segs, 64);

	m->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
	assert_int_equal(send_one(m), 1);
}

static void
stamps_come_back_in_order_once(void **state)
{
	struct timespec ts;
	unsigned int i;

	(void)state;
	rig.port.timesync = true;
	txq->stamps_on = true;
	for (i = 0; i < 4; i++)
		send_stamped(1 + i);
	assert_false(read_stamp(&ts)); /* not sent yet */
	for (i = 0; i < 4; i++)
		assert_true(rig_tx_complete(txq, &device_at, TTSS, 999999999 - i, 0xfffffff0 + i));
	for (i = 0; i < 4; i++) {
		assert_true(read_stamp(&ts));
		assert_true(ts.tv_sec == (time_t)(UINT32_C(0xfffffff0) + i));
		assert_int_equal(ts.tv_nsec, 999999999 - i - RIG_LATE_NS);
	}
	assert_false(read_stamp(&ts));
	/* reading frees nothing */
	assert_int_equal(txq->cons, 0);
	assert_int_equal(checked_pool_count(pool), 512 - 10);
	rig.port.timesync = false;
	assert_int_equal(dwmac_timesync_read_tx(&rig.dev, &ts), -EINVAL);
}

/* A stamp just after the full second belongs to the one before. */
static void
the_correction_borrows_a_second(void **state)
{
	struct timespec ts;

	(void)state;
	rig.port.timesync = true;
	txq->stamps_on = true;
	send_stamped(1);
	rig_tx_complete(txq, &device_at, TTSS, RIG_LATE_NS - 1, 42);
	assert_true(read_stamp(&ts));
	assert_int_equal(ts.tv_sec, 41);
	assert_int_equal(ts.tv_nsec, 999999999);
	/* rounded to the nearest: 9.77 ns at 204.8 MHz */
	rig.port.ptp.clk_hz = 204800000;
	send_stamped(1);
	rig_tx_complete(txq, &device_at, TTSS, 100, 42);
	assert_true(read_stamp(&ts));
	assert_int_equal(ts.tv_sec, 42);
	assert_int_equal(ts.tv_nsec, 90);
}

/* TTSS=0: none was captured, never report what stands in the words (ptp.md §7). */
static void
a_stamp_that_was_not_captured_is_not_invented(void **state)
{
	struct timespec ts;

	(void)state;
	rig.port.timesync = true;
	txq->stamps_on = true;
	send_stamped(1);
	send_stamped(2);
	send_stamped(1);
	rig_tx_complete(txq, &device_at, 0, 5, 5);	       /* flag missing */
	rig_tx_complete(txq, &device_at, TTSS, 1000000000, 5); /* no such ns */
	rig_tx_complete(txq, &device_at, TTSS, 70, 8);
	assert_true(read_stamp(&ts));
	assert_int_equal(ts.tv_sec, 8);
	assert_false(read_stamp(&ts));
	assert_int_equal(txq->counters.stamps_missed, 2);
	/* a stamp nobody asked for is not kept either */
	assert_int_equal(send_one(rig_mbuf(pool, 1, 64)), 1);
	rig_tx_complete(txq, &device_at, TTSS, 7, 9);
	assert_false(read_stamp(&ts));
	assert_int_equal(txq->counters.stamps_missed, 2);
}

static void
the_oldest_unread_stamps_are_dropped(void **state)
{
	const unsigned int extra = 5;
	struct timespec ts;
	unsigned int i;

	(void)state;
	rig.port.timesync = true;
	txq->stamps_on = true;
	for (i = 0; i < DWMAC_TX_STAMPS + extra; i++) {
		send_stamped(1);
		rig_tx_complete(txq, &device_at, TTSS, RIG_LATE_NS, i);
	}
	for (i = extra; i < DWMAC_TX_STAMPS + extra; i++) {
		assert_true(read_stamp(&ts));
		assert_int_equal(ts.tv_sec, i);
	}
	assert_false(read_stamp(&ts));
	assert_int_equal(txq->counters.stamps_dropped, extra);
}

/* Not lost with the packet: an mbuf may be freed long before its stamp is read. */
static void
stamps_outlive_their_packets(void **state)
{
	struct timespec ts;

	(void)state;
	rig.port.timesync = true;
	txq->stamps_on = true;
	send_stamped(1);
	rig_tx_complete(txq, &device_at, TTSS, 1, 2);
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 1);
	assert_int_equal(checked_pool_count(pool), 512);
	assert_true(read_stamp(&ts));
}

static void
error_status_is_counted_and_the_mbuf_comes_back(void **state)
{
	static const uint32_t status[] = { 0, ES | 1u << 2, DE, ES | 1u << 14, 1u << 1 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(status); i++) {
		assert_int_equal(send_one(rig_mbuf(pool, 2, 64)), 1);
		rig_tx_complete(txq, &device_at, status[i], 0, 0);
	}
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), RTE_DIM(status));
	assert_int_equal(txq->counters.errors, 3);
	assert_int_equal(txq->counters.freed, 2 * RTE_DIM(status));
	assert_int_equal(checked_pool_count(pool), 512);
}

/* Only the last descriptor tells: OWN=0 in an earlier one means nothing. */
static void
a_packet_is_done_with_its_last_descriptor(void **state)
{
	unsigned int i;

	(void)state;
	assert_int_equal(send_one(rig_mbuf(pool, 3, 64)), 1);
	for (i = 0; i < 2; i++) {
		rig_desc(txq->ring, i)->word[3] &= ~OWN;
		assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 0);
		assert_int_equal(checked_pool_count(pool), 512 - 3);
	}
	rig_desc(txq->ring, 2)->word[3] &= ~OWN;
	assert_int_equal(dwmac_sweep_foreign(txq->slot, 0), 1);
	assert_int_equal(checked_pool_count(pool), 512);
}

/* ---- a spy in the place of the descriptors: who was given when ---- */

static struct spy {
	struct {
		char what; /* F fill, G give, T tail */
		uint16_t i;
		uint16_t prod; /* as published at that moment */
	} event[512];
	unsigned int nb;
} spy;

static void
spy_note(char what, uint16_t i)
{
	spy.event[spy.nb].what = what;
	spy.event[spy.nb].i = i;
	spy.event[spy.nb++].prod = __atomic_load_n(&txq->prod, __ATOMIC_ACQUIRE);
}

static uint32_t
spy_fill(void *ring, uint16_t i, uint64_t iova, uint16_t len, uint32_t packet_len, uint32_t flags)
{
	(void)ring;
	(void)iova;
	(void)len;
	(void)packet_len;
	spy_note('F', i);
	return OWN | flags;
}

static void
spy_give(void *ring, uint16_t i, uint32_t word)
{
	spy_note('G', i);
	rig_desc(ring, i)->word[3] = word & OWN; /* never completes here */
}

static enum dwmac_tx_state
spy_state(const void *ring, uint16_t i)
{
	return rig_status((void *)(uintptr_t)ring, i) & OWN ? DWMAC_TX_PENDING : DWMAC_TX_SENT;
}

static bool
spy_stamp(const void *ring, uint16_t i, struct dwmac_stamp *stamp)
{
	(void)ring;
	(void)i;
	(void)stamp;
	return false;
}

static const struct dwmac_tx_ops spy_ops = { spy_fill, spy_give, spy_state, spy_stamp };

static uint32_t
spy_reclaim(struct dwmac_txq *q, uint32_t max, bool foreign)
{
	return dwmac_tx_reclaim(q, max, foreign, &spy_ops);
}

static int
spy_post32(void *ctx, uint32_t offset, uint32_t value)
{
	(void)ctx;
	(void)offset;
	spy_note('T', (uint16_t)((value - (uint32_t)txq->ring_iova) / 16));
	return 0;
}

/* eqos.md §14: all words, then OWN of the first descriptor last, then — with prod published —
 * one tail write for all. */
static void
first_is_given_last_and_the_tail_once(void **state)
{
	const struct dwmac_io_ops ops = { .post32 = spy_post32 };
	const struct dwmac_io_ops *rig_ops = rig.process.hw.io.ops;
	const unsigned int segs[] = { 1, 4, 2 };
	struct rte_mbuf *pkts[RTE_DIM(segs)];
	unsigned int p, k, n, at = 0, e = 0;

	(void)state;
	spy.nb = 0;
	for (p = 0; p < RTE_DIM(segs); p++)
		pkts[p] = rig_mbuf(pool, segs[p], 64);
	rig.process.hw.io.ops = &ops;
	n = dwmac_tx_burst(txq, pkts, RTE_DIM(segs), &spy_ops, spy_reclaim, true);
	rig.process.hw.io.ops = rig_ops;
	assert_int_equal(n, RTE_DIM(segs));
	for (p = 0; p < RTE_DIM(segs); p++) {
		bool filled[64] = { false };

		for (k = 0; k < 2 * segs[p]; k++, e++) {
			const uint16_t i = spy.event[e].i;

			assert_true(i >= at && i < at + segs[p]);
			assert_int_equal(spy.event[e].prod, 0);
			assert_int_equal(spy.event[e].what == 'G', filled[i]);
			filled[i] = true;
		}
		assert_int_equal(spy.event[e - 1].what, 'G');
		assert_int_equal(spy.event[e - 1].i, at);
		at += segs[p];
	}
	assert_int_equal(spy.nb, e + 1);
	assert_int_equal(spy.event[e].what, 'T');
	assert_int_equal(spy.event[e].i, at);
	assert_int_equal(spy.event[e].prod, at);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup_full, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(one_segment_at_every_position),
		CASE(chains_at_every_position),
		CASE(the_simple_path_sends_the_same_words),
		CASE(addresses_above_4_gib),
		CASE(a_stamp_is_asked_for_in_the_first_descriptor),
		CASE(stamps_come_back_in_order_once),
		CASE(the_correction_borrows_a_second),
		CASE(a_stamp_that_was_not_captured_is_not_invented),
		CASE(the_oldest_unread_stamps_are_dropped),
		CASE(stamps_outlive_their_packets),
		CASE(error_status_is_counted_and_the_mbuf_comes_back),
		CASE(a_packet_is_done_with_its_last_descriptor),
		CASE(first_is_given_last_and_the_tail_once),
	};

	return RUN_TESTS(tests, rig_eal_setup, rig_eal_teardown);
}
