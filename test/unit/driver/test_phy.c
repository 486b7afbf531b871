/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The clause 22 PHY, with MDIO itself replaced: sequences.md §10, pitfalls.md 114, 117. */

#include <errno.h>

#include "base/phy.h"
#include "mock_io.h"

#define SKIPPED ((1u << 0x15) | (1u << 0x16))

/* Thirty-two addresses with 32 registers each, and a log of every frame. */
static struct bus {
	uint16_t reg[32][32];
	int fail_reg; /* reading it times out; -1: none */
	bool latched_down;
	unsigned int nb_reads[32];
	struct {
		uint8_t phy;
		uint8_t reg;
		uint16_t value;
	} writes[16];
	unsigned int nb_writes;
	uint8_t asked[64];
	unsigned int nb_asked;
} bus;

static int
bus_read(struct dwmac_hw *hw, uint8_t phy, uint8_t reg)
{
	uint16_t value = bus.reg[phy][reg];

	assert_false(hw->device->mdio_skip & (1u << phy));
	assert_true(phy < 32 && reg < 32);
	bus.nb_reads[reg]++;
	if (bus.nb_asked < RTE_DIM(bus.asked) && reg == 2)
		bus.asked[bus.nb_asked++] = phy;
	if (bus.fail_reg == reg)
		return -ETIMEDOUT;
	if (reg == 1 && bus.latched_down) {
		bus.latched_down = false;
		value &= ~(1u << 2);
	}
	return value;
}

static int
bus_write(struct dwmac_hw *hw, uint8_t phy, uint8_t reg, uint16_t value)
{
	(void)hw;
	assert_true(bus.nb_writes < RTE_DIM(bus.writes));
	bus.writes[bus.nb_writes].phy = phy;
	bus.writes[bus.nb_writes].reg = reg;
	bus.writes[bus.nb_writes++].value = value;
	bus.reg[phy][reg] = value;
	return 0;
}

static const struct dwmac_core_ops bus_ops = { .mdio_read = bus_read, .mdio_write = bus_write };

static struct mock mock;
static struct dwmac_phy phy;

static void
init(uint8_t addr)
{
	unsigned int i;

	mock_init(&mock);
	mock.hw.ops = &bus_ops;
	bus = (struct bus){ .fail_reg = -1 };
	for (i = 0; i < 32; i++) {
		bus.reg[i][2] = 0xffff;
		bus.reg[i][3] = 0xffff;
	}
	bus.reg[addr][2] = 0x0141;
	bus.reg[addr][3] = 0x0dd1;
	bus.reg[addr][1] = 0x796d; /* everything, link up, negotiated, extended status */
	phy = (struct dwmac_phy){ .addr = addr };
}

static void
probe_finds_the_phy_and_passes_the_internal_addresses(void **state)
{
	unsigned int i;

	(void)state;
	init(0x17);
	assert_int_equal(mock.device.mdio_skip, SKIPPED);
	phy.addr = 99;
	assert_int_equal(dwmac_phy_probe(&mock.hw, &phy), 0);
	assert_int_equal(phy.addr, 0x17);
	assert_int_equal(phy.id, 0x01410dd1);
	assert_int_equal(bus.nb_asked, 0x17 - 2);
	for (i = 0; i < bus.nb_asked; i++)
		assert_true(bus.asked[i] != 0x15 && bus.asked[i] != 0x16);
}

/* 0 is a broadcast to some PHYs: asked last, used when nothing else is there. */
static void
probe_asks_address_0_last(void **state)
{
	(void)state;
	init(0);
	assert_int_equal(dwmac_phy_probe(&mock.hw, &phy), 0);
	assert_int_equal(phy.addr, 0);
	assert_int_equal(bus.asked[0], 1);
	assert_int_equal(bus.nb_asked, 30);
	init(0);
	bus.reg[7][2] = 1;
	assert_int_equal(dwmac_phy_probe(&mock.hw, &phy), 0);
	assert_int_equal(phy.addr, 7);
}

static void
probe_of_an_empty_bus(void **state)
{
	(void)state;
	init(5);
	bus.reg[5][2] = 0; /* zeroes are nobody either */
	assert_int_equal(dwmac_phy_probe(&mock.hw, &phy), -ENODEV);
	assert_int_equal(bus.nb_asked, 30);
	init(5);
	bus.fail_reg = 2;
	assert_int_equal(dwmac_phy_probe(&mock.hw, &phy), -ETIMEDOUT);
	assert_int_equal(bus.nb_asked, 1);
	init(1);
	bus.fail_reg = 3;
	assert_int_equal(dwmac_phy_probe(&mock.hw, &phy), -ETIMEDOUT);
}

