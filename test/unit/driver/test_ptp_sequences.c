/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Command sequences of the PTP block: ptp.md §3, §4, §5. */

#include <errno.h>

#include <rte_cycles.h>

#include "base/ptp_clock.h"
#include "mock_io.h"

/* EQoS: block at 0xb00 */
#define TCR	 0x0b00
#define SSIR	 0x0b04
#define SECONDS	 0x0b08
#define NS	 0x0b0c
#define UPD_S	 0x0b10
#define UPD_NS	 0x0b14
#define ADDEND	 0x0b18
#define HIGHER	 0x0b1c
#define ADDSUB	 0x80000000u
#define TSINIT	 (1u << 2)
#define TSUPDT	 (1u << 3)
#define TSADDREG (1u << 5)
/* TSENA, TSCTRLSSR, TXTSSTSM */
#define COARSE	 (1u | 1u << 9 | 1u << 24)
#define FINE	 (COARSE | 1u << 1)
/* v2, Ethernet, IPv6, IPv4, SNAPTYPSEL 01, TSEVNTENA 0 (ptp.md §6) */
#define EVENT	 (0xfu << 10 | 1u << 16)
#define ALL	 (1u << 8)

/* set a command bit, see it once, see it gone */
#define COMMAND(control, bit)                                                            \
	W(TCR, (control) | (bit)), R(TCR, (control) | (bit)), R(TCR, (control) | (bit)), \
			R(TCR, control)

static struct mock mock;
static struct dwmac_ptp ptp;
static const struct dwmac_time now = { .s = 1700000000, .ns = 123456789 };

/* As it stands after start at 200 MHz. */
static void
init(bool higher_word)
{
	mock_init(&mock);
	ptp = (struct dwmac_ptp){
		.base = 0x0b00,
		.clk_hz = 200000000,
		.higher_word = higher_word,
		.running = true,
		.control = FINE | EVENT,
		.ssinc_ns = 10,
		.addend = 0x80000000,
	};
}

/* ---- start (ptp.md §4.1) ---- */

static void
start_enables_before_it_programs(void **state)
{
	(void)state;
	init(true);
	ptp = (struct dwmac_ptp){ .base = 0x0b00, .clk_hz = 204800000, .higher_word = true };
	SCRIPT(&mock, W(TCR, COARSE | EVENT), W(SSIR, 9u << 16), W(ADDEND, 0x8ae38e39),
			COMMAND(COARSE | EVENT, TSADDREG), W(TCR, FINE | EVENT), W(HIGHER, 0),
			W(UPD_S, 1700000000), W(UPD_NS, 123456789), COMMAND(FINE | EVENT, TSINIT));
	assert_int_equal(dwmac_ptp_start(&ptp, &mock.hw.io, &now, DWMAC_PTP_FILTER_EVENT), 0);
	mock_done(&mock);
	assert_true(ptp.running);
	assert_int_equal(ptp.control, FINE | EVENT);
	assert_int_equal(ptp.addend, 0x8ae38e39);
	assert_int_equal(ptp.commands, 2);
	assert_int_equal(ptp.polls, 6);
}

static void
start_takes_other_filters_and_bases(void **state)
{
	(void)state;
	init(false);
	ptp.base = 0x0d00; /* XGMAC */
	SCRIPT(&mock, W(0x0d00, COARSE), W(0x0d04, 10u << 16), W(0x0d18, 0x80000000),
			W(0x0d00, COARSE | TSADDREG), R(0x0d00, COARSE), W(0x0d00, FINE),
			W(0x0d10, 1700000000), W(0x0d14, 123456789), W(0x0d00, FINE | TSINIT),
			R(0x0d00, FINE));
	assert_int_equal(dwmac_ptp_start(&ptp, &mock.hw.io, &now, DWMAC_PTP_FILTER_NONE), 0);
	mock_done(&mock);
}

static void
start_without_a_clock_fails_and_says_so(void **state)
{
	(void)state;
	init(false);
	SCRIPT(&mock, W(TCR, COARSE | ALL), W(SSIR, 10u << 16), W(ADDEND, 0x80000000),
			W(TCR, COARSE | ALL | TSADDREG), ALWAYS(TCR, COARSE | ALL | TSADDREG));
	assert_int_equal(
			dwmac_ptp_start(&ptp, &mock.hw.io, &now, DWMAC_PTP_FILTER_ALL), -ETIMEDOUT);
	mock_done(&mock);
	assert_false(ptp.running);
	assert_int_equal(ptp.timeouts, 1);
}

