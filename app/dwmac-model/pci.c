/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "pci.h"

#include <linux/pci_regs.h>
#include <string.h>

/* Where this function keeps its capabilities, linked in this order. */
#define CAP_PM	0x40
#define CAP_MSI 0x50
#define CAP_EXP 0x70

static void
put(uint8_t *space, uint32_t offset, unsigned int len, uint64_t value)
{
	for (unsigned int i = 0; i < len; i++)
		space[offset + i] = (uint8_t)(value >> (8 * i));
}

static uint32_t
get(const uint8_t *space, uint32_t offset, unsigned int len)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < len; i++)
		value |= (uint32_t)space[offset + i] << (8 * i);
	return value;
}

static void
init_header(struct pci *pci, const struct device_identity *identity)
{
	uint8_t *config = pci->config, *writable = pci->writable;

	put(config, PCI_VENDOR_ID, 2, identity->vendor_id);
	put(config, PCI_DEVICE_ID, 2, identity->device_id);
	put(writable, PCI_COMMAND, 2,
			PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY |
					PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE);
	put(config, PCI_STATUS, 2, PCI_STATUS_CAP_LIST);
	put(config, PCI_CLASS_REVISION, 4, (identity->class_code << 8) | identity->revision);
	put(writable, PCI_CACHE_LINE_SIZE, 1, 0xff);
	put(config, PCI_BASE_ADDRESS_0, 4, PCI_BASE_ADDRESS_MEM_TYPE_64);
	/* Address bits below the size stay 0: that is how software finds the size. */
	put(writable, PCI_BASE_ADDRESS_0, 8, ~((uint64_t)identity->bar0_size - 1));
	put(config, PCI_SUBSYSTEM_VENDOR_ID, 2, identity->subsystem_vendor_id);
	put(config, PCI_SUBSYSTEM_ID, 2, identity->subsystem_id);
	put(config, PCI_CAPABILITY_LIST, 1, CAP_PM);
	put(writable, PCI_INTERRUPT_LINE, 1, 0xff);
	put(config, PCI_INTERRUPT_PIN, 1, 1);
}

static void
init_capabilities(struct pci *pci, unsigned int vectors)
{
	uint8_t *config = pci->config, *writable = pci->writable;
	const unsigned int mmc = (unsigned int)__builtin_ctz(vectors); /* log2, vectors is 2^n */

	put(config, CAP_PM, 2, PCI_CAP_ID_PM | (CAP_MSI << 8));
	put(config, CAP_PM + PCI_PM_PMC, 2, 3); /* version 1.2, no PME */
	put(config, CAP_PM + PCI_PM_CTRL, 2, PCI_PM_CTRL_NO_SOFT_RESET);
	put(writable, CAP_PM + PCI_PM_CTRL, 2, PCI_PM_CTRL_STATE_MASK);

	put(config, CAP_MSI, 2, PCI_CAP_ID_MSI | (CAP_EXP << 8));
	put(config, CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_64BIT | (mmc << 1));
	put(writable, CAP_MSI + PCI_MSI_FLAGS, 2, PCI_MSI_FLAGS_ENABLE | PCI_MSI_FLAGS_QSIZE);
	put(writable, CAP_MSI + PCI_MSI_ADDRESS_LO, 8, ~UINT64_C(3));
	put(writable, CAP_MSI + PCI_MSI_DATA_64, 2, 0xffff);

	/* A root complex integrated endpoint, as on the SoCs: no link registers. */
	put(config, CAP_EXP, 2, PCI_CAP_ID_EXP);
	put(config, CAP_EXP + PCI_EXP_FLAGS, 2, 2 | (PCI_EXP_TYPE_RC_END << 4));
	put(config, CAP_EXP + PCI_EXP_DEVCAP, 4, PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR);
	/* Default of maximum read request size (512 bytes) and of relaxed ordering, no snoop. */
	put(config, CAP_EXP + PCI_EXP_DEVCTL, 2,
			PCI_EXP_DEVCTL_READRQ_512B | PCI_EXP_DEVCTL_RELAX_EN |
					PCI_EXP_DEVCTL_NOSNOOP_EN);
	put(writable, CAP_EXP + PCI_EXP_DEVCTL, 2, 0xffff & ~PCI_EXP_DEVCTL_BCR_FLR);
}

void
pci_init(struct pci *pci, const struct device_identity *identity)
{
	memset(pci, 0, sizeof(*pci));
	init_header(pci, identity);
	init_capabilities(pci, identity->vectors);
	memcpy(pci->initial, pci->config, sizeof(pci->initial));
}

void
pci_reset(struct pci *pci)
{
	memcpy(pci->config, pci->initial, sizeof(pci->config));
}

void
pci_read(const struct pci *pci, uint32_t offset, uint32_t len, uint8_t *data)
{
	memcpy(data, pci->config + offset, len);
}

static bool
touches(uint32_t offset, uint32_t len, uint32_t reg, uint32_t reg_len)
{
	return offset < reg + reg_len && reg < offset + len;
}

unsigned int
pci_write(struct pci *pci, uint32_t offset, uint32_t len, const uint8_t *data)
{
	const uint32_t flr_byte = CAP_EXP + PCI_EXP_DEVCTL + 1;
	unsigned int events = 0;

	for (uint32_t i = 0; i < len; i++) {
		const uint8_t mask = pci->writable[offset + i];
		uint8_t *byte = &pci->config[offset + i];

		*byte = (uint8_t)((*byte & ~mask) | (data[i] & mask));
	}
	if (touches(offset, len, flr_byte, 1) &&
			(data[flr_byte - offset] & (PCI_EXP_DEVCTL_BCR_FLR >> 8))) {
		pci_reset(pci);
		return PCI_EVENT_FLR;
	}
	if (touches(offset, len, PCI_COMMAND, 2) || touches(offset, len, CAP_PM + PCI_PM_CTRL, 2))
		events |= PCI_EVENT_COMMAND;
	return events;
}

bool
pci_powered(const struct pci *pci)
{
	return (get(pci->config, CAP_PM + PCI_PM_CTRL, 2) & PCI_PM_CTRL_STATE_MASK) == 0;
}

bool
pci_bus_master(const struct pci *pci)
{
	return pci_powered(pci) && (get(pci->config, PCI_COMMAND, 2) & PCI_COMMAND_MASTER);
}

bool
pci_intx_disabled(const struct pci *pci)
{
	return get(pci->config, PCI_COMMAND, 2) & PCI_COMMAND_INTX_DISABLE;
}
