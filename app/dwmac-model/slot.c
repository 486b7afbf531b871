/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "slot.h"
#include "clock.h"
#include "wire.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Complaints printed per device; all of them are counted and listed by the control socket. */
#define PRINTED_COMPLAINTS_MAX 32u

/* ---- what the device asks of us ---- */

static void *
host_dma(void *ctx, uint64_t iova, size_t len, bool device_writes)
{
	struct slot *slot = ctx;

	return dma_lookup(&slot->dma, iova, len, device_writes);
}

static void
host_irq(void *ctx, unsigned int vector)
{
	struct slot *slot = ctx;

	if (slot->removed)
		return;
	/* A message is a memory write, so it needs bus mastering; the line has a bit of its own. */
	if (slot->irqs.msi_enabled != 0 ? !pci_bus_master(&slot->pci)
					: pci_intx_disabled(&slot->pci)) {
		slot->irqs.lost++;
		return;
	}
	irqs_raise(&slot->irqs, vector);
}

static void
host_transmit(void *ctx, const struct frame *frame, uint64_t end_ps)
{
	struct slot *slot = ctx;

	if (slot->wire != NULL)
		wire_transmit(slot->wire, slot->port, frame, end_ps);
}

static void
host_complain(void *ctx, const char *kind, const char *text)
{
	struct slot *slot = ctx;

	if (slot->config.quiet || slot->printed_complaints > PRINTED_COMPLAINTS_MAX)
		return;
	if (slot->printed_complaints++ == PRINTED_COMPLAINTS_MAX) {
		fprintf(stderr, "%s: more complaints, not printed (control command complaints)\n",
				slot->config.name);
		return;
	}
	fprintf(stderr, "%s: complaint %s: %s\n", slot->config.name, kind, text);
}

static void
host_rx_room(void *ctx)
{
	struct slot *slot = ctx;

	if (slot->wire != NULL)
		wire_rx_room(slot->wire, slot->port);
}

static const struct device_host host_ops = {
	.dma = host_dma,
	.irq = host_irq,
	.transmit = host_transmit,
	.complain = host_complain,
	.rx_room = host_rx_room,
};

/* ---- life ---- */

/* The default profile has a name, too. */
static void
name_profile(struct slot *slot)
{
	struct device_profile profile;

	if (slot->config.profile[0] == '\0' && device_profile(0, &profile))
		snprintf(slot->config.profile, sizeof(slot->config.profile), "%s", profile.name);
	slot->config.device.profile = slot->config.profile;
}

static void
no_such_profile(const struct slot_config *config, struct why *w)
{
	struct device_profile profile;
	char all[128] = "";

	for (unsigned int i = 0; device_profile(i, &profile); i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i == 0 ? "" : ", ",
				profile.name);
	why(w, -EINVAL, "%s: no profile '%s'; there are %s", config->name, config->profile, all);
}

struct slot *
slot_create(const struct slot_config *config, struct why *w)
{
	struct slot *slot = calloc(1, sizeof(*slot));
	const uint64_t now_ns = clock_true_ns();

	if (slot == NULL) {
		why(w, -ENOMEM, "%s: out of memory", config->name);
		return NULL;
	}
	slot->config = *config;
	name_profile(slot);
	dma_init(&slot->dma);
	slot->dev = device_create(&slot->config.device, &host_ops, slot, now_ns);
	if (slot->dev == NULL) {
		no_such_profile(&slot->config, w);
		free(slot);
		return NULL;
	}
	pci_init(&slot->pci, device_identity(slot->dev));
	irqs_init(&slot->irqs, device_identity(slot->dev)->vectors);
	slot_set_link(slot, config->link_up, config->link_mbps, config->link_full_duplex);
	return slot;
}

void
slot_destroy(struct slot *slot)
{
	if (slot == NULL)
		return;
	irqs_clear(&slot->irqs);
	device_destroy(slot->dev);
	dma_clear(&slot->dma);
	free(slot);
}

uint64_t
slot_run(struct slot *slot, uint64_t now_ns)
{
	if (!slot->dirty && now_ns < slot->due_ns)
		return slot->due_ns;
	slot->dirty = false;
	slot->running = true;
	slot->due_ns = device_run(slot->dev, now_ns);
	slot->running = false;
	return slot->due_ns;
}

/* ---- the bus ---- */

/* The largest naturally aligned piece of at most 4 bytes at `offset`, as a bus would split it. */
static uint32_t
piece(uint32_t offset, uint32_t left)
{
	uint32_t len = 4;

	while ((offset & (len - 1)) != 0 || len > left)
		len /= 2;
	return len;
}

