/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#include "desc.h"

#define STUCK_TX(ch) ((uint64_t)(ch))

/* One TX descriptor as fetched. */
struct tx_descriptor {
	uint32_t *word; /* TDES0, in host memory */
	uint32_t w[4];
	uint64_t address; /* of TDES0 */
};

void
tx_start(struct device *dev, int channel)
{
	struct tx_channel *tx = &dev->tx[channel];

	if (tx->dead)
		return;
	tx->open = false;
	tx->ready_ps = dev->now_ps;
	ring_start(dev, &tx->ring, channel, DMA_TX);
}

/* A packet half fetched is given up; what is in the queue still goes out. */
void
tx_stop(struct device *dev, int channel)
{
	struct tx_channel *tx = &dev->tx[channel];

	if (!tx->ring.running)
		return;
	tx->ring.running = false;
	tx->open = false;
	dma_event(dev, channel, DMA_ST_TPS);
}

static void
suspend(struct device *dev, int channel)
{
	struct ring *ring = &dev->tx[channel].ring;

	if (ring->was_owned)
		dma_event(dev, channel, DMA_ST_TBU);
	ring->was_owned = false;
}

/* Fetch the descriptor at the current position. False: suspended or bus error. */
static bool
fetch_descriptor(struct device *dev, int channel, struct tx_descriptor *d)
{
	struct tx_channel *tx = &dev->tx[channel];
	bool wide = (ch_reg(dev, channel, DMA_TX_CONTROL) & DMA_TC_EDSE) != 0;
	uint32_t *base;

	if (tx->ring.exhausted) {
		suspend(dev, channel);
		return false;
	}
	base = ring_map(dev, &tx->ring, tx->ring.current, channel, DMA_TX);
	if (base == NULL) {
		dma_bus_error(dev, channel, DMA_TX, true, true);
		return false;
	}
	d->word = wide ? base + 4 : base;
	d->address = ring_address(&tx->ring, tx->ring.current) + (wide ? 16 : 0);
	d->w[3] = desc_load_own(&d->word[3]);
	if ((d->w[3] & DESC_OWN) == 0) {
		tx->ring.starved = true;
		suspend(dev, channel);
		return false;
	}
	memcpy(d->w, d->word, 12);
	if (d->w[3] & DESC_FD)
		tx->request.launch.valid = wide && (base[0] & ETDES4_LTV) != 0;
	if ((d->w[3] & DESC_FD) != 0 && tx->request.launch.valid) {
		tx->request.launch.seconds = (uint8_t)base[0];
		tx->request.launch.ns = base[1] & 0xffffff00;
	}
	return true;
}

/* Give a descriptor back: OWN last (eqos.md §13, write-back). */
static void
give_back(struct device *dev, int channel, const struct tx_descriptor *d, uint32_t word3)
{
	struct tx_channel *tx = &dev->tx[channel];

	if (fault_take(dev, FAULT_STUCK_OWN, STUCK_TX(channel), NULL))
		return;
	desc_store_own(&d->word[3], word3 & ~DESC_OWN);
	tx->hold.last_writeback_ns = dev->now_ps / 1000;
}

/* Context: tags and segment size are remembered; the inner action lasts one packet. */
static void
take_context(struct device *dev, int channel, const struct tx_descriptor *d)
{
	struct tx_channel *tx = &dev->tx[channel];
	uint32_t w3 = d->w[3];

	if (tx->open) {
		complain(dev, COMPLAINT_CONTEXT_MID_PACKET,
				"TX channel %d: context descriptor inside a packet", channel);
		tx->dead = true;
		tx->ring.running = false;
		give_back(dev, channel, d, w3 | TDES3_DE);
		dma_event(dev, channel, DMA_ST_CDE | DMA_ST_TPS);
		return;
	}
	if (w3 & TDES3_OSTC)
		complain(dev, COMPLAINT_CONTEXT_FEATURE, "TX channel %d: one-step is not built",
				channel);
	else if (w3 & TDES3_TCMSSV)
		tx->sticky_mss = TDES2_MSS(d->w[2]);
	else if (w3 & TDES3_IVLTV) {
		tx->sticky_tags.inner = (uint16_t)TDES2_IVT(d->w[2]);
		tx->sticky_tags.inner_valid = true;
	}
	if (w3 & TDES3_VLTV) {
		tx->sticky_tags.outer = (uint16_t)w3;
		tx->sticky_tags.outer_valid = true;
	}
	tx->sticky_tags.inner_action = (uint8_t)TDES3_IVTIR(w3);
	give_back(dev, channel, d, w3);
	ring_advance(&tx->ring);
}

