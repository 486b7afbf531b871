/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* GMAC 4.x/5.x: MAC and MMC counters (eqos.md §1, §2, §6). */

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_ether.h>

#include "eqos_core.h"
#include "eqos_regs.h"

/* The limit of a good frame unless GPSL says otherwise, FCS included. */
#define GIANT_LIMIT 1518

/* Four clocks of the slowest line, 2.5 MHz at 10 Mb/s, and some more. */
#define CONFIGURATION_GAP_US 4

static void
configure(struct dwmac_hw *hw, uint32_t mask, uint32_t value)
{
	uint32_t next = (hw->mac_configuration & ~mask) | (value & mask);

	if (next == hw->mac_configuration)
		return;
	dwmac_write32(&hw->io, EQOS_MAC_Configuration, next);
	hw->mac_configuration = next;
	/* A second write within a few line clocks is lost, and with it TE or RE (pitfalls.md 8).
	 * The read makes sure that the first one has arrived when the wait begins. */
	dwmac_read32(&hw->io, EQOS_MAC_Configuration);
	rte_delay_us_block(CONFIGURATION_GAP_US);
}

void
dwmac_eqos_mac_init(struct dwmac_hw *hw, unsigned int nb_rx)
{
	uint32_t enable = 0;
	unsigned int q;

	hw->mac_configuration = dwmac_read32(&hw->io, EQOS_MAC_Configuration);
	configure(hw, EQOS_MAC_Configuration_TE | EQOS_MAC_Configuration_RE, 0);
	dwmac_write32(&hw->io, EQOS_MAC_Interrupt_Enable, 0);
	/* MMC interrupts are unmasked after reset (pitfalls.md 88). */
	if (hw->caps.mmc) {
		dwmac_write32(&hw->io, EQOS_MMC_Rx_Interrupt_Mask, 0x0fffffff);
		dwmac_write32(&hw->io, EQOS_MMC_Tx_Interrupt_Mask, 0x0fffffff);
		dwmac_write32(&hw->io, EQOS_MMC_IPC_Rx_Interrupt_Mask, 0x3fff3fff);
	}
	/* All queues are off after reset in multi-queue builds. */
	for (q = 0; q < nb_rx; q++)
		enable |= EQOS_MAC_RxQ_Ctrl0_DCB << (2 * q);
	dwmac_write32(&hw->io, EQOS_MAC_RxQ_Ctrl0, enable);
}

/* GPSL takes the FCS and one more VLAN tag than it says; JE, JD and WD lift the limits of the
 * giant check and the two timers (sequences.md §8). */
void
dwmac_eqos_max_frame(struct dwmac_hw *hw, uint32_t bytes)
{
	const uint32_t limit = bytes + RTE_ETHER_CRC_LEN;
	const uint32_t mask = EQOS_MAC_Configuration_GPSLCE | EQOS_MAC_Configuration_JE |
			      EQOS_MAC_Configuration_JD | EQOS_MAC_Configuration_WD;
	uint32_t value = 0;

	if (limit > GIANT_LIMIT) {
		dwmac_write32(&hw->io, EQOS_MAC_Ext_Configuration,
				RTE_MIN(limit, EQOS_MAC_Ext_Configuration_GPSL));
		value |= EQOS_MAC_Configuration_GPSLCE;
	}
	if (limit > 2000)
		value |= EQOS_MAC_Configuration_JE | EQOS_MAC_Configuration_JD |
			 EQOS_MAC_Configuration_WD;
	configure(hw, mask, value);
}

void
dwmac_eqos_speed(struct dwmac_hw *hw, const struct dwmac_link_mode *mode)
{
	uint32_t value = mode->full_duplex ? EQOS_MAC_Configuration_DM : 0;

	switch (mode->mbps) {
	case 10:
		value |= EQOS_MAC_Configuration_PS;
		break;
	case 100:
		value |= EQOS_MAC_Configuration_PS | EQOS_MAC_Configuration_FES;
		break;
	case 2500:
		value |= EQOS_MAC_Configuration_FES;
		break;
	default: /* 1000 */
		break;
	}
	configure(hw,
			EQOS_MAC_Configuration_PS | EQOS_MAC_Configuration_FES |
					EQOS_MAC_Configuration_DM,
			value);
}

void
dwmac_eqos_loopback(struct dwmac_hw *hw, bool on)
{
	configure(hw, EQOS_MAC_Configuration_LM, on ? EQOS_MAC_Configuration_LM : 0);
}

void
dwmac_eqos_enable(struct dwmac_hw *hw, bool tx, bool rx)
{
	configure(hw, EQOS_MAC_Configuration_TE | EQOS_MAC_Configuration_RE,
			(tx ? EQOS_MAC_Configuration_TE : 0) |
					(rx ? EQOS_MAC_Configuration_RE : 0));
}