static void
power_up_leaves_power_down_and_isolation(void **state)
{
	(void)state;
	init(3);
	bus.reg[3][0] = 0x1140 | 1u << 11 | 1u << 10;
	assert_int_equal(dwmac_phy_power_up(&mock.hw, &phy), 0);
	assert_int_equal(bus.reg[3][0], 0x1140);
	assert_int_equal(bus.nb_writes, 1);
	/* Already up: nothing is written. */
	assert_int_equal(dwmac_phy_power_up(&mock.hw, &phy), 0);
	assert_int_equal(bus.nb_writes, 1);
	assert_int_equal(dwmac_phy_power_down(&mock.hw, &phy), 0);
	assert_int_equal(bus.reg[3][0], 0x1940);
	bus.fail_reg = 0;
	assert_int_equal(dwmac_phy_power_up(&mock.hw, &phy), -ETIMEDOUT);
}

/* ---- negotiation ---- */

static void
negotiation_that_stands_is_left_alone(void **state)
{
	(void)state;
	init(3);
	bus.reg[3][0] = 0x1140;
	bus.reg[3][4] = 0x0c00 | 0x01e1; /* pause bits are kept */
	bus.reg[3][9] = 0x0200;
	assert_int_equal(dwmac_phy_negotiate(&mock.hw, &phy, DWMAC_PHY_ALL), 0);
	assert_int_equal(bus.nb_writes, 0);
}

static void
negotiation_advertises_what_is_asked(void **state)
{
	(void)state;
	init(3);
	bus.reg[3][0] = 0x1140;
	bus.reg[3][4] = 0x0de1;
	bus.reg[3][9] = 0x1f00; /* manual transmitter set-up and 1000 half: the latter goes */
	assert_int_equal(
			dwmac_phy_negotiate(&mock.hw, &phy, DWMAC_PHY_100_FULL | DWMAC_PHY_10_HALF),
			0);
	assert_int_equal(bus.reg[3][4], 0x0c00 | 1u << 8 | 1u << 5 | 1);
	assert_int_equal(bus.reg[3][9], 0x1c00);
	/* and only then it restarts */
	assert_int_equal(bus.nb_writes, 3);
	assert_int_equal(bus.writes[2].reg, 0);
	assert_int_equal(bus.writes[2].value, 0x1140 | 1u << 9 | 1u << 12);
}

/* A change of either register alone restarts it; so does negotiation that was off. */
static void
any_change_restarts_negotiation(void **state)
{
	static const struct {
		uint16_t bmcr, anar, ctrl1000;
	} rows[] = { { 0x1140, 0x01e1, 0 }, { 0x1140, 0x01e0, 0x0200 }, { 0x0140, 0x01e1, 0x0200 },
		{ 0x1140, 0x0161, 0x0200 } };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(3);
		bus.reg[3][0] = rows[i].bmcr;
		bus.reg[3][4] = rows[i].anar;
		bus.reg[3][9] = rows[i].ctrl1000;
		assert_int_equal(dwmac_phy_negotiate(&mock.hw, &phy, DWMAC_PHY_ALL), 0);
		assert_int_equal(bus.reg[3][0], 0x1340);
		assert_int_equal(bus.reg[3][4], 0x01e1);
		assert_int_equal(bus.reg[3][9], 0x0200);
	}
}

/* BMSR without extended status: registers 9 and 10 do not exist. */
static void
a_fast_ethernet_phy_has_no_gigabit_registers(void **state)
{
	struct dwmac_link_mode mode;

	(void)state;
	init(3);
	bus.reg[3][1] = 0x782d;
	bus.reg[3][0] = 0x1140;
	bus.reg[3][5] = 0x4101;
	assert_int_equal(dwmac_phy_negotiate(&mock.hw, &phy, DWMAC_PHY_ALL), 0);
	assert_int_equal(dwmac_phy_link(&mock.hw, &phy, &mode), 0);
	assert_int_equal(mode.mbps, 100);
	assert_int_equal(bus.nb_reads[9], 0);
	assert_int_equal(bus.nb_reads[10], 0);
	assert_int_equal(bus.reg[3][9], 0);
}

static void
negotiation_reports_every_register_that_does_not_answer(void **state)
{
	static const int regs[] = { 0, 1, 4, 9 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(regs); i++) {
		init(3);
		bus.fail_reg = regs[i];
		assert_int_equal(dwmac_phy_negotiate(&mock.hw, &phy, DWMAC_PHY_ALL), -ETIMEDOUT);
	}
}

