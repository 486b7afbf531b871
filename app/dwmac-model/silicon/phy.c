/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

/* Register numbers and bits of IEEE 802.3 clause 22 (sequences.md §10). */
enum {
	BMCR,
	BMSR,
	PHYID1,
	PHYID2,
	ANAR,
	ANLPAR,
	ANER,
	ANNP,
	GBCR = 9,
	GBSR,
	MMD_CONTROL = 13,
	MMD_DATA,
	ESTATUS
};

#define BMCR_RESET     0x8000
#define BMCR_LOOPBACK  0x4000
#define BMCR_SPEED_LSB 0x2000
#define BMCR_ANENABLE  0x1000
#define BMCR_PDOWN     0x0800
#define BMCR_ISOLATE   0x0400
#define BMCR_ANRESTART 0x0200
#define BMCR_FULL      0x0100
#define BMCR_SPEED_MSB 0x0040
#define BMCR_WRITABLE  0x7dc0
#define BMCR_DEFAULT   (BMCR_ANENABLE | BMCR_FULL | BMCR_SPEED_MSB)

#define BMSR_ABLE      0x7949 /* 10/100 both ways, extended status, preamble suppression, AN */
#define BMSR_ANDONE    0x0020
#define BMSR_LINK      0x0004
#define ANAR_DEFAULT   0x01e1
#define ANAR_WRITABLE  0xafff
#define GBCR_DEFAULT   0x0300
#define GBCR_WRITABLE  0xff00
#define AN_ACK	       0x4000
#define AN_10HALF      0x0020
#define AN_10FULL      0x0040
#define AN_100HALF     0x0080
#define AN_100FULL     0x0100
#define AN_PAUSE       0x0c00
#define GBSR_1000HALF  0x0400
#define GBSR_1000FULL  0x0800
#define GBSR_RECEIVERS 0x3000

/* Highest common ability first. `giga`: bits of GBCR, else bits of ANAR. */
static const struct {
	uint16_t mask;
	bool giga, full;
	unsigned int mbps;
} abilities[] = {
	{ 0x0200, true, true, 1000 },
	{ 0x0100, true, false, 1000 },
	{ AN_100FULL, false, true, 100 },
	{ AN_100HALF, false, false, 100 },
	{ AN_10FULL, false, true, 10 },
	{ AN_10HALF, false, false, 10 },
};

static bool
partner_can(const struct phy *phy, unsigned int mbps, bool full)
{
	return phy->cable_up && mbps <= phy->cable_mbps && (!full || phy->cable_full);
}

/* What the partner sends in its base page and in its 1000BASE-T page. */
static void
learn_partner(struct phy *phy)
{
	phy->anlpar = AN_ACK | 1 | AN_PAUSE;
	phy->gbsr = 0;
	for (unsigned int i = 0; i < sizeof(abilities) / sizeof(abilities[0]); i++) {
		if (!partner_can(phy, abilities[i].mbps, abilities[i].full))
			continue;
		if (abilities[i].giga)
			phy->gbsr |= abilities[i].full ? GBSR_1000FULL : GBSR_1000HALF;
		else
			phy->anlpar |= abilities[i].mask;
	}
	if (phy->gbsr != 0)
		phy->gbsr |= GBSR_RECEIVERS;
	phy->aner = 0x0001 | 0x0002; /* partner able, page received */
}

static void
link_set(struct device *dev, bool up, unsigned int mbps, bool full)
{
	struct phy *phy = &dev->phy;

	if (!up)
		phy->bmsr_link_latch = 0;
	phy->link_since_ps = dev->now_ps;
	phy->link = up;
	phy->mbps = up ? mbps : 0;
	phy->full = full;
}

static void
resolve(struct device *dev)
{
	struct phy *phy = &dev->phy;

	learn_partner(phy);
	phy->an_done = true;
	for (unsigned int i = 0; i < sizeof(abilities) / sizeof(abilities[0]); i++) {
		uint16_t own = abilities[i].giga ? phy->gbcr : phy->anar;

		if ((own & abilities[i].mask) != 0 && abilities[i].mbps <= dev->profile->max_mbps &&
				partner_can(phy, abilities[i].mbps, abilities[i].full)) {
			link_set(dev, true, abilities[i].mbps, abilities[i].full);
			return;
		}
	}
	link_set(dev, false, 0, false);
}

static unsigned int
forced_mbps(const struct phy *phy)
{
	if (phy->bmcr & BMCR_SPEED_MSB)
		return 1000;
	return phy->bmcr & BMCR_SPEED_LSB ? 100 : 10;
}

static uint64_t
negotiation_ps(const struct device *dev)
{
	const uint32_t ms = dev->config.an_ms;

	return UINT64_C(1000000000) * (ms != UINT32_MAX ? ms : dev->profile->phy_an_ms);
}

/* Something changed: negotiate anew, or take the forced mode. */
static void
restart(struct device *dev, uint64_t now_ps)
{
	struct phy *phy = &dev->phy;
	bool full = (phy->bmcr & BMCR_FULL) != 0;

	phy->an_done = false;
	phy->an_due_ps = DEVICE_NEVER;
	phy->anlpar = 0;
	phy->gbsr = 0;
	phy->aner = 0;
	if (phy->bmcr & BMCR_LOOPBACK) {
		link_set(dev, true, forced_mbps(phy), full);
		return;
	}
	link_set(dev, false, 0, false);
	if ((phy->bmcr & (BMCR_PDOWN | BMCR_ISOLATE)) != 0 || !phy->cable_up)
		return;
	if (phy->bmcr & BMCR_ANENABLE)
		phy->an_due_ps = now_ps + negotiation_ps(dev);
	else if (partner_can(phy, forced_mbps(phy), full))
		link_set(dev, true, forced_mbps(phy), full);
}