void
slot_bar_read(struct slot *slot, uint32_t offset, uint32_t len, uint8_t *data)
{
	if (slot->removed || !pci_powered(&slot->pci)) {
		memset(data, 0xff, len);
		return;
	}
	while (len != 0) {
		const uint32_t n = piece(offset, len);
		const uint64_t now_ns = clock_true_ns();
		uint32_t value;

		slot_run(slot, now_ns); /* what is due must have happened before it is read */
		value = device_read(slot->dev, offset, n, now_ns);
		memcpy(data, &value, n);
		slot->dirty = true;
		offset += n;
		data += n;
		len -= n;
	}
}

void
slot_bar_write(struct slot *slot, uint32_t offset, uint32_t len, const uint8_t *data)
{
	if (slot->removed || !pci_powered(&slot->pci))
		return;
	while (len != 0) {
		const uint32_t n = piece(offset, len);
		uint32_t value = 0;

		memcpy(&value, data, n);
		device_write(slot->dev, offset, n, value, clock_true_ns());
		slot->dirty = true;
		offset += n;
		data += n;
		len -= n;
	}
}

void
slot_config_read(struct slot *slot, uint32_t offset, uint32_t len, uint8_t *data)
{
	if (slot->removed)
		memset(data, 0xff, len);
	else
		pci_read(&slot->pci, offset, len, data);
}

static void
tell_bus_master(struct slot *slot)
{
	device_bus_master(slot->dev, pci_bus_master(&slot->pci), clock_true_ns());
	slot->dirty = true;
}

static void
tell_vectors(struct slot *slot)
{
	device_vectors(slot->dev, irqs_enabled(&slot->irqs), clock_true_ns());
	slot->dirty = true;
}

static void
hard_reset(struct slot *slot)
{
	device_reset(slot->dev, clock_true_ns());
	tell_bus_master(slot);
	tell_vectors(slot);
}

static void
command_written(struct slot *slot)
{
	tell_bus_master(slot);
	/* The line may be enabled again, and high. A message lost meanwhile stays lost. */
	if (slot->irqs.msi_enabled == 0)
		tell_vectors(slot);
}

void
slot_config_write(struct slot *slot, uint32_t offset, uint32_t len, const uint8_t *data)
{
	unsigned int events;

	if (slot->removed)
		return;
	events = pci_write(&slot->pci, offset, len, data);
	if (events & PCI_EVENT_FLR)
		hard_reset(slot);
	else if (events & PCI_EVENT_COMMAND)
		command_written(slot);
}

int
slot_set_irqs(struct slot *slot, const struct irqs_request *request, struct why *w)
{
	int ret = irqs_set(&slot->irqs, request, w);

	if (ret == 0)
		tell_vectors(slot);
	return ret;
}

void
slot_reset(struct slot *slot)
{
	if (!slot->removed)
		hard_reset(slot);
}

void
slot_vacate(struct slot *slot)
{
	/* Stop the engines before their memory goes. */
	pci_reset(&slot->pci);
	irqs_clear(&slot->irqs);
	hard_reset(slot);
	dma_clear(&slot->dma);
}

void
slot_remove(struct slot *slot)
{
	slot_vacate(slot);
	slot->removed = true;
	if (slot->bus_ops != NULL)
		slot->bus_ops->removed(slot->bus_arg);
}

void
slot_insert(struct slot *slot)
{
	slot->removed = false;
}

/* ---- the wire's end ---- */

bool
slot_receive(struct slot *slot, const struct frame *frame, uint64_t now_ns)
{
	if (slot->removed)
		return true;
	slot->dirty = true;
	if (device_receive(slot->dev, frame, now_ns))
		return true;
	/* Several frames can be due in one wake-up. Silicon empties its FIFO between them. */
	slot_run(slot, now_ns);
	slot->dirty = true;
	return device_receive(slot->dev, frame, now_ns);
}

void
slot_receive_lost(struct slot *slot, const struct frame *frame, uint64_t now_ns)
{
	slot->dirty = true;
	device_receive_lost(slot->dev, frame, now_ns);
}

bool
slot_link_up(const struct slot *slot)
{
	return !slot->removed && device_link_up(slot->dev);
}

unsigned int
slot_link_mbps(const struct slot *slot)
{
	return slot->removed ? 0 : device_link_mbps(slot->dev);
}

void
slot_set_link(struct slot *slot, bool up, unsigned int mbps, bool full_duplex)
{
	slot->config.link_up = up;
	slot->config.link_mbps = mbps;
	slot->config.link_full_duplex = full_duplex;
	device_link(slot->dev, up, mbps, full_duplex, clock_true_ns());
	slot->dirty = true;
}

bool
slot_receiver_on(const struct slot *slot)
{
	return slot_link_up(slot) && device_receiving(slot->dev);
}

uint64_t
slot_complaints(const struct slot *slot)
{
	const unsigned int count = device_complaints(slot->dev, NULL, 0);
	struct device_complaint *list = calloc(count, sizeof(*list));
	uint64_t total = 0;

	if (list == NULL)
		return count;
	device_complaints(slot->dev, list, count);
	for (unsigned int i = 0; i < count; i++)
		total += list[i].count;
	free(list);
	return total;
}
