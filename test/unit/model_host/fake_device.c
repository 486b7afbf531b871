/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "fake_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int fake_devices_alive;

struct device *
device_create(const struct device_config *config, const struct device_host *host, void *ctx,
		uint64_t now_ns)
{
	struct fake_device *f;

	(void)now_ns;
	if (strcmp(config->profile, "fake") != 0)
		return NULL;
	f = calloc(1, sizeof(*f));
	f->config = *config;
	f->host = host;
	f->ctx = ctx;
	f->due_ns = DEVICE_NEVER;
	f->rx_room = UINT32_MAX;
	fake_devices_alive++;
	return (struct device *)f;
}

bool
device_profile(unsigned int index, struct device_profile *out)
{
	*out = (struct device_profile){ "fake", "no chip at all" };
	return index == 0;
}

void
device_destroy(struct device *dev)
{
	fake_devices_alive--;
	free(fake(dev));
}

const struct device_identity *
device_identity(const struct device *dev)
{
	static const struct device_identity identity = {
		.vendor_id = 0x8086,
		.device_id = 0x4b30,
		.subsystem_vendor_id = 0x8086,
		.subsystem_id = 0x7270,
		.revision = 0x11,
		.class_code = 0x020000,
		.bar0_size = FAKE_BAR_SIZE,
		.vectors = 32,
		.dma_bits = 40,
	};

	(void)dev;
	return &identity;
}

uint32_t
device_read(struct device *dev, uint32_t offset, unsigned int len, uint64_t now_ns)
{
	(void)now_ns;
	fake(dev)->reads++;
	if (len != 4) {
		fake(dev)->odd_accesses++;
		return 0;
	}
	return fake(dev)->regs[offset / 4];
}

void
device_write(struct device *dev, uint32_t offset, unsigned int len, uint32_t value, uint64_t now_ns)
{
	(void)now_ns;
	fake(dev)->writes++;
	if (len != 4)
		fake(dev)->odd_accesses++;
	else
		fake(dev)->regs[offset / 4] = value;
}

void
device_reset(struct device *dev, uint64_t now_ns)
{
	(void)now_ns;
	fake(dev)->resets++;
	memset(fake(dev)->regs, 0, sizeof(fake(dev)->regs));
}

void
device_bus_master(struct device *dev, bool on, uint64_t now_ns)
{
	(void)now_ns;
	fake(dev)->bus_master = on;
}

void
device_vectors(struct device *dev, unsigned int enabled, uint64_t now_ns)
{
	(void)now_ns;
	fake(dev)->vectors = enabled;
	if (enabled != 0 && fake(dev)->line)
		fake(dev)->host->irq(fake(dev)->ctx, 0);
}

bool
device_receive(struct device *dev, const struct frame *frame, uint64_t now_ns)
{
	struct fake_device *f = fake(dev);
	struct fake_rx *rx = &f->rx[f->nb_rx % FAKE_RX_KEPT];

	if (f->rx_room == 0)
		return false;
	f->rx_room--;
	f->ran_since_rx = false;
	f->nb_rx++;
	*rx = (struct fake_rx){ .len = frame->len,
		.bad_fcs = frame->bad_fcs,
		.sfd_ps = frame->sfd_ps,
		.now_ns = now_ns };
	memcpy(rx->first, frame->data,
			frame->len < sizeof(rx->first) ? frame->len : sizeof(rx->first));
	return true;
}

void
device_receive_lost(struct device *dev, const struct frame *frame, uint64_t now_ns)
{
	(void)frame;
	(void)now_ns;
	fake(dev)->nb_rx_lost++;
}

bool
device_receiving(const struct device *dev)
{
	return ((const struct fake_device *)dev)->receiving;
}

uint64_t
device_run(struct device *dev, uint64_t now_ns)
{
	struct fake_device *f = fake(dev);

	f->runs++;
	f->rx_room += f->room_per_run;
	f->ran_since_rx = true;
	if (f->due_ns <= now_ns)
		f->due_ns = DEVICE_NEVER;
	return f->due_ns;
}

void
device_link(struct device *dev, bool up, unsigned int mbps, bool full_duplex, uint64_t now_ns)
{
	(void)now_ns;
	fake(dev)->link_up = up;
	fake(dev)->link_mbps = mbps;
	fake(dev)->link_full_duplex = full_duplex;
}

bool
device_link_up(const struct device *dev)
{
	return ((const struct fake_device *)dev)->link_up;
}

unsigned int
device_link_mbps(const struct device *dev)
{
	const struct fake_device *f = (const struct fake_device *)dev;

	return f->link_up ? f->link_mbps : 0;
}

bool
device_clock(const struct device *dev, uint64_t at_ps, int64_t *time_ns, double *rate_ppb)
{
	const struct fake_device *f = (const struct fake_device *)dev;

	*time_ns = (int64_t)(at_ps / 1000) + 37;
	*rate_ppb = f->config.osc_ppb;
	return f->clock_runs;
}

unsigned int
device_counters(const struct device *dev, struct device_counter *out, unsigned int max)
{
	const struct fake_device *f = (const struct fake_device *)dev;

	if (max > 0)
		out[0] = (struct device_counter){ "fake_rx", f->nb_rx };
	return 1;
}

unsigned int
device_complaints(const struct device *dev, struct device_complaint *out, unsigned int max)
{
	const struct fake_device *f = (const struct fake_device *)dev;

	if (f->nb_complaints != 0 && max > 0)
		out[0] = (struct device_complaint){ "fake", "a complaint", f->nb_complaints };
	return f->nb_complaints != 0;
}

void
device_complaints_clear(struct device *dev)
{
	fake(dev)->nb_complaints = 0;
}

int
device_fault(struct device *dev, const char *name, uint64_t arg, int times)
{
	if (strcmp(name, "fake-fault") != 0)
		return -ENOENT;
	snprintf(fake(dev)->fault, sizeof(fake(dev)->fault), "%s %u %d", name, (unsigned int)arg,
			times);
	return 0;
}

bool
device_tx_hold(const struct device *dev, unsigned int channel, struct device_tx_hold *out)
{
	(void)dev;
	*out = (struct device_tx_hold){
		.last_writeback_ns = 5, .owned = 2, .hold_max_ns = 7, .packets = 11
	};
	return channel < 2;
}

void
fake_transmit(struct device *dev, const void *data, uint16_t len, uint64_t sfd_ps)
{
	const struct fake_device *f = fake(dev);
	const struct frame frame = { .data = data, .len = len, .sfd_ps = sfd_ps };
	const uint64_t byte_ps = f->config.unlimited_rate ? 0 : 8000000u / f->link_mbps;

	f->host->transmit(f->ctx, &frame, sfd_ps + (len + 4u) * byte_ps);
}

void
fake_make_room(struct device *dev, unsigned int frames)
{
	fake(dev)->rx_room += frames;
	fake(dev)->host->rx_room(fake(dev)->ctx);
}
