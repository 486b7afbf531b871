/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#define NOTICE_LINK_PS UINT64_C(2500000000000) /* Linux polls once a second */

const uint8_t pause_address[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

void
mac_address(const struct device *dev, unsigned int index, uint8_t out[6])
{
	uint32_t high = reg_get(dev, MAC_ADDRESS0_HIGH + 8 * index);
	uint32_t low = reg_get(dev, MAC_ADDRESS0_LOW + 8 * index);

	for (int i = 0; i < 6; i++)
		out[i] = (uint8_t)(i < 4 ? low >> (8 * i) : high >> (8 * (i - 4)));
}

void
mac_reset(struct device *dev)
{
	uint64_t line_free_ps = dev->mac.line_free_ps;

	memset(&dev->mac, 0, sizeof(dev->mac));
	dev->mac.line_free_ps = line_free_ps;
	filter_rebuild(dev);
}

/* Speed as PS and FES say (sequences.md §7). */
static unsigned int
mac_mbps(const struct device *dev)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION);

	if (conf & MAC_CONF_PS)
		return conf & MAC_CONF_FES ? 100 : 10;
	return conf & MAC_CONF_FES ? 2500 : 1000;
}

uint64_t
mac_byte_ps(const struct device *dev)
{
	return UINT64_C(8000000) / mac_mbps(dev);
}

/* GMII moves 8 bits per clock, MII 4. */
uint64_t
mac_mii_clock_ps(const struct device *dev)
{
	unsigned int mbps = mac_mbps(dev);

	return (mbps >= 1000 ? UINT64_C(8000000) : UINT64_C(4000000)) / mbps;
}

bool
mac_speed_matches(const struct device *dev)
{
	bool full = (reg_get(dev, MAC_CONFIGURATION) & MAC_CONF_DM) != 0;

	return dev->phy.link && mac_mbps(dev) == dev->phy.mbps && full == dev->phy.full;
}

/*
 * A frame was lost because MAC and PHY are set differently. A driver that polls the PHY needs its
 * time to notice a new link: only a mismatch that lasts is its fault.
 */
void
mac_mismatched(struct device *dev, const char *what)
{
	dev->mac.mismatched++;
	if (!dev->phy.link || dev->now_ps - dev->phy.link_since_ps < NOTICE_LINK_PS)
		return;
	complain(dev, COMPLAINT_SPEED_MISMATCH,
			"frame %s with the MAC set otherwise than the PHY's %u Mbit/s %s duplex",
			what, dev->phy.mbps, dev->phy.full ? "full" : "half");
}

void
mac_write_configuration(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t now = reg_get(dev, MAC_CONFIGURATION);

	(void)index;
	(void)started;
	if (((old ^ now) & MAC_CONF_SPEED) != 0 && (old & now & (MAC_CONF_TE | MAC_CONF_RE)) != 0)
		complain(dev, COMPLAINT_SPEED_WHILE_RUNNING,
				"MAC_Configuration 0x%08x -> 0x%08x: speed, duplex or loopback "
				"changed with TE or RE on",
				old, now);
}

/* FCB_BPA: send one pause frame now; clears itself when it is sent (eqos.md §1). */
void
mac_write_tx_flow(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)old;
	if ((started & MAC_TFC_FCB) != 0 && index == 0)
		dev->mac.pause_due = true;
}

/* Thresholds below full: 1 KiB + 512 n bytes (eqos.md §4, RFA and RFD). */
static bool
filled_above(const struct device *dev, int queue, uint32_t code)
{
	uint32_t below = 1024 + 512 * code, size = rxq_size(dev, queue);

	return below < size && dev->rxq[queue].bytes > size - below;
}

/* EHFC: a pause when the queue passes RFA, a zero pause when it falls below RFD (eqos.md §10). */
void
flow_control(struct device *dev, int queue)
{
	uint32_t mode = reg_get(dev, (uint32_t)MTL_RXQ_OPERATION_MODE(queue));
	uint32_t flow = reg_get(dev, MAC_Q0_TX_FLOW_CTRL + 4u * (unsigned int)queue);
	struct mac *mac = &dev->mac;

	if ((mode & MTL_RQ_EHFC) == 0 || (flow & MAC_TFC_TFE) == 0 || mac->pause_due)
		return;
	if (!mac->pause_held && filled_above(dev, queue, FIELD(mode, 13, 8))) {
		mac->pause_held = true;
		mac->pause_due = true;
	} else if (mac->pause_held && !filled_above(dev, queue, FIELD(mode, 19, 14))) {
		mac->pause_held = false;
		mac->pause_due = (flow & MAC_TFC_DZPQ) == 0;
		mac->pause_off = mac->pause_due;
	}
}

/* The GPIO outputs choose the PTP reference clock on Intel's parts (sequences.md §13.1). */
void
mac_write_gpio(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t hz = profile_ptp_hz(dev->profile, reg_get(dev, MAC_GPIO_STATUS));

	(void)index;
	(void)old;
	(void)started;
	if (hz != dev->osc.hz)
		osc_retune(&dev->osc, hz, dev->now_ps);
}

uint32_t
mac_read_debug(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	(void)stored;
	return dev->mac.sending ? BITS(18, 17) | BIT(16) : 0;
}

/* In-band status of the RGMII: what the PHY says. */
uint32_t
mac_read_phyif(struct device *dev, unsigned int index, uint32_t stored)
{
	const struct phy *phy = &dev->phy;
	uint32_t speed = phy->mbps >= 1000 ? 2 : phy->mbps == 100 ? 1 : 0;

	(void)index;
	stored &= BITS(2, 0);
	if (phy->link)
		stored |= BIT(19) | speed << 17 | (phy->full ? BIT(16) : 0);
	return stored;
}
