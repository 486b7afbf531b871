/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* GMAC 4.x/5.x: bus, MTL queues and DMA channels (eqos.md §4, §14, §15). */

#include <rte_common.h>

#include "eqos_core.h"
#include "eqos_regs.h"

/* Draining what is queued, a frame leaving, a channel coming to rest. Past this the packets are
 * given up: the link may be down or paused for ever. */
#define DRAIN_TIMEOUT_US 10000

/* Bus words may be up to 16 bytes wide; a narrower bus only makes the bursts shorter. */
#define BUS_BYTES_MAX 16

static inline uint32_t
ch_reg(const struct dwmac_hw *hw, unsigned int ch, uint32_t reg)
{
	return hw->device->dma_ch_base + ch * hw->device->dma_ch_stride + reg;
}

static inline uint32_t
mtl_reg(const struct dwmac_hw *hw, unsigned int queue, uint32_t reg)
{
	return hw->device->mtl_q_base + queue * hw->device->mtl_q_stride + reg;
}

/* TxPBL/RxPBL code under PBLx8: a burst may take half the TX queue at most (eqos.md §14). */
static uint32_t
pbl_code(uint32_t queue_bytes)
{
	uint32_t code = 1;

	while (code < 32 && 2 * code * 8 <= queue_bytes / 2 / BUS_BYTES_MAX)
		code *= 2;
	return code;
}

static uint32_t
queue_bytes(uint32_t fifo_bytes, unsigned int nb_queues)
{
	return RTE_ALIGN_FLOOR(fifo_bytes / nb_queues, 256u);
}

static void
mtl_init(struct dwmac_hw *hw)
{
	const uint32_t tqs = queue_bytes(hw->caps.tx_fifo_bytes, hw->nb_tx) / 256 - 1;
	const uint32_t rqs = queue_bytes(hw->caps.rx_fifo_bytes, hw->nb_rx) / 256 - 1;
	uint32_t map[2] = { 0, 0 };
	unsigned int q;

	dwmac_write32(&hw->io, EQOS_MTL_Operation_Mode, EQOS_MTL_Operation_Mode_SCHALG_WRR);
	for (q = 0; q < hw->nb_tx; q++) {
		dwmac_write32(&hw->io, mtl_reg(hw, q, EQOS_MTL_TxQ_Quantum_Weight), 1);
		dwmac_write32(&hw->io, mtl_reg(hw, q, EQOS_MTL_TxQ_Operation_Mode),
				EQOS_MTL_TxQ_Operation_Mode_TQS(tqs) |
						EQOS_MTL_TxQ_Operation_Mode_TXQEN_ON |
						EQOS_MTL_TxQ_Operation_Mode_TSF);
	}
	/* Queues of an earlier, wider configuration give their share of the FIFO back: the sum
	 * must not exceed the total (sequences.md §4). */
	for (; q < hw->caps.nb_tx_queues; q++)
		dwmac_write32(&hw->io, mtl_reg(hw, q, EQOS_MTL_TxQ_Operation_Mode), 0);

	for (q = 0; q < hw->nb_rx; q++) {
		map[q / 4] |= q << (8 * (q % 4));
		dwmac_write32(&hw->io, mtl_reg(hw, q, EQOS_MTL_RxQ_Operation_Mode),
				EQOS_MTL_RxQ_Operation_Mode_RQS(rqs) |
						EQOS_MTL_RxQ_Operation_Mode_RSF);
	}
	for (; q < hw->caps.nb_rx_queues; q++)
		dwmac_write32(&hw->io, mtl_reg(hw, q, EQOS_MTL_RxQ_Operation_Mode), 0);
	dwmac_write32(&hw->io, EQOS_MTL_RxQ_DMA_Map(0), map[0]);
	if (hw->caps.nb_rx_queues > 4)
		dwmac_write32(&hw->io, EQOS_MTL_RxQ_DMA_Map(1), map[1]);
}

