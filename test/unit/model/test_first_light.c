/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t own[6] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 };

static void
identity_is_readable_and_bring_up_raises_no_complaint(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	assert_int_equal(device_identity(b->dev)->device_id, 0x4b30);
	assert_int_equal(rd(b, 0x110), 0x5152);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
a_frame_goes_out_at_line_rate_and_its_descriptor_comes_back(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[100];
	unsigned int i;

	(void)state;
	i = bench_send(b, frame, make_frame(frame, own, 0x88b5, 100), IOC2, 0);
	assert_int_equal(b->nb_sent, 1);
	assert_memory_equal(b->sent[0].data, frame, 100);
	assert_int_equal(b->sent[0].sfd_ps, b->now_ns * 1000 + 8 * 8000);
	assert_int_equal(b->sent[0].end_ps, b->sent[0].sfd_ps + 104 * 8000);
	assert_true(tx_desc(b, i)[3] & OWN);
	bench_advance(b, 2000);
	assert_int_equal(tx_desc(b, i)[3], FD | LD);
	assert_int_equal(rd(b, CH(0, 0x60)) & 1, 1);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
a_frame_comes_in_with_fcs_and_length(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[100];

	(void)state;
	bench_receive(b, frame, make_frame(frame, own, 0x88b5, 100));
	bench_advance(b, 2000);
	assert_int_equal(rx_desc(b, 0)[3] & ~0x0f000000u, FD | LD | 0x10000 | 104);
	assert_memory_equal(mem_at(b, RX_BUFFERS), frame, 100);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x40, 0x40);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
the_clock_runs_and_stamps_a_sent_frame(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	uint64_t before;
	unsigned int i;

	(void)state;
	ptp_start(b, 100, 0);
	before = ptp_read_ns(b);
	bench_advance(b, 1000000);
	assert_in_range(ptp_read_ns(b), before + 999980, before + 1000020);
	i = bench_send(b, frame, make_frame(frame, own, 0x88f7, 60), TTSE, 0);
	before = ptp_read_ns(b);
	bench_advance(b, 2000);
	assert_int_equal(tx_desc(b, i)[3], FD | LD | 1 << 17);
	assert_int_equal(tx_desc(b, i)[1], 100);
	assert_in_range(tx_desc(b, i)[0], before % 1000000000 + 30, before % 1000000000 + 100);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
the_phy_answers_at_address_1_only(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	assert_int_equal(phy_rd(b, 1, 2), 0x0dc1);
	assert_int_equal(phy_rd(b, 2, 2), 0xffff);
	phy_rd(b, 1, 1);
	assert_int_equal(phy_rd(b, 1, 1) & 0x24, 0x24);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
buffers_may_cross_pages_that_lie_apart_in_the_host(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[1500];
	uint32_t *d = tx_desc(b, 0);

	(void)state;
	b->pages_apart = true;
	make_frame(frame, own, 0x88b5, 1500);
	memcpy(mem_at(b, TX_BUFFERS + 3000), frame, 1500);
	d[0] = (uint32_t)TX_BUFFERS + 3000;
	d[1] = 0;
	d[2] = 1500;
	d[3] = OWN | FD | LD | 1500;
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 16);
	bench_advance(b, 20000);
	assert_int_equal(b->nb_sent, 1);
	assert_memory_equal(b->sent[0].data, frame, 1500);
	assert_int_equal(d[3], FD | LD);
	rx_desc(b, 0)[0] = (uint32_t)RX_BUFFERS + 4096 - 512;
	bench_receive(b, frame, 1500);
	bench_advance(b, 20000);
	assert_memory_equal(mem_at(b, RX_BUFFERS + 4096 - 512), frame, 1500);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity_is_readable_and_bring_up_raises_no_complaint),
		cmocka_unit_test(a_frame_goes_out_at_line_rate_and_its_descriptor_comes_back),
		cmocka_unit_test(a_frame_comes_in_with_fcs_and_length),
		cmocka_unit_test(the_clock_runs_and_stamps_a_sent_frame),
		cmocka_unit_test(the_phy_answers_at_address_1_only),
		cmocka_unit_test(buffers_may_cross_pages_that_lie_apart_in_the_host),
	};

	return cmocka_run_group_tests_name("first light", tests, NULL, NULL);
}
