/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

enum goc { GOC_WRITE = 1, GOC_READ_INCREMENT = 2, GOC_READ = 3 };

#define MDC_MAX_HZ 2500000

/* CSR clock divider by CR (eqos.md §8). */
static const uint16_t dividers[16] = { 42, 62, 16, 26, 102, 124, 204, 324, 4, 6, 8, 10, 12, 14, 16,
	18 };

void
mdio_reset(struct device *dev)
{
	dev->mdio.busy_until_ps = DEVICE_NEVER;
}

/* A frame has 32 bits after a preamble of 32 (1 with PSE); C45 sends an address frame before. */
static uint64_t
transfer_ps(const struct device *dev, uint32_t command)
{
	unsigned int bits = 32 + ((command & MDIO_PSE) ? 1 : 32);

	if ((command & MDIO_C45E) != 0 && (command & MDIO_SKAP) == 0)
		bits *= 2;
	bits += MDIO_NTC(command);
	return bits * (UINT64_C(1000000000000) * dividers[MDIO_CR(command)] / dev->profile->csr_hz);
}

/* The PHY speaks clause 22 only: nobody drives the line in a clause 45 read. */
static void
execute(struct device *dev, uint32_t command, uint64_t now_ps)
{
	uint32_t *data = reg(dev, MAC_MDIO_DATA);
	bool ours = MDIO_PA(command) == dev->profile->phy_address && (command & MDIO_C45E) == 0;

	if (MDIO_GOC(command) == GOC_WRITE) {
		if (ours)
			phy_write(dev, MDIO_RDA(command), (uint16_t)*data, now_ps);
		return;
	}
	*data = (*data & 0xffff0000) | (ours ? phy_read(dev, MDIO_RDA(command)) : 0xffff);
}

void
mdio_settle(struct device *dev, uint64_t now_ps)
{
	uint32_t *address = reg(dev, MAC_MDIO_ADDRESS);

	if (dev->mdio.busy_until_ps > now_ps)
		return;
	if (fault_holds_bit(dev, MAC_MDIO_ADDRESS, &dev->mdio.busy_until_ps))
		return;
	phy_settle(dev, dev->mdio.busy_until_ps);
	execute(dev, *address, dev->mdio.busy_until_ps);
	dev->mdio.busy_until_ps = DEVICE_NEVER;
	*address &= ~MDIO_GB;
	*reg(dev, MAC_INTERRUPT_STATUS) |= MAC_IS_MDIOIS;
}

uint64_t
mdio_next_ps(const struct device *dev)
{
	return dev->mdio.busy_until_ps;
}

static bool
busy(const struct device *dev)
{
	return (reg_get(dev, MAC_MDIO_ADDRESS) & MDIO_GB) != 0;
}

uint32_t
mdio_read_data(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	if (busy(dev))
		complain(dev, COMPLAINT_MDIO_BUSY, "MAC_MDIO_Data read while GB = 1");
	return stored;
}

void
mdio_write_address(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t command = reg_get(dev, MAC_MDIO_ADDRESS);
	uint64_t mdc_hz = dev->profile->csr_hz / dividers[MDIO_CR(command)];

	(void)index;
	if (old & MDIO_GB) {
		complain(dev, COMPLAINT_MDIO_BUSY, "MAC_MDIO_Address written while GB = 1");
		*reg(dev, MAC_MDIO_ADDRESS) = old;
		return;
	}
	if ((started & MDIO_GB) == 0)
		return;
	if (mdc_hz > MDC_MAX_HZ)
		complain(dev, COMPLAINT_MDC_FAST, "MDC of %u kHz by CR = %u",
				(unsigned int)(mdc_hz / 1000), MDIO_CR(command));
	dev->mdio.busy_until_ps = dev->now_ps + transfer_ps(dev, command);
}

void
mdio_write_data(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)index;
	(void)started;
	if (!busy(dev))
		return;
	complain(dev, COMPLAINT_MDIO_BUSY, "MAC_MDIO_Data written while GB = 1");
	*reg(dev, MAC_MDIO_DATA) = old;
}