void
dwmac_eqos_init(struct dwmac_hw *hw, unsigned int nb_tx, unsigned int nb_rx)
{
	uint32_t bus = EQOS_DMA_SysBus_Mode_WR_OSR_LMT(1) | EQOS_DMA_SysBus_Mode_RD_OSR_LMT(1) |
		       EQOS_DMA_SysBus_Mode_BLEN16 | EQOS_DMA_SysBus_Mode_BLEN8 |
		       EQOS_DMA_SysBus_Mode_BLEN4;
	unsigned int ch;

	hw->nb_tx = nb_tx;
	hw->nb_rx = nb_rx;
	/* Without EAME the upper address words are ignored (eqos.md §14). */
	if (hw->caps.addr_bits > 32)
		bus |= EQOS_DMA_SysBus_Mode_EAME;
	dwmac_write32(&hw->io, EQOS_DMA_SysBus_Mode, bus);

	for (ch = 0; ch < RTE_MAX(nb_tx, nb_rx); ch++) {
		dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Control),
				EQOS_DMA_CH_Control_PBLx8);
		dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Interrupt_Enable), 0);
		/* What an earlier run left behind is no news. */
		dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Status), EQOS_DMA_CH_Status_W1C);
	}
	mtl_init(hw);
	dwmac_eqos_mac_init(hw, nb_rx);
}

void
dwmac_eqos_tx_start(struct dwmac_hw *hw, unsigned int ch, const struct dwmac_ring *ring)
{
	const uint32_t control = EQOS_DMA_CH_Tx_Control_OSF |
				 EQOS_DMA_CH_Tx_Control_TxPBL(pbl_code(
						 queue_bytes(hw->caps.tx_fifo_bytes, hw->nb_tx)));

	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Tx_Control), control);
	/* High half before low half (pitfalls.md 25). */
	if (hw->caps.addr_bits > 32)
		dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_TxDesc_List_HAddress),
				ring->iova >> 32);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_TxDesc_List_Address),
			(uint32_t)ring->iova);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_TxDesc_Ring_Length), ring->nb_desc - 1);
	/* tail = base: nothing to send yet. */
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_TxDesc_Tail_Pointer),
			(uint32_t)ring->iova);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Tx_Control),
			control | EQOS_DMA_CH_Tx_Control_ST);
}

void
dwmac_eqos_rx_start(
		struct dwmac_hw *hw, unsigned int ch, const struct dwmac_ring *ring, uint16_t tail)
{
	const uint32_t control = EQOS_DMA_CH_Rx_Control_RBSZ(ring->buf_bytes) |
				 EQOS_DMA_CH_Rx_Control_RxPBL(pbl_code(
						 queue_bytes(hw->caps.rx_fifo_bytes, hw->nb_rx)));

	/* RPF of an earlier stop goes with this write. */
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Rx_Control), control);
	if (hw->caps.addr_bits > 32)
		dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_RxDesc_List_HAddress),
				ring->iova >> 32);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_RxDesc_List_Address),
			(uint32_t)ring->iova);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_RxDesc_Ring_Length), ring->nb_desc - 1);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_RxDesc_Tail_Pointer),
			(uint32_t)ring->iova + tail * 16);
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Rx_Control),
			control | EQOS_DMA_CH_Rx_Control_SR);
}

/* Wait until the state nibble of a channel is one of two values. */
static int
wait_state(struct dwmac_hw *hw, uint32_t reg, unsigned int shift, uint32_t a, uint32_t b)
{
	const uint64_t limit = hw->io.tsc_hz / 1000000 * DRAIN_TIMEOUT_US;
	const uint64_t start = rte_rdtsc();
	uint32_t value, state;
	bool late;

	do {
		late = rte_rdtsc() - start > limit;
		value = dwmac_read32(&hw->io, reg);
		if (value == DWMAC_ALL_ONES)
			return -ENODEV;
		state = (value >> shift) & 0xf;
		if (state == a || state == b)
			return 0;
		rte_pause();
	} while (!late);
	return -ETIMEDOUT;
}

