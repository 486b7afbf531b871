/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The link: what the PHY negotiated decides speed and duplex of the MAC.
 *
 * While the port is started an alarm looks at the PHY, as kernels do: no register of this core
 * tells of a change on every board. It also keeps the 32-bit counters from wrapping unseen.
 */

#include <errno.h>

#include <rte_alarm.h>
#include <rte_errno.h>

#include "dwmac.h"

/* The octet counters wrap in 34 s at 1 Gb/s. */
#define WATCH_US	  500000
#define WATCH_DOWN_US	  100000
/* Autonegotiation takes up to some seconds; rte_eth_link_get() may wait that long. */
#define LINK_WAIT_US	  9000000
#define LINK_WAIT_STEP_US 50000

static const struct {
	uint32_t speed;
	uint32_t mode;
} speeds[] = {
	{ RTE_ETH_LINK_SPEED_10M_HD, DWMAC_PHY_10_HALF },
	{ RTE_ETH_LINK_SPEED_10M, DWMAC_PHY_10_FULL },
	{ RTE_ETH_LINK_SPEED_100M_HD, DWMAC_PHY_100_HALF },
	{ RTE_ETH_LINK_SPEED_100M, DWMAC_PHY_100_FULL },
	{ RTE_ETH_LINK_SPEED_1G, DWMAC_PHY_1000_FULL },
};

uint32_t
dwmac_link_speed_capa(const struct rte_eth_dev *dev)
{
	const struct dwmac_port *port = dwmac_port(dev);
	uint32_t capa = 0;
	unsigned int i;

	for (i = 0; i < RTE_DIM(speeds); i++) {
		if (port->caps.gmii || speeds[i].mode != DWMAC_PHY_1000_FULL)
			capa |= speeds[i].speed;
	}
	return capa;
}

/* Translate rte_eth_conf.link_speeds: 0 = everything; FIXED = exactly one, no negotiation. */
int
dwmac_link_configure(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	const uint32_t wanted = dev->data->dev_conf.link_speeds;
	const uint32_t capa = dwmac_link_speed_capa(dev);
	uint32_t modes = 0;
	unsigned int i;

	if (wanted & ~(capa | RTE_ETH_LINK_SPEED_FIXED)) {
		DWMAC_PORT_LOG(ERR, dev, "link speeds 0x%x asked, 0x%x can be had", wanted, capa);
		return -EINVAL;
	}
	for (i = 0; i < RTE_DIM(speeds); i++) {
		if ((wanted == RTE_ETH_LINK_SPEED_AUTONEG && (capa & speeds[i].speed)) ||
				(wanted & speeds[i].speed))
			modes |= speeds[i].mode;
	}
	port->link_force = (wanted & RTE_ETH_LINK_SPEED_FIXED) != 0;
	if (modes == 0 || (port->link_force && (modes & (modes - 1)) != 0)) {
		DWMAC_PORT_LOG(ERR, dev, "link speeds 0x%x: name exactly one with FIXED", wanted);
		return -EINVAL;
	}
	/* 1000BASE-T exists only with autonegotiation (802.3 §40.5): advertise just that. */
	if (modes == DWMAC_PHY_1000_FULL)
		port->link_force = false;
	port->link_modes = modes;
	return 0;
}

/* The MAC's speed bits change only while it is off (sequences.md §7). */
static void
apply(struct rte_eth_dev *dev, const struct dwmac_link_mode *mode)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);

	hw->ops->enable(hw, false, false);
	if (mode->mbps == 0)
		return;
	hw->ops->speed(hw, mode);
	if (port->caps.ptp)
		dwmac_ptp_correct_latency(&port->ptp, &hw->io);
	hw->ops->enable(hw, true, true);
}

static int
read_mode(struct rte_eth_dev *dev, struct dwmac_link_mode *mode)
{
	struct dwmac_port *port = dwmac_port(dev);

	if (port->removed) {
		*mode = (struct dwmac_link_mode){ 0, false };
		return -ENODEV;
	}
	/* No PHY on MDIO (a fixed link), or a frame that never reaches it: always up. */
	if (!port->has_phy || dev->data->dev_conf.lpbk_mode != 0) {
		*mode = (struct dwmac_link_mode){ port->caps.gmii ? 1000 : 100, true };
		return 0;
	}
	return dwmac_phy_link(dwmac_hw(dev), &port->phy, mode);
}

static void
to_ethdev(const struct rte_eth_dev *dev, const struct dwmac_link_mode *mode,
		struct rte_eth_link *link)
{
	memset(link, 0, sizeof(*link));
	link->link_autoneg = !dwmac_port(dev)->link_force;
	if (mode->mbps == 0)
		return;
	link->link_status = RTE_ETH_LINK_UP;
	link->link_speed = mode->mbps;
	link->link_duplex = mode->full_duplex;
}

/* Look once; program the MAC if something changed. 0: changed, -1: not (ethdev's convention). */
static int
look(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct rte_eth_link old, link;
	struct dwmac_link_mode mode;
	bool changed;

	rte_spinlock_lock(&port->lock);
	if (read_mode(dev, &mode) != 0)
		mode = (struct dwmac_link_mode){ 0, false };
	to_ethdev(dev, &mode, &link);
	rte_eth_linkstatus_get(dev, &old);
	changed = old.link_status != link.link_status || old.link_speed != link.link_speed ||
		  old.link_duplex != link.link_duplex;
	/* Stopped in the meantime: the MAC stays off and the link down. */
	if (!dev->data->dev_started)
		changed = false;
	if (changed) {
		if (!port->removed)
			apply(dev, &mode);
		port->link_changes++;
		port->lsc_pending = true;
		rte_eth_linkstatus_set(dev, &link);
	}
	rte_spinlock_unlock(&port->lock);
	return changed ? 0 : -1;
}