/* All ones, or context with FD or LD: closed with DE and LD, TI if IOC (eqos.md §13). */
static bool
refuse_descriptor(struct device *dev, int channel, const struct tx_descriptor *d)
{
	uint32_t w3 = d->w[3];
	bool all_ones = (d->w[0] & d->w[1] & d->w[2] & w3) == UINT32_MAX;

	if (!all_ones && ((w3 & DESC_CTXT) == 0 || (w3 & (DESC_FD | DESC_LD)) == 0))
		return false;
	if (all_ones)
		complain(dev, COMPLAINT_DESC_ALL_ONES, "TX channel %d: descriptor of all ones",
				channel);
	else
		complain(dev, COMPLAINT_CONTEXT_FD_LD,
				"TX channel %d: context with FD or LD (0x%08x)", channel, w3);
	dev->tx[channel].open = false;
	give_back(dev, channel, d, DESC_LD | TDES3_DE | TDES3_ES);
	ring_advance(&dev->tx[channel].ring);
	dma_event(dev, channel, DMA_ST_CDE | ((d->w[2] & TDES2_IOC) ? DMA_ST_TI : 0));
	return true;
}

/* FD: take down what the packet asks for. False: not the start of a packet. */
static bool
begin_packet(struct device *dev, int channel, const struct tx_descriptor *d, uint64_t at_ps)
{
	struct tx_channel *tx = &dev->tx[channel];
	struct tx_request *r = &tx->request;

	if (tx->open && (d->w[3] & DESC_FD) != 0)
		complain(dev, COMPLAINT_DESC_NO_LD,
				"TX channel %d: FD before the LD of the last packet", channel);
	if ((d->w[3] & DESC_FD) == 0) {
		if (tx->open)
			return true;
		complain(dev, COMPLAINT_DESC_NO_FD, "TX channel %d: packet without FD", channel);
		give_back(dev, channel, d, d->w[3]);
		ring_advance(&tx->ring);
		return false;
	}
	r->tdes2 = d->w[2];
	r->tdes3 = d->w[3];
	r->tags = tx->sticky_tags;
	tx->sticky_tags.inner_action = 0;
	tx->open = true;
	tx->overrun = false;
	tx->sum = 0;
	tx->asm_len = 0;
	/* Several frames can be due in one wake-up: not all of them are fetched now. */
	tx->fetch_ns = at_ps / 1000;
	tx->descriptors = 0;
	return true;
}

static bool
append(struct device *dev, int channel, uint64_t iova, uint32_t len)
{
	struct tx_channel *tx = &dev->tx[channel];

	tx->sum += len;
	if (len > tx->asm_room - tx->asm_len) {
		len = tx->asm_room - tx->asm_len;
		tx->overrun = true;
	}
	if (!bus_read(dev, iova, tx->asm_data + tx->asm_len, len, channel, DMA_TX))
		return false;
	tx->asm_len += len;
	return true;
}

/* With more than 32 address bits TDES1 is the high half of buffer 1 and there is no buffer 2. */
static bool
fetch_buffers(struct device *dev, int channel, const struct tx_descriptor *d)
{
	bool wide = (reg_get(dev, DMA_SYSBUS_MODE) & DMA_SBM_EAME) != 0 &&
		    dev->profile->identity.dma_bits > 32;
	uint32_t b1 = TDES2_B1L(d->w[2]), b2 = TDES2_B2L(d->w[2]);

	if (b1 + b2 == 0)
		complain(dev, COMPLAINT_DESC_ZERO_LENGTH, "TX channel %d: descriptor without data",
				channel);
	if (b1 != 0 && !append(dev, channel, wide ? (uint64_t)d->w[1] << 32 | d->w[0] : d->w[0],
				       b1))
		return false;
	return b2 == 0 || wide || append(dev, channel, d->w[1], b2);
}

