/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Receiving what a well-behaved device writes: ring arithmetic, chains, timestamps, an empty
 * pool. */

#include <errno.h>
#include <time.h>

#include "rx_device.h"

/* All entries but one are the device's, complete, and the tail names the one that is not. */
static void
start_gives_all_entries_but_one(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 63; i++, rx.at++)
		rx_expect_given();
	assert_int_equal(rig_status(rx.rxq->ring, 63), 0);
	assert_int_equal(rx.rig.rx_tail[0], (uint32_t)rx.rxq->ring_iova + 63 * 16);
	rx.at = 0;
}

/* At every position of every ring size; the entry that refill skips moves along. */
static void
single_frames_around_every_ring(void **state)
{
	static const uint16_t sizes[] = { 64, 72, 128, 512, 1000, 1024 };
	unsigned int i, k;

	(void)state;
	for (i = 0; i < RTE_DIM(sizes); i++) {
		rx_ring(sizes[i]);
		for (k = 0; k < 3u * sizes[i]; k++) {
			const uint16_t bytes = 64 + k % (RX_BUF_BYTES - 63);

			rx_frame(bytes, 0, 0);
			rte_pktmbuf_free(rx_one(bytes));
		}
		assert_int_equal(rx.rxq->packets, 3u * sizes[i]);
	}
}

/* Bursts of any size, frames of any number of entries, a device that fills all it may. */
static void
random_frames_around_every_ring(void **state)
{
	static const uint16_t sizes[] = { 64, 128, 1024 };
	struct rte_mbuf *pkts[80];
	uint32_t seed = 7;
	unsigned int i, round, k, n;

	(void)state;
	for (i = 0; i < RTE_DIM(sizes); i++) {
		unsigned int put = 0, got = 0;

		rx_ring(sizes[i]);
		for (round = 0; round < 400; round++) {
			for (k = rig_random(&seed) % 24; k > 0; k--) {
				const uint32_t tail =
						(rx.rig.rx_tail[0] - rx.rxq->ring_low_iova) / 16;
				uint16_t bytes = 64 + rig_random(&seed) % 900;

				if (bytes / RX_BUF_BYTES + 1 >
						dwmac_ring_distance(rx.at, tail, sizes[i]))
					break;
				rx_frame(bytes, 0, 0);
				put++;
			}
			n = rx_burst(pkts, 1 + rig_random(&seed) % RTE_DIM(pkts));
			got += n;
			for (k = 0; k < n; k++)
				rte_pktmbuf_free(pkts[k]);
			assert_true(rx.rxq->nb_hold < sizes[i]);
		}
		while ((n = rx_burst(pkts, RTE_DIM(pkts))) > 0)
			for (got += n; n > 0; n--)
				rte_pktmbuf_free(pkts[n - 1]);
		assert_int_equal(got, put);
		assert_int_equal(rx.rxq->packets, put);
	}
}

/* Every length from one buffer up to eight, which puts the FCS across segments in every way. */
static void
chains_of_every_length(void **state)
{
	uint16_t bytes;

	(void)state;
	rx_ring(128);
	for (bytes = 64; bytes <= 8 * RX_BUF_BYTES; bytes++) {
		struct rte_mbuf *m;

		rx_frame(bytes, 0, 0);
		m = rx_one(bytes);
		/* a segment that held FCS only is gone */
		assert_int_equal(m->nb_segs, (bytes - 4 + RX_BUF_BYTES - 1) / RX_BUF_BYTES);
		rte_pktmbuf_free(m);
	}
}

static void
a_frame_over_two_bursts(void **state)
{
	struct rte_mbuf *pkts[1];

	(void)state;
	rx_fill(RX_BUF_BYTES);
	rx_put(0, 0, FD);
	assert_int_equal(rx_burst(pkts, 1), 0);
	rx_fill(RX_BUF_BYTES);
	rx_put(0, 0, 0);
	assert_int_equal(rx_burst(pkts, 1), 0);
	rx_fill(10);
	rx_put(0, 0, LD | (2 * RX_BUF_BYTES + 10));
	rte_pktmbuf_free(rx_one(2 * RX_BUF_BYTES + 10));
}

/* Dribble with a good CRC is a good frame, ES or not (pitfalls.md 66a). */
static void
dribble_alone_is_no_error(void **state)
{
	(void)state;
	rx_frame(64, 0, ES | DE);
	rte_pktmbuf_free(rx_one(64));
}

static void
ptp_frames_are_marked(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	rx_frame(64, 1u << 8 | 1u << 12, RS1V); /* Sync over Ethernet */
	m = rx_one(64);
	assert_int_equal(m->packet_type, RTE_PTYPE_L2_ETHER_TIMESYNC);
	assert_true(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_PTP);
	rte_pktmbuf_free(m);
	rx_frame(64, 2u << 8, RS1V); /* Follow_Up over UDP */
	m = rx_one(64);
	assert_int_equal(m->packet_type, RTE_PTYPE_L2_ETHER);
	assert_true(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_PTP);
	rte_pktmbuf_free(m);
	rx_frame(64, 0xffffffff & ~TSA, 0); /* word 1 not valid */
	m = rx_one(64);
	assert_int_equal(m->ol_flags, 0);
	rte_pktmbuf_free(m);
}