static void
start_refuses_a_clock_it_cannot_divide(void **state)
{
	static const uint32_t clocks[] = { 0, 1000000, 3900000, 2100000000 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(clocks); i++) {
		init(false);
		ptp.clk_hz = clocks[i];
		assert_int_equal(dwmac_ptp_start(&ptp, &mock.hw.io, &now, DWMAC_PTP_FILTER_NONE),
				-EINVAL);
		mock_done(&mock);
	}
}

/* ---- time ---- */

static void
write_loads_time_and_higher_word(void **state)
{
	const struct dwmac_time time = { .s = INT64_C(0x123400000005), .ns = 999999999 };

	(void)state;
	init(true);
	SCRIPT(&mock, W(HIGHER, 0x1234), W(UPD_S, 5), W(UPD_NS, 999999999),
			COMMAND(FINE | EVENT, TSINIT));
	assert_int_equal(dwmac_ptp_write(&ptp, &mock.hw.io, &time), 0);
	mock_done(&mock);
}

static void
write_refuses_times_the_counter_cannot_hold(void **state)
{
	static const struct {
		bool higher_word;
		struct dwmac_time time;
	} rows[] = {
		{ false, { .s = INT64_C(1) << 32 } },
		{ true, { .s = INT64_C(1) << 48 } },
		{ true, { .s = -1 } },
		{ true, { .s = INT64_MAX } },
		{ true, { .s = INT64_MIN } },
		{ true, { .s = 1, .ns = 1000000000 } },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(rows[i].higher_word);
		assert_int_equal(dwmac_ptp_write(&ptp, &mock.hw.io, &rows[i].time), -ERANGE);
		mock_done(&mock);
	}
	init(false);
	SCRIPT(&mock, W(UPD_S, UINT32_MAX), W(UPD_NS, 0), COMMAND(FINE | EVENT, TSINIT));
	assert_int_equal(
			dwmac_ptp_write(&ptp, &mock.hw.io, &(struct dwmac_time){ .s = UINT32_MAX }),
			0);
}

/* seconds, ns, seconds (ptp.md §4.4) */
static void
read_repeats_a_torn_second(void **state)
{
	struct dwmac_time time;

	(void)state;
	init(false);
	SCRIPT(&mock, R(SECONDS, 41), R(NS, 999999990), R(SECONDS, 42), R(NS, 15), R(SECONDS, 42));
	assert_int_equal(dwmac_ptp_read(&ptp, &mock.hw.io, &time), 0);
	mock_done(&mock);
	assert_int_equal(time.s, 42);
	assert_int_equal(time.ns, 15);
}

static void
read_joins_the_higher_word(void **state)
{
	struct dwmac_time time;

	(void)state;
	init(true);
	SCRIPT(&mock, R(SECONDS, 0xfffffff0), R(NS, 1), R(SECONDS, 0xfffffff0), R(HIGHER, 0x10002));
	assert_int_equal(dwmac_ptp_read(&ptp, &mock.hw.io, &time), 0);
	mock_done(&mock);
	assert_true(time.s == INT64_C(0x2fffffff0));
}

static void
read_notices_a_dead_device(void **state)
{
	struct dwmac_time time;

	(void)state;
	init(true);
	SCRIPT(&mock, R(SECONDS, UINT32_MAX), R(NS, UINT32_MAX), R(SECONDS, UINT32_MAX));
	assert_int_equal(dwmac_ptp_read(&ptp, &mock.hw.io, &time), -ENODEV);
	mock_done(&mock);
}

static void
read_gives_up_on_halves_that_never_agree(void **state)
{
	struct dwmac_time time;

	(void)state;
	init(true);
	SCRIPT(&mock, R(SECONDS, 1), R(NS, 0), R(SECONDS, 2), R(NS, 0), R(SECONDS, 3), R(NS, 0),
			R(SECONDS, 4), R(NS, 0), R(SECONDS, 5));
	assert_int_equal(dwmac_ptp_read(&ptp, &mock.hw.io, &time), -EIO);
	mock_done(&mock);
	/* nor is a value beyond the second believed */
	SCRIPT(&mock, R(SECONDS, 1), R(NS, 1000000000), R(SECONDS, 1), R(NS, 1000000000),
			R(SECONDS, 1), R(NS, 1000000000), R(SECONDS, 1), R(NS, 1000000000),
			R(SECONDS, 1));
	assert_int_equal(dwmac_ptp_read(&ptp, &mock.hw.io, &time), -EIO);
	mock_done(&mock);
}

