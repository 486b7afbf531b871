/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <stdlib.h>
#include <string.h>

#include "desc.h"

#define QUEUE_MIN_CHARGE 64

enum schedule { SCHED_WRR, SCHED_WFQ, SCHED_DWRR, SCHED_STRICT };

/*
 * A region of `len` bytes with headroom before it, never across the end of the ring. The rings
 * are several times larger than any queue size, so there is always one.
 */
uint8_t *
fifo_reserve(struct byte_fifo *fifo, uint32_t len)
{
	if (fifo->tail + len > QUEUE_RING)
		fifo->tail = 0;
	return fifo->data + fifo->tail + FRAME_HEADROOM;
}

/* Keep the first `len` bytes of the region reserved last. */
void
fifo_commit(struct byte_fifo *fifo, const uint8_t *data, uint32_t len)
{
	fifo->tail = ((uint32_t)(data - fifo->data) + len + 7) & ~UINT32_C(7);
}

bool
mtl_create(struct device *dev)
{
	dev->txq = calloc(CHANNELS, sizeof(*dev->txq));
	dev->rxq = calloc(CHANNELS, sizeof(*dev->rxq));
	if (dev->txq == NULL || dev->rxq == NULL)
		return false;
	for (int q = 0; q < CHANNELS; q++) {
		dev->txq[q].fifo.data = malloc(QUEUE_RING);
		dev->rxq[q].fifo.data = malloc(QUEUE_RING);
		if (dev->txq[q].fifo.data == NULL || dev->rxq[q].fifo.data == NULL)
			return false;
	}
	return true;
}

void
mtl_destroy(struct device *dev)
{
	for (int q = 0; q < CHANNELS; q++) {
		if (dev->txq != NULL)
			free(dev->txq[q].fifo.data);
		if (dev->rxq != NULL)
			free(dev->rxq[q].fifo.data);
	}
	free(dev->txq);
	free(dev->rxq);
}

void
mtl_reset(struct device *dev)
{
	for (int q = 0; q < CHANNELS; q++) {
		dev->txq[q].head = dev->txq[q].count = dev->txq[q].bytes = 0;
		dev->txq[q].deficit = 0;
		dev->txq[q].fifo.tail = 0;
		dev->rxq[q].head = dev->rxq[q].count = dev->rxq[q].bytes = 0;
		dev->rxq[q].fifo.tail = 0;
	}
	dev->txq_pending = 0;
	dev->txq_flushing = 0;
	dev->flush_due_ps = DEVICE_NEVER;
}

uint32_t
txq_size(const struct device *dev, int queue)
{
	return (MTL_TQ_TQS(reg_get(dev, (uint32_t)MTL_TXQ_OPERATION_MODE(queue))) + 1) * 256;
}

uint32_t
rxq_size(const struct device *dev, int queue)
{
	return (MTL_RQ_RQS(reg_get(dev, (uint32_t)MTL_RXQ_OPERATION_MODE(queue))) + 1) * 256;
}

static bool
queue_enabled(const struct device *dev, int queue, enum dma_dir dir)
{
	if (dir == DMA_TX)
		return MTL_TQ_TXQEN(reg_get(dev, (uint32_t)MTL_TXQ_OPERATION_MODE(queue))) != 0;
	return (reg_get(dev, MAC_RXQ_CTRL0) >> (2 * queue) & 3) != 0;
}

void
mtl_check_sizes(struct device *dev, enum dma_dir dir)
{
	uint32_t have = dir == DMA_TX ? dev->profile->tx_fifo_bytes : dev->profile->rx_fifo_bytes;
	uint32_t sum = 0;

	for (int q = 0; q < dev->profile->channels; q++)
		if (queue_enabled(dev, q, dir))
			sum += dir == DMA_TX ? txq_size(dev, q) : rxq_size(dev, q);
	if (sum > have)
		complain(dev, COMPLAINT_FIFO_OVERSUBSCRIBED,
				"%s queues of %u bytes in a FIFO of %u",
				dir == DMA_TX ? "TX" : "RX", sum, have);
}

static uint16_t
charge(uint32_t len)
{
	return (uint16_t)(len < QUEUE_MIN_CHARGE ? QUEUE_MIN_CHARGE : len);
}

/* A packet larger than the queue is forwarded while it is written, once the queue is empty. */
bool
txq_has_room(struct device *dev, int queue, uint32_t len)
{
	const struct tx_queue *q = &dev->txq[queue];

	return q->count == 0 || q->bytes + charge(len) <= txq_size(dev, queue);
}

struct tx_packet *
txq_push(struct device *dev, int queue, const uint8_t *data, uint32_t len)
{
	struct tx_queue *q = &dev->txq[queue];
	struct tx_packet *packet = &q->packet[(q->head + q->count) % QUEUE_PACKETS];

	if (!queue_enabled(dev, queue, DMA_TX))
		complain(dev, COMPLAINT_TXQ_OFF, "packet for TX queue %d, TXQEN = 0", queue);
	memset(packet, 0, sizeof(*packet));
	packet->offset = (uint32_t)(data - q->fifo.data);
	packet->len = len;
	fifo_commit(&q->fifo, data, len);
	packet->channel = (uint8_t)queue;
	packet->charged = charge(len);
	q->bytes += packet->charged;
	q->count++;
	dev->txq_pending |= BIT(queue);
	return packet;
}

