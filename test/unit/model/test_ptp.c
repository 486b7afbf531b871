/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include <stdlib.h>

#define NS_PER_S 1000000000ull

/* The bits of 0xb00 used here. */
#define TSENA	0x1u
#define FINE	0x2u
#define INIT	0x4u
#define UPDT	0x8u
#define ADDR	0x20u
#define DECIMAL 0x200u

static struct bench *
bench_with_osc(int32_t ppb, uint32_t wander_ppb, uint64_t seed)
{
	struct device_config config = {
		.osc_ppb = ppb,
		.osc_wander_ppb = wander_ppb,
		.seed = seed,
		.ptp_update_ns = 1600,
		.an_ms = UINT32_MAX,
	};

	return bench_create_with(&config);
}

static void
command(struct bench *b, uint32_t bit)
{
	uint32_t control = rd(b, 0xb00);

	wr(b, 0xb00, control | bit);
	bench_advance(b, 1600);
	assert_int_equal(rd(b, 0xb00), control);
}

static int64_t
truth(struct bench *b)
{
	int64_t ns;
	double rate;

	assert_true(device_clock(b->dev, b->now_ns * 1000, &ns, &rate));
	return ns;
}

/* Tick by tick, as the databook describes it; the model must agree to the unit. */
static void
fine_mode_equals_an_accumulator_that_is_ticked(void **state)
{
	static const struct {
		uint32_t ssinc, snsinc, addend;
		bool decimal;
	} cases[] = {
		{ 9, 0, 0x8ae38e36, true },
		{ 10, 0, 0x80000000, true },
		{ 9, 195, 0x8ae38e36, true },
		{ 21, 0, 0x8ae38e36, false },
		{ 5, 17, 0xffffffff, true },
		{ 200, 1, 1, true },
	};

	(void)state;
	for (unsigned int c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		struct bench *b = bench_with_osc(0, 0, 1);
		uint64_t unit = cases[c].decimal ? NS_PER_S : 1ull << 31, sub, seconds, ticks;
		unsigned __int128 total;
		uint32_t acc = 0;

		wr(b, 0xb00, TSENA | FINE | (cases[c].decimal ? DECIMAL : 0));
		wr(b, 0xb04, cases[c].ssinc << 16 | cases[c].snsinc << 8);
		wr(b, 0xb18, cases[c].addend);
		command(b, ADDR);
		wr(b, 0xb10, 7);
		wr(b, 0xb14, (uint32_t)(unit - 5000));
		/* The clock starts at the reference edge of the moment TSINIT is done. */
		wr(b, 0xb00, rd(b, 0xb00) | INIT);
		bench_advance(b, 1600);
		uint64_t start_ps = (b->now_ns - 1000000) * 1000,
			 first = start_ps * 2048 / 10000000;

		bench_advance(b, 123456);
		ticks = (b->now_ns - 1000000) * 1000 * 2048 / 10000000 - first;
		total = (unsigned __int128)(unit - 5000) * 256;
		for (uint64_t t = 0; t < ticks; t++) {
			uint32_t next = acc + cases[c].addend;

			if (next < acc)
				total += cases[c].ssinc * 256 + cases[c].snsinc;
			acc = next;
		}
		seconds = 7 + (uint64_t)(total / (unit * 256));
		sub = (uint64_t)(total % (unit * 256)) / 256;
		assert_int_equal(rd(b, 0xb08), seconds);
		assert_int_equal(rd(b, 0xb0c), sub);
		bench_destroy(b);
	}
}

static void
coarse_mode_adds_the_increment_at_every_edge(void **state)
{
	struct bench *b = bench_create("ehl-pse");

	(void)state;
	wr(b, 0x20c, 0x90000); /* 200 MHz */
	wr(b, 0xb00, TSENA | DECIMAL);
	wr(b, 0xb04, 5 << 16);
	wr(b, 0xb14, 0);
	command(b, INIT);
	uint64_t before = ptp_read_ns(b);

	bench_advance(b, 1000000);
	assert_int_equal(ptp_read_ns(b) - before, 1000000);
	bench_destroy(b);
}

static void
gpio_selects_the_reference_clock(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	ptp_start(b, 0, 0);
	wr(b, 0x20c, 0x10000); /* 19.2 MHz instead of 204.8 */
	uint64_t before = ptp_read_ns(b);

	bench_advance(b, 1000000);
	assert_in_range(ptp_read_ns(b) - before, 93700, 93800);
	bench_destroy(b);
}

