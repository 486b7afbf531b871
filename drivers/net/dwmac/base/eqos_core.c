/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* GMAC 4.x/5.x: identification, reset, MDIO, and the table of its operations. */

#include <errno.h>

#include <rte_bitops.h>
#include <rte_common.h>

#include "eqos_core.h"
#include "eqos_regs.h"

#define FIELD_GET(mask, value) (((value) & (mask)) / ((mask) & ~((mask) << 1)))

/* Software reset ends within microseconds when all clocks run (sequences.md §2). */
#define SWR_TIMEOUT_US	1000000
/* A clause 22 frame takes about 30 us; with a slow divider a few hundred. */
#define MDIO_TIMEOUT_US 10000

static uint8_t
addr_bits(uint32_t addr64)
{
	static const uint8_t bits[] = { 32, 40, 48, 32 };

	return bits[addr64];
}

static int
eqos_identify(struct dwmac_hw *hw)
{
	struct dwmac_caps *caps = &hw->caps;
	uint32_t version = dwmac_read32(&hw->io, EQOS_MAC_Version);
	uint32_t f0, f1, f2;

	/* 0 or all ones: clock off or device gone (sequences.md §1). */
	if (version == 0 || version == DWMAC_ALL_ONES)
		return -ENODEV;
	caps->snpsver = FIELD_GET(EQOS_MAC_Version_SNPSVER, version);
	caps->userver = FIELD_GET(EQOS_MAC_Version_USERVER, version);
	if (caps->snpsver < 0x40 || caps->snpsver > 0x5f)
		return -ENODEV;

	f0 = dwmac_read32(&hw->io, EQOS_MAC_HW_Feature0);
	f1 = dwmac_read32(&hw->io, EQOS_MAC_HW_Feature1);
	f2 = dwmac_read32(&hw->io, EQOS_MAC_HW_Feature2);

	caps->gmii = (f0 & EQOS_MAC_HW_Feature0_GMIISEL) != 0;
	caps->mdio = (f0 & EQOS_MAC_HW_Feature0_SMASEL) != 0;
	caps->mmc = (f0 & EQOS_MAC_HW_Feature0_MMCSEL) != 0;
	caps->ptp = (f0 & EQOS_MAC_HW_Feature0_TSSEL) != 0;
	caps->ptp_higher_word = (f1 & EQOS_MAC_HW_Feature1_ADVTHWORD) != 0;
	caps->nb_mac_addrs = 1 + FIELD_GET(EQOS_MAC_HW_Feature0_ADDMACADRSEL, f0);
	caps->hash_bins = FIELD_GET(EQOS_MAC_HW_Feature1_HASHTBLSZ, f1) == 0
					  ? 0
					  : 32 << FIELD_GET(EQOS_MAC_HW_Feature1_HASHTBLSZ, f1);
	caps->tx_fifo_bytes = 128u << RTE_MIN(FIELD_GET(EQOS_MAC_HW_Feature1_TXFIFOSIZE, f1), 15u);
	caps->rx_fifo_bytes = 128u << RTE_MIN(FIELD_GET(EQOS_MAC_HW_Feature1_RXFIFOSIZE, f1), 15u);
	caps->addr_bits = RTE_MIN(addr_bits(FIELD_GET(EQOS_MAC_HW_Feature1_ADDR64, f1)),
			hw->device->dma_bits);

	/* A DPDK queue needs both a channel and an MTL queue. */
	caps->nb_tx_queues = 1 + RTE_MIN(FIELD_GET(EQOS_MAC_HW_Feature2_TXCHCNT, f2),
						 FIELD_GET(EQOS_MAC_HW_Feature2_TXQCNT, f2));
	caps->nb_rx_queues = 1 + RTE_MIN(FIELD_GET(EQOS_MAC_HW_Feature2_RXCHCNT, f2),
						 FIELD_GET(EQOS_MAC_HW_Feature2_RXQCNT, f2));
	caps->nb_tx_queues = RTE_MIN(caps->nb_tx_queues, DWMAC_MAX_CHANNELS);
	caps->nb_rx_queues = RTE_MIN(caps->nb_rx_queues, DWMAC_MAX_CHANNELS);
	return 0;
}

