/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_SLOT_H
#define DWMAC_MODEL_SLOT_H

#include "device.h"
#include "dma_map.h"
#include "irqs.h"
#include "pci.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A slot holds one device and is everything it sees of the world: its host memory, interrupts
 * and configuration space on the bus side, its wire on the other. The vfio-user server, the wires
 * and the control socket reach the device through its slot, which keeps track of when it wants to
 * run again.
 */

#define SLOT_NAME_MAX 32

struct wire;
struct slot;

/* What the bus-side owner (the vfio-user server) is told. */
struct slot_bus_ops {
	void (*removed)(void *arg); /* the device was pulled: drop the client */
};

struct slot_config {
	char name[SLOT_NAME_MAX];
	char profile[SLOT_NAME_MAX]; /* "" = the default profile */
	struct device_config device;
	bool link_up;
	unsigned int link_mbps;
	bool link_full_duplex;
	bool quiet; /* complaints are counted but not printed */
};

struct slot {
	struct slot_config config;
	struct device *dev;
	struct pci pci;
	struct dma dma;
	struct irqs irqs;

	struct wire *wire; /* NULL: nothing is plugged in */
	unsigned int port; /* which end of the wire */

	const struct slot_bus_ops *bus_ops;
	void *bus_arg;

	uint64_t due_ns; /* when device_run() asked to be called */
	bool dirty;	 /* something was done to the device since device_run() */
	bool running;	 /* inside device_run() */
	bool removed;
	unsigned int printed_complaints;
};

struct slot *slot_create(const struct slot_config *config, struct why *w);
void slot_destroy(struct slot *slot);

/* Runs the device if it is due or dirty; returns when it wants to run again. */
uint64_t slot_run(struct slot *slot, uint64_t now_ns);

/* The bus. A read returns all ones while the device is removed or not powered. */
void slot_bar_read(struct slot *slot, uint32_t offset, uint32_t len, uint8_t *data);
void slot_bar_write(struct slot *slot, uint32_t offset, uint32_t len, const uint8_t *data);
void slot_config_read(struct slot *slot, uint32_t offset, uint32_t len, uint8_t *data);
void slot_config_write(struct slot *slot, uint32_t offset, uint32_t len, const uint8_t *data);
int slot_set_irqs(struct slot *slot, const struct irqs_request *request, struct why *w);
/* VFIO's reset: the function is reset, its configuration space kept, as the kernel does it. */
void slot_reset(struct slot *slot);
/* Nobody uses the device any more: memory and interrupts are given back, power-on state. */
void slot_vacate(struct slot *slot);

/* Surprise removal and the way back. */
void slot_remove(struct slot *slot);
void slot_insert(struct slot *slot);

/* The wire's end of the device. False: no room, offer the frame again after rx_room. */
bool slot_receive(struct slot *slot, const struct frame *frame, uint64_t now_ns);
void slot_receive_lost(struct slot *slot, const struct frame *frame, uint64_t now_ns);
bool slot_link_up(const struct slot *slot);
unsigned int slot_link_mbps(const struct slot *slot);
void slot_set_link(struct slot *slot, bool up, unsigned int mbps, bool full_duplex);
/* A client is there and its driver enabled the receiver. */
bool slot_receiver_on(const struct slot *slot);

uint64_t slot_complaints(const struct slot *slot);

#endif /* DWMAC_MODEL_SLOT_H */
