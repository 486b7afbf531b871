/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

/* Vectors of Intel's glue: RX i = 2i, TX i = 2i + 1, everything else 29 (sequences.md §13.1). */
#define VECTOR_RX(ch) (2u * (unsigned int)(ch))
#define VECTOR_TX(ch) (2u * (unsigned int)(ch) + 1u)
#define VECTOR_MAC    29u

#define NORMAL_COMMON (DMA_ST_TBU | DMA_ST_ERI)
#define NORMAL_PACKET (DMA_ST_TI | DMA_ST_RI)
#define ABNORMAL      (DMA_ST_TPS | DMA_ST_RBU | DMA_ST_RPS | DMA_ST_ETI | DMA_ST_FBE | DMA_ST_CDE)

void
irq_reset(struct device *dev)
{
	const struct irq_state old = dev->irq;

	dev->irq = (struct irq_state){
		.vectors = old.vectors,
		.messages = old.messages,
		.lost = old.lost,
	};
}

static unsigned int
intm(const struct device *dev)
{
	return DMA_MODE_INTM(reg_get(dev, DMA_MODE));
}

/* NIS and AIS are sticky ORs of the enabled events; TI and RI count only with INTM = 0. */
static void
summarise(struct device *dev, int channel)
{
	uint32_t *status = reg(dev, (uint32_t)DMA_CH(channel, DMA_STATUS));
	uint32_t live = *status & ch_reg(dev, channel, DMA_INTERRUPT_ENABLE);

	if (live & (NORMAL_COMMON | (intm(dev) == 0 ? NORMAL_PACKET : 0)))
		*status |= DMA_ST_NIS;
	if (live & ABNORMAL)
		*status |= DMA_ST_AIS;
}

void
dma_event(struct device *dev, int channel, uint32_t bits)
{
	uint32_t *status = reg(dev, (uint32_t)DMA_CH(channel, DMA_STATUS));
	uint32_t enabled = bits & ch_reg(dev, channel, DMA_INTERRUPT_ENABLE);

	if (intm(dev) == 2) {
		dev->tx[channel].queued_ti += (bits & *status & DMA_ST_TI) != 0;
		dev->rx[channel].queued_ri += (bits & *status & DMA_ST_RI) != 0;
	} else if (intm(dev) == 0) {
		if (enabled & DMA_ST_TI)
			dev->irq.tx_pulses |= BIT(channel);
		if (enabled & DMA_ST_RI)
			dev->irq.rx_pulses |= BIT(channel);
	}
	*status |= bits;
	summarise(dev, channel);
}

/*
 * DMA_CHn_Status: clearing RI clears ERI too; with INTM = 2 the next queued event comes up. NIS and
 * AIS come back while an event is left: drivers clear them with the events they saw, and one that
 * rose meanwhile would otherwise be lost.
 */
void
dma_write_status(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t *status = reg(dev, (uint32_t)DMA_CH((int)index, DMA_STATUS));
	uint32_t cleared = old & ~*status;

	(void)started;
	if (cleared & DMA_ST_RI)
		*status &= ~DMA_ST_ERI;
	if ((cleared & DMA_ST_TI) != 0 && dev->tx[index].queued_ti != 0) {
		dev->tx[index].queued_ti--;
		*status |= DMA_ST_TI;
	}
	if ((cleared & DMA_ST_RI) != 0 && dev->rx[index].queued_ri != 0) {
		dev->rx[index].queued_ri--;
		*status |= DMA_ST_RI;
	}
	if (dev->written & DMA_ST_FBE)
		*status &= ~BITS(21, 16);
	summarise(dev, (int)index);
	if (dev->written & DMA_ST_TI)
		dev->irq.rearm_tx |= BIT(index);
	if (dev->written & DMA_ST_RI)
		dev->irq.rearm_rx |= BIT(index);
	dev->irq.rearm_common = true;
}

/* An enable or a write-1-to-clear status other than the channels' changed. */
void
irq_write_status(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)index;
	(void)old;
	(void)started;
	for (int ch = 0; ch < dev->profile->channels; ch++)
		summarise(dev, ch);
	dev->irq.rearm_common = true;
}

uint32_t
mac_read_interrupt_status(struct device *dev, unsigned int index, uint32_t stored)
{
	uint32_t value = stored & (MAC_IS_MDIOIS | MAC_IS_PHYIS), events;

	(void)index;
	events = reg_get(dev, MAC_RX_TX_STATUS);
	if (events & MAC_RTS_RWT)
		value |= MAC_IS_RXSTSIS;
	if (events & ~MAC_RTS_RWT)
		value |= MAC_IS_TXSTSIS;
	if (reg_get(dev, MAC_TIMESTAMP_STATUS) & (BITS(9, 0) | TSS_TXTSSIS))
		value |= MAC_IS_TSIS;
	return value | mmc_interrupts(dev);
}

