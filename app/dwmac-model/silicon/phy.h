/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_PHY_H
#define SILICON_PHY_H

#include <stdbool.h>
#include <stdint.h>

struct device;

/* A plain IEEE 802.3 clause 22 PHY with a cable that may or may not have a partner. */
struct phy {
	uint16_t bmcr, anar, gbcr;
	uint16_t anlpar, aner, gbsr;
	uint16_t bmsr_link_latch; /* link bit as software will see it: latched low */
	uint16_t mmd_control, mmd_address;
	bool an_done;
	uint64_t an_due_ps; /* end of the running autonegotiation, DEVICE_NEVER = none */
	uint64_t reset_due_ps;
	bool link;
	unsigned int mbps;
	bool full;
	uint64_t link_since_ps;
	/* the cable */
	bool cable_up, cable_full;
	unsigned int cable_mbps;
};

struct mdio {
	uint64_t busy_until_ps; /* DEVICE_NEVER = idle */
};

void phy_power_on(struct device *dev, uint64_t now_ps);
void phy_settle(struct device *dev, uint64_t now_ps);
uint64_t phy_next_ps(const struct device *dev);
uint16_t phy_read(struct device *dev, unsigned int regnum);
void phy_write(struct device *dev, unsigned int regnum, uint16_t value, uint64_t now_ps);
bool phy_rx_clock(const struct device *dev);
bool phy_loopback(const struct device *dev);

void mdio_reset(struct device *dev);
void mdio_settle(struct device *dev, uint64_t now_ps);
uint64_t mdio_next_ps(const struct device *dev);

#endif /* SILICON_PHY_H */
