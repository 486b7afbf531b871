/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "profiles.h"

#include <stddef.h>
#include <string.h>

#include "eqos_regs.h"

/*
 * Sources: ids, cores, DMA widths, PTP clocks, queues and FIFO of the Intel rows: sequences.md
 * §13.1 and §14. Not written down anywhere and therefore chosen: number of address registers
 * (all 128: Linux clears 1..127), hash bins, bus width (64 bit: PBL 32 x 8 is then just half of
 * a 4 KiB queue), MII clocks of latency, the PHY's identifier (nobody's) and its autonegotiation
 * time. MAC_OneUS_Tic_Counter = PTP MHz - 1 on these parts, so CSR and application clock are taken
 * to be the PTP clock.
 */
#define INTEL_EHL                                                                             \
	.snpsver = 0x52, .userver = 0x51, .channels = 8, .bus_bytes = 8, .addresses = 128,    \
	.hash_bins = 64, .tx_fifo_bytes = 32768, .rx_fifo_bytes = 32768, .half_duplex = true, \
	.max_mbps = 1000, .ingress_clocks = 4, .egress_clocks = 2, .phy_address = 1,          \
	.phy_id = 0x0dc10010, .phy_an_ms = 20, .phy_reset_us = 500

#define INTEL_IDENTITY(device, bits)                                                       \
	{                                                                                  \
		.vendor_id = 0x8086, .device_id = (device), .subsystem_vendor_id = 0x8086, \
		.subsystem_id = 0x7270, .revision = 0x11, .class_code = 0x020000,          \
		.bar0_size = 0x2000, .vectors = 32, .dma_bits = (bits)                     \
	}

static const struct profile profiles[] = {
	{
			.name = "ehl-pch",
			.text = "Elkhart Lake PCH RGMII, 8086:4b30, 40-bit DMA",
			.identity = INTEL_IDENTITY(0x4b30, 40),
			INTEL_EHL,
			.csr_hz = 204800000,
			.app_hz = 204800000,
			.ptp_clock = { { 0x1, 0x0, 204800000 }, { 0x1, 0x1, 19200000 } },
	},
	{
			.name = "ehl-pse",
			.text = "Elkhart Lake PSE RGMII, 8086:4ba0, 32-bit DMA",
			.identity = INTEL_IDENTITY(0x4ba0, 32),
			INTEL_EHL,
			.csr_hz = 200000000,
			.app_hz = 200000000,
			.ptp_clock = { { 0x9, 0x9, 200000000 }, { 0x9, 0x1, 19200000 },
					{ 0x0, 0x0, 256000000 } },
	},
};

#define PROFILES (sizeof(profiles) / sizeof(profiles[0]))

bool
device_profile(unsigned int index, struct device_profile *out)
{
	if (index >= PROFILES)
		return false;
	*out = (struct device_profile){ profiles[index].name, profiles[index].text };
	return true;
}

const struct profile *
profile_find(const char *name)
{
	if (name == NULL)
		return &profiles[0];
	for (size_t i = 0; i < PROFILES; i++)
		if (strcmp(profiles[i].name, name) == 0)
			return &profiles[i];
	return NULL;
}

uint32_t
profile_ptp_hz(const struct profile *profile, uint32_t gpio_status)
{
	uint8_t gpo = FIELD(gpio_status, 19, 16);

	for (int i = 0; i < PTP_CLOCK_CHOICES && profile->ptp_clock[i].hz != 0; i++)
		if ((gpo & profile->ptp_clock[i].mask) == profile->ptp_clock[i].value)
			return profile->ptp_clock[i].hz;
	return profile->ptp_clock[0].hz;
}

/* Code n of TXFIFOSIZE and RXFIFOSIZE means 128 << n bytes. */
static uint32_t
fifo_code(uint32_t bytes)
{
	uint32_t code = 0;

	while ((UINT32_C(128) << code) < bytes)
		code++;
	return code;
}

/* ADDMACADRSEL counts the extra registers up to 31; two flags stand for 32..63 and 64..127. */
static uint32_t
address_feature(unsigned int addresses)
{
	uint32_t extra = (addresses > 32 ? 32 : addresses) - 1;

	return extra << 18 | (addresses > 32 ? BIT(23) : 0) | (addresses > 64 ? BIT(24) : 0);
}

/*
 * HW_Feature0..3 say what this model does, not what the part has: EEE, PMT, ARP, VLAN filters,
 * L3/L4 filters, AV, EST, FPE, FRP and safety are not modelled and therefore not advertised.
 */
void
profile_features(const struct profile *profile, uint32_t feature[4])
{
	uint32_t queues = profile->channels - 1u;
	uint32_t addr64 = profile->identity.dma_bits <= 32   ? 0
			  : profile->identity.dma_bits <= 40 ? 1
							     : 2;

	feature[0] = UINT32_C(1) << 28 /* RGMII */ | BIT(27) /* SAVLANINS */ |
		     address_feature(profile->addresses) | BIT(16) /* RXCOESEL */ |
		     BIT(14) /* TXCOESEL */ | BIT(12) /* TSSEL */ | BIT(8) /* MMCSEL */ |
		     BIT(5) /* SMASEL */ | (profile->half_duplex ? BIT(2) : 0) |
		     (profile->max_mbps >= 1000 ? BIT(1) : 0) | BIT(0);
	feature[1] = (uint32_t)(profile->hash_bins / 64) << 24 | BIT(18) /* TSOEN */ |
		     addr64 << 14 | BIT(13) /* ADVTHWORD */ |
		     fifo_code(profile->tx_fifo_bytes) << 6 | fifo_code(profile->rx_fifo_bytes);
	feature[2] = queues << 18 | queues << 12 | queues << 6 | queues;
	feature[3] = BIT(27) /* TBSSEL */;
}