/* What the SoC around the core wants after every reset. */
static void
set_up_glue(struct dwmac_hw *hw)
{
	const struct dwmac_device *device = hw->device;

	if (device->gpo_mask != 0)
		dwmac_modify32(&hw->io, EQOS_MAC_GPIO_Status, device->gpo_mask, device->gpo_value);
	if (device->us_tics != 0)
		dwmac_write32(&hw->io, EQOS_MAC_OneUS_Tic_Counter, device->us_tics - 1);
}

static int
eqos_reset(struct dwmac_hw *hw)
{
	int ret;

	dwmac_write32(&hw->io, EQOS_DMA_Mode, EQOS_DMA_Mode_SWR);
	/* Read no sooner than 4 CSR clocks after setting it. */
	rte_delay_us_block(1);
	ret = dwmac_poll(&hw->io, EQOS_DMA_Mode, EQOS_DMA_Mode_SWR, 0, SWR_TIMEOUT_US, NULL);
	if (ret != 0)
		return ret;
	hw->mac_configuration = dwmac_read32(&hw->io, EQOS_MAC_Configuration);
	set_up_glue(hw);
	return 0;
}

/* Run one MDIO command; MAC_MDIO_Data must not be touched while GB is set. */
static int
mdio_run(struct dwmac_hw *hw, uint8_t phy, uint8_t reg, uint32_t goc)
{
	dwmac_write32(&hw->io, EQOS_MAC_MDIO_Address,
			EQOS_MAC_MDIO_Address_PA(phy) | EQOS_MAC_MDIO_Address_RDA(reg) |
					EQOS_MAC_MDIO_Address_CR(hw->device->mdio_cr) | goc |
					EQOS_MAC_MDIO_Address_GB);
	return dwmac_poll(&hw->io, EQOS_MAC_MDIO_Address, EQOS_MAC_MDIO_Address_GB, 0,
			MDIO_TIMEOUT_US, NULL);
}

static int
mdio_wait_idle(struct dwmac_hw *hw)
{
	return dwmac_poll(&hw->io, EQOS_MAC_MDIO_Address, EQOS_MAC_MDIO_Address_GB, 0,
			MDIO_TIMEOUT_US, NULL);
}

static int
eqos_mdio_read(struct dwmac_hw *hw, uint8_t phy, uint8_t reg)
{
	int ret = mdio_wait_idle(hw);

	if (ret == 0)
		ret = mdio_run(hw, phy, reg, EQOS_MAC_MDIO_Address_GOC_RD);
	if (ret != 0)
		return ret;
	return dwmac_read32(&hw->io, EQOS_MAC_MDIO_Data) & EQOS_MAC_MDIO_Data_GD;
}

static int
eqos_mdio_write(struct dwmac_hw *hw, uint8_t phy, uint8_t reg, uint16_t value)
{
	int ret = mdio_wait_idle(hw);

	if (ret != 0)
		return ret;
	dwmac_write32(&hw->io, EQOS_MAC_MDIO_Data, value);
	return mdio_run(hw, phy, reg, EQOS_MAC_MDIO_Address_GOC_WR);
}

const struct dwmac_core_ops dwmac_eqos_ops = {
	.identify = eqos_identify,
	.reset = eqos_reset,
	.init = dwmac_eqos_init,
	.tx_start = dwmac_eqos_tx_start,
	.rx_start = dwmac_eqos_rx_start,
	.tx_stop = dwmac_eqos_tx_stop,
	.rx_stop = dwmac_eqos_rx_stop,
	.tx_tail_offset = dwmac_eqos_tx_tail_offset,
	.rx_tail_offset = dwmac_eqos_rx_tail_offset,
	.channel_errors = dwmac_eqos_channel_errors,
	.rx_missed = dwmac_eqos_rx_missed,
	.max_frame = dwmac_eqos_max_frame,
	.speed = dwmac_eqos_speed,
	.loopback = dwmac_eqos_loopback,
	.enable = dwmac_eqos_enable,
	.mac_addr = dwmac_eqos_mac_addr,
	.get_mac_addr = dwmac_eqos_get_mac_addr,
	.filter = dwmac_eqos_filter,
	.mdio_read = eqos_mdio_read,
	.mdio_write = eqos_mdio_write,
	.mmc = dwmac_eqos_mmc,
	.nb_mmc = DWMAC_EQOS_NB_MMC,
	.mmc_rx_overflow = 0x07d4,
	.ptp_base = EQOS_PTP_BASE,
};