int
dwmac_link_update(struct rte_eth_dev *dev, int wait)
{
	uint32_t waited_us = 0;
	struct rte_eth_link link;
	int changed = -1;

	/* Before start the MAC is off and so is the link. */
	if (!dev->data->dev_started)
		return -1;
	for (;;) {
		if (look(dev) == 0)
			changed = 0;
		rte_eth_linkstatus_get(dev, &link);
		if (!wait || link.link_status == RTE_ETH_LINK_UP || waited_us >= LINK_WAIT_US ||
				dwmac_port(dev)->removed)
			return changed;
		rte_delay_us_sleep(LINK_WAIT_STEP_US);
		waited_us += LINK_WAIT_STEP_US;
	}
}

/* A channel that met a bus error or a bad descriptor has stopped and stays so (eqos.md §14); stop
 * and start of the port bring it back. Control lock held. */
static void
look_at_channels(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);
	const unsigned int nb = RTE_MAX(dev->data->nb_tx_queues, dev->data->nb_rx_queues);
	unsigned int ch;
	uint32_t errors;

	for (ch = 0; ch < nb; ch++) {
		errors = hw->ops->channel_errors(hw, ch);
		if (errors == 0)
			continue;
		port->bus_errors += (errors & DWMAC_CH_BUS_ERROR) != 0;
		port->desc_errors += (errors & DWMAC_CH_DESC_ERROR) != 0;
		port->reset_pending = true;
		DWMAC_PORT_LOG(ERR, dev, "channel %u stopped:%s%s; stop and start the port", ch,
				errors & DWMAC_CH_BUS_ERROR
						? " bus error, memory the device cannot reach"
						: "",
				errors & DWMAC_CH_DESC_ERROR ? " bad descriptor" : "");
	}
}

static bool
take(bool *flag)
{
	return __atomic_exchange_n(flag, false, __ATOMIC_RELAXED);
}

/* On EAL's interrupt thread. The callbacks come last and after the next alarm is set: the
 * application may stop or close the port in them, which takes that alarm away again, and nothing
 * of the port may be touched after that. */
static void
watch(void *arg)
{
	struct rte_eth_dev *dev = arg;
	struct dwmac_port *port = dwmac_port(dev);
	struct rte_eth_link link;

	/* The first look comes from dev_start, before ethdev marks the port as started. */
	if (dev->data->dev_started && !port->removed) {
		look(dev);
		rte_spinlock_lock(&port->lock);
		look_at_channels(dev);
		dwmac_stats_harvest(dev);
		rte_spinlock_unlock(&port->lock);
	}
	if (port->removed)
		return;
	rte_eth_linkstatus_get(dev, &link);
	rte_eal_alarm_set(
			link.link_status == RTE_ETH_LINK_UP ? WATCH_US : WATCH_DOWN_US, watch, dev);
	/* One at a time, closing in it must not lead to a second; the other waits for the next
	 * look. */
	if (take(&port->lsc_pending)) {
		if (dev->data->dev_conf.intr_conf.lsc)
			rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_LSC, NULL);
	} else if (take(&port->reset_pending)) {
		rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_RESET, NULL);
	}
}

void
dwmac_link_watch(struct rte_eth_dev *dev, bool on)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);
	struct rte_eth_link link;
	struct dwmac_link_mode mode;
	int ret = 0;

	if (!on) {
		rte_eal_alarm_cancel(watch, dev);
		return;
	}
	rte_spinlock_lock(&port->lock);
	port->lsc_pending = false;
	port->reset_pending = false;
	if (port->has_phy)
		ret = dwmac_phy_power_up(hw, &port->phy);
	if (port->has_phy && ret == 0)
		ret = port->link_force ? dwmac_phy_force(hw, &port->phy, port->link_modes)
				       : dwmac_phy_negotiate(hw, &port->phy, port->link_modes);
	if (ret != 0)
		DWMAC_PORT_LOG(WARNING, dev, "PHY %u: %s", port->phy.addr, rte_strerror(-ret));
	if (read_mode(dev, &mode) != 0)
		mode = (struct dwmac_link_mode){ 0, false };
	apply(dev, &mode);
	to_ethdev(dev, &mode, &link);
	rte_eth_linkstatus_set(dev, &link);
	rte_spinlock_unlock(&port->lock);
	rte_eal_alarm_set(WATCH_DOWN_US, watch, dev);
}

static int
power(struct rte_eth_dev *dev, bool up)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);
	int ret;

	if (!port->has_phy)
		return -ENOTSUP;
	rte_spinlock_lock(&port->lock);
	ret = up ? dwmac_phy_power_up(hw, &port->phy) : dwmac_phy_power_down(hw, &port->phy);
	rte_spinlock_unlock(&port->lock);
	if (ret == 0)
		dwmac_link_update(dev, 0);
	return ret;
}

int
dwmac_link_set_up(struct rte_eth_dev *dev)
{
	return power(dev, true);
}

int
dwmac_link_set_down(struct rte_eth_dev *dev)
{
	return power(dev, false);
}