static void
the_rate_follows_the_oscillator_and_the_addend(void **state)
{
	static const int32_t errors[] = { 0, 1, -1, 100000, -100000, 999999 };

	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		struct bench *b = bench_with_osc(errors[i], 0, 1);
		int64_t start, end, ns;
		double rate;

		ptp_start(b, 1000, 0);
		start = truth(b);
		b->now_ns += 100 * NS_PER_S;
		end = truth(b);
		/* SSINC 9 and this addend: -1.24 ppb (ptp.md §2). */
		double expected = errors[i] - 1.24,
		       seen = (double)(end - start - 100 * (int64_t)NS_PER_S) / 100;

		assert_true(seen - expected < 0.3 && expected - seen < 0.3);
		assert_true(device_clock(b->dev, b->now_ns * 1000, &ns, &rate));
		assert_true(rate - expected < 0.01 && expected - rate < 0.01);
		/* The register says the same as the truth. */
		assert_int_equal(ptp_read_ns(b), (uint64_t)truth(b));
		bench_destroy(b);
	}
}

static void
a_new_addend_changes_the_rate_without_a_jump(void **state)
{
	struct bench *b = bench_create(NULL);
	uint64_t before;

	(void)state;
	ptp_start(b, 1, 0);
	before = ptp_read_ns(b);
	wr(b, 0xb18, 0x8ae38e36 + 0x8ae38e36u / 10000); /* + 100 ppm */
	command(b, ADDR);
	assert_in_range(ptp_read_ns(b) - before, 1580, 1620);
	int64_t start = truth(b);
	b->now_ns += NS_PER_S;
	assert_in_range(truth(b) - start - (int64_t)NS_PER_S, 99900, 100100);
	bench_destroy(b);
}

static void
wander_is_bounded_seeded_and_continuous(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct bench *a = bench_with_osc(0, 50, seed), *b = bench_with_osc(0, 50, seed);
		int64_t last, now, ns;
		bool moved = false;
		double rate;

		ptp_start(a, 1, 0);
		ptp_start(b, 1, 0);
		last = truth(a);
		for (int i = 0; i < 300; i++) {
			bench_advance(a, 3000000);
			now = truth(a);
			assert_in_range(now - last, 3000000 - 30, 3000000 + 30);
			last = now;
			device_clock(a->dev, a->now_ns * 1000, &ns, &rate);
			assert_true(rate < 52 && rate > -54);
			moved |= rate > 3 || rate < -6;
		}
		assert_true(moved);
		bench_advance(b, 900000000); /* in one step: the same path */
		assert_int_equal(truth(a), truth(b));
		bench_destroy(a);
		bench_destroy(b);
	}
}