void
txq_pop(struct device *dev, int queue)
{
	struct tx_queue *q = &dev->txq[queue];

	q->bytes -= q->packet[q->head].charged;
	q->head = (q->head + 1) % QUEUE_PACKETS;
	if (--q->count == 0)
		dev->txq_pending &= ~BIT(queue);
}

static uint32_t
quantum(const struct device *dev, int queue, enum schedule schedule)
{
	uint32_t weight = FIELD(reg_get(dev, (uint32_t)MTL_TXQ_QUANTUM_WEIGHT(queue)), 20, 0);

	if (weight == 0)
		weight = 1;
	return schedule == SCHED_WFQ ? weight * QUEUE_MIN_CHARGE : weight;
}

static bool
eligible(struct device *dev, int queue, uint64_t at_ps, uint64_t *next_ps)
{
	struct tx_packet *packet = txq_head(&dev->txq[queue]);
	uint64_t from = packet->ready_ps;

	if (!queue_enabled(dev, queue, DMA_TX))
		return false;
	if (packet->launch.valid) {
		uint64_t launch = ptp_launch_ps(
				dev, packet->launch.seconds, packet->launch.ns, at_ps);

		from = launch > from ? launch : from;
	}
	if (from <= at_ps)
		return true;
	if (from < *next_ps)
		*next_ps = from;
	return false;
}

/*
 * The queue whose head is sent next, or -1. Strict priority: the highest number. WRR counts
 * packets, DWRR bytes; WFQ is approximated by DWRR with 64 bytes per unit of weight.
 */
int
txq_pick(struct device *dev, uint64_t at_ps, uint64_t *next_ps)
{
	enum schedule schedule = MTL_OM_SCHALG(reg_get(dev, MTL_OPERATION_MODE));
	uint32_t able = 0;

	for (int q = dev->profile->channels - 1; q >= 0; q--)
		if ((dev->txq_pending & BIT(q)) != 0 && eligible(dev, q, at_ps, next_ps))
			able |= BIT(q);
	if (able == 0)
		return -1;
	if (schedule == SCHED_STRICT || (able & (able - 1)) == 0)
		return 31 - __builtin_clz(able);
	for (;;) {
		for (int q = 0; q < dev->profile->channels; q++) {
			struct tx_queue *queue = &dev->txq[q];

			if ((able & BIT(q)) == 0 || queue->deficit <= 0)
				continue;
			queue->deficit -= schedule == SCHED_WRR ? 1 : (int32_t)txq_head(queue)->len;
			return q;
		}
		for (int q = 0; q < dev->profile->channels; q++)
			if (able & BIT(q))
				dev->txq[q].deficit += (int32_t)quantum(dev, q, schedule);
	}
}

bool
rxq_has_room(const struct device *dev, int queue, uint32_t len)
{
	const struct rx_queue *q = &dev->rxq[queue];

	return q->bytes + charge(len) <= rxq_size(dev, queue);
}

uint8_t *
rxq_reserve(struct device *dev, int queue)
{
	return fifo_reserve(&dev->rxq[queue].fifo, FRAME_ROOM);
}

/* The frame was built in the region of rxq_reserve(), without use of the headroom. */
struct rx_packet *
rxq_push(struct device *dev, int queue, uint32_t len)
{
	struct rx_queue *q = &dev->rxq[queue];
	struct rx_packet *packet = &q->packet[(q->head + q->count) % QUEUE_PACKETS];
	uint8_t *data = q->fifo.data + q->fifo.tail + FRAME_HEADROOM;

	memset(packet, 0, sizeof(*packet));
	packet->offset = (uint32_t)(data - q->fifo.data);
	packet->len = len;
	memset(data + len, 0, FRAME_TAILROOM); /* the DMA writes whole bus words */
	fifo_commit(&q->fifo, data, len);
	packet->charged = charge(len);
	q->bytes += packet->charged;
	q->count++;
	return packet;
}

void
rxq_pop(struct device *dev, int queue)
{
	struct rx_queue *q = &dev->rxq[queue];

	q->bytes -= q->packet[q->head].charged;
	q->head = (q->head + 1) % QUEUE_PACKETS;
	q->count--;
	flow_control(dev, queue);
}

/* A counter of 11 bits with its overflow flag right above it. */
static void
count_up(uint32_t *value, unsigned int shift)
{
	uint32_t count = *value >> shift & 0x7ff;

	if (count == 0x7ff)
		*value |= UINT32_C(0x800) << shift;
	*value = (*value & ~(UINT32_C(0x7ff) << shift)) | ((count + 1) & 0x7ff) << shift;
}

