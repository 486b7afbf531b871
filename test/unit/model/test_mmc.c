/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
static const uint8_t group[6] = { 1, 0, 0x5e, 0, 0, 1 };

static void
send(struct bench *b, const uint8_t *to, uint32_t len)
{
	uint8_t frame[2000];

	bench_send(b, frame, make_frame(frame, to, 0x88b5, len), 0, 0);
	bench_advance(b, 20000);
}

static void
receive(struct bench *b, const uint8_t *to, uint32_t len)
{
	uint8_t frame[2000];

	bench_receive(b, frame, make_frame(frame, to, 0x88b5, len));
	bench_advance(b, 20000);
}

static void
sent_frames_are_counted_by_kind_and_size(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	send(b, da, 60);
	send(b, all, 61);
	send(b, group, 200);
	send(b, da, 1514);
	assert_int_equal(rd(b, 0x714), 64 + 65 + 204 + 1518);
	assert_int_equal(rd(b, 0x764), 64 + 65 + 204 + 1518);
	assert_int_equal(rd(b, 0x718), 4);
	assert_int_equal(rd(b, 0x768), 4);
	assert_int_equal(rd(b, 0x71c), 1);
	assert_int_equal(rd(b, 0x720), 1);
	assert_int_equal(rd(b, 0x73c), 2);
	assert_int_equal(rd(b, 0x740), 1);
	assert_int_equal(rd(b, 0x744), 1);
	assert_int_equal(rd(b, 0x724), 1);
	assert_int_equal(rd(b, 0x728), 1);
	assert_int_equal(rd(b, 0x72c), 1);
	assert_int_equal(rd(b, 0x738), 1);
	bench_destroy(b);
}

static void
received_frames_are_counted_although_the_filter_drops_them(void **state)
{
	static const uint8_t foreign[6] = { 2, 0, 0, 0, 0, 9 };
	struct bench *b = bench_running(NULL);

	(void)state;
	receive(b, foreign, 60);
	receive(b, all, 123);
	receive(b, group, 124);
	assert_int_equal(rd(b, 0x780), 3);
	assert_int_equal(rd(b, 0x784), 64 + 127 + 128);
	assert_int_equal(rd(b, 0x788), 64 + 127 + 128);
	assert_int_equal(rd(b, 0x78c), 1);
	assert_int_equal(rd(b, 0x790), 1);
	assert_int_equal(rd(b, 0x7c4), 1);
	assert_int_equal(rd(b, 0x7ac), 1);
	assert_int_equal(rd(b, 0x7b0), 1);
	assert_int_equal(rd(b, 0x7b4), 1);
	wr(b, 0x8, 1 << 5); /* DBF: dropped broadcasts only with UCDBC */
	receive(b, all, 60);
	assert_int_equal(rd(b, 0x780), 3);
	wr(b, 0x700, 1 << 8);
	receive(b, all, 60);
	assert_int_equal(rd(b, 0x780), 4);
	bench_destroy(b);
}

static void
control_resets_freezes_and_presets(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	send(b, da, 60);
	wr(b, 0x700, 1);
	assert_int_equal(rd(b, 0x700), 0);
	assert_int_equal(rd(b, 0x718), 0);
	wr(b, 0x700, 8);
	send(b, da, 60);
	assert_int_equal(rd(b, 0x718), 0);
	wr(b, 0x700, 4); /* reset on read */
	send(b, da, 60);
	assert_int_equal(rd(b, 0x718), 1);
	assert_int_equal(rd(b, 0x718), 0);
	wr(b, 0x700, 0x10);
	assert_int_equal(rd(b, 0x718), 0x7ffffff0);
	assert_int_equal(rd(b, 0x714), 0x7ffff800);
	wr(b, 0x700, 0x30);
	assert_int_equal(rd(b, 0x718), 0xfffffff0);
	assert_int_equal(rd(b, 0x784), 0xfffff800);
	wr(b, 0x700, 0x35); /* Linux: reset wins */
	assert_int_equal(rd(b, 0x718), 0);
	assert_int_equal(rd(b, 0x700), 0x24);
	bench_destroy(b);
}

static void
an_interrupt_comes_at_half_and_at_the_end_and_goes_with_the_counter(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 1, b->now_ns);
	wr(b, 0x700, 0x10);
	for (int i = 0; i < 15; i++)
		send(b, all, 60);
	assert_int_equal(rd(b, 0x708) & 4, 0);
	send(b, all, 60);
	assert_int_equal(rd(b, 0x708) & 4, 4);
	assert_int_equal(rd(b, 0xb0) >> 8 & 5, 5); /* MMCTXIS and MMCIS, without any enable */
	assert_true(b->irqs[0] != 0);
	assert_int_equal(rd(b, 0x71c), 0x80000000);
	assert_int_equal(rd(b, 0x708) & 4, 0);
	wr(b, 0x710, 0xffffffff);
	assert_int_equal(rd(b, 0xb0) >> 10 & 1, 0);
	wr(b, 0x700, 0x32); /* near the end, and stop there */
	for (int i = 0; i < 20; i++)
		send(b, all, 60);
	assert_int_equal(rd(b, 0x71c), 0xffffffff);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
every_counter_has_a_name_once(void **state)
{
	struct bench *b = bench_running(NULL);
	struct device_counter list[400];
	unsigned int n = device_counters(b->dev, list, 400);

	(void)state;
	assert_in_range(n, 100, 400);
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int k = 0; k < i; k++)
			assert_string_not_equal(list[i].name, list[k].name);
	assert_int_equal(device_counters(b->dev, list, 3), n);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sent_frames_are_counted_by_kind_and_size),
		cmocka_unit_test(received_frames_are_counted_although_the_filter_drops_them),
		cmocka_unit_test(control_resets_freezes_and_presets),
		cmocka_unit_test(
				an_interrupt_comes_at_half_and_at_the_end_and_goes_with_the_counter),
		cmocka_unit_test(every_counter_has_a_name_once),
	};

	return cmocka_run_group_tests_name("model MMC", tests, NULL, NULL);
}
