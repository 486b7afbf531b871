/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static struct bench *
on_the_cable(unsigned int mbps, bool full)
{
	struct bench *b = bench_create(NULL);

	device_link(b->dev, true, mbps, full, b->now_ns);
	bench_advance(b, 100000000);
	return b;
}

static void
a_frame_takes_64_clocks_of_the_chosen_divider(void **state)
{
	static const struct {
		uint32_t cr, divider, extra, bits;
	} cases[] = {
		{ 4, 102, 0, 64 },
		{ 5, 124, 0, 64 },
		{ 4, 102, 1 << 27, 33 },
		{ 4, 102, 1 << 1, 128 },
		{ 4, 102, 1 << 1 | 1 << 4, 64 },
		{ 4, 102, 3 << 12, 67 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = bench_create(NULL);
		uint64_t ns = cases[i].bits * (uint64_t)cases[i].divider * 10000 / 2048;

		wr(b, 0x200, 1 << 21 | 2 << 16 | cases[i].cr << 8 | 3 << 2 | 1 | cases[i].extra);
		bench_advance(b, ns - 2);
		assert_int_equal(rd(b, 0x200) & 1, 1);
		bench_advance(b, 4);
		assert_int_equal(rd(b, 0x200) & 1, 0);
		assert_int_equal(complaints(b, NULL), 0);
		bench_destroy(b);
	}
}

static void
clause_45_meets_nobody(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	wr(b, 0x204, 0x0005 << 16);
	wr(b, 0x200, 1 << 21 | 3 << 16 | 4 << 8 | 3 << 2 | 2 | 1);
	bench_advance(b, 200000);
	assert_int_equal(rd(b, 0x204), 0x0005ffff);
	bench_destroy(b);
}

static void
autonegotiation_takes_time_and_finds_the_common_speed(void **state)
{
	static const struct {
		uint16_t anar, gbcr;
		unsigned int partner, mbps;
		bool full;
	} cases[] = {
		{ 0x01e1, 0x0300, 1000, 1000, true },
		{ 0x01e1, 0x0300, 100, 100, true },
		{ 0x01e1, 0x0300, 10, 10, true },
		{ 0x01e1, 0, 1000, 100, true },
		{ 0x00a1, 0, 1000, 100, false },
		{ 0x0061, 0, 1000, 10, true },
		{ 0x0001, 0, 1000, 0, false },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = on_the_cable(cases[i].partner, true);
		uint16_t status;

		phy_wr(b, 1, 4, cases[i].anar);
		phy_wr(b, 1, 9, cases[i].gbcr);
		phy_wr(b, 1, 0, 0x1200);
		assert_int_equal(phy_rd(b, 1, 1) & 0x24, 0);
		bench_advance(b, 100000000);
		phy_rd(b, 1, 1);
		status = phy_rd(b, 1, 1);
		assert_int_equal(status & 0x20, 0x20);
		assert_int_equal((status & 4) != 0, cases[i].mbps != 0);
		assert_int_equal(device_link_mbps(b->dev), cases[i].mbps);
		assert_int_equal(phy_rd(b, 1, 10) & 0x0800, cases[i].partner == 1000 ? 0x0800 : 0);
		if (cases[i].mbps != 0)
			assert_int_equal(rd(b, 0xf8) >> 16,
					8 |
							(cases[i].mbps == 1000 ? 4u
									: cases[i].mbps == 100
											? 2u
											: 0u) |
							cases[i].full);
		bench_destroy(b);
	}
}

static void
link_after(struct bench *b, uint64_t ms, unsigned int mbps)
{
	bench_advance(b, ms * 1000000 - 1);
	assert_false(device_link_up(b->dev));
	bench_advance(b, 1);
	assert_int_equal(device_link_mbps(b->dev), mbps);
}

static void
negotiation_takes_as_long_as_configured(void **state)
{
	static const uint32_t an_ms[] = { UINT32_MAX, 0, 1, 1500, 4000 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(an_ms) / sizeof(an_ms[0]); i++) {
		const struct device_config config = {
			.ptp_update_ns = UINT32_MAX, .seed = 1, .an_ms = an_ms[i]
		};
		struct bench *b = bench_create_with(&config);
		uint64_t ms = an_ms[i] == UINT32_MAX ? 20 : an_ms[i];

		device_link(b->dev, true, 1000, true, b->now_ns);
		if (ms == 0) {
			bench_advance(b, 0);
			assert_int_equal(device_link_mbps(b->dev), 1000);
			bench_destroy(b);
			continue;
		}
		link_after(b, ms, 1000);
		device_link(b->dev, true, 100, true, b->now_ns); /* another partner */
		link_after(b, ms, 100);
		device_link(b->dev, false, 100, true, b->now_ns);
		bench_advance(b, 1000000);
		device_link(b->dev, true, 100, true, b->now_ns); /* plugged again */
		link_after(b, ms, 100);
		bench_destroy(b);
	}
}

static void
a_half_duplex_partner_gives_a_half_duplex_link(void **state)
{
	struct bench *b = on_the_cable(100, false);

	(void)state;
	assert_int_equal(device_link_mbps(b->dev), 100);
	assert_int_equal(phy_rd(b, 1, 5) & 0x01e0, 0x00a0);
	assert_int_equal(rd(b, 0xf8) >> 16, 8 | 2);
	bench_destroy(b);
}

static void
a_lost_link_is_latched_until_it_is_read(void **state)
{
	struct bench *b = on_the_cable(1000, true);

	(void)state;
	phy_rd(b, 1, 1);
	assert_int_equal(phy_rd(b, 1, 1) & 4, 4);
	device_link(b->dev, false, 0, false, b->now_ns);
	device_link(b->dev, true, 1000, true, b->now_ns);
	bench_advance(b, 100000000);
	assert_int_equal(phy_rd(b, 1, 1) & 4, 0);
	assert_int_equal(phy_rd(b, 1, 1) & 4, 4);
	bench_destroy(b);
}

static void
a_forced_speed_links_without_negotiation(void **state)
{
	struct bench *b = on_the_cable(1000, true);

	(void)state;
	phy_wr(b, 1, 0, 0x2100);
	assert_int_equal(device_link_mbps(b->dev), 100);
	phy_rd(b, 1, 1);
	assert_int_equal(phy_rd(b, 1, 1) & 0x24, 4);
	bench_destroy(b);
}

static void
reset_takes_time_and_restores_the_defaults(void **state)
{
	struct bench *b = on_the_cable(1000, true);

	(void)state;
	phy_wr(b, 1, 4, 0x0061);
	phy_wr(b, 1, 0, 0x8000);
	assert_int_equal(phy_rd(b, 1, 0) & 0x8000, 0x8000);
	bench_advance(b, 1000000);
	assert_int_equal(phy_rd(b, 1, 0), 0x1140);
	assert_int_equal(phy_rd(b, 1, 4), 0x01e1);
	bench_advance(b, 100000000);
	assert_int_equal(device_link_mbps(b->dev), 1000);
	bench_destroy(b);
}

static void
power_down_drops_the_link(void **state)
{
	struct bench *b = on_the_cable(1000, true);

	(void)state;
	phy_wr(b, 1, 0, 0x1940);
	bench_advance(b, 100000000);
	assert_false(device_link_up(b->dev));
	phy_wr(b, 1, 0, 0x1140);
	bench_advance(b, 100000000);
	assert_true(device_link_up(b->dev));
	bench_destroy(b);
}

static void
phy_loopback_returns_frames(void **state)
{
	static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	phy_wr(b, 1, 0, 0x4140);
	bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), 0, 0);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 0);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	bench_destroy(b);
}