static void
forcing_switches_negotiation_off(void **state)
{
	static const struct {
		uint32_t mode;
		uint16_t bmcr;
	} rows[] = {
		{ DWMAC_PHY_10_HALF, 0 },
		{ DWMAC_PHY_10_FULL, 0x0100 },
		{ DWMAC_PHY_100_HALF, 0x2000 },
		{ DWMAC_PHY_100_FULL, 0x2100 },
		{ DWMAC_PHY_1000_FULL, 0x0140 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(3);
		bus.reg[3][0] = 0x3140;
		assert_int_equal(dwmac_phy_force(&mock.hw, &phy, rows[i].mode), 0);
		assert_int_equal(bus.reg[3][0], rows[i].bmcr);
	}
}

/* ---- the link ---- */

static struct dwmac_link_mode
link_of(uint16_t bmcr, uint16_t own, uint16_t partner, uint16_t ctrl1000, uint16_t stat1000)
{
	struct dwmac_link_mode mode = { 7, true };

	bus.reg[3][0] = bmcr;
	bus.reg[3][4] = own;
	bus.reg[3][5] = partner;
	bus.reg[3][9] = ctrl1000;
	bus.reg[3][10] = stat1000;
	assert_int_equal(dwmac_phy_link(&mock.hw, &phy, &mode), 0);
	return mode;
}

static void
the_best_common_mode_wins(void **state)
{
	static const struct {
		uint16_t own, partner, ctrl1000, stat1000;
		uint32_t mbps;
		bool full;
	} rows[] = {
		{ 0x01e1, 0xc5e1, 0x0200, 0x3800, 1000, true },
		{ 0x01e1, 0xc5e1, 0x0200, 0x3400, 100, true }, /* partner: 1000 half only */
		{ 0x01e1, 0xc5e1, 0x0000, 0x3800, 100, true },
		{ 0x01e1, 0x40e1, 0x0200, 0, 100, false }, { 0x0061, 0x41e1, 0, 0x3800, 10, true },
		{ 0x01e1, 0x4021, 0, 0, 10, false },
		{ 0x0181, 0x4061, 0, 0, 0, false }, /* nothing in common */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		struct dwmac_link_mode mode;

		init(3);
		mode = link_of(0x1140, rows[i].own, rows[i].partner, rows[i].ctrl1000,
				rows[i].stat1000);
		assert_int_equal(mode.mbps, rows[i].mbps);
		if (mode.mbps != 0)
			assert_int_equal(mode.full_duplex, rows[i].full);
	}
}

static void
a_forced_mode_comes_from_the_control_register(void **state)
{
	(void)state;
	init(3);
	assert_int_equal(link_of(0x2100, 0x01e1, 0, 0, 0).mbps, 100);
	assert_true(link_of(0x2100, 0, 0, 0, 0).full_duplex);
	assert_false(link_of(0x2000, 0, 0, 0, 0).full_duplex);
	assert_int_equal(link_of(0x0100, 0, 0, 0, 0).mbps, 10);
	assert_int_equal(link_of(0x0140, 0, 0, 0, 0).mbps, 1000);
}

/* Latched low: the first read tells of an old drop. */
static void
an_old_drop_does_not_hide_the_link(void **state)
{
	(void)state;
	init(3);
	bus.latched_down = true;
	assert_int_equal(link_of(0x1140, 0x01e1, 0xc5e1, 0x0200, 0x3800).mbps, 1000);
	assert_int_equal(bus.nb_reads[1], 2);
}

static void
no_link_without_signal_power_or_result(void **state)
{
	(void)state;
	init(3);
	bus.reg[3][1] = 0x7969; /* no signal */
	assert_int_equal(link_of(0x1140, 0x01e1, 0xc5e1, 0x0200, 0x3800).mbps, 0);
	bus.reg[3][1] = 0x794d; /* not negotiated yet */
	assert_int_equal(link_of(0x1140, 0x01e1, 0xc5e1, 0x0200, 0x3800).mbps, 0);
	bus.reg[3][1] = 0x796d; /* powered down */
	assert_int_equal(link_of(0x1940, 0x01e1, 0xc5e1, 0x0200, 0x3800).mbps, 0);
}

static void
the_link_reports_a_phy_that_does_not_answer(void **state)
{
	static const int regs[] = { 0, 1, 4, 5, 9, 10 };
	struct dwmac_link_mode mode;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(regs); i++) {
		init(3);
		bus.reg[3][0] = 0x1140;
		bus.fail_reg = regs[i];
		assert_true(dwmac_phy_link(&mock.hw, &phy, &mode) < 0);
		assert_int_equal(mode.mbps, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(probe_finds_the_phy_and_passes_the_internal_addresses),
		cmocka_unit_test(probe_asks_address_0_last),
		cmocka_unit_test(probe_of_an_empty_bus),
		cmocka_unit_test(power_up_leaves_power_down_and_isolation),
		cmocka_unit_test(negotiation_that_stands_is_left_alone),
		cmocka_unit_test(negotiation_advertises_what_is_asked),
		cmocka_unit_test(any_change_restarts_negotiation),
		cmocka_unit_test(a_fast_ethernet_phy_has_no_gigabit_registers),
		cmocka_unit_test(negotiation_reports_every_register_that_does_not_answer),
		cmocka_unit_test(forcing_switches_negotiation_off),
		cmocka_unit_test(the_best_common_mode_wins),
		cmocka_unit_test(a_forced_mode_comes_from_the_control_register),
		cmocka_unit_test(an_old_drop_does_not_hide_the_link),
		cmocka_unit_test(no_link_without_signal_power_or_result),
		cmocka_unit_test(the_link_reports_a_phy_that_does_not_answer),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