static void
defaults(struct phy *phy)
{
	phy->bmcr = BMCR_DEFAULT;
	phy->anar = ANAR_DEFAULT;
	phy->gbcr = GBCR_DEFAULT;
	phy->reset_due_ps = DEVICE_NEVER;
	phy->mmd_control = 0;
	phy->mmd_address = 0;
}

void
phy_power_on(struct device *dev, uint64_t now_ps)
{
	defaults(&dev->phy);
	restart(dev, now_ps);
}

void
phy_settle(struct device *dev, uint64_t now_ps)
{
	struct phy *phy = &dev->phy;

	if (phy->reset_due_ps <= now_ps) {
		defaults(phy);
		restart(dev, now_ps);
	}
	if (phy->an_due_ps <= now_ps) {
		phy->an_due_ps = DEVICE_NEVER;
		resolve(dev);
	}
}

uint64_t
phy_next_ps(const struct device *dev)
{
	const struct phy *phy = &dev->phy;

	return phy->reset_due_ps < phy->an_due_ps ? phy->reset_due_ps : phy->an_due_ps;
}

/* No RX clock in power-down, isolation and reset: that is what keeps SWR from finishing. */
bool
phy_rx_clock(const struct device *dev)
{
	return (dev->phy.bmcr & (BMCR_PDOWN | BMCR_ISOLATE)) == 0 &&
	       dev->phy.reset_due_ps == DEVICE_NEVER;
}

bool
phy_loopback(const struct device *dev)
{
	return (dev->phy.bmcr & BMCR_LOOPBACK) != 0;
}

static uint16_t
read_bmsr(struct phy *phy)
{
	uint16_t value = BMSR_ABLE | phy->bmsr_link_latch;

	if (phy->an_done)
		value |= BMSR_ANDONE;
	phy->bmsr_link_latch = phy->link ? BMSR_LINK : 0; /* latched low until read */
	return value;
}

uint16_t
phy_read(struct device *dev, unsigned int regnum)
{
	struct phy *phy = &dev->phy;
	bool half = dev->profile->half_duplex;

	switch (regnum) {
	case BMCR:
		return phy->bmcr;
	case BMSR:
		return read_bmsr(phy);
	case PHYID1:
		return (uint16_t)(dev->profile->phy_id >> 16);
	case PHYID2:
		return (uint16_t)dev->profile->phy_id;
	case ANAR:
		return phy->anar;
	case ANLPAR:
		return phy->anlpar;
	case ANER:
		return phy->aner;
	case ANNP:
		return 0x2001;
	case GBCR:
		return phy->gbcr;
	case GBSR:
		return phy->gbsr;
	case MMD_CONTROL:
		return phy->mmd_control;
	case MMD_DATA:
		return (phy->mmd_control >> 14) == 0 ? phy->mmd_address : 0;
	case ESTATUS:
		return half ? 0x3000 : 0x2000;
	default:
		return 0;
	}
}

static void
write_bmcr(struct device *dev, uint16_t value, uint64_t now_ps)
{
	struct phy *phy = &dev->phy;
	uint16_t old = phy->bmcr;

	if (value & BMCR_RESET) {
		phy->bmcr = old | BMCR_RESET;
		phy->reset_due_ps = now_ps + (uint64_t)dev->profile->phy_reset_us * 1000000;
		link_set(dev, false, 0, false);
		return;
	}
	phy->bmcr = value & BMCR_WRITABLE; /* ANRESTART clears itself at once */
	if (phy->bmcr != old || (value & BMCR_ANRESTART))
		restart(dev, now_ps);
}

void
phy_write(struct device *dev, unsigned int regnum, uint16_t value, uint64_t now_ps)
{
	struct phy *phy = &dev->phy;

	if (phy->reset_due_ps != DEVICE_NEVER)
		return;
	switch (regnum) {
	case BMCR:
		write_bmcr(dev, value, now_ps);
		break;
	case ANAR:
		phy->anar = value & ANAR_WRITABLE;
		break;
	case GBCR:
		phy->gbcr = value & GBCR_WRITABLE;
		break;
	case MMD_CONTROL:
		phy->mmd_control = value & 0xc01f;
		break;
	case MMD_DATA:
		if ((phy->mmd_control >> 14) == 0)
			phy->mmd_address = value;
		break;
	default:
		break;
	}
}

void
device_link(struct device *dev, bool up, unsigned int mbps, bool full_duplex, uint64_t now_ns)
{
	struct phy *phy = &dev->phy;

	if (phy->cable_up == up && phy->cable_mbps == mbps && phy->cable_full == full_duplex)
		return;
	phy->cable_up = up;
	phy->cable_mbps = mbps;
	phy->cable_full = full_duplex;
	if (phy->reset_due_ps == DEVICE_NEVER)
		restart(dev, now_ns * 1000);
}

bool
device_link_up(const struct device *dev)
{
	return dev->phy.link;
}

unsigned int
device_link_mbps(const struct device *dev)
{
	return dev->phy.mbps;
}
