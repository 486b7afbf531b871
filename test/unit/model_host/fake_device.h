/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "device.h"

/*
 * Stands in for the silicon: registers are memory, frames are kept. Tests look inside and make it
 * transmit, interrupt and refuse.
 */

#define FAKE_BAR_SIZE 0x10000u
#define FAKE_RX_KEPT  512u

struct fake_rx {
	uint16_t len;
	bool bad_fcs;
	uint64_t sfd_ps;
	uint64_t now_ns;
	uint8_t first[64];
};

struct fake_device {
	struct device_config config;
	const struct device_host *host;
	void *ctx;
	uint32_t regs[FAKE_BAR_SIZE / 4];
	unsigned int reads, writes, odd_accesses, runs, resets;
	bool bus_master;
	unsigned int vectors;
	bool line; /* high: vector 0 speaks when it can */
	bool link_up, link_full_duplex;
	unsigned int link_mbps;
	uint64_t due_ns;
	bool receiving;
	unsigned int rx_room;	   /* frames it takes before it refuses */
	unsigned int room_per_run; /* what device_run() adds: the DMA empties the FIFO */
	bool ran_since_rx;
	unsigned int nb_rx, nb_rx_lost;
	struct fake_rx rx[FAKE_RX_KEPT];
	bool clock_runs;
	unsigned int nb_complaints;
	char fault[32];
};

static inline struct fake_device *
fake(struct device *dev)
{
	return (struct fake_device *)dev;
}

void fake_transmit(struct device *dev, const void *data, uint16_t len, uint64_t sfd_ps);
/* Room for `frames` more, and the surroundings are told. */
void fake_make_room(struct device *dev, unsigned int frames);

extern unsigned int fake_devices_alive;

#endif /* FAKE_DEVICE_H */
