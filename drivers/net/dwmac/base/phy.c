/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <stddef.h>

#include <rte_bitops.h>
#include <rte_common.h>

#include "phy.h"

/* IEEE 802.3 clause 22 (sequences.md §10) */
#define BMCR		  0
#define BMCR_SPEED_LSB	  RTE_BIT32(13)
#define BMCR_AN_ENABLE	  RTE_BIT32(12)
#define BMCR_PDOWN	  RTE_BIT32(11)
#define BMCR_ISOLATE	  RTE_BIT32(10)
#define BMCR_AN_RESTART	  RTE_BIT32(9)
#define BMCR_DUPLEX	  RTE_BIT32(8)
#define BMCR_SPEED_MSB	  RTE_BIT32(6)
#define BMSR		  1
#define BMSR_ESTATEN	  RTE_BIT32(8)
#define BMSR_ANEGCOMPLETE RTE_BIT32(5)
#define BMSR_LINK	  RTE_BIT32(2)
#define PHYID1		  2
#define PHYID2		  3
#define ANAR		  4
#define ANAR_SELECTOR	  1u
#define ANLPAR		  5
#define AN_10H		  RTE_BIT32(5)
#define AN_10F		  RTE_BIT32(6)
#define AN_100H		  RTE_BIT32(7)
#define AN_100F		  RTE_BIT32(8)
#define CTRL1000	  9
#define CTRL1000_FULL	  RTE_BIT32(9)
#define STAT1000	  10
#define STAT1000_FULL	  RTE_BIT32(11)

static int
phy_read(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint8_t reg)
{
	return hw->ops->mdio_read(hw, phy->addr, reg);
}

static int
phy_write(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint8_t reg, uint16_t value)
{
	return hw->ops->mdio_write(hw, phy->addr, reg, value);
}

int
dwmac_phy_probe(struct dwmac_hw *hw, struct dwmac_phy *phy)
{
	unsigned int i;
	int id1, id2;

	/* Address 0 last: some PHYs answer to it as a broadcast. */
	for (i = 1; i <= 32; i++) {
		phy->addr = i % 32;
		if (hw->device->mdio_skip & RTE_BIT32(phy->addr))
			continue;
		id1 = phy_read(hw, phy, PHYID1);
		if (id1 < 0)
			return id1;
		if (id1 == 0xffff || id1 == 0)
			continue;
		id2 = phy_read(hw, phy, PHYID2);
		if (id2 < 0)
			return id2;
		phy->id = (uint32_t)id1 << 16 | (uint32_t)id2;
		return 0;
	}
	return -ENODEV;
}

static int
bmcr_update(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint16_t clear, uint16_t set)
{
	int bmcr = phy_read(hw, phy, BMCR);
	uint16_t value;

	if (bmcr < 0)
		return bmcr;
	value = (bmcr & ~clear) | set;
	return value == bmcr ? 0 : phy_write(hw, phy, BMCR, value);
}

int
dwmac_phy_power_up(struct dwmac_hw *hw, const struct dwmac_phy *phy)
{
	return bmcr_update(hw, phy, BMCR_PDOWN | BMCR_ISOLATE, 0);
}

int
dwmac_phy_power_down(struct dwmac_hw *hw, const struct dwmac_phy *phy)
{
	return bmcr_update(hw, phy, 0, BMCR_PDOWN);
}

static uint16_t
anar_bits(uint32_t modes)
{
	return ANAR_SELECTOR | (modes & DWMAC_PHY_10_HALF ? AN_10H : 0) |
	       (modes & DWMAC_PHY_10_FULL ? AN_10F : 0) |
	       (modes & DWMAC_PHY_100_HALF ? AN_100H : 0) |
	       (modes & DWMAC_PHY_100_FULL ? AN_100F : 0);
}

/* Write a register if it differs. 1: it did, 0: it did not. */
static int
phy_change(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint8_t reg, uint16_t mask,
		uint16_t value)
{
	int old = phy_read(hw, phy, reg);
	uint16_t next;
	int ret;

	if (old < 0)
		return old;
	next = (old & ~mask) | (value & mask);
	if (next == old)
		return 0;
	ret = phy_write(hw, phy, reg, next);
	return ret < 0 ? ret : 1;
}