/* Checksums go in at the queue, which must hold the whole packet (eqos.md §15, §18). */
static uint32_t
insert_checksums(struct device *dev, int channel, uint8_t *data, uint32_t len)
{
	uint32_t cic = TDES3_CIC(dev->tx[channel].request.tdes3);
	bool svlan = (reg_get(dev, MAC_VLAN_TAG_CTRL) & MAC_VTC_ESVL) != 0;
	struct parsed p;

	if (cic == 0)
		return 0;
	if ((reg_get(dev, (uint32_t)MTL_TXQ_OPERATION_MODE(channel)) & MTL_TQ_TSF) == 0) {
		complain(dev, COMPLAINT_CKSUM_THRESHOLD, "TX channel %d: CIC = %u without TSF",
				channel, cic);
		return 0;
	}
	parse_frame(data, len, svlan, &p);
	if (p.ip_version == 4 && !p.ip_ok)
		return TDES3_IHE;
	cksum_ip_insert(data, &p);
	if (cic == 1 || p.ip_version == 0 || p.l4 == L4_NONE)
		return 0;
	if (len > txq_size(dev, channel)) {
		complain(dev, COMPLAINT_TX_OVER_FIFO,
				"TX channel %d: %u bytes to be checksummed, queue of %u", channel,
				len, txq_size(dev, channel));
		return TDES3_PCE;
	}
	return cksum_l4_insert(data, &p, cic == 3) ? 0 : TDES3_PCE;
}

/* The packet is complete: into the queue, to be written back when it has left the MAC. */
static bool
end_packet(struct device *dev, int channel, const struct tx_descriptor *d, uint64_t at_ps)
{
	struct tx_channel *tx = &dev->tx[channel];
	const struct tx_request *r = &tx->request;
	struct tx_packet *packet;
	uint32_t status;

	tx->open = false;
	if (TDES3_FL(r->tdes3) != 0 && TDES3_FL(r->tdes3) != tx->sum)
		complain(dev, COMPLAINT_DESC_LENGTH_SUM, "TX channel %d: FL %u, buffers %u",
				channel, TDES3_FL(r->tdes3), tx->sum);
	if (tx->overrun)
		complain(dev, COMPLAINT_DESC_TOO_LONG, "TX channel %d: packet of %u bytes", channel,
				tx->sum);
	status = insert_checksums(dev, channel, tx->asm_data, tx->asm_len);
	packet = txq_push(dev, channel, tx->asm_data, tx->asm_len);
	if (packet == NULL)
		return false;
	packet->status = status | (tx->overrun ? TDES3_JT : 0);
	packet->cpc = TDES3_CPC(r->tdes3);
	packet->saic = TDES3_SAIC(r->tdes3);
	packet->vtir = TDES2_VTIR(r->tdes2);
	packet->stamp = (r->tdes2 & TDES2_TTSE) != 0;
	packet->tags = r->tags;
	packet->launch = r->launch;
	packet->last = true;
	packet->interrupt = (d->w[2] & TDES2_IOC) != 0;
	packet->tdes3_keep = d->w[3] & (DESC_FD | DESC_LD);
	packet->descriptor = d->address;
	packet->descriptors = tx->descriptors;
	packet->ready_ps = at_ps;
	packet->fetch_ns = tx->fetch_ns;
	tx->in_flight++;
	tx->bytes += tx->asm_len;
	return true;
}

static bool
room_for(struct device *dev, int channel, const struct tx_descriptor *d)
{
	uint32_t so_far = dev->tx[channel].open && !(d->w[3] & DESC_FD) ? dev->tx[channel].asm_len
									: 0;

	return txq_has_room(dev, channel, so_far + TDES2_B1L(d->w[2]) + TDES2_B2L(d->w[2]));
}

/* A data descriptor. False: no room, or the channel stopped. */
static bool
take_data(struct device *dev, int channel, const struct tx_descriptor *d, uint64_t at_ps)
{
	struct tx_channel *tx = &dev->tx[channel];
	bool last = (d->w[3] & DESC_LD) != 0, segment;

	if (!begin_packet(dev, channel, d, at_ps))
		return true;
	segment = (tx->request.tdes3 & TDES3_TSE) != 0;
	if (d->w[3] & DESC_FD) {
		tx->asm_data = segment ? tx->tso_buffer
				       : fifo_reserve(&dev->txq[channel].fifo, FRAME_ROOM);
		tx->asm_room = segment ? TSO_BYTES_MAX : DEVICE_FRAME_MAX;
	}
	tx->descriptors++;
	if (!fetch_buffers(dev, channel, d)) {
		tx->open = false;
		give_back(dev, channel, d, (d->w[3] & (DESC_FD | DESC_LD)) | TDES3_DE | TDES3_ES);
		ring_advance(&tx->ring);
		dma_bus_error(dev, channel, DMA_TX, false, true);
		return false;
	}
	tx->hold.owned++;
	if (!last) {
		give_back(dev, channel, d, d->w[3]);
		tx->hold.owned--;
		tx->descriptors--;
	} else if (segment) {
		tx->open = false;
		tso_begin(dev, channel, d->w[2], d->w[3], d->address);
	} else if (!end_packet(dev, channel, d, at_ps)) {
		return false;
	}
	ring_advance(&tx->ring);
	return true;
}

