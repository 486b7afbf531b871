/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <stdlib.h>
#include <string.h>

#include "desc.h"

#define TCP_FIN	    0x01
#define TCP_PSH	    0x08
#define TCP_CWR	    0x80
#define USO_THL	    2
#define PARSE_BYTES 2048u

/* One packet under segmentation (eqos.md §13): header and payload lie in tx->tso_buffer. */
struct tso_job {
	bool active;
	struct parsed parsed;
	uint32_t header, payload, mss;
	uint32_t done;	  /* payload bytes already in segments */
	uint32_t segment; /* number of the next one */
	uint32_t sequence;
	uint16_t ip_id;
	bool interrupt;
	uint32_t tdes3_keep;
	uint64_t descriptor;
};

bool
tso_active(const struct tx_channel *tx)
{
	return tx->tso != NULL && tx->tso->active;
}

static const char *
unfit(const struct tx_channel *tx, const struct tso_job *job)
{
	uint32_t thl = TDES3_THL(tx->request.tdes3);

	if (job->mss == 0)
		return "segment size 0";
	if (job->header + job->mss > DEVICE_FRAME_MAX)
		return "segment longer than a frame";
	if (job->header > tx->asm_len || job->header < 14)
		return "header longer than the packet";
	if (!job->parsed.ip_ok || job->parsed.fragment)
		return "no IP header";
	if (job->parsed.l4 == L4_UDP)
		return thl == USO_THL && job->header == job->parsed.l4_offset + 8u
				       ? NULL
				       : "UDP header length";
	if (job->parsed.l4 != L4_TCP)
		return "neither TCP nor UDP";
	return thl >= 5 && job->header == job->parsed.l4_offset + thl * 4 ? NULL
									  : "TCP header length";
}

/* The lengths in the headers are for the engine to write; whatever software left there is not
 * looked at. */
static void
parse_headers(const struct tx_channel *tx, struct tso_job *job)
{
	uint32_t len = tx->asm_len < PARSE_BYTES ? tx->asm_len : PARSE_BYTES;
	uint8_t *data = tx->tso_buffer;

	parse_frame(data, len, true, &job->parsed);
	if (job->parsed.ip_version == 4 && job->parsed.l3 + 20u <= len)
		put16(data + job->parsed.l3 + 2, len - job->parsed.l3);
	else if (job->parsed.ip_version == 6 && job->parsed.l3 + 40u <= len)
		put16(data + job->parsed.l3 + 4, len - job->parsed.l3 - 40);
	parse_frame(data, len, true, &job->parsed);
}

/* The packet is gathered. MSS: of the last context descriptor, else of DMA_CHn_Control. */
void
tso_begin(struct device *dev, int channel, uint32_t tdes2, uint32_t tdes3, uint64_t descriptor)
{
	struct tx_channel *tx = &dev->tx[channel];
	struct tso_job *job = tx->tso;
	const char *why;

	memset(job, 0, sizeof(*job));
	job->active = true;
	job->header = TDES2_B1L(tx->request.tdes2) & 0x3ff;
	job->mss = tx->sticky_mss ? tx->sticky_mss : DMA_C_MSS(ch_reg(dev, channel, DMA_CONTROL));
	job->interrupt = (tdes2 & TDES2_IOC) != 0;
	job->tdes3_keep = tdes3 & (DESC_FD | DESC_LD);
	job->descriptor = descriptor;
	parse_headers(tx, job);
	why = unfit(tx, job);
	if ((ch_reg(dev, channel, DMA_TX_CONTROL) & DMA_TC_TSE) == 0)
		why = "TSE is not set in DMA_CHn_Tx_Control";
	if (why == NULL && TDES3_TPL(tx->request.tdes3) != tx->asm_len - job->header)
		why = "TPL differs from the payload";
	if (why != NULL) {
		complain(dev, COMPLAINT_TSO_HEADER, "TX channel %d: %s", channel, why);
		job->mss = DEVICE_FRAME_MAX / 2;
		job->header = 0;
	}
	job->payload = tx->asm_len - job->header;
	if (job->header != 0 && job->parsed.l4 == L4_TCP)
		job->sequence = get32(tx->tso_buffer + job->parsed.l4_offset + 4);
	if (job->parsed.ip_version == 4)
		job->ip_id = get16(tx->tso_buffer + job->parsed.l3 + 4);
	tx->in_flight++;
	tx->bytes += tx->asm_len;
}