/* High first: writing Low latches both (eqos.md §1). */
void
dwmac_eqos_mac_addr(struct dwmac_hw *hw, unsigned int index, const uint8_t *addr)
{
	dwmac_write32(&hw->io, EQOS_MAC_Address_High(index),
			EQOS_MAC_Address_High_AE | (uint32_t)addr[5] << 8 | addr[4]);
	dwmac_write32(&hw->io, EQOS_MAC_Address_Low(index),
			(uint32_t)addr[3] << 24 | (uint32_t)addr[2] << 16 | (uint32_t)addr[1] << 8 |
					addr[0]);
}

void
dwmac_eqos_get_mac_addr(struct dwmac_hw *hw, uint8_t *addr)
{
	uint32_t high = dwmac_read32(&hw->io, EQOS_MAC_Address_High(0));
	uint32_t low = dwmac_read32(&hw->io, EQOS_MAC_Address_Low(0));

	addr[0] = low;
	addr[1] = low >> 8;
	addr[2] = low >> 16;
	addr[3] = low >> 24;
	addr[4] = high;
	addr[5] = high >> 8;
}

/* The whole register, so that nothing survives from whoever had the device before. */
void
dwmac_eqos_filter(struct dwmac_hw *hw, bool promiscuous, bool all_multicast)
{
	dwmac_write32(&hw->io, EQOS_MAC_Packet_Filter,
			(promiscuous ? EQOS_MAC_Packet_Filter_PR : 0) |
					(all_multicast ? EQOS_MAC_Packet_Filter_PM : 0));
}

const struct dwmac_mmc_counter dwmac_eqos_mmc[] = {
	{ 0x0714, "mmc_tx_octets_gb" },
	{ 0x0718, "mmc_tx_packets_gb" },
	{ 0x071c, "mmc_tx_broadcast_good" },
	{ 0x0720, "mmc_tx_multicast_good" },
	{ 0x0724, "mmc_tx_64_octets_gb" },
	{ 0x0728, "mmc_tx_65_to_127_octets_gb" },
	{ 0x072c, "mmc_tx_128_to_255_octets_gb" },
	{ 0x0730, "mmc_tx_256_to_511_octets_gb" },
	{ 0x0734, "mmc_tx_512_to_1023_octets_gb" },
	{ 0x0738, "mmc_tx_1024_to_max_octets_gb" },
	{ 0x073c, "mmc_tx_unicast_gb" },
	{ 0x0740, "mmc_tx_multicast_gb" },
	{ 0x0744, "mmc_tx_broadcast_gb" },
	{ 0x0748, "mmc_tx_underflow_errors" },
	{ 0x074c, "mmc_tx_single_collision_good" },
	{ 0x0750, "mmc_tx_multiple_collision_good" },
	{ 0x0754, "mmc_tx_deferred" },
	{ 0x0758, "mmc_tx_late_collision" },
	{ 0x075c, "mmc_tx_excessive_collision" },
	{ 0x0760, "mmc_tx_carrier_errors" },
	{ 0x0764, "mmc_tx_octets_good" },
	{ 0x0768, "mmc_tx_packets_good" },
	{ 0x076c, "mmc_tx_excessive_deferral" },
	{ 0x0770, "mmc_tx_pause" },
	{ 0x0774, "mmc_tx_vlan_good" },
	{ 0x0778, "mmc_tx_oversize_good" },
	{ 0x0780, "mmc_rx_packets_gb" },
	{ 0x0784, "mmc_rx_octets_gb" },
	{ 0x0788, "mmc_rx_octets_good" },
	{ 0x078c, "mmc_rx_broadcast_good" },
	{ 0x0790, "mmc_rx_multicast_good" },
	{ 0x0794, "mmc_rx_crc_errors" },
	{ 0x0798, "mmc_rx_alignment_errors" },
	{ 0x079c, "mmc_rx_runts" },
	{ 0x07a0, "mmc_rx_jabbers" },
	{ 0x07a4, "mmc_rx_undersize_good" },
	{ 0x07a8, "mmc_rx_oversize_good" },
	{ 0x07ac, "mmc_rx_64_octets_gb" },
	{ 0x07b0, "mmc_rx_65_to_127_octets_gb" },
	{ 0x07b4, "mmc_rx_128_to_255_octets_gb" },
	{ 0x07b8, "mmc_rx_256_to_511_octets_gb" },
	{ 0x07bc, "mmc_rx_512_to_1023_octets_gb" },
	{ 0x07c0, "mmc_rx_1024_to_max_octets_gb" },
	{ 0x07c4, "mmc_rx_unicast_good" },
	{ 0x07c8, "mmc_rx_length_errors" },
	{ 0x07cc, "mmc_rx_out_of_range" },
	{ 0x07d0, "mmc_rx_pause" },
	{ 0x07d4, "mmc_rx_fifo_overflow" },
	{ 0x07d8, "mmc_rx_vlan_gb" },
	{ 0x07dc, "mmc_rx_watchdog_errors" },
	{ 0x07e0, "mmc_rx_receive_errors" },
	{ 0x07e4, "mmc_rx_control_good" },
};
_Static_assert(RTE_DIM(dwmac_eqos_mmc) == DWMAC_EQOS_NB_MMC, "MMC table and its count differ");
