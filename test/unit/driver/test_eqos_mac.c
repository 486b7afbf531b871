/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The MAC's own registers: eqos.md §1, sequences.md §7, §8; and the MMC table, eqos.md §2. */

#include <string.h>

#include "mock_io.h"

#define CONFIGURATION	  0x0000
#define EXT_CONFIGURATION 0x0004
#define FILTER		  0x0008

#define GPSLCE (1u << 23)
#define WD     (1u << 19)
#define JD     (1u << 17)
#define JE     (1u << 16)
#define PS     (1u << 15)
#define FES    (1u << 14)
#define DM     (1u << 13)
#define LM     (1u << 12)
#define TE     (1u << 1)
#define RE     (1u << 0)
#define OTHERS (1u << 27 | 1u << 21) /* IPC, CST: not this driver's to change here */

/* Written, and read back so that the write has arrived when the gap after it begins (pitfalls.md 8)
 */
#define CONFIGURE(value) W(CONFIGURATION, value), R(CONFIGURATION, value)

static struct mock mock;

static void
max_frame(uint32_t bytes)
{
	mock.hw.ops->max_frame(&mock.hw, bytes);
	mock_done(&mock);
}

/* Sizes without FCS; the plain limit is 1518 with it. */
static void
frame_limit_edges(void **state)
{
	(void)state;
	mock_init(&mock);
	mock.hw.mac_configuration = OTHERS;
	max_frame(1514);

	SCRIPT(&mock, W(EXT_CONFIGURATION, 1519), CONFIGURE(OTHERS | GPSLCE));
	max_frame(1515);
	/* MTU 1500 with a tag; GPSLCE stands already */
	SCRIPT(&mock, W(EXT_CONFIGURATION, 1522));
	max_frame(1518);
	SCRIPT(&mock, W(EXT_CONFIGURATION, 2000));
	max_frame(1996);
	/* from here on the timers would cut at 2048 */
	SCRIPT(&mock, W(EXT_CONFIGURATION, 2001), CONFIGURE(OTHERS | GPSLCE | WD | JD | JE));
	max_frame(1997);
	SCRIPT(&mock, W(EXT_CONFIGURATION, 2004));
	max_frame(2000);
	SCRIPT(&mock, W(EXT_CONFIGURATION, 9022));
	max_frame(9018);
	SCRIPT(&mock, W(EXT_CONFIGURATION, 16383));
	max_frame(20000);
	/* and back to the beginning */
	SCRIPT(&mock, CONFIGURE(OTHERS));
	max_frame(1514);
}

/* sequences.md §7 */
static void
speeds(void **state)
{
	static const struct {
		struct dwmac_link_mode mode;
		uint32_t bits;
	} rows[] = {
		{ { 10, true }, PS | DM },
		{ { 10, false }, PS },
		{ { 100, false }, PS | FES },
		{ { 100, true }, PS | FES | DM },
		{ { 1000, true }, DM },
		{ { 2500, true }, FES | DM },
	};
	unsigned int i;

	(void)state;
	mock_init(&mock);
	mock.hw.mac_configuration = OTHERS | GPSLCE;
	for (i = 0; i < RTE_DIM(rows); i++) {
		SCRIPT(&mock, CONFIGURE(OTHERS | GPSLCE | rows[i].bits));
		mock.hw.ops->speed(&mock.hw, &rows[i].mode);
		mock_done(&mock);
	}
}

