/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The accumulator's step: ptp.md §2, against long division by hand. */

#include <errno.h>

#include "base/ptp_clock.h"
#include "mock_io.h"

/* ptp.md §2: clock, SSINC in fine mode, addend of the integer formula, its error. */
static const struct {
	uint32_t clk_hz;
	uint32_t ssinc_ns;
	uint32_t addend;
	double error_ppb;
} table[] = {
	{ 25000000, 80, 0x80000000, 0 },
	{ 50000000, 40, 0x80000000, 0 },
	{ 62500000, 32, 0x80000000, 0 },
	{ 66666667, 29, 0x8469ee25, -18.1 },
	{ 75000000, 26, 0x83483468, -12.4 },
	{ 96000000, 20, 0x85555555, -0.15 },
	{ 100000000, 20, 0x80000000, 0 },
	{ 125000000, 16, 0x80000000, 0 },
	{ 133333333, 15, 0x7fffffef, -10.4 },
	{ 156250000, 12, 0x8888887f, -4.2 },
	{ 166666667, 11, 0x8ba2e89e, -10.0 },
	{ 187500000, 10, 0x88888888, -0.23 },
	{ 200000000, 10, 0x80000000, 0 },
	{ 204800000, 9, 0x8ae38e36, -1.24 },
	{ 208000000, 9, 0x88c08c06, -1.20 },
	{ 250000000, 8, 0x80000000, 0 },
	{ 312500000, 6, 0x8888887f, -4.2 },
	{ 400000000, 5, 0x80000000, 0 },
	{ 500000000, 4, 0x80000000, 0 },
};

/* 2^32 * 10^9 * (65536e6 + scaled_ppm) / (ssinc * clk * 65536e6), rounded to nearest, by long
 * division bit by bit: no 128-bit type, no floating point. */
static uint64_t
reference(uint32_t clk_hz, uint32_t ssinc_ns, int64_t scaled_ppm)
{
	const uint64_t rate = (uint64_t)(INT64_C(65536000000) + scaled_ppm);
	const uint64_t den = (uint64_t)ssinc_ns * clk_hz;
	uint64_t rest = 0, quotient = 0;
	uint8_t bits[160];
	unsigned int nb_bits = 0, i;
	uint64_t product = rate;
	uint64_t high, low;

	/* 2^32 * 10^9 * rate / 65536e6 = rate * 10^9 / 10^6 * 2^16 = rate * 1000 * 2^16 */
	low = (product & 0xffffffff) * 1000;
	high = (product >> 32) * 1000 + (low >> 32);
	low &= 0xffffffff;
	for (i = 0; i < 32; i++)
		bits[nb_bits++] = high >> (31 - i) & 1;
	for (i = 0; i < 32; i++)
		bits[nb_bits++] = low >> (31 - i) & 1;
	for (i = 0; i < 16; i++)
		bits[nb_bits++] = 0;
	for (i = 0; i < nb_bits; i++) {
		rest = rest << 1 | bits[i];
		quotient <<= 1;
		if (rest >= den) {
			rest -= den;
			quotient |= 1;
		}
	}
	return quotient + (rest >= den - rest);
}

static void
increments_follow_the_table(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(table); i++)
		assert_int_equal(dwmac_ptp_ssinc(table[i].clk_hz), table[i].ssinc_ns);
	assert_int_equal(dwmac_ptp_ssinc(5000000), 255); /* 8 bits */
	assert_int_equal(dwmac_ptp_ssinc(1), 255);
	assert_int_equal(dwmac_ptp_ssinc(0), 0);
}

/* The table's addends come from the formula with an inner floor: ours may differ by just the
 * error the table states for it. */
static void
addends_follow_the_table(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(table); i++) {
		double lsb_ppb, difference_ppb;
		uint32_t addend;

		assert_int_equal(dwmac_ptp_addend(table[i].clk_hz, table[i].ssinc_ns, 0, &addend),
				0);
		assert_int_equal(addend, reference(table[i].clk_hz, table[i].ssinc_ns, 0));
		lsb_ppb = 1e9 / addend;
		difference_ppb = ((double)table[i].addend - addend) * lsb_ppb;
		/* printed with one or two decimals */
		assert_true(difference_ppb - table[i].error_ppb < lsb_ppb + 0.05);
		assert_true(table[i].error_ppb - difference_ppb < lsb_ppb + 0.05);
	}
}