/*
 * With OSF the DMA works on a second packet while the first waits for its status, never on a third
 * (eqos.md §14): it could run into descriptors of its own that are not yet closed.
 */
static uint32_t
packets_at_once(const struct device *dev, int channel)
{
	return (ch_reg(dev, channel, DMA_TX_CONTROL) & DMA_TC_OSF) != 0 ? 2 : 1;
}

/*
 * Fetch one descriptor's worth, or segments of a packet under segmentation. `at_ps` is the time
 * since when there was room. False: nothing more to do now.
 */
bool
tx_fetch(struct device *dev, int channel, uint64_t at_ps)
{
	struct tx_channel *tx = &dev->tx[channel];
	struct tx_descriptor d;

	if (at_ps < tx->ready_ps)
		at_ps = tx->ready_ps;
	if (tso_active(tx))
		return tso_emit(dev, channel, at_ps);
	if (!tx->ring.running || tx->ring.starved)
		return false;
	if (!tx->open && tx->in_flight >= packets_at_once(dev, channel))
		return false;
	if (!fetch_descriptor(dev, channel, &d))
		return false;
	if (refuse_descriptor(dev, channel, &d))
		return true;
	if (d.w[3] & DESC_CTXT) {
		take_context(dev, channel, &d);
		return tx->ring.running;
	}
	if (!room_for(dev, channel, &d))
		return false;
	return take_data(dev, channel, &d, at_ps);
}

static void
write_stamp(struct device *dev, const struct tx_packet *packet, uint32_t *word, uint32_t *word3)
{
	uint32_t seconds, sub;

	if (fault_take(dev, FAULT_MISSING_TX_STAMP, 0, NULL))
		return;
	if (!ptp_stamp_tx(dev, packet->sfd_ps, &seconds, &sub))
		return;
	desc_store(&word[0], sub);
	desc_store(&word[1], seconds);
	*word3 |= TDES3_TTSS;
}

static uint32_t *
map_last(struct device *dev, const struct tx_packet *packet)
{
	struct ring *ring = &dev->tx[packet->channel].ring;
	uint64_t at = packet->descriptor - ring->base;

	if (ring->map_epoch == dev->epoch && ring->map != NULL &&
			at + 16 <= (uint64_t)ring->count * ring->stride)
		return (uint32_t *)(void *)(ring->map + at);
	return bus_words(dev, packet->descriptor, 16, packet->channel, DMA_TX);
}

/* The LD descriptor comes back when the frame has left the MAC. */
void
tx_writeback(struct device *dev, const struct tx_packet *packet, uint64_t at_ps)
{
	struct tx_channel *tx = &dev->tx[packet->channel];
	uint32_t word3 = packet->tdes3_keep | packet->status, *word;
	bool drop_status = (reg_get(dev, MTL_OPERATION_MODE) & MTL_OM_DTXSTS) != 0;
	uint64_t held_ns = at_ps / 1000 - packet->fetch_ns;

	tx->in_flight--;
	tx->packets++;
	tx->hold.packets++;
	tx->hold.owned -= packet->descriptors;
	if (fault_take(dev, FAULT_STUCK_OWN, STUCK_TX(packet->channel), NULL))
		return;
	word = map_last(dev, packet);
	if (word == NULL) {
		dma_bus_error(dev, packet->channel, DMA_TX, true, false);
		return;
	}
	if (packet->status & ~TDES3_ES)
		word3 |= TDES3_ES;
	if (drop_status)
		word3 = packet->tdes3_keep;
	if (packet->stamp && drop_status)
		ptp_capture_tx(dev, packet->sfd_ps);
	else if (packet->stamp && packet->sfd_ps != 0)
		write_stamp(dev, packet, word, &word3);
	desc_store_own(&word[3], word3);
	tx->hold.last_writeback_ns = at_ps / 1000;
	if (held_ns > tx->hold.hold_max_ns)
		tx->hold.hold_max_ns = held_ns;
	if (packet->interrupt)
		dma_event(dev, packet->channel,
				(ch_reg(dev, packet->channel, DMA_TX_CONTROL) & DMA_TC_ETIC)
						? DMA_ST_TI | DMA_ST_ETI
						: DMA_ST_TI);
}

bool
device_tx_hold(const struct device *dev, unsigned int channel, struct device_tx_hold *out)
{
	if (channel >= dev->profile->channels)
		return false;
	*out = dev->tx[channel].hold;
	return true;
}