/* The example of the reference manuals: minus 2.000000001 s (ptp.md §4.3). */
static void
tsupdt_adds_and_subtracts_with_complements(void **state)
{
	static const struct {
		uint32_t seconds, ns;
		int64_t delta;
	} cases[] = {
		{ 3, 5, 3000000005 },
		{ 0, 999999999, 999999999 },
		{ 0xfffffffe, 0x80000000u | 0x3b9ac9ff, -2000000001 },
		{ 0, 0x80000000u | (1000000000 - 250), -250 },
		{ 0xffffffff, 0x80000000u | 1000000000, -1000000000 },
		{ 0xfffffff6, 0x80000000u | 1, -10999999999 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = bench_create(NULL);
		int64_t before;

		ptp_start(b, 1000, 500000000);
		before = (int64_t)ptp_read_ns(b);
		wr(b, 0xb10, cases[i].seconds);
		wr(b, 0xb14, cases[i].ns);
		command(b, UPDT);
		int64_t moved = (int64_t)ptp_read_ns(b) - before - 1600 - cases[i].delta;

		assert_in_range(moved + 20, 0, 40);
		bench_destroy(b);
	}
}

static void
binary_mode_rolls_at_two_to_the_31(void **state)
{
	struct bench *b = bench_create(NULL);
	uint64_t before, after;

	(void)state;
	wr(b, 0xb00, TSENA | FINE);
	wr(b, 0xb04, 20 << 16);
	wr(b, 0xb18, 0x80000000);
	command(b, ADDR);
	wr(b, 0xb10, 5);
	wr(b, 0xb14, 0x7fffff00);
	command(b, INIT);
	before = (uint64_t)rd(b, 0xb08) << 31 | rd(b, 0xb0c);
	bench_advance(b, 1000000);
	after = (uint64_t)rd(b, 0xb08) << 31 | rd(b, 0xb0c);
	assert_int_equal(rd(b, 0xb08), 6);
	assert_in_range(after - before, 2048000 - 20, 2048000 + 20);
	bench_destroy(b);
}

static void
commands_stay_set_for_the_configured_time_and_move_nothing_before(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	ptp_start(b, 50, 0);
	wr(b, 0xb10, 10);
	wr(b, 0xb14, 0);
	wr(b, 0xb00, 0x2203 | UPDT);
	bench_advance(b, 1599);
	assert_int_equal(rd(b, 0xb00) & UPDT, UPDT);
	assert_int_equal(rd(b, 0xb08), 50);
	bench_advance(b, 1);
	assert_int_equal(rd(b, 0xb00) & UPDT, 0);
	assert_int_equal(rd(b, 0xb08), 60);
	assert_int_equal(rd(b, 0xb10), 10);
	bench_destroy(b);
}

static void
without_tsena_commands_wait_and_the_clock_stands(void **state)
{
	struct bench *b = bench_create(NULL);
	int64_t ns;
	double rate;

	(void)state;
	wr(b, 0xb04, 9 << 16);
	wr(b, 0xb00, 0x2000 | INIT);
	bench_advance(b, 1000000);
	assert_int_equal(rd(b, 0xb00) & INIT, INIT);
	assert_int_equal(complaints(b, "ts-disabled"), 1);
	assert_false(device_clock(b->dev, b->now_ns * 1000, &ns, &rate));
	bench_destroy(b);
}

static void
after_tsena_is_switched_off_time_stands_until_tsinit(void **state)
{
	struct bench *b = bench_create(NULL);
	uint64_t stood;

	(void)state;
	ptp_start(b, 9, 0);
	wr(b, 0xb00, 0x2202);
	stood = ptp_read_ns(b);
	wr(b, 0xb00, 0x2203);
	bench_advance(b, 1000000);
	assert_int_equal(ptp_read_ns(b), stood);
	wr(b, 0xb00, 0x2203 | INIT);
	bench_advance(b, 1000000);
	assert_in_range(ptp_read_ns(b), 9 * NS_PER_S + 990000, 9 * NS_PER_S + 1000000);
	bench_destroy(b);
}

static void
seconds_overflow_sets_tssovf_and_counts_the_higher_word(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	ptp_start(b, 0xffffffff, 999000000);
	wr(b, 0xb1c, 4);
	wr(b, 0xb4, 1 << 12);
	bench_advance(b, 1000000);
	assert_int_equal(rd(b, 0xb08), 0);
	assert_int_equal(rd(b, 0xb1c), 5);
	assert_int_equal(rd(b, 0xb0) & 1 << 12, 1 << 12);
	assert_int_equal(rd(b, 0xb20) & 1, 1);
	assert_int_equal(rd(b, 0xb20) & 1, 0);
	bench_destroy(b);
}

static void
corrections_are_added_to_the_stamp(void **state)
{
	static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	uint32_t plain;
	unsigned int i;

	(void)state;
	make_frame(frame, da, 0x88f7, 60);
	ptp_start(b, 5, 0);
	i = bench_send(b, frame, 60, TTSE, 0);
	uint32_t at = rd(b, 0xb0c);
	bench_advance(b, 2000);
	plain = tx_desc(b, i)[0] - at;
	wr(b, 0xb5c, 1000);
	i = bench_send(b, frame, 60, TTSE, 0);
	at = rd(b, 0xb0c);
	bench_advance(b, 2000);
	assert_in_range(tx_desc(b, i)[0] - at, plain + 990, plain + 1010);
	wr(b, 0xb5c, 0x80000000u | (1000000000 - 500)); /* minus 500 ns */
	i = bench_send(b, frame, 60, TTSE, 0);
	at = rd(b, 0xb0c);
	bench_advance(b, 2000);
	assert_in_range(tx_desc(b, i)[0] - at + 500, plain - 10, plain + 10);
	bench_destroy(b);
}

static void
latency_registers_follow_the_speed(void **state)
{
	struct bench *b = bench_create(NULL);
	uint32_t gigabit = rd(b, 0xb68) >> 16;

	(void)state;
	wr(b, 0x000, 3 << 14);
	assert_int_equal(rd(b, 0xb68) >> 16, gigabit * 5); /* 40 ns clocks instead of 8 */
	wr(b, 0x000, 2 << 14);
	assert_int_equal(rd(b, 0xb68) >> 16, gigabit * 50);
	bench_destroy(b);
}

/* A stamp differs from the truth at the SFD by the latency, two edges and the step. */
static void
stamps_agree_with_the_true_clock(void **state)
{
	static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	int64_t ns;
	double rate;

	(void)state;
	make_frame(frame, da, 0x88f7, 60);
	ptp_start(b, 5, 0);
	wr(b, 0xb00, 0x2303);
	uint32_t itl = rd(b, 0xb68) >> 16, etl = rd(b, 0xb6c) >> 16;

	for (int k = 0; k < 50; k++) {
		unsigned int i = bench_send(b, frame, 60, TTSE, 0),
			     r = (unsigned int)(k * 2) % RING_SIZE;
		uint64_t rx_ps;

		bench_advance(b, 3000);
		assert_true(device_clock(b->dev, b->sent[k].sfd_ps, &ns, &rate));
		assert_in_range(tx_desc(b, i)[0] + etl - ns % (int64_t)NS_PER_S, 0, 20);
		rx_ps = b->now_ns * 1000;
		bench_receive(b, frame, 60);
		bench_advance(b, 3000);
		assert_true(device_clock(b->dev, rx_ps, &ns, &rate));
		assert_int_equal(rx_desc(b, r)[1] & 0xc000, 0x4000);
		assert_int_equal(rx_desc(b, r + 1)[3], CTXT);
		assert_in_range(rx_desc(b, r + 1)[0] - itl - ns % (int64_t)NS_PER_S, 0, 20);
		for (unsigned int d = r; d < r + 2; d++) {
			rx_desc(b, d)[0] = (uint32_t)(RX_BUFFERS + d * RX_BUFFER_SIZE);
			rx_desc(b, d)[1] = rx_desc(b, d)[2] = 0;
			rx_desc(b, d)[3] = RX_GIVE;
		}
		wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * (r + 1));
	}
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
dropped_status_puts_the_stamp_into_the_registers(void **state)
{
	static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	unsigned int i;

	(void)state;
	make_frame(frame, da, 0x88f7, 60);
	ptp_start(b, 77, 0);
	wr(b, 0xc00, 2);
	i = bench_send(b, frame, 60, TTSE, 0);
	bench_send(b, frame, 60, TTSE, 0);
	bench_advance(b, 5000);
	assert_int_equal(tx_desc(b, i)[3], FD | LD);
	assert_int_equal(rd(b, 0xb20) & 1 << 15, 1 << 15);
	assert_int_equal(rd(b, 0xb30) >> 31, 1); /* the second was missed */
	assert_int_equal(rd(b, 0xb34), 77);
	assert_int_equal(rd(b, 0xb20) & 1 << 15, 0);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fine_mode_equals_an_accumulator_that_is_ticked),
		cmocka_unit_test(coarse_mode_adds_the_increment_at_every_edge),
		cmocka_unit_test(gpio_selects_the_reference_clock),
		cmocka_unit_test(the_rate_follows_the_oscillator_and_the_addend),
		cmocka_unit_test(a_new_addend_changes_the_rate_without_a_jump),
		cmocka_unit_test(wander_is_bounded_seeded_and_continuous),
		cmocka_unit_test(tsupdt_adds_and_subtracts_with_complements),
		cmocka_unit_test(binary_mode_rolls_at_two_to_the_31),
		cmocka_unit_test(commands_stay_set_for_the_configured_time_and_move_nothing_before),
		cmocka_unit_test(without_tsena_commands_wait_and_the_clock_stands),
		cmocka_unit_test(after_tsena_is_switched_off_time_stands_until_tsinit),
		cmocka_unit_test(seconds_overflow_sets_tssovf_and_counts_the_higher_word),
		cmocka_unit_test(corrections_are_added_to_the_stamp),
		cmocka_unit_test(latency_registers_follow_the_speed),
		cmocka_unit_test(stamps_agree_with_the_true_clock),
		cmocka_unit_test(dropped_status_puts_the_stamp_into_the_registers),
	};

	return cmocka_run_group_tests_name("model PTP clock", tests, NULL, NULL);
}
