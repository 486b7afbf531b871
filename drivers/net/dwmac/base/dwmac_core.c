/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <stddef.h>

#include <rte_bitops.h>
#include <rte_common.h>

#include "dwmac_core.h"

/* Intel mGbE: the SerDes answers at MDIO address 0x15 and the XPCS at 0x16 (sequences.md §10). */
#define INTEL_MDIO_SKIP (RTE_BIT32(0x15) | RTE_BIT32(0x16))

/* Where the channel and queue blocks stand everywhere but on Qualcomm's EMAC v3 and later. */
#define EQOS_LAYOUT \
	.dma_ch_base = 0x1100, .dma_ch_stride = 0x80, .mtl_q_base = 0x0d00, .mtl_q_stride = 0x40

/* Elkhart Lake (sequences.md §13.1): CSR clock range 5; PCH 204.8 MHz and 40 address bits, PSE
 * 200 MHz and 32 whatever HW_Feature1 says. GPO0 and GPO3 choose the PTP clock: PCH has the right
 * one at 0, PSE needs both, else it runs at 256 or 19.2 MHz. */
#define EHL_GPO0 RTE_BIT32(16)
#define EHL_GPO3 RTE_BIT32(19)
#define EHL_PCH(id, text)                                                                         \
	{                                                                                         \
		.name = text, .vendor_id = 0x8086, .device_id = id, .generation = DWMAC_GEN_EQOS, \
		.dma_bits = 40, .mdio_cr = 5, .mdio_skip = INTEL_MDIO_SKIP,                       \
		.ptp_clk_hz = 204800000, .gpo_mask = EHL_GPO0, .gpo_value = 0, .us_tics = 204,    \
		EQOS_LAYOUT,                                                                      \
	}
#define EHL_PSE(id, text)                                                                         \
	{                                                                                         \
		.name = text, .vendor_id = 0x8086, .device_id = id, .generation = DWMAC_GEN_EQOS, \
		.dma_bits = 32, .mdio_cr = 5, .mdio_skip = INTEL_MDIO_SKIP,                       \
		.ptp_clk_hz = 200000000, .gpo_mask = EHL_GPO0 | EHL_GPO3,                         \
		.gpo_value = EHL_GPO0 | EHL_GPO3, .us_tics = 200, EQOS_LAYOUT,                    \
	}

/* Only functions this version can bring up: the SGMII ones need a SerDes and XPCS driver. */
static const struct dwmac_device devices[] = {
	EHL_PCH(0x4b30, "Elkhart Lake PCH RGMII"),
	EHL_PSE(0x4ba0, "Elkhart Lake PSE0 RGMII"),
	EHL_PSE(0x4bb0, "Elkhart Lake PSE1 RGMII"),
};

const struct dwmac_device *
dwmac_device_by_pci_id(uint16_t vendor_id, uint16_t device_id)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(devices); i++) {
		if (devices[i].vendor_id == vendor_id && devices[i].device_id == device_id)
			return &devices[i];
	}
	return NULL;
}

int
dwmac_hw_init(struct dwmac_hw *hw, const struct dwmac_device *device)
{
	hw->device = device;
	switch (device->generation) {
	case DWMAC_GEN_EQOS:
		hw->ops = &dwmac_eqos_ops;
		break;
	}
	return hw->ops->identify(hw);
}

int
dwmac_io_post(const struct dwmac_io *io, uint32_t offset, uint32_t value)
{
	return io->ops->post32(io->ctx, offset, value);
}
