/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <stdlib.h>
#include <string.h>

#define PS_PER_NS	  1000
#define SWR_PS		  UINT64_C(2000000)
#define UPDATE_DEFAULT_NS 1600 /* longest clearing time measured on silicon (ptp.md §5) */
#define RUN_ROUNDS	  16

static void
reset_settle(struct device *dev, uint64_t now_ps)
{
	/* SWR stays 1 until every clock domain has left reset: no RX clock, no end (eqos.md §4). */
	if (!dev->in_reset || now_ps < dev->reset_due_ps || !phy_rx_clock(dev))
		return;
	if (fault_holds_bit(dev, DMA_MODE, &dev->reset_due_ps))
		return;
	dev->in_reset = false;
	*reg(dev, DMA_MODE) &= ~DMA_MODE_SWR;
}

/* What happens by itself as time passes, apart from the frames. */
static void
settle(struct device *dev)
{
	mdio_settle(dev, dev->now_ps);
	phy_settle(dev, dev->now_ps);
	reset_settle(dev, dev->now_ps);
	mtl_settle(dev, dev->now_ps);
	ptp_settle(dev, dev->now_ps);
}

/* Every call from above begins and ends here. Calls may nest when a wire loops frames back. */
static void
enter(struct device *dev, uint64_t now_ns)
{
	if (dev->depth++ != 0)
		return;
	dev->epoch++;
	if (now_ns * PS_PER_NS > dev->now_ps)
		dev->now_ps = now_ns * PS_PER_NS;
	settle(dev);
}

static void
leave(struct device *dev)
{
	if (--dev->depth == 0)
		irq_update(dev);
}

static void
reset_core(struct device *dev)
{
	regfile_reset(dev);
	dma_reset(dev);
	mtl_reset(dev);
	ptp_reset(dev);
	mdio_reset(dev);
	mac_reset(dev);
	irq_reset(dev);
	dev->rx_refused = false;
	dev->in_reset = false;
	if (dev->osc.hz != profile_ptp_hz(dev->profile, 0))
		osc_retune(&dev->osc, profile_ptp_hz(dev->profile, 0), dev->now_ps);
}

void
device_soft_reset(struct device *dev)
{
	reset_core(dev);
	*reg(dev, DMA_MODE) |= DMA_MODE_SWR;
	dev->in_reset = true;
	dev->reset_due_ps = dev->now_ps + SWR_PS;
}

/* Firmware has put the address into MAC_Address0 before a driver sees the device. */
static void
load_address(struct device *dev)
{
	const uint8_t *mac = dev->config.mac;

	*reg(dev, MAC_ADDRESS0_HIGH) = MAC_ADDR_AE | (uint32_t)mac[5] << 8 | mac[4];
	*reg(dev, MAC_ADDRESS0_LOW) = (uint32_t)mac[3] << 24 | (uint32_t)mac[2] << 16 |
				      (uint32_t)mac[1] << 8 | mac[0];
	filter_rebuild(dev);
}

struct device *
device_create(const struct device_config *config, const struct device_host *host, void *ctx,
		uint64_t now_ns)
{
	const struct profile *profile = profile_find(config->profile);
	struct device *dev;

	if (profile == NULL)
		return NULL;
	dev = calloc(1, sizeof(*dev));
	if (dev == NULL)
		return NULL;
	dev->host = *host;
	dev->host_ctx = ctx;
	dev->config = *config;
	dev->profile = profile;
	dev->now_ps = now_ns * PS_PER_NS;
	dev->epoch = 1;
	dev->bus_master = true;
	dev->ptp.update_ns = config->ptp_update_ns == UINT32_MAX ? UPDATE_DEFAULT_NS
								 : config->ptp_update_ns;
	if (!mtl_create(dev) || !tso_create(dev)) {
		device_destroy(dev);
		return NULL;
	}
	osc_start(&dev->osc, profile_ptp_hz(profile, 0), config->osc_ppb, config->osc_wander_ppb,
			config->seed, dev->now_ps);
	regfile_build(dev);
	phy_power_on(dev, dev->now_ps);
	reset_core(dev);
	load_address(dev);
	return dev;
}

