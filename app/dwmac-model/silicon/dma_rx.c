/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#include "desc.h"

#define DELIVER_BUDGET 4096 /* descriptors per queue and call */
#define STUCK_RX(ch)   ((uint64_t)(ch) + 256)

enum rx_progress { RX_NONE, RX_SOME, RX_PACKET };

void
rx_start(struct device *dev, int channel)
{
	struct rx_channel *rx = &dev->rx[channel];

	rx->context_due = false;
	ring_start(dev, &rx->ring, channel, DMA_RX);
	if (DMA_RC_RBSZ(ch_reg(dev, channel, DMA_RX_CONTROL)) == 0)
		complain(dev, COMPLAINT_RX_BUFFER_SIZE, "RX channel %d started with RBSZ = 0",
				channel);
}

/* The rest of a packet that is half delivered is lost. */
static void
abandon_packet(struct device *dev, int channel)
{
	struct rx_channel *rx = &dev->rx[channel];

	if (rx->active_queue >= 0)
		rxq_pop(dev, rx->active_queue);
	rx->active_queue = -1;
	rx->delivered = 0;
	rx->ioc = false;
}

void
rx_stop(struct device *dev, int channel)
{
	struct rx_channel *rx = &dev->rx[channel];

	if (!rx->ring.running)
		return;
	rx->ring.running = false;
	abandon_packet(dev, channel);
	dma_event(dev, channel, DMA_ST_RPS);
}

static void
bus_error(struct device *dev, int channel, bool descriptor, bool read)
{
	dma_bus_error(dev, channel, DMA_RX, descriptor, read);
	abandon_packet(dev, channel);
}

static void
suspend(struct device *dev, int channel)
{
	struct ring *ring = &dev->rx[channel].ring;

	if (ring->was_owned)
		dma_event(dev, channel, DMA_ST_RBU);
	ring->was_owned = false;
}

/* The descriptor at the current position if the DMA may use it, else NULL. */
static uint32_t *
current_descriptor(struct device *dev, int channel)
{
	struct ring *ring = &dev->rx[channel].ring;
	uint32_t *word;

	if (ring->exhausted || ring->starved) {
		suspend(dev, channel);
		return NULL;
	}
	word = ring_map(dev, ring, ring->current, channel, DMA_RX);
	if (word == NULL) {
		bus_error(dev, channel, true, true);
		return NULL;
	}
	if ((desc_load_own(&word[3]) & DESC_OWN) == 0) {
		ring->starved = true;
		suspend(dev, channel);
		return NULL;
	}
	return word;
}

static void
give_back(struct device *dev, int channel, uint32_t *word, uint32_t word3)
{
	if (!fault_take(dev, FAULT_STUCK_OWN, STUCK_RX(channel), NULL))
		desc_store_own(&word[3], word3 & ~DESC_OWN);
}

/*
 * Data into one buffer. The DMA writes whole bus words: the rest of the last one is clobbered. An
 * unaligned address is possible in the first buffer only (eqos.md §13).
 */
static bool
fill_buffer(struct device *dev, int channel, const struct rx_packet *packet, uint64_t iova)
{
	struct rx_channel *rx = &dev->rx[channel];
	uint32_t bus = dev->profile->bus_bytes, skew = (uint32_t)iova & (bus - 1);
	uint32_t size = DMA_RC_RBSZ(ch_reg(dev, channel, DMA_RX_CONTROL)), len, span;
	static const uint8_t zeros[16];
	const uint8_t *data = dev->rxq[rx->active_queue].fifo.data + packet->offset + rx->delivered;

	if (skew != 0)
		complain(dev, COMPLAINT_RX_BUFFER_UNALIGNED,
				"RX channel %d: buffer not on %u bytes", channel, bus);
	if (rx->delivered != 0)
		skew = 0;
	iova -= iova & (bus - 1);
	if (size <= skew)
		return true;
	len = packet->len - rx->delivered;
	if (len > size - skew)
		len = size - skew;
	span = (skew + len + bus - 1) & ~(bus - 1);
	if (skew != 0 && !bus_write(dev, iova, zeros, skew, channel, DMA_RX))
		return false;
	if (!bus_write(dev, iova + skew, data, span - skew, channel, DMA_RX))
		return false;
	rx->delivered += len;
	return true;
}

static bool
rx_done(const struct device *dev, int channel, const struct rx_packet *packet)
{
	return dev->rx[channel].delivered == packet->len;
}