/* ---- timestamps (ptp.md §8) ---- */

static void
expect_stamp(const struct rte_mbuf *m, uint32_t s, uint32_t ns)
{
	struct timespec ts;

	assert_true(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
	rx.rig.port.timesync = true;
	assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, m->timesync), 0);
	assert_true(ts.tv_sec == (time_t)s);
	assert_int_equal(ts.tv_nsec, ns - RIG_LATE_NS);
	/* once */
	assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, m->timesync), -EINVAL);
}

/* Packet and context at every position: the context takes an entry and keeps its buffer. */
static void
a_stamp_stands_in_the_next_entry(void **state)
{
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	for (i = 0; i < 200; i++) {
		rx_frame(64 + i % 300, TSA, RS1V);
		rx_context(RIG_LATE_NS + i, 0xfffffff0 + i % 16);
		m = rx_one(64 + i % 300);
		expect_stamp(m, 0xfffffff0 + i % 16, RIG_LATE_NS + i);
		rte_pktmbuf_free(m);
	}
	assert_int_equal(rx.rxq->counters.stamps_bad + rx.rxq->counters.stamps_late, 0);
}

/* The context may come later: the burst ends before that packet, in order, without waiting. */
static void
a_late_context_holds_the_packet_back(void **state)
{
	struct rte_mbuf *pkts[8], *m;
	unsigned int i;

	(void)state;
	rx_frame(64, 0, 0);
	rx_frame(65, TSA, RS1V);
	rte_pktmbuf_free(rx_one(64));
	for (i = 0; i < 3; i++)
		assert_int_equal(rx_burst(pkts, 8), 0);
	rx_context(50, 6);
	m = rx_one(65);
	expect_stamp(m, 6, 50);
	rte_pktmbuf_free(m);
	/* and the wait of this one is not charged to the next */
	assert_int_equal(rx.rxq->stamp_wait_tsc, 0);
}

/* Past its patience the packet goes without, and the context that comes after all is skipped. */
static void
a_context_that_is_too_late_is_skipped(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	rx.rxq->stamp_patience_tsc = 0;
	rx_frame(64, TSA, RS1V);
	m = rx_one(64);
	assert_false(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
	rte_pktmbuf_free(m);
	assert_int_equal(rx.rxq->counters.stamps_late, 1);
	rx_context(5, 6);
	rx_frame(70, 0, 0);
	m = rx_one(70);
	assert_false(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
	rte_pktmbuf_free(m);
	/* the next one gets its own time to wait */
	rx.rxq->stamp_patience_tsc = rte_get_tsc_hz() * RX_PATIENT_S;
	rx_frame(64, TSA, RS1V);
	assert_int_equal(rx_burst(&m, 1), 0);
	rx_context(70, 8);
	m = rx_one(64);
	expect_stamp(m, 8, 70);
	rte_pktmbuf_free(m);
}

/* All ones, or no context at all: unstamped, counted, and nothing behind it is lost. */
static void
a_corrupt_or_missing_context_costs_the_stamp_only(void **state)
{
	struct rte_mbuf *m;

	(void)state;
	rx_frame(64, TSA, RS1V);
	rx_context(UINT32_MAX, UINT32_MAX);
	m = rx_one(64);
	assert_false(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
	rte_pktmbuf_free(m);
	rx_none();
	rx_frame(66, 0, 0);
	rte_pktmbuf_free(rx_one(66));
	assert_int_equal(rx.rxq->counters.stamps_bad, 1);
}

/* RS1V or TSA missing: no context follows. */
static void
no_stamp_is_looked_for_unannounced(void **state)
{
	(void)state;
	rx_frame(64, TSA, 0);
	rte_pktmbuf_free(rx_one(64));
	rx_frame(64, 0xffffffffu & ~TSA, RS1V);
	rte_pktmbuf_free(rx_one(64));
	assert_int_equal(rx.rxq->counters.stamps_bad + rx.rxq->counters.stamps_late, 0);
}

/* Slots are used in turn; slot 0 is the newest for those who do not pass mbuf->timesync. */
static void
stamps_are_kept_per_packet(void **state)
{
	uint16_t slot[10];
	struct timespec ts;
	struct rte_mbuf *m;
	unsigned int i, round;

	(void)state;
	rx.rig.port.timesync = true;
	for (round = 0; round < 20; round++) {
		for (i = 0; i < 10; i++) {
			rx_frame(64, TSA, RS1V);
			rx_context(RIG_LATE_NS + i, round);
			m = rx_one(64);
			slot[i] = m->timesync;
			rte_pktmbuf_free(m);
		}
		assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, 0), 0);
		assert_int_equal(ts.tv_nsec, 9);
		for (i = 0; i < 10; i++) {
			assert_int_not_equal(slot[i], 0);
			assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, slot[i]), 0);
			assert_int_equal(ts.tv_sec, round);
			assert_int_equal(ts.tv_nsec, i);
		}
	}
	assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, 0xffff), -EINVAL);
	assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, DWMAC_RX_STAMPS), -EINVAL);
	assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, 1 << 8), -EINVAL);
	rx.rig.port.timesync = false;
	assert_int_equal(dwmac_timesync_read_rx(&rx.rig.dev, &ts, 0), -EINVAL);
}