/* ---- steps (ptp.md §4.3) ---- */

static void
steps_in_one_command(void **state)
{
	static const struct {
		int64_t delta_ns;
		uint32_t s, ns;
	} rows[] = {
		{ 1, 0, 1 },
		{ 999999999, 0, 999999999 },
		{ 1000000000, 1, 0 },
		{ -1, 0, ADDSUB | 999999999 },
		/* the reference manuals' example: 2.000000001 s back */
		{ -2000000001, 0xfffffffe, ADDSUB | 0x3b9ac9ff },
		{ -999999999, 0, ADDSUB | 1 },
		{ INT64_C(4294967295999999999), UINT32_MAX, 999999999 },
		{ INT64_C(-4294967295000000001), 1, ADDSUB | 999999999 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(false);
		SCRIPT(&mock, W(UPD_S, rows[i].s), W(UPD_NS, rows[i].ns),
				COMMAND(FINE | EVENT, TSUPDT));
		assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, rows[i].delta_ns), 0);
		mock_done(&mock);
	}
}

/* 10^9 - 0 is outside the documented range of the field: all but a nanosecond, then that one. */
static void
whole_seconds_back_take_two_commands(void **state)
{
	static const struct {
		int64_t s;
		uint32_t first;
	} rows[] = { { 1, 0 }, { 2, 0xffffffff }, { INT64_C(4294967295), 2 } };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(false);
		SCRIPT(&mock, W(UPD_S, rows[i].first), W(UPD_NS, ADDSUB | 1),
				COMMAND(FINE | EVENT, TSUPDT), W(UPD_S, 0),
				W(UPD_NS, ADDSUB | 999999999), COMMAND(FINE | EVENT, TSUPDT));
		assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, -rows[i].s * 1000000000),
				0);
		mock_done(&mock);
	}
}

static void
steps_beyond_32_bits_of_seconds_are_refused(void **state)
{
	static const int64_t deltas[] = { INT64_MIN, INT64_MAX, INT64_C(4294967296000000000),
		INT64_C(-4294967296000000000) };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(deltas); i++) {
		init(true);
		assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, deltas[i]), -ERANGE);
		mock_done(&mock);
	}
	/* and a step of nothing touches nothing */
	assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, 0), 0);
	mock_done(&mock);
}

/* ---- rate ---- */

static void
rate_is_absolute(void **state)
{
	(void)state;
	init(false);
	/* +1000 ppm twice: the same addend */
	SCRIPT(&mock, W(ADDEND, 0x8020c49c), COMMAND(FINE | EVENT, TSADDREG), W(ADDEND, 0x8020c49c),
			COMMAND(FINE | EVENT, TSADDREG), W(ADDEND, 0x80000000),
			COMMAND(FINE | EVENT, TSADDREG));
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, 65536000), 0);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, 65536000), 0);
	assert_int_equal(ptp.scaled_ppm, 65536000);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, 0), 0);
	mock_done(&mock);
	assert_int_equal(ptp.scaled_ppm, 0);
}

static void
rates_beyond_the_limit_are_refused(void **state)
{
	const int64_t limit = INT64_C(62500000) * 65536 / 1000;

	(void)state;
	init(false);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, limit + 1), -ERANGE);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, -limit - 1), -ERANGE);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, INT64_MIN), -ERANGE);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, INT64_MAX), -ERANGE);
	mock_done(&mock);
	/* 2^31 * 1.0625 and * 0.9375 */
	SCRIPT(&mock, W(ADDEND, 0x88000000), COMMAND(FINE | EVENT, TSADDREG), W(ADDEND, 0x78000000),
			COMMAND(FINE | EVENT, TSADDREG));
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, limit), 0);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, -limit), 0);
	mock_done(&mock);
}

/* A rate that did not arrive is not noted as the one in force. */
static void
a_failed_rate_leaves_the_old_one_noted(void **state)
{
	(void)state;
	init(false);
	SCRIPT(&mock, W(ADDEND, 0x8020c49c), W(TCR, FINE | EVENT | TSADDREG),
			ALWAYS(TCR, FINE | EVENT | TSADDREG));
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, 65536000), -ETIMEDOUT);
	mock_done(&mock);
	assert_int_equal(ptp.addend, 0x80000000);
	assert_int_equal(ptp.scaled_ppm, 0);
}

/* ---- latencies (ptp.md §9) ---- */