/* A second write too soon is lost (pitfalls.md 8): an unchanged value is not written again. */
static void
unchanged_configuration_is_not_written(void **state)
{
	const struct dwmac_link_mode gigabit = { 1000, true };

	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, CONFIGURE(DM), CONFIGURE(DM | TE | RE));
	mock.hw.ops->speed(&mock.hw, &gigabit);
	mock.hw.ops->speed(&mock.hw, &gigabit);
	mock.hw.ops->loopback(&mock.hw, false);
	mock.hw.ops->enable(&mock.hw, true, true);
	mock.hw.ops->enable(&mock.hw, true, true);
	mock.hw.ops->max_frame(&mock.hw, 1514);
	mock_done(&mock);
	SCRIPT(&mock, CONFIGURE(DM | TE), CONFIGURE(DM | RE), CONFIGURE(DM), CONFIGURE(DM | LM));
	mock.hw.ops->enable(&mock.hw, true, false);
	mock.hw.ops->enable(&mock.hw, false, true);
	mock.hw.ops->enable(&mock.hw, false, false);
	mock.hw.ops->enable(&mock.hw, false, false);
	mock.hw.ops->loopback(&mock.hw, true);
	mock.hw.ops->loopback(&mock.hw, true);
	mock_done(&mock);
}

/* Writing Low latches both. */
static void
address_high_goes_before_low(void **state)
{
	static const uint8_t addr[6] = { 0x02, 0x11, 0x22, 0x33, 0x84, 0x95 };
	uint8_t back[6] = { 0 };

	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, W(0x0300, 0x80009584), W(0x0304, 0x33221102));
	mock.hw.ops->mac_addr(&mock.hw, 0, addr);
	mock_done(&mock);
	SCRIPT(&mock, W(0x0318, 0x80009584), W(0x031c, 0x33221102));
	mock.hw.ops->mac_addr(&mock.hw, 3, addr);
	mock_done(&mock);
	SCRIPT(&mock, R(0x0300, 0x80009584), R(0x0304, 0x33221102));
	mock.hw.ops->get_mac_addr(&mock.hw, back);
	mock_done(&mock);
	assert_memory_equal(addr, back, 6);
}

/* Never read first: RA, DBF and the rest of an earlier owner go (pitfalls.md 76, 79). */
static void
filter_is_written_whole(void **state)
{
	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, W(FILTER, 0), W(FILTER, 1), W(FILTER, 1u << 4), W(FILTER, 1u << 4 | 1));
	mock.hw.ops->filter(&mock.hw, false, false);
	mock.hw.ops->filter(&mock.hw, true, false);
	mock.hw.ops->filter(&mock.hw, false, true);
	mock.hw.ops->filter(&mock.hw, true, true);
	mock_done(&mock);
}

static uint16_t
counter(const char *name)
{
	unsigned int i;

	for (i = 0; i < dwmac_eqos_ops.nb_mmc; i++)
		if (strcmp(dwmac_eqos_ops.mmc[i].name, name) == 0)
			return dwmac_eqos_ops.mmc[i].offset;
	fail_msg("no counter %s", name);
	return 0;
}

static void
mmc_counters_stand_where_the_manual_says(void **state)
{
	unsigned int i, k;

	(void)state;
	assert_int_equal(counter("mmc_tx_octets_gb"), 0x0714);
	assert_int_equal(counter("mmc_tx_packets_good"), 0x0768);
	assert_int_equal(counter("mmc_rx_packets_gb"), 0x0780);
	assert_int_equal(counter("mmc_rx_crc_errors"), 0x0794);
	assert_int_equal(counter("mmc_rx_fifo_overflow"), 0x07d4);
	for (i = 0; i < dwmac_eqos_ops.nb_mmc; i++) {
		assert_int_equal(dwmac_eqos_ops.mmc[i].offset % 4, 0);
		for (k = 0; k < i; k++) {
			assert_int_not_equal(
					dwmac_eqos_ops.mmc[i].offset, dwmac_eqos_ops.mmc[k].offset);
			assert_string_not_equal(
					dwmac_eqos_ops.mmc[i].name, dwmac_eqos_ops.mmc[k].name);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_limit_edges),
		cmocka_unit_test(speeds),
		cmocka_unit_test(unchanged_configuration_is_not_written),
		cmocka_unit_test(address_high_goes_before_low),
		cmocka_unit_test(filter_is_written_whole),
		cmocka_unit_test(mmc_counters_stand_where_the_manual_says),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