static void
fix_headers(const struct tso_job *job, uint8_t *data, uint32_t len, bool last)
{
	struct parsed p = job->parsed;
	uint8_t *ip = data + p.l3, *l4 = data + p.l4_offset;

	p.l4_len = (uint16_t)(len - p.l4_offset);
	p.l4_complete = true;
	if (p.ip_version == 4) {
		put16(ip + 2, len - p.l3);
		put16(ip + 4, job->ip_id + job->segment);
		cksum_ip_insert(data, &p);
	} else {
		put16(ip + 4, len - p.l3 - 40);
	}
	if (p.l4 == L4_TCP) {
		put32(l4 + 4, job->sequence + job->done);
		if (!last)
			l4[13] &= (uint8_t) ~(TCP_FIN | TCP_PSH);
		if (job->segment != 0)
			l4[13] &= (uint8_t)~TCP_CWR;
	} else {
		put16(l4 + 4, p.l4_len);
	}
	cksum_l4_insert(data, &p, true);
}

static void
fill_packet(const struct tx_channel *tx, const struct tso_job *job, struct tx_packet *packet,
		bool last, uint64_t at_ps)
{
	packet->vtir = TDES2_VTIR(tx->request.tdes2);
	packet->saic = TDES3_SAIC(tx->request.tdes3);
	packet->tags = tx->request.tags;
	packet->ready_ps = at_ps;
	packet->fetch_ns = tx->fetch_ns;
	packet->last = last;
	if (!last)
		return;
	packet->interrupt = job->interrupt;
	packet->tdes3_keep = job->tdes3_keep;
	packet->descriptor = job->descriptor;
	packet->descriptors = tx->descriptors;
}

/* One segment into the queue. False: no room. */
bool
tso_emit(struct device *dev, int channel, uint64_t at_ps)
{
	struct tx_channel *tx = &dev->tx[channel];
	struct tso_job *job = tx->tso;
	uint32_t left = job->payload - job->done, part = left < job->mss ? left : job->mss;
	uint32_t len = job->header + part;
	bool last = part == left;
	struct tx_packet *packet;
	uint8_t *data;

	if (!txq_has_room(dev, channel, len))
		return false;
	data = fifo_reserve(&dev->txq[channel].fifo, FRAME_ROOM);
	memcpy(data, tx->tso_buffer, job->header);
	memcpy(data + job->header, tx->tso_buffer + job->header + job->done, part);
	if (job->header != 0)
		fix_headers(job, data, len, last);
	packet = txq_push(dev, channel, data, len);
	fill_packet(tx, job, packet, last, at_ps);
	job->done += part;
	job->segment++;
	job->active = !last;
	return true;
}

bool
tso_create(struct device *dev)
{
	for (int ch = 0; ch < CHANNELS; ch++) {
		dev->tx[ch].tso = calloc(1, sizeof(*dev->tx[ch].tso));
		dev->tx[ch].tso_buffer = malloc(TSO_BYTES_MAX);
		if (dev->tx[ch].tso == NULL || dev->tx[ch].tso_buffer == NULL)
			return false;
	}
	return true;
}

void
tso_destroy(struct device *dev)
{
	for (int ch = 0; ch < CHANNELS; ch++) {
		free(dev->tx[ch].tso);
		free(dev->tx[ch].tso_buffer);
	}
}

void
tso_reset(struct tx_channel *tx)
{
	tx->tso->active = false;
}

/* The queue is flushed: the packet's LD descriptor comes back with what is known. */
void
tso_abort(struct device *dev, int channel)
{
	struct tx_channel *tx = &dev->tx[channel];
	struct tx_packet packet = { .channel = (uint8_t)channel, .status = TDES3_FF };

	if (!tx->tso->active)
		return;
	tx->tso->active = false;
	fill_packet(tx, tx->tso, &packet, true, dev->now_ps);
	tx_writeback(dev, &packet, dev->now_ps);
}
