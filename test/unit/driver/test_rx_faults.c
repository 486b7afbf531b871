/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* A device that errs or lies: each fault costs the frames it concerns, is counted once, leaks
 * nothing, and the next good frame arrives whole. */

#include <string.h>

#include "rx_device.h"

static const struct dwmac_rx_counters *
counters(void)
{
	return &rx.rxq->counters;
}

static uint64_t
faults(void)
{
	const struct dwmac_rx_counters *c = counters();

	return c->crc + c->giant + c->watchdog + c->overflow + c->receive_error + c->bad_length +
	       c->bad_sequence;
}

static void
good_frame(uint16_t bytes)
{
	rx_frame(bytes, 0, 0);
	rte_pktmbuf_free(rx_one(bytes));
}

/* Each error bit alone drops a frame of one and of three entries and is counted under its name. */
static void
every_error_bit_drops_and_counts(void **state)
{
	static const struct {
		uint32_t bit;
		size_t counter;
	} rows[] = {
		{ CE, offsetof(struct dwmac_rx_counters, crc) },
		{ GP, offsetof(struct dwmac_rx_counters, giant) },
		{ RWT, offsetof(struct dwmac_rx_counters, watchdog) },
		{ OE, offsetof(struct dwmac_rx_counters, overflow) },
		{ RE, offsetof(struct dwmac_rx_counters, receive_error) },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		const uint64_t *counter =
				(const uint64_t *)((const char *)counters() + rows[i].counter);

		rx_frame(100, 0, rows[i].bit | ES);
		rx_none();
		assert_int_equal(*counter, 1);
		rx_frame(300, 0, rows[i].bit | ES);
		rx_none();
		assert_int_equal(*counter, 2);
		assert_int_equal(faults(), 2 * (i + 1));
		good_frame(100);
	}
	assert_int_equal(rx.rxq->packets, RTE_DIM(rows));
}

/* All errors at once are one dropped frame. */
static void
several_errors_are_one_drop(void **state)
{
	(void)state;
	rx_frame(100, 0, CE | GP | RWT | OE | RE | DE | ES);
	rx_none();
	assert_int_equal(faults(), 1);
	good_frame(100);
}

/* A dropped frame that was stamped takes its context with it. */
static void
a_bad_frame_takes_its_context_along(void **state)
{
	(void)state;
	rx_frame(100, TSA, RS1V | CE | ES);
	rx_context(1, 2);
	rx_none();
	assert_int_equal(counters()->crc, 1);
	good_frame(100);
	assert_int_equal(counters()->stamps_bad, 0);
}

/* ---- lengths that lie ---- */

static void
one_entry(uint32_t status)
{
	rx_expect_given();
	rx_fill(rx.rxq->buf_bytes);
	rx_put(0, 0, status);
}

static void
lengths_no_buffer_can_hold(void **state)
{
	static const uint16_t lengths[] = { 0, 1, 3, 4, RX_BUF_BYTES + 1, 2 * RX_BUF_BYTES, 0x4000,
		0x7fff };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(lengths); i++) {
		one_entry(FD | LD | lengths[i]);
		rx_none();
		assert_int_equal(counters()->bad_length, i + 1);
		good_frame(64);
	}
	assert_int_equal(faults(), RTE_DIM(lengths));
}

static void
the_smallest_and_largest_lengths_that_hold(void **state)
{
	(void)state;
	rx_frame(5, 0, 0);
	rte_pktmbuf_free(rx_one(5));
	rx_frame(RX_BUF_BYTES, 0, 0);
	rte_pktmbuf_free(rx_one(RX_BUF_BYTES));
	assert_int_equal(faults(), 0);
}

/* A total that is smaller than the entries before it, equal to them, or too large behind them. */
static void
totals_that_contradict_the_chain(void **state)
{
	static const uint16_t lengths[] = { 0, 4, RX_BUF_BYTES, 2 * RX_BUF_BYTES - 1,
		2 * RX_BUF_BYTES, 3 * RX_BUF_BYTES + 1, 0x7fff };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(lengths); i++) {
		one_entry(FD);
		one_entry(0);
		one_entry(LD | lengths[i]);
		rx_none();
		assert_int_equal(counters()->bad_length, i + 1);
		good_frame(200);
	}
	assert_int_equal(faults(), RTE_DIM(lengths));
}

/* ---- FD and LD out of order ---- */

static void
a_middle_without_a_first(void **state)
{
	(void)state;
	one_entry(0);
	rx_none();
	one_entry(LD | 100);
	rx_none();
	assert_int_equal(counters()->bad_sequence, 2);
	good_frame(64);
}

/* The partial packet goes, the new one is whole. */
static void
a_first_inside_a_packet(void **state)
{
	(void)state;
	one_entry(FD);
	one_entry(0);
	rx_none();
	good_frame(300);
	assert_int_equal(counters()->bad_sequence, 1);
	one_entry(FD);
	rx_none();
	good_frame(64);
	assert_int_equal(counters()->bad_sequence, 2);
}

/* A context descriptor inside a packet is skipped, not appended. */
static void
a_context_inside_a_packet(void **state)
{
	(void)state;
	rx_expect_given();
	rx_fill(RX_BUF_BYTES);
	rx_put(0, 0, FD);
	rx_context(1, 2);
	rx_expect_given();
	rx_fill(20);
	rx_put(0, 0, LD | (RX_BUF_BYTES + 20));
	rte_pktmbuf_free(rx_one(RX_BUF_BYTES + 20));
}