/* MMC interrupts have masks of their own instead of an enable here (eqos.md §2). */
static bool
mac_line(struct device *dev)
{
	uint32_t status = mac_read_interrupt_status(dev, 0, reg_get(dev, MAC_INTERRUPT_STATUS));

	return (status & (reg_get(dev, MAC_INTERRUPT_ENABLE) | MAC_IS_MMC)) != 0;
}

static bool
channel_line(const struct device *dev, int channel)
{
	uint32_t status = ch_reg(dev, channel, DMA_STATUS);
	uint32_t live = status & ch_reg(dev, channel, DMA_INTERRUPT_ENABLE);

	/* RWT belongs to AIE but is not in the AIS list. */
	return (live & (DMA_ST_NIS | DMA_ST_AIS)) != 0 ||
	       ((live & DMA_ST_RWT) != 0 &&
			       (ch_reg(dev, channel, DMA_INTERRUPT_ENABLE) & DMA_ST_AIS));
}

uint32_t
mtl_read_interrupt_status(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	stored = 0;
	for (int q = 0; q < dev->profile->channels; q++) {
		uint32_t value = reg_get(dev, (uint32_t)MTL_Q_INTERRUPT_CONTROL_STATUS(q));

		if (((value & MTL_QI_RXOVFIS) && (value & MTL_QI_RXOIE)) ||
				((value & MTL_QI_TXUNFIS) && (value & MTL_QI_TXUIE)))
			stored |= BIT(q);
	}
	return stored;
}

uint32_t
dma_read_interrupt_status(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	stored = mac_line(dev) ? DMA_IS_MACIS : 0;
	if (mtl_read_interrupt_status(dev, 0, 0) != 0)
		stored |= DMA_IS_MTLIS;
	for (int ch = 0; ch < dev->profile->channels; ch++)
		if (channel_line(dev, ch))
			stored |= BIT(ch);
	return stored;
}

static void
send(struct device *dev, unsigned int vector)
{
	if (vector >= dev->irq.vectors)
		vector %= dev->irq.vectors;
	if (fault_take(dev, FAULT_LOST_INTERRUPT, vector, NULL)) {
		dev->irq.lost++;
		return;
	}
	dev->irq.messages++;
	dev->host.irq(dev->host_ctx, vector);
}

static void
send_channels(struct device *dev, uint32_t tx, uint32_t rx)
{
	for (int ch = 0; ch < dev->profile->channels; ch++) {
		if (rx & BIT(ch))
			send(dev, VECTOR_RX(ch));
		if (tx & BIT(ch))
			send(dev, VECTOR_TX(ch));
	}
}

static void
levels(struct device *dev, bool *common, uint32_t *tx, uint32_t *rx)
{
	*common = dma_read_interrupt_status(dev, 0, 0) != 0;
	*tx = 0;
	*rx = 0;
	if (intm(dev) == 0)
		return;
	for (int ch = 0; ch < dev->profile->channels; ch++) {
		uint32_t live = ch_reg(dev, ch, DMA_STATUS) & ch_reg(dev, ch, DMA_INTERRUPT_ENABLE);

		*tx |= (live & DMA_ST_TI) ? BIT(ch) : 0;
		*rx |= (live & DMA_ST_RI) ? BIT(ch) : 0;
	}
}

/*
 * Lines to messages: a message when a line rises, and again when software has cleared something
 * and the line is still high (otherwise an event between its read and its clear would be lost).
 */
void
irq_update(struct device *dev)
{
	struct irq_state *irq = &dev->irq;
	bool common, single;
	uint32_t tx, rx;

	levels(dev, &common, &tx, &rx);
	single = common || tx != 0 || rx != 0;
	if (irq->vectors == 1) {
		bool rearm = irq->rearm_common || irq->rearm_tx != 0 || irq->rearm_rx != 0;

		if (single && (!irq->single || rearm))
			send(dev, 0);
	} else if (irq->vectors > 1) {
		send_channels(dev, (tx & (~irq->tx_lines | irq->rearm_tx)) | irq->tx_pulses,
				(rx & (~irq->rx_lines | irq->rearm_rx)) | irq->rx_pulses);
		if (common && (!irq->common || irq->rearm_common))
			send(dev, VECTOR_MAC);
	}
	irq->common = common && irq->vectors != 0;
	irq->single = single && irq->vectors != 0;
	irq->tx_lines = irq->vectors != 0 ? tx : 0;
	irq->rx_lines = irq->vectors != 0 ? rx : 0;
	irq->tx_pulses = 0;
	irq->rx_pulses = 0;
	irq->rearm_tx = 0;
	irq->rearm_rx = 0;
	irq->rearm_common = false;
}