/* Let the MTL queue run empty, or flush it: with the link down or paused it never will. */
static int
tx_queue_drain(struct dwmac_hw *hw, unsigned int queue)
{
	const uint32_t mode = mtl_reg(hw, queue, EQOS_MTL_TxQ_Operation_Mode);
	int ret = dwmac_poll(&hw->io, mtl_reg(hw, queue, EQOS_MTL_TxQ_Debug),
			EQOS_MTL_TxQ_Debug_TXQSTS | EQOS_MTL_TxQ_Debug_TRCSTS, 0, DRAIN_TIMEOUT_US,
			NULL);

	if (ret != -ETIMEDOUT)
		return ret;
	dwmac_write32(&hw->io, mode, dwmac_read32(&hw->io, mode) | EQOS_MTL_TxQ_Operation_Mode_FTQ);
	return dwmac_poll(
			&hw->io, mode, EQOS_MTL_TxQ_Operation_Mode_FTQ, 0, DRAIN_TIMEOUT_US, NULL);
}

/* sequences.md §6: drain or give up, ST=0, empty the queue, wait for rest; a channel that was
 * suspended may stay so. */
int
dwmac_eqos_tx_stop(struct dwmac_hw *hw, unsigned int ch)
{
	const uint32_t debug = EQOS_DMA_Debug_Status(ch);
	const unsigned int shift = EQOS_DMA_Debug_TPS_SHIFT(ch);
	int ret;

	ret = wait_state(hw, debug, shift, EQOS_DMA_Debug_TPS_SUSPENDED, EQOS_DMA_Debug_STOPPED);
	if (ret == -ENODEV)
		return ret;
	dwmac_modify32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Tx_Control), EQOS_DMA_CH_Tx_Control_ST,
			0);
	ret = tx_queue_drain(hw, ch);
	if (ret != 0)
		return ret;
	return wait_state(hw, debug, shift, EQOS_DMA_Debug_TPS_SUSPENDED, EQOS_DMA_Debug_STOPPED);
}

/* SR=0 lets the packet in hand finish; RPF keeps later ones from blocking the queue. */
int
dwmac_eqos_rx_stop(struct dwmac_hw *hw, unsigned int ch)
{
	int ret;

	dwmac_modify32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Rx_Control), EQOS_DMA_CH_Rx_Control_SR,
			0);
	ret = wait_state(hw, EQOS_DMA_Debug_Status(ch), EQOS_DMA_Debug_RPS_SHIFT(ch),
			EQOS_DMA_Debug_STOPPED, EQOS_DMA_Debug_STOPPED);
	if (ret == 0)
		dwmac_modify32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Rx_Control),
				EQOS_DMA_CH_Rx_Control_RPF, EQOS_DMA_CH_Rx_Control_RPF);
	return ret;
}

uint32_t
dwmac_eqos_tx_tail_offset(const struct dwmac_hw *hw, unsigned int ch)
{
	return ch_reg(hw, ch, EQOS_DMA_CH_TxDesc_Tail_Pointer);
}

uint32_t
dwmac_eqos_rx_tail_offset(const struct dwmac_hw *hw, unsigned int ch)
{
	return ch_reg(hw, ch, EQOS_DMA_CH_RxDesc_Tail_Pointer);
}

/* Both raise AIS, which has to be cleared with them. */
uint32_t
dwmac_eqos_channel_errors(struct dwmac_hw *hw, unsigned int ch)
{
	const uint32_t errors = EQOS_DMA_CH_Status_CDE | EQOS_DMA_CH_Status_FBE;
	const uint32_t status = dwmac_read32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Status));

	if (status == DWMAC_ALL_ONES || (status & errors) == 0)
		return 0;
	dwmac_write32(&hw->io, ch_reg(hw, ch, EQOS_DMA_CH_Status),
			status & (errors | EQOS_DMA_CH_Status_AIS));
	return (status & EQOS_DMA_CH_Status_FBE ? DWMAC_CH_BUS_ERROR : 0) |
	       (status & EQOS_DMA_CH_Status_CDE ? DWMAC_CH_DESC_ERROR : 0);
}

void
dwmac_eqos_rx_missed(struct dwmac_hw *hw, unsigned int queue, uint32_t *fifo_overflow,
		uint32_t *no_buffer)
{
	uint32_t value = dwmac_read32(&hw->io, mtl_reg(hw, queue, EQOS_MTL_RxQ_Missed_Overflow));

	if (value == DWMAC_ALL_ONES)
		value = 0;
	*fifo_overflow = value & EQOS_MTL_RxQ_Missed_Overflow_OVF;
	*no_buffer = (value & EQOS_MTL_RxQ_Missed_Overflow_MIS) >> 16;
}