void
device_destroy(struct device *dev)
{
	if (dev == NULL)
		return;
	tso_destroy(dev);
	mtl_destroy(dev);
	free(dev);
}

const struct device_identity *
device_identity(const struct device *dev)
{
	return &dev->profile->identity;
}

bool
device_receiving(const struct device *dev)
{
	return !dev->in_reset && (reg_get(dev, MAC_CONFIGURATION) & MAC_CONF_RE) != 0;
}

static bool
well_formed(struct device *dev, uint32_t offset, unsigned int len, const char *what)
{
	if (len == 4 && offset % 4 == 0)
		return true;
	complain(dev, COMPLAINT_BAD_SIZE, "%s of %u bytes at 0x%x", what, len, offset);
	return false;
}

uint32_t
device_read(struct device *dev, uint32_t offset, unsigned int len, uint64_t now_ns)
{
	uint32_t value = 0;

	enter(dev, now_ns);
	if (fault_take(dev, FAULT_ALL_ONES, 0, NULL))
		value = UINT32_MAX;
	else if (well_formed(dev, offset, len, "read"))
		value = regfile_read(dev, offset);
	leave(dev);
	return value;
}

void
device_write(struct device *dev, uint32_t offset, unsigned int len, uint32_t value, uint64_t now_ns)
{
	enter(dev, now_ns);
	if (!well_formed(dev, offset, len, "write"))
		goto out;
	if (dev->in_reset)
		complain(dev, COMPLAINT_RESET_BUSY, "write of 0x%x at 0x%x while SWR = 1", value,
				offset);
	else
		regfile_write(dev, offset, value);
out:
	leave(dev);
}

void
device_reset(struct device *dev, uint64_t now_ns)
{
	enter(dev, now_ns);
	dev->irq.vectors = 0;
	reset_core(dev);
	load_address(dev);
	leave(dev);
}

void
device_bus_master(struct device *dev, bool on, uint64_t now_ns)
{
	enter(dev, now_ns);
	dev->bus_master = on;
	leave(dev);
}

void
device_vectors(struct device *dev, unsigned int enabled, uint64_t now_ns)
{
	enter(dev, now_ns);
	irq_reset(dev);
	dev->irq.vectors = enabled;
	leave(dev);
}

/* Room in the RX queues after a refusal: the wire may offer frames again. */
static bool
offer_room(struct device *dev)
{
	if (!dev->rx_refused || dev->host.rx_room == NULL)
		return false;
	dev->rx_refused = false;
	dev->host.rx_room(dev->host_ctx);
	return true;
}

static uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
next_event_ps(struct device *dev)
{
	uint64_t next = earlier(mac_tx_next_ps(dev, dev->now_ps), rx_next_ps(dev));

	next = earlier(next, earlier(ptp_next_ps(dev), mdio_next_ps(dev)));
	next = earlier(next, earlier(phy_next_ps(dev), dev->flush_due_ps));
	if (dev->in_reset && phy_rx_clock(dev))
		next = earlier(next, dev->reset_due_ps);
	return next;
}

uint64_t
device_run(struct device *dev, uint64_t now_ns)
{
	uint64_t next = DEVICE_NEVER;
	bool more = true;

	if (dev->depth != 0)
		return now_ns;
	enter(dev, now_ns);
	for (int round = 0; more && round < RUN_ROUNDS; round++) {
		bool moved;

		more = mac_tx_run(dev, dev->now_ps);
		moved = rx_run(dev, dev->now_ps, &more);
		if (moved && offer_room(dev))
			more = true;
	}
	if (!more)
		next = next_event_ps(dev);
	leave(dev);
	if (more)
		return now_ns;
	return next == DEVICE_NEVER ? DEVICE_NEVER : (next + PS_PER_NS - 1) / PS_PER_NS;
}