/* Registers in ns [27:16] and 1/256 ns [15:8]. In: minus that much, as 10^9 - x with bit 31; the
 * manual's example is 5 ns, 0xbb9ac9fb. Out: plus that much. */
static void
latencies_become_corrections(void **state)
{
	static const struct {
		uint32_t in, out;
		uint32_t in_ns, in_sub, out_ns, out_sub;
	} rows[] = {
		{ 5u << 16, 7u << 16, 0xbb9ac9fb, 0, 7, 0 },
		{ 5u << 16 | 0x40u << 8, 0xfffu << 16 | 0xffu << 8, ADDSUB | 999999994, 0xc000,
				4095, 0xff00 },
		{ 1u << 8, 1u << 8, ADDSUB | 999999999, 0xff00, 0, 0x0100 },
		{ 0, 0, 0, 0, 0, 0 },			/* the option is missing */
		{ 0xf00000ff, 0xf00000ff, 0, 0, 0, 0 }, /* bits that mean nothing */
		{ UINT32_MAX, UINT32_MAX, 0, 0, 0, 0 }, /* the device is gone */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(false);
		SCRIPT(&mock, R(0x0b68, rows[i].in), R(0x0b6c, rows[i].out),
				W(0x0b58, rows[i].in_ns), W(0x0b60, rows[i].in_sub),
				W(0x0b5c, rows[i].out_ns), W(0x0b64, rows[i].out_sub));
		dwmac_ptp_correct_latency(&ptp, &mock.hw.io);
		mock_done(&mock);
	}
}

/* ---- the polled wait (ptp.md §5) ---- */

/* A command that was given up is waited for before the next one and never written again: the
 * control word comes from memory, not from the register. Then the block is known to be idle, and
 * nothing is read to ask. */
static void
a_given_up_command_is_awaited_not_repeated(void **state)
{
	(void)state;
	init(false);
	SCRIPT(&mock, W(UPD_S, 0), W(UPD_NS, 4), W(TCR, FINE | EVENT | TSUPDT),
			ALWAYS(TCR, FINE | EVENT | TSUPDT));
	assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, 4), -ETIMEDOUT);
	mock_done(&mock);
	SCRIPT(&mock, R(TCR, FINE | EVENT | TSUPDT), R(TCR, FINE | EVENT | TSUPDT),
			R(TCR, FINE | EVENT), W(UPD_S, 0), W(UPD_NS, 5),
			COMMAND(FINE | EVENT, TSUPDT));
	assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, 5), 0);
	mock_done(&mock);
	SCRIPT(&mock, W(TCR, FINE));
	assert_int_equal(dwmac_ptp_filter(&ptp, &mock.hw.io, DWMAC_PTP_FILTER_NONE), 0);
	mock_done(&mock);
	SCRIPT(&mock, W(TCR, FINE | ALL));
	assert_int_equal(dwmac_ptp_filter(&ptp, &mock.hw.io, DWMAC_PTP_FILTER_ALL), 0);
	mock_done(&mock);
	assert_int_equal(ptp.control, FINE | ALL);
}

/* Nothing is programmed over a command that never ends. */
static void
a_stuck_command_stops_everything(void **state)
{
	const uint32_t stuck = FINE | EVENT | TSUPDT;

	(void)state;
	init(false);
	ptp.unfinished = true;
	SCRIPT(&mock, ALWAYS(TCR, stuck));
	assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, 5), -ETIMEDOUT);
	assert_int_equal(dwmac_ptp_adjust_freq(&ptp, &mock.hw.io, 5), -ETIMEDOUT);
	assert_int_equal(dwmac_ptp_write(&ptp, &mock.hw.io, &now), -ETIMEDOUT);
	assert_int_equal(dwmac_ptp_filter(&ptp, &mock.hw.io, DWMAC_PTP_FILTER_NONE), -ETIMEDOUT);
	mock_done(&mock);
	assert_int_equal(ptp.timeouts, 4);
	assert_int_equal(ptp.commands, 0);
	assert_int_equal(ptp.control, FINE | EVENT);
}

static void
a_half_done_step_is_reported(void **state)
{
	(void)state;
	init(false);
	SCRIPT(&mock, W(UPD_S, 0), W(UPD_NS, ADDSUB | 1), W(TCR, FINE | EVENT | TSUPDT),
			ALWAYS(TCR, FINE | EVENT | TSUPDT));
	assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, -1000000000), -ETIMEDOUT);
	mock_done(&mock);
}