/* ---- the pool ---- */

/* Nothing is lost when the pool is empty, and reception goes on when it is not any more. */
static void
an_empty_pool_starves_nobody_for_ever(void **state)
{
	static struct rte_mbuf *hoard[RX_POOL_SIZE];
	struct rte_mbuf *pkts[64];
	unsigned int nb = 0, got = 0, n, i;

	(void)state;
	while (rte_mempool_get(rx.pool, (void **)&hoard[nb]) == 0)
		nb++;
	for (i = 0; i < 63; i++)
		rx_frame(64, 0, 0);
	while ((n = rx_burst(&pkts[got], 64 - got)) > 0)
		got += n;
	assert_int_equal(got, 63);
	assert_true(rx.rxq->counters.no_mbuf > 0);
	/* the device has nothing: what stands in the ring is old and is not delivered again */
	assert_int_equal(rx_burst(&pkts[got], 1), 0);
	assert_int_equal(rx.rxq->nb_hold, 63);
	/* three come back: three are given */
	for (i = 0; i < 3; i++)
		rte_pktmbuf_free(pkts[--got]);
	assert_int_equal(rx_burst(&pkts[got], 1), 0);
	assert_int_equal(rx.rxq->nb_hold, 60);
	assert_int_equal(checked_pool_count(rx.pool), 0);
	rx_none();
	rx_frame(64, 0, 0);
	rte_pktmbuf_free(rx_one(64));
	while (got > 0)
		rte_pktmbuf_free(pkts[--got]);
	while (nb > 0)
		rte_mempool_put(rx.pool, hoard[--nb]);
	rx_none();
	for (i = 0; i < 100; i++) {
		rx_frame(64, 0, 0);
		rte_pktmbuf_free(rx_one(64));
	}
}

static void
a_pool_too_small_to_start_is_named_and_not_leaked(void **state)
{
	struct rte_mbuf *hoard[RX_POOL_SIZE];
	unsigned int nb = 0;

	(void)state;
	dwmac_queues_stop(&rx.rig.dev);
	while (checked_pool_count(rx.pool) > 20)
		assert_int_equal(rte_mempool_get(rx.pool, (void **)&hoard[nb++]), 0);
	assert_int_equal(dwmac_queues_start(&rx.rig.dev), -ENOMEM);
	assert_int_equal(checked_pool_count(rx.pool), 20);
	while (nb > 0)
		rte_mempool_put(rx.pool, hoard[--nb]);
	rx.rig.port.caps.addr_bits = 32; /* buffers lie beyond */
	assert_int_equal(dwmac_queues_start(&rx.rig.dev), -EFAULT);
	assert_int_equal(checked_pool_count(rx.pool), RX_POOL_SIZE);
}

/* The socket is full when entries go back: the tail is owed, and not forgotten. */
static void
an_owed_tail_is_rung_at_the_next_poll(void **state)
{
	struct rte_mbuf *pkts[64];
	unsigned int i, n;

	(void)state;
	for (i = 0; i < 40; i++)
		rx_frame(64, 0, 0);
	rx.rig.post_ret = -EAGAIN;
	n = rx_burst(pkts, 64);
	assert_int_equal(n, 40);
	assert_int_equal(rx.rig.rx_tail[0], rx.rxq->ring_low_iova + 63 * 16);
	rx.rig.post_ret = 0;
	rx_none();
	assert_int_equal(rx.rig.rx_tail[0], rx.rxq->ring_low_iova + 39 * 16);
	while (n > 0)
		rte_pktmbuf_free(pkts[--n]);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, rx_setup, rx_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(start_gives_all_entries_but_one),
		CASE(single_frames_around_every_ring),
		CASE(random_frames_around_every_ring),
		CASE(chains_of_every_length),
		CASE(a_frame_over_two_bursts),
		CASE(dribble_alone_is_no_error),
		CASE(ptp_frames_are_marked),
		CASE(a_stamp_stands_in_the_next_entry),
		CASE(a_late_context_holds_the_packet_back),
		CASE(a_context_that_is_too_late_is_skipped),
		CASE(a_corrupt_or_missing_context_costs_the_stamp_only),
		CASE(no_stamp_is_looked_for_unannounced),
		CASE(stamps_are_kept_per_packet),
		CASE(an_empty_pool_starves_nobody_for_ever),
		CASE(a_pool_too_small_to_start_is_named_and_not_leaked),
		CASE(an_owed_tail_is_rung_at_the_next_poll),
	};

	return RUN_TESTS(tests, rx_group_setup, rig_eal_teardown);
}
