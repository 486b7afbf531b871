/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef EQOS_CORE_H
#define EQOS_CORE_H

/* Shared by base/eqos_*.c only; everybody else goes through dwmac_core_ops. */

#include "dwmac_core.h"

#define DWMAC_EQOS_NB_MMC 52

/* eqos_dma.c: bus, MTL queues and DMA channels */
void dwmac_eqos_init(struct dwmac_hw *hw, unsigned int nb_tx, unsigned int nb_rx);
void dwmac_eqos_tx_start(struct dwmac_hw *hw, unsigned int ch, const struct dwmac_ring *ring);
void dwmac_eqos_rx_start(
		struct dwmac_hw *hw, unsigned int ch, const struct dwmac_ring *ring, uint16_t tail);
int dwmac_eqos_tx_stop(struct dwmac_hw *hw, unsigned int ch);
int dwmac_eqos_rx_stop(struct dwmac_hw *hw, unsigned int ch);
uint32_t dwmac_eqos_tx_tail_offset(const struct dwmac_hw *hw, unsigned int ch);
uint32_t dwmac_eqos_rx_tail_offset(const struct dwmac_hw *hw, unsigned int ch);
uint32_t dwmac_eqos_channel_errors(struct dwmac_hw *hw, unsigned int ch);
void dwmac_eqos_rx_missed(struct dwmac_hw *hw, unsigned int queue, uint32_t *fifo_overflow,
		uint32_t *no_buffer);

/* eqos_mac.c: MAC and its counters */
void dwmac_eqos_mac_init(struct dwmac_hw *hw, unsigned int nb_rx);
void dwmac_eqos_max_frame(struct dwmac_hw *hw, uint32_t bytes);
void dwmac_eqos_speed(struct dwmac_hw *hw, const struct dwmac_link_mode *mode);
void dwmac_eqos_loopback(struct dwmac_hw *hw, bool on);
void dwmac_eqos_enable(struct dwmac_hw *hw, bool tx, bool rx);
void dwmac_eqos_mac_addr(struct dwmac_hw *hw, unsigned int index, const uint8_t *addr);
void dwmac_eqos_get_mac_addr(struct dwmac_hw *hw, uint8_t *addr);
void dwmac_eqos_filter(struct dwmac_hw *hw, bool promiscuous, bool all_multicast);
extern const struct dwmac_mmc_counter dwmac_eqos_mmc[];

#endif /* EQOS_CORE_H */