static bool
fill_buffers(struct device *dev, int channel, const struct rx_packet *packet, const uint32_t w[4])
{
	bool wide = (reg_get(dev, DMA_SYSBUS_MODE) & DMA_SBM_EAME) != 0 &&
		    dev->profile->identity.dma_bits > 32;
	uint64_t buf1 = w[0], buf2 = w[2];

	if (wide) {
		buf1 |= (uint64_t)w[1] << 32;
		buf2 |= (uint64_t)(w[3] & 0xff) << 32;
	}
	if ((w[3] & (RDES3_BUF1V | RDES3_BUF2V)) == 0)
		complain(dev, COMPLAINT_RX_BUFFER_NONE, "RX channel %d: neither BUF1V nor BUF2V",
				channel);
	if ((w[3] & RDES3_BUF1V) != 0 && !fill_buffer(dev, channel, packet, buf1))
		return false;
	return (w[3] & RDES3_BUF2V) == 0 || rx_done(dev, channel, packet) ||
	       fill_buffer(dev, channel, packet, buf2);
}

/* Is the entry after the current one free for a context descriptor? */
static bool
context_fits(struct device *dev, int channel)
{
	struct ring *ring = &dev->rx[channel].ring;
	uint32_t next = ring->current + 1 < ring->count ? ring->current + 1 : 0, *word;

	if ((uint32_t)ring_address(ring, next) == ring->tail)
		return false;
	word = ring_map(dev, ring, next, channel, DMA_RX);
	return word != NULL && (desc_load_own(&word[3]) & DESC_OWN) != 0;
}

/* TSA if a context descriptor will follow, TD if the stamp is dropped for want of one. */
static uint32_t
stamp_status(struct device *dev, int channel, const struct rx_packet *packet)
{
	struct rx_channel *rx = &dev->rx[channel];
	uint64_t how = 0, late_ns = 0;
	bool missing;

	if (!packet->stamp)
		return 0;
	missing = fault_take(dev, FAULT_MISSING_RX_STAMP, 0, &how);
	if ((missing && how == 0) || !context_fits(dev, channel)) {
		rx->stamps_dropped++;
		return RDES1_TD;
	}
	if (!ptp_stamp_rx(dev, packet->sfd_ps, &rx->context_seconds, &rx->context_sub))
		return 0;
	if (missing && how == 2)
		return RDES1_TSA;
	if (missing)
		rx->context_seconds = rx->context_sub = UINT32_MAX;
	fault_take(dev, FAULT_LATE_RX_STAMP, 0, &late_ns);
	rx->context_due = true;
	rx->context_ps = late_ns != 0 ? dev->now_ps + late_ns * 1000 : 0;
	return RDES1_TSA;
}

/* The time stamp's own descriptor; the buffer it had is not touched. */
static bool
write_context(struct device *dev, int channel)
{
	struct rx_channel *rx = &dev->rx[channel];
	uint32_t *word;

	if (rx->context_ps > dev->now_ps)
		return false;
	word = current_descriptor(dev, channel);
	if (word == NULL)
		return false;
	desc_store(&word[0], rx->context_sub);
	desc_store(&word[1], rx->context_seconds);
	desc_store(&word[2], 0);
	give_back(dev, channel, word, DESC_CTXT);
	ring_advance(&rx->ring);
	rx->context_due = false;
	rx->stamps++;
	return true;
}

/* RI at once if any descriptor of the packet had IOC, else by the watchdog timer. */
static void
receive_interrupt(struct device *dev, int channel)
{
	struct rx_channel *rx = &dev->rx[channel];
	uint32_t timer = ch_reg(dev, channel, DMA_RX_INTERRUPT_WATCHDOG_TIMER);
	uint64_t clocks = (uint64_t)FIELD(timer, 7, 0) * (UINT64_C(256) << FIELD(timer, 17, 16));

	if (rx->ioc) {
		rx->watchdog_ps = DEVICE_NEVER;
		dma_event(dev, channel, DMA_ST_RI);
	} else if (clocks != 0 && rx->watchdog_ps == DEVICE_NEVER) {
		rx->watchdog_ps = dev->now_ps +
				  clocks * UINT64_C(1000000000000) / dev->profile->app_hz;
	}
	rx->ioc = false;
}

static void
write_status(struct device *dev, int channel, const struct rx_packet *packet, uint32_t *word,
		bool first, bool last)
{
	struct rx_channel *rx = &dev->rx[channel];
	uint32_t word3 = (first ? DESC_FD : 0) | rx->delivered;
	uint64_t lie;

	if (last) {
		desc_store(&word[0], packet->rdes0);
		desc_store(&word[1], packet->rdes1 | stamp_status(dev, channel, packet));
		desc_store(&word[2], packet->rdes2);
		word3 |= packet->rdes3;
		if (!fault_take(dev, FAULT_MISSING_LD, 0, NULL))
			word3 |= DESC_LD;
		if (fault_take(dev, FAULT_BAD_LENGTH, 0, &lie))
			word3 = (word3 & ~UINT32_C(0x7fff)) | ((uint32_t)lie & 0x7fff);
	}
	give_back(dev, channel, word, word3);
	ring_advance(&rx->ring);
}