/* The FIFO overflowed. */
void
rxq_lost(struct device *dev, int queue)
{
	dev->rxq[queue].overflows++;
	count_up(reg(dev, (uint32_t)MTL_RXQ_MISSED_PACKET_OVERFLOW_CNT(queue)), 0);
	*reg(dev, (uint32_t)MTL_Q_INTERRUPT_CONTROL_STATUS(queue)) |= MTL_QI_RXOVFIS;
	mmc_add(dev, 0x7d4, 1);
}

/* The DMA flushed the head of the queue: its channel is stopped and RPF is set. */
void
rxq_flush_head(struct device *dev, int queue)
{
	int channel = rxq_head(&dev->rxq[queue])->channel;
	uint32_t *missed = reg(dev, (uint32_t)DMA_CH(channel, DMA_MISS_FRAME_CNT));

	dev->rxq[queue].flushed++;
	count_up(reg(dev, (uint32_t)MTL_RXQ_MISSED_PACKET_OVERFLOW_CNT(queue)), 16);
	if ((*missed & 0x7ff) == 0x7ff)
		*missed |= BIT(15);
	*missed = (*missed & ~UINT32_C(0x7ff)) | ((*missed + 1) & 0x7ff);
	rxq_pop(dev, queue);
}

/* FTQ: the packets of the queue end here; their descriptors are closed with FF. */
static void
flush_tx(struct device *dev, int queue)
{
	struct tx_queue *q = &dev->txq[queue];

	while (q->count > (dev->mac.sending && dev->mac.sending_queue == queue ? 1u : 0u)) {
		/* The frame on the wire keeps its place at the head. */
		uint32_t victim = (q->head + q->count - 1) % QUEUE_PACKETS;
		struct tx_packet packet = q->packet[victim];

		q->bytes -= packet.charged;
		q->count--;
		packet.status |= TDES3_FF;
		packet.stamp = false;
		if (packet.last)
			tx_writeback(dev, &packet, dev->now_ps);
	}
	if (q->count == 0)
		dev->txq_pending &= ~BIT(queue);
	tso_abort(dev, queue);
}

/* A flush takes no time here: FTQ outlasts the write only by a fault. */
void
mtl_settle(struct device *dev, uint64_t now_ps)
{
	if (dev->flush_due_ps > now_ps)
		return;
	dev->flush_due_ps = DEVICE_NEVER;
	for (int q = 0; q < dev->profile->channels; q++) {
		uint32_t offset = (uint32_t)MTL_TXQ_OPERATION_MODE(q);

		if ((dev->txq_flushing & BIT(q)) == 0 ||
				fault_holds_bit(dev, offset, &dev->flush_due_ps))
			continue;
		dev->txq_flushing &= ~BIT(q);
		*reg(dev, offset) &= ~MTL_TQ_FTQ;
	}
}

void
mtl_write_txq_mode(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t *mode = reg(dev, (uint32_t)MTL_TXQ_OPERATION_MODE((int)index));

	if (old & MTL_TQ_FTQ) {
		complain(dev, COMPLAINT_FTQ_BUSY, "MTL_TxQ%u_Operation_Mode written while FTQ = 1",
				index);
		*mode = old;
		return;
	}
	if ((started & MTL_TQ_FTQ) == 0)
		return;
	flush_tx(dev, (int)index);
	dev->txq_flushing |= BIT(index);
	dev->flush_due_ps = dev->now_ps;
	mtl_settle(dev, dev->now_ps);
}

void
mtl_write_rxq_mode(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)old;
	(void)started;
	if (dev->rxq[index].count != 0)
		dev->rx_refused = true; /* a larger queue may have made room */
}

void
mtl_write_mode(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t preset = (started & MTL_OM_CNTCLR) ? 0 : 0x7f0;

	(void)index;
	(void)old;
	*reg(dev, MTL_OPERATION_MODE) &= ~(MTL_OM_CNTCLR | MTL_OM_CNTPRST);
	for (int q = 0; started != 0 && q < dev->profile->channels; q++) {
		*reg(dev, 0xd04u + 0x40u * (unsigned int)q) = preset;
		*reg(dev, (uint32_t)MTL_RXQ_MISSED_PACKET_OVERFLOW_CNT(q)) = preset << 16 | preset;
	}
}

uint32_t
mtl_read_txq_debug(struct device *dev, unsigned int index, uint32_t stored)
{
	const struct tx_queue *q = &dev->txq[index];
	bool sending = dev->mac.sending && dev->mac.sending_queue == (int)index;

	(void)stored;
	return (q->count < 7 ? q->count : 7) << 16 | (q->count != 0 ? BIT(4) : 0) |
	       (sending ? BIT(1) : 0) | (dev->mac.paused_until_ps > dev->now_ps ? 1u : 0u);
}

uint32_t
mtl_read_rxq_debug(struct device *dev, unsigned int index, uint32_t stored)
{
	const struct rx_queue *q = &dev->rxq[index];
	uint32_t level = q->count == 0 ? 0 : q->bytes + 1536 > rxq_size(dev, (int)index) ? 3 : 1;

	(void)stored;
	return q->count << 16 | level << 4 | (dev->rx[0].active_queue == (int)index ? BIT(1) : 0);
}