/* Every row: within half an LSB of the exact ratio. */
static void
addends_are_rounded_to_nearest(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(table); i++) {
		const long double exact = 4294967296.0L * 1e9L /
					  ((long double)table[i].clk_hz * table[i].ssinc_ns);
		uint32_t addend;

		assert_int_equal(dwmac_ptp_addend(table[i].clk_hz, table[i].ssinc_ns, 0, &addend),
				0);
		assert_true((long double)addend - exact <= 0.5L + 1e-9L);
		assert_true(exact - (long double)addend <= 0.5L + 1e-9L);
	}
}

static uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void
addends_match_long_division_at_any_clock_and_rate(void **state)
{
	const int64_t limit = INT64_C(62500000) * 65536 / 1000;
	uint64_t seed = 0x5eed;
	unsigned int i, fitting = 0;

	(void)state;
	for (i = 0; i < 200000; i++) {
		const uint32_t clk = 5000000 + next_random(&seed) % 495000001;
		const int64_t scaled = (int64_t)(next_random(&seed) % (2 * limit + 1)) - limit;
		const uint32_t ssinc = dwmac_ptp_ssinc(clk);
		const uint64_t want = reference(clk, ssinc, scaled);
		uint32_t addend = 0;
		const int ret = dwmac_ptp_addend(clk, ssinc, scaled, &addend);

		if (want > UINT32_MAX) {
			assert_int_equal(ret, -ERANGE);
			continue;
		}
		assert_int_equal(ret, 0);
		assert_int_equal(addend, want);
		fitting++;
	}
	/* ptp.md §2: the whole range fits every clock from 5 to 500 MHz. */
	assert_int_equal(fitting, i);
}

/* The smallest unit of the API, 1/65536 ppm, is 30 times finer than an LSB; a ppb is two. */
static void
one_ppb_moves_the_addend(void **state)
{
	uint32_t nominal, faster, slower;

	(void)state;
	assert_int_equal(dwmac_ptp_addend(200000000, 10, 0, &nominal), 0);
	assert_int_equal(dwmac_ptp_addend(200000000, 10, 66, &faster), 0);
	assert_int_equal(dwmac_ptp_addend(200000000, 10, -66, &slower), 0);
	assert_int_equal(nominal, 0x80000000);
	assert_int_equal(faster, 0x80000002);
	assert_int_equal(slower, 0x7ffffffe);
}

static void
rates_that_do_not_fit_are_refused(void **state)
{
	const int64_t one = INT64_C(65536000000);
	uint32_t addend = 77;

	(void)state;
	/* clock stopped or running backwards */
	assert_int_equal(dwmac_ptp_addend(200000000, 10, -one, &addend), -ERANGE);
	assert_int_equal(dwmac_ptp_addend(200000000, 10, INT64_MIN, &addend), -ERANGE);
	assert_int_equal(dwmac_ptp_addend(200000000, 10, INT64_MAX, &addend), -ERANGE);
	/* twice the rate needs 2^32 */
	assert_int_equal(dwmac_ptp_addend(200000000, 10, one, &addend), -ERANGE);
	assert_int_equal(dwmac_ptp_addend(200000000, 10, one - 1, &addend), -ERANGE);
	assert_int_equal(dwmac_ptp_addend(200000000, 10, one - 100, &addend), 0);
	assert_true(addend > 0xffffff00);
	/* a clock too slow for 8 bits of SSINC, and none */
	assert_int_equal(dwmac_ptp_addend(3900000, 255, 0, &addend), -ERANGE);
	assert_int_equal(dwmac_ptp_addend(0, 255, 0, &addend), -ERANGE);
	assert_int_equal(dwmac_ptp_addend(200000000, 0, 0, &addend), -ERANGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(increments_follow_the_table),
		cmocka_unit_test(addends_follow_the_table),
		cmocka_unit_test(addends_are_rounded_to_nearest),
		cmocka_unit_test(addends_match_long_division_at_any_clock_and_rate),
		cmocka_unit_test(one_ppb_moves_the_addend),
		cmocka_unit_test(rates_that_do_not_fit_are_refused),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