static void
end_packet(struct device *dev, int channel, int queue)
{
	struct rx_channel *rx = &dev->rx[channel];
	const struct rx_packet *packet = rxq_head(&dev->rxq[queue]);

	rx->packets++;
	rx->bytes += packet->len;
	if (packet->rdes3 & RDES3_RWT)
		dma_event(dev, channel, DMA_ST_RWT);
	receive_interrupt(dev, channel);
	rx->active_queue = -1;
	rx->delivered = 0;
	rxq_pop(dev, queue);
}

/* One descriptor's worth of the packet at the head of `queue`. */
static enum rx_progress
deliver(struct device *dev, int channel, int queue)
{
	struct rx_channel *rx = &dev->rx[channel];
	const struct rx_packet *packet = rxq_head(&dev->rxq[queue]);
	uint32_t *word = current_descriptor(dev, channel), w[4];
	bool first = rx->delivered == 0;

	if (word == NULL)
		return RX_NONE;
	memcpy(w, word, sizeof(w));
	if ((w[0] & w[1] & w[2] & w[3]) == UINT32_MAX) {
		complain(dev, COMPLAINT_DESC_ALL_ONES, "RX channel %d: descriptor of all ones",
				channel);
		dma_event(dev, channel, DMA_ST_CDE);
	}
	rx->active_queue = queue;
	rx->ioc |= (w[3] & RDES3_IOC) != 0;
	if (!fill_buffers(dev, channel, packet, w)) {
		bus_error(dev, channel, false, false);
		return RX_NONE;
	}
	write_status(dev, channel, packet, word, first, rx_done(dev, channel, packet));
	if (!rx_done(dev, channel, packet))
		return RX_SOME;
	end_packet(dev, channel, queue);
	return RX_PACKET;
}

/* Try to move the head of a queue on. False: nothing to do, or it has to wait. */
static bool
run_queue(struct device *dev, int queue, uint64_t now_ps)
{
	struct rx_queue *q = &dev->rxq[queue];
	struct rx_channel *rx;
	int channel;

	if (q->count == 0 || rxq_head(q)->ready_ps > now_ps)
		return false;
	channel = rxq_head(q)->channel;
	rx = &dev->rx[channel];
	if (!rx->ring.running) {
		if ((ch_reg(dev, channel, DMA_RX_CONTROL) & DMA_RC_RPF) == 0)
			return false;
		rxq_flush_head(dev, queue);
		return true;
	}
	if (rx->active_queue >= 0 && rx->active_queue != queue)
		return false;
	if (rx->context_due && !write_context(dev, channel))
		return false;
	return deliver(dev, channel, queue) != RX_NONE;
}

static void
run_timers(struct device *dev, int channel, uint64_t now_ps)
{
	struct rx_channel *rx = &dev->rx[channel];

	if (rx->watchdog_ps <= now_ps) {
		rx->watchdog_ps = DEVICE_NEVER;
		dma_event(dev, channel, DMA_ST_RI);
	}
	if (rx->ring.running && rx->context_due)
		write_context(dev, channel);
	/* One descriptor is fetched in advance: that is when its absence is noticed (§14). */
	if (rx->ring.running && rx->ring.was_owned)
		current_descriptor(dev, channel);
}

/* True: something moved. `more`: stopped by the budget, there is more to do. */
bool
rx_run(struct device *dev, uint64_t now_ps, bool *more)
{
	bool progress = false;

	for (int q = dev->profile->channels - 1; q >= 0; q--) {
		unsigned int budget = DELIVER_BUDGET;

		while (budget > 0 && run_queue(dev, q, now_ps))
			budget--;
		progress |= budget < DELIVER_BUDGET;
		*more |= budget == 0;
	}
	for (int ch = 0; ch < dev->profile->channels; ch++)
		run_timers(dev, ch, now_ps);
	return progress;
}

uint64_t
rx_next_ps(const struct device *dev)
{
	uint64_t next = DEVICE_NEVER;

	for (int i = 0; i < dev->profile->channels; i++) {
		const struct rx_queue *q = &dev->rxq[i];
		const struct rx_channel *rx = &dev->rx[i];

		if (q->count != 0 && q->packet[q->head].ready_ps > dev->now_ps &&
				q->packet[q->head].ready_ps < next)
			next = q->packet[q->head].ready_ps;
		if (rx->watchdog_ps < next)
			next = rx->watchdog_ps;
		if (rx->context_due && rx->context_ps > dev->now_ps && rx->context_ps < next)
			next = rx->context_ps;
	}
	return next;
}