static void
mmd_access_by_clause_22_keeps_its_address(void **state)
{
	struct bench *b = on_the_cable(1000, true);

	(void)state;
	phy_wr(b, 1, 13, 7);
	phy_wr(b, 1, 14, 60);
	assert_int_equal(phy_rd(b, 1, 14), 60);
	phy_wr(b, 1, 13, 0x4007);
	assert_int_equal(phy_rd(b, 1, 14), 0); /* no EEE */
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_takes_64_clocks_of_the_chosen_divider),
		cmocka_unit_test(clause_45_meets_nobody),
		cmocka_unit_test(autonegotiation_takes_time_and_finds_the_common_speed),
		cmocka_unit_test(negotiation_takes_as_long_as_configured),
		cmocka_unit_test(a_half_duplex_partner_gives_a_half_duplex_link),
		cmocka_unit_test(a_lost_link_is_latched_until_it_is_read),
		cmocka_unit_test(a_forced_speed_links_without_negotiation),
		cmocka_unit_test(reset_takes_time_and_restores_the_defaults),
		cmocka_unit_test(power_down_drops_the_link),
		cmocka_unit_test(phy_loopback_returns_frames),
		cmocka_unit_test(mmd_access_by_clause_22_keeps_its_address),
	};

	return cmocka_run_group_tests_name("model MDIO and PHY", tests, NULL, NULL);
}
