/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include "rx_device.h"

struct rx_device rx;
static uint32_t expected_seed; /* of the next frame the application takes */

int
rx_group_setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	rx.pool = checked_pool("rx", RX_POOL_SIZE, RX_DATA_ROOM, 0);
	return rx.pool != NULL ? 0 : -1;
}

static void
open_queue(uint16_t nb_desc)
{
	rig_init(&rx.rig, 3);
	rx.rxq = rig_rxq(&rx.rig, 0, nb_desc, rx.pool);
	rig_start(&rx.rig);
	rx.rxq->stamp_patience_tsc = rte_get_tsc_hz() * RX_PATIENT_S;
	rx.at = 0;
	expected_seed = rx.seed;
}

int
rx_setup(void **state)
{
	(void)state;
	open_queue(64);
	return 0;
}

int
rx_teardown(void **state)
{
	(void)state;
	rig_close(&rx.rig);
	assert_int_equal(checked_pool_faults(rx.pool), 0);
	assert_int_equal(checked_pool_count(rx.pool), RX_POOL_SIZE);
	return 0;
}

void
rx_ring(uint16_t nb_desc)
{
	rx_teardown(NULL);
	open_queue(nb_desc);
}

/* The buffer the descriptor names; the address is an EAL virtual one here. */
static uint8_t *
buffer(uint16_t i)
{
	const struct raw_desc *desc = rig_desc(rx.rxq->ring, i);

	return (uint8_t *)((uintptr_t)desc->word[1] << 32 | desc->word[0]);
}

void
rx_expect_given(void)
{
	const struct raw_desc *desc = rig_desc(rx.rxq->ring, rx.at);
	const uint32_t tail = (rx.rig.rx_tail[0] - (uint32_t)rx.rxq->ring_iova) / 16;
	const struct rte_mbuf *m = rx.rxq->mbufs[rx.at];

	assert_int_not_equal(rx.at, tail);
	assert_int_equal(desc->word[3], OWN | BUF1V);
	assert_int_equal(desc->word[2], 0);
	assert_non_null(m);
	assert_ptr_equal(buffer(rx.at), (uint8_t *)m->buf_addr + rx.rxq->data_off);
	assert_int_equal((uintptr_t)buffer(rx.at) % 16, 0);
}

void
rx_put(uint32_t w0, uint32_t w1, uint32_t w3)
{
	rig_write_back(rx.rxq->ring, rx.at, w0, w1, 0x5a5a5a5a, w3);
	rx.at = (rx.at + 1) % rx.rxq->nb_desc;
}

void
rx_fill(uint16_t bytes)
{
	uint8_t *p = buffer(rx.at);
	uint16_t i;

	assert_true(bytes <= rx.rxq->buf_bytes);
	for (i = 0; i < bytes; i++)
		p[i] = rig_random(&rx.seed);
}

void
rx_frame(uint16_t bytes, uint32_t w1, uint32_t status)
{
	uint32_t first = FD;
	uint16_t left = bytes;

	for (;;) {
		const uint16_t n = RTE_MIN(left, rx.rxq->buf_bytes);

		rx_expect_given();
		rx_fill(n);
		left -= n;
		if (left == 0)
			break;
		/* lengths are valid on the last descriptor only */
		rx_put(0x11111111, 0x22222222, first | 0x7fff);
		first = 0;
	}
	rx_put(0x33333333, w1, first | LD | status | bytes);
}

void
rx_context(uint32_t ns, uint32_t s)
{
	rx_expect_given();
	rx_put(ns, s, CTXT);
}

uint16_t
rx_burst(struct rte_mbuf **pkts, uint16_t n)
{
	return dwmac_eqos_rx_burst(rx.rxq, pkts, n);
}

static void
check_packet(const struct rte_mbuf *m, uint16_t bytes)
{
	const uint32_t total = bytes - RTE_ETHER_CRC_LEN;
	unsigned int segs = 0, seen = 0;
	const struct rte_mbuf *seg;
	uint16_t i;

	assert_int_equal(m->pkt_len, total);
	for (seg = m; seg != NULL; seg = seg->next, segs++) {
		const uint8_t *p = rte_pktmbuf_mtod(seg, const uint8_t *);

		assert_true(seg->data_len > 0 && seg->data_len <= rx.rxq->buf_bytes);
		assert_int_equal(seg->port, 3);
		assert_int_equal(rte_mbuf_refcnt_read(seg), 1);
		for (i = 0; i < seg->data_len; i++, seen++)
			assert_int_equal(p[i], (uint8_t)rig_random(&expected_seed));
	}
	assert_int_equal(seen, total);
	assert_int_equal(m->nb_segs, segs);
	for (i = 0; i < RTE_ETHER_CRC_LEN; i++)
		rig_random(&expected_seed);
}

struct rte_mbuf *
rx_one(uint16_t bytes)
{
	struct rte_mbuf *pkts[4];

	assert_int_equal(rx_burst(pkts, RTE_DIM(pkts)), 1);
	check_packet(pkts[0], bytes);
	return pkts[0];
}

/* Whatever the device wrote meanwhile is gone. */
void
rx_none(void)
{
	struct rte_mbuf *pkts[4];

	assert_int_equal(rx_burst(pkts, RTE_DIM(pkts)), 0);
	expected_seed = rx.seed;
}