static void
a_device_that_is_gone_is_not_waited_for(void **state)
{
	(void)state;
	init(false);
	SCRIPT(&mock, W(UPD_S, 0), W(UPD_NS, 5), W(TCR, FINE | EVENT | TSUPDT), R(TCR, UINT32_MAX));
	assert_int_equal(dwmac_ptp_adjust_time(&ptp, &mock.hw.io, 5), -ENODEV);
	mock_done(&mock);
	assert_int_equal(ptp.timeouts, 0);
}

/* Nor taken for done where the bits waited for are ones. */
static void
all_ones_is_no_answer(void **state)
{
	(void)state;
	init(false);
	SCRIPT(&mock, R(TCR, FINE), R(TCR, UINT32_MAX));
	assert_int_equal(dwmac_poll(&mock.hw.io, TCR, TSINIT, TSINIT, 60000000, NULL), -ENODEV);
	mock_done(&mock);
	SCRIPT(&mock, R(TCR, FINE), R(TCR, FINE | TSINIT));
	assert_int_equal(dwmac_poll(&mock.hw.io, TCR, TSINIT, TSINIT, 60000000, NULL), 0);
	mock_done(&mock);
}

static void
the_wait_ends_with_the_bit(void **state)
{
	static const unsigned int pending[] = { 0, 1, 7, 100 };
	uint32_t polls;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < RTE_DIM(pending); i++) {
		init(false);
		for (k = 0; k < pending[i]; k++)
			mock.script[k] = (struct mock_step)R(TCR, TSINIT);
		mock.script[k] = (struct mock_step)R(TCR, 0);
		mock.nb_steps = k + 1;
		/* a deadline no scheduler can reach */
		assert_int_equal(dwmac_poll(&mock.hw.io, TCR, TSINIT, 0, 60000000, &polls), 0);
		mock_done(&mock);
		assert_int_equal(polls, pending[i] + 1);
	}
}

/* At least the time given, and not without bound; two looks at least. */
static void
the_wait_ends_with_its_deadline(void **state)
{
	uint64_t start, took;
	uint32_t polls;

	(void)state;
	init(false);
	SCRIPT(&mock, ALWAYS(TCR, TSINIT));
	start = rte_rdtsc();
	assert_int_equal(dwmac_poll(&mock.hw.io, TCR, TSINIT, 0, 3000, &polls), -ETIMEDOUT);
	took = rte_rdtsc() - start;
	mock_done(&mock);
	assert_true(took >= MOCK_TSC_HZ / 1000000 * 3000);
	assert_true(took < MOCK_TSC_HZ * 10);
	assert_true(polls >= 2);
	/* An expired deadline still gets a look: a thread off the CPU reports nothing unseen. */
	SCRIPT(&mock, R(TCR, 0));
	assert_int_equal(dwmac_poll(&mock.hw.io, TCR, TSINIT, 0, 0, &polls), 0);
	assert_int_equal(polls, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_enables_before_it_programs),
		cmocka_unit_test(start_takes_other_filters_and_bases),
		cmocka_unit_test(start_without_a_clock_fails_and_says_so),
		cmocka_unit_test(start_refuses_a_clock_it_cannot_divide),
		cmocka_unit_test(write_loads_time_and_higher_word),
		cmocka_unit_test(write_refuses_times_the_counter_cannot_hold),
		cmocka_unit_test(read_repeats_a_torn_second),
		cmocka_unit_test(read_joins_the_higher_word),
		cmocka_unit_test(read_notices_a_dead_device),
		cmocka_unit_test(read_gives_up_on_halves_that_never_agree),
		cmocka_unit_test(steps_in_one_command),
		cmocka_unit_test(whole_seconds_back_take_two_commands),
		cmocka_unit_test(steps_beyond_32_bits_of_seconds_are_refused),
		cmocka_unit_test(rate_is_absolute),
		cmocka_unit_test(rates_beyond_the_limit_are_refused),
		cmocka_unit_test(a_failed_rate_leaves_the_old_one_noted),
		cmocka_unit_test(latencies_become_corrections),
		cmocka_unit_test(a_given_up_command_is_awaited_not_repeated),
		cmocka_unit_test(a_stuck_command_stops_everything),
		cmocka_unit_test(a_half_done_step_is_reported),
		cmocka_unit_test(a_device_that_is_gone_is_not_waited_for),
		cmocka_unit_test(all_ones_is_no_answer),
		cmocka_unit_test(the_wait_ends_with_the_bit),
		cmocka_unit_test(the_wait_ends_with_its_deadline),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