int
dwmac_phy_negotiate(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint32_t modes)
{
	const uint16_t anar_mask = 0x1f | AN_10H | AN_10F | AN_100H | AN_100F;
	int bmsr, bmcr, ret;
	int changed;

	bmsr = phy_read(hw, phy, BMSR);
	if (bmsr < 0)
		return bmsr;
	changed = phy_change(hw, phy, ANAR, anar_mask, anar_bits(modes));
	if (changed < 0)
		return changed;
	if (bmsr & BMSR_ESTATEN) {
		/* 1000 half is never advertised: the MAC's burst mode is not worth it. */
		ret = phy_change(hw, phy, CTRL1000, CTRL1000_FULL | RTE_BIT32(8),
				modes & DWMAC_PHY_1000_FULL ? CTRL1000_FULL : 0);
		if (ret < 0)
			return ret;
		changed |= ret;
	}
	bmcr = phy_read(hw, phy, BMCR);
	if (bmcr < 0)
		return bmcr;
	if ((bmcr & BMCR_AN_ENABLE) && !changed)
		return 0;
	return phy_write(hw, phy, BMCR, bmcr | BMCR_AN_ENABLE | BMCR_AN_RESTART);
}

int
dwmac_phy_force(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint32_t mode)
{
	uint16_t bits = 0;

	if (mode & (DWMAC_PHY_100_HALF | DWMAC_PHY_100_FULL))
		bits |= BMCR_SPEED_LSB;
	if (mode & DWMAC_PHY_1000_FULL)
		bits |= BMCR_SPEED_MSB;
	if (mode & (DWMAC_PHY_10_FULL | DWMAC_PHY_100_FULL | DWMAC_PHY_1000_FULL))
		bits |= BMCR_DUPLEX;
	return bmcr_update(hw, phy, BMCR_AN_ENABLE | BMCR_SPEED_LSB | BMCR_SPEED_MSB | BMCR_DUPLEX,
			bits);
}

static void
resolve(uint32_t common10_100, bool common1000, struct dwmac_link_mode *mode)
{
	static const struct {
		uint32_t bit;
		struct dwmac_link_mode mode;
	} order[] = {
		{ AN_100F, { 100, true } },
		{ AN_100H, { 100, false } },
		{ AN_10F, { 10, true } },
		{ AN_10H, { 10, false } },
	};
	unsigned int i;

	if (common1000) {
		*mode = (struct dwmac_link_mode){ 1000, true };
		return;
	}
	for (i = 0; i < RTE_DIM(order); i++) {
		if (common10_100 & order[i].bit) {
			*mode = order[i].mode;
			return;
		}
	}
}

static int
negotiated(struct dwmac_hw *hw, const struct dwmac_phy *phy, int bmsr, struct dwmac_link_mode *mode)
{
	int own = phy_read(hw, phy, ANAR);
	int partner = phy_read(hw, phy, ANLPAR);
	int ctrl1000 = 0, stat1000 = 0;

	if (bmsr & BMSR_ESTATEN) {
		ctrl1000 = phy_read(hw, phy, CTRL1000);
		stat1000 = phy_read(hw, phy, STAT1000);
	}
	if (own < 0 || partner < 0 || ctrl1000 < 0 || stat1000 < 0)
		return -EIO;
	resolve(own & partner, (ctrl1000 & CTRL1000_FULL) && (stat1000 & STAT1000_FULL), mode);
	return 0;
}

int
dwmac_phy_link(struct dwmac_hw *hw, const struct dwmac_phy *phy, struct dwmac_link_mode *mode)
{
	int bmcr, bmsr;

	*mode = (struct dwmac_link_mode){ 0, false };
	bmcr = phy_read(hw, phy, BMCR);
	/* The link bit is latched low: the first read tells of an old drop (pitfalls.md 114). */
	bmsr = phy_read(hw, phy, BMSR);
	if (bmsr >= 0)
		bmsr = phy_read(hw, phy, BMSR);
	if (bmcr < 0 || bmsr < 0)
		return bmcr < 0 ? bmcr : bmsr;
	if (!(bmsr & BMSR_LINK) || (bmcr & BMCR_PDOWN))
		return 0;
	if (bmcr & BMCR_AN_ENABLE)
		return bmsr & BMSR_ANEGCOMPLETE ? negotiated(hw, phy, bmsr, mode) : 0;
	mode->mbps = bmcr & BMCR_SPEED_MSB ? 1000 : bmcr & BMCR_SPEED_LSB ? 100 : 10;
	mode->full_duplex = (bmcr & BMCR_DUPLEX) != 0;
	return 0;
}
