/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_PCI_H
#define DWMAC_MODEL_PCI_H

#include "device.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Configuration space of the function: identity, a 64-bit BAR 0, power management, MSI with
 * 64-bit address, PCI Express with function level reset. Pure state: it calls nobody; a write
 * returns what happened and the slot acts on it.
 */

#define PCI_CONFIG_SIZE 4096u

enum pci_event {
	PCI_EVENT_COMMAND = 1 << 0, /* command register or power state: look at the getters again */
	PCI_EVENT_FLR = 1 << 1, /* function level reset asked for; config space is reset already */
};

struct pci {
	uint8_t config[PCI_CONFIG_SIZE];
	uint8_t writable[PCI_CONFIG_SIZE]; /* bit set = the driver may change it */
	uint8_t initial[PCI_CONFIG_SIZE];
};

void pci_init(struct pci *pci, const struct device_identity *identity);
void pci_reset(struct pci *pci);

/* [offset, offset + len) lies inside the config space: the caller has checked. */
void pci_read(const struct pci *pci, uint32_t offset, uint32_t len, uint8_t *data);
/* Returns a set of enum pci_event. */
unsigned int pci_write(struct pci *pci, uint32_t offset, uint32_t len, const uint8_t *data);

/* Bus mastering is on: the command register says so and the function is in D0. */
bool pci_bus_master(const struct pci *pci);
bool pci_powered(const struct pci *pci);
bool pci_intx_disabled(const struct pci *pci);

#endif /* DWMAC_MODEL_PCI_H */
