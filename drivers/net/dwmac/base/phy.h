/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_PHY_H
#define DWMAC_PHY_H

/* An IEEE 802.3 clause 22 PHY: only what the standard says, nothing vendor specific. Delays on
 * the RGMII lines stay as firmware or kernel set them (sequences.md §10). */

#include <rte_bitops.h>

#include "dwmac_core.h"

#define DWMAC_PHY_10_HALF   RTE_BIT32(0)
#define DWMAC_PHY_10_FULL   RTE_BIT32(1)
#define DWMAC_PHY_100_HALF  RTE_BIT32(2)
#define DWMAC_PHY_100_FULL  RTE_BIT32(3)
#define DWMAC_PHY_1000_FULL RTE_BIT32(4)
#define DWMAC_PHY_ALL                                                                      \
	(DWMAC_PHY_10_HALF | DWMAC_PHY_10_FULL | DWMAC_PHY_100_HALF | DWMAC_PHY_100_FULL | \
			DWMAC_PHY_1000_FULL)

/* Plain data, may live in shared memory. */
struct dwmac_phy {
	uint8_t addr;
	uint32_t id;
};

/* Find the PHY. -ENODEV: no address answers. */
int dwmac_phy_probe(struct dwmac_hw *hw, struct dwmac_phy *phy);
/* Leave power-down and isolation: without RX clock the MAC's software reset never ends. */
int dwmac_phy_power_up(struct dwmac_hw *hw, const struct dwmac_phy *phy);
int dwmac_phy_power_down(struct dwmac_hw *hw, const struct dwmac_phy *phy);
/* Advertise `modes` and negotiate; nothing is done if that is what is on already. */
int dwmac_phy_negotiate(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint32_t modes);
/* Switch negotiation off and force one mode. */
int dwmac_phy_force(struct dwmac_hw *hw, const struct dwmac_phy *phy, uint32_t mode);
/* The link now: mode->mbps is 0 when down. Negative errno when the PHY does not answer. */
int dwmac_phy_link(struct dwmac_hw *hw, const struct dwmac_phy *phy, struct dwmac_link_mode *mode);

#endif /* DWMAC_PHY_H */