/* Nothing but contexts: the burst ends, the ring is given back, none of them is a packet. */
static void
a_ring_full_of_contexts(void **state)
{
	unsigned int round, i;

	(void)state;
	for (round = 0; round < 5; round++) {
		for (i = 0; i < 63; i++)
			rx_context(i, i);
		rx_none();
		assert_int_equal(rx.rxq->nb_hold, 0);
	}
	good_frame(64);
}

/* A packet without end: given up before its length overflows, and the pool gets it all back. */
static void
a_chain_without_end(void **state)
{
	const unsigned int limit = 32767 / RX_BUF_BYTES + 2;
	unsigned int i, longest = 0;

	(void)state;
	one_entry(FD);
	for (i = 0; i < 3 * limit; i++) {
		rx_none();
		one_entry(0);
		if (rx.rxq->head != NULL)
			longest = RTE_MAX(longest, rx.rxq->head->nb_segs);
	}
	rx_none();
	assert_true(longest > 0 && longest <= limit);
	assert_true(counters()->bad_sequence > 0);
	assert_null(rx.rxq->head);
	good_frame(64);
}

/* Stamp announced in the very last entry the device has: there is none for the context. What
 * stands behind it is an old one, taken a lap ago and not given back. */
static void
a_stamp_without_an_entry_for_it(void **state)
{
	struct rte_mbuf *pkts[64];
	unsigned int i, n;

	(void)state;
	rx.rxq->free_thresh = 1;
	rx_frame(64, TSA, RS1V);
	rx_context(1, 2);
	rte_pktmbuf_free(rx_one(64));
	rx.rxq->free_thresh = UINT16_MAX; /* nothing goes back meanwhile */
	for (i = 0; i < 62; i++)
		rx_frame(64, 0, 0);
	rx_frame(64, TSA, RS1V);
	n = rx_burst(pkts, 64);
	assert_int_equal(n, 63);
	assert_false(pkts[62]->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
	assert_int_equal(counters()->stamps_bad, 1);
	assert_int_equal(rx.rxq->nb_hold, 63);
	while (n > 0)
		rte_pktmbuf_free(pkts[--n]);
	rx.rxq->free_thresh = 32;
	rx_none();
	good_frame(64);
}

/* The announced context is a packet instead: it is delivered as such. */
static void
a_packet_in_the_place_of_a_context(void **state)
{
	struct rte_mbuf *pkts[4];

	(void)state;
	rx_frame(64, TSA, RS1V);
	rx_frame(65, 0, 0);
	assert_int_equal(rx_burst(pkts, 4), 2);
	assert_int_equal(pkts[0]->pkt_len, 60);
	assert_int_equal(pkts[1]->pkt_len, 61);
	assert_false(pkts[0]->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
	assert_int_equal(counters()->stamps_bad, 1);
	rte_pktmbuf_free(pkts[0]);
	rte_pktmbuf_free(pkts[1]);
}

/* Any words at all, for many rounds: what is delivered has a length its buffers hold, and
 * everything comes back. */
static void
noise(void **state)
{
	struct rte_mbuf *pkts[32];
	unsigned int round, i, n;
	uint32_t seed = 99;

	(void)state;
	rx.rxq->stamp_patience_tsc = 0;
	for (round = 0; round < 20000; round++) {
		const uint32_t tail = (rx.rig.rx_tail[0] - rx.rxq->ring_low_iova) / 16;

		if (rx.at != tail) {
			const uint32_t w3 = rig_random(&seed) << 8 ^ rig_random(&seed);

			rx_put(rig_random(&seed), rig_random(&seed), w3 & ~OWN);
		}
		if (rig_random(&seed) % 4 != 0)
			continue;
		n = rx_burst(pkts, RTE_DIM(pkts));
		for (i = 0; i < n; i++) {
			const struct rte_mbuf *m;

			assert_true(pkts[i]->pkt_len > 0 && pkts[i]->pkt_len < 0x8000);
			for (m = pkts[i]; m != NULL; m = m->next)
				assert_true(m->data_len > 0 && m->data_len <= RX_BUF_BYTES);
			rte_mbuf_sanity_check(pkts[i], 1);
			rte_pktmbuf_free(pkts[i]);
		}
	}
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, rx_setup, rx_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(every_error_bit_drops_and_counts),
		CASE(several_errors_are_one_drop),
		CASE(a_bad_frame_takes_its_context_along),
		CASE(lengths_no_buffer_can_hold),
		CASE(the_smallest_and_largest_lengths_that_hold),
		CASE(totals_that_contradict_the_chain),
		CASE(a_middle_without_a_first),
		CASE(a_first_inside_a_packet),
		CASE(a_context_inside_a_packet),
		CASE(a_ring_full_of_contexts),
		CASE(a_chain_without_end),
		CASE(a_stamp_without_an_entry_for_it),
		CASE(a_packet_in_the_place_of_a_context),
		CASE(noise),
	};

	return RUN_TESTS(tests, rx_group_setup, rig_eal_teardown);
}
