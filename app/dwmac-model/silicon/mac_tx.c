/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#include "desc.h"

#define FRAME_MIN    60
#define FCS_BYTES    4
#define IPG_BITS     96
#define PAUSE_QUEUE  (-1)
/* Frames per call and descriptors per fetch, so that the event loop stays alive. */
#define RUN_BUDGET   256
#define FETCH_BUDGET 4096

enum cpc { CPC_CRC_PAD, CPC_CRC, CPC_NONE, CPC_REPLACE };

static uint64_t
ipg_ps(const struct device *dev)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION), ext = reg_get(dev, MAC_EXT_CONFIGURATION);
	uint64_t bits = IPG_BITS - 8 * MAC_CONF_IPG(conf);

	if (ext & MAC_EXT_EIPGEN)
		bits = IPG_BITS + 8 * (MAC_EXT_EIPG(ext) << 3 | MAC_CONF_IPG(conf));
	return bits * mac_byte_ps(dev) / 8;
}

static bool
looped(const struct device *dev)
{
	return (reg_get(dev, MAC_CONFIGURATION) & MAC_CONF_LM) != 0 || phy_loopback(dev);
}

/* May a frame start? Not without TE and a link; the loopbacks need the PHY's RX clock only. */
static bool
gate_open(const struct device *dev)
{
	if (dev->in_reset || (reg_get(dev, MAC_CONFIGURATION) & MAC_CONF_TE) == 0)
		return false;
	return looped(dev) ? phy_rx_clock(dev) : dev->phy.link;
}

/* Times of a frame that starts at `start_ps`. With rate=off frames take no time. */
static void
occupy_line(struct device *dev, struct frame *frame, uint64_t start_ps)
{
	struct mac *mac = &dev->mac;
	uint64_t byte_ps = mac_byte_ps(dev);
	unsigned int preamble = 8 - 2 * MAC_CONF_PRELEN(reg_get(dev, MAC_CONFIGURATION));

	frame->sfd_ps = start_ps;
	mac->sending_end_ps = start_ps;
	mac->line_free_ps = start_ps;
	if (!dev->config.unlimited_rate) {
		frame->sfd_ps += preamble * byte_ps;
		mac->sending_end_ps = frame->sfd_ps + (frame->len + FCS_BYTES) * byte_ps;
		mac->line_free_ps = mac->sending_end_ps + ipg_ps(dev);
	}
	mac->sending = true;
}

/* Out of the MII: to the wire, or back in by a loopback. */
static void
emit(struct device *dev, const struct frame *frame)
{
	dev->mac.tx_frames++;
	if (looped(dev)) {
		mac_receive(dev, frame, RECEIVE_NOW);
		return;
	}
	if (!mac_speed_matches(dev)) {
		mac_mismatched(dev, "sent");
		return;
	}
	dev->host.transmit(dev->host_ctx, frame, dev->mac.sending_end_ps);
}

static uint32_t
jabber_limit(const struct device *dev)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION);

	if (conf & MAC_CONF_JD)
		return 16383;
	return conf & MAC_CONF_JE ? 10240 : 2048;
}

/* CPC: pad and FCS by the MAC, or what software appended (eqos.md §13). */
static void
finish_frame(struct device *dev, struct tx_packet *packet, uint8_t *data, uint32_t *len,
		struct frame *frame)
{
	uint32_t fcs = 0;

	if (packet->cpc >= CPC_NONE && *len > FCS_BYTES) {
		*len -= FCS_BYTES;
		memcpy(&fcs, data + *len, FCS_BYTES);
		if (packet->cpc == CPC_NONE)
			frame->bad_fcs = fcs != crc32_ethernet(data, *len);
	}
	if (*len + FCS_BYTES > jabber_limit(dev)) {
		*len = jabber_limit(dev) - FCS_BYTES;
		packet->status |= TDES3_JT;
		*reg(dev, MAC_RX_TX_STATUS) |= MAC_RTS_TJT;
	}
	if (packet->cpc == CPC_CRC_PAD && *len < FRAME_MIN) {
		memset(data + *len, 0, FRAME_MIN - *len);
		*len = FRAME_MIN;
	}
	frame->data = data;
	frame->len = (uint16_t)*len;
}

static void
send_packet(struct device *dev, int queue, uint64_t start_ps)
{
	struct tx_packet *packet = txq_head(&dev->txq[queue]);
	uint8_t *data = dev->txq[queue].fifo.data + packet->offset;
	uint32_t len = packet->len;
	struct frame frame = { 0 };

	data = vlan_transmit(dev, packet, data, &len);
	finish_frame(dev, packet, data, &len, &frame);
	occupy_line(dev, &frame, start_ps);
	packet->sfd_ps = frame.sfd_ps;
	dev->mac.sending_queue = queue;
	mmc_count_tx(dev, data, len, (packet->status & TDES3_JT) != 0);
	emit(dev, &frame);
}

static void
send_pause(struct device *dev, uint64_t start_ps)
{
	uint32_t flow = reg_get(dev, MAC_Q0_TX_FLOW_CTRL);
	uint8_t data[FRAME_MIN] = { 0 };
	struct frame frame = { .data = data, .len = FRAME_MIN };

	memcpy(data, pause_address, 6);
	mac_address(dev, 0, data + 6);
	put16(data + 12, 0x8808);
	put16(data + 14, 1);
	put16(data + 16, dev->mac.pause_off ? 0 : MAC_TFC_PT(flow));
	occupy_line(dev, &frame, start_ps);
	dev->mac.sending_queue = PAUSE_QUEUE;
	mmc_add(dev, 0x770, 1);
	mmc_count_tx(dev, data, FRAME_MIN, false);
	emit(dev, &frame);
}

/* The frame on the line has ended. */
static void
complete(struct device *dev)
{
	struct mac *mac = &dev->mac;
	int queue = mac->sending_queue;
	struct tx_packet packet;

	mac->sending = false;
	if (queue == PAUSE_QUEUE) {
		mac->pause_due = false;
		mac->pause_off = false;
		*reg(dev, MAC_Q0_TX_FLOW_CTRL) &= ~MAC_TFC_FCB;
		return;
	}
	packet = *txq_head(&dev->txq[queue]);
	txq_pop(dev, queue);
	if (packet.last)
		tx_writeback(dev, &packet, mac->sending_end_ps);
}

/*
 * Let the channels fill their queues. `at_ps`: since when there has been room. True: a ring goes on
 * and on (contexts only, or a driver that gives descriptors as fast as they come back).
 */
static bool
fetch_all(struct device *dev, uint64_t at_ps)
{
	bool more = false;

	for (int ch = dev->profile->channels - 1; ch >= 0; ch--) {
		const struct ring *ring = &dev->tx[ch].ring;
		unsigned int budget = FETCH_BUDGET;
		bool idle = ring->starved || (ring->exhausted && !ring->was_owned);

		if (!tso_active(&dev->tx[ch]) && (!ring->running || idle))
			continue;
		while (budget > 0 && tx_fetch(dev, ch, at_ps))
			budget--;
		more |= budget == 0;
	}
	return more;
}

/* When the next frame may start, DEVICE_NEVER if there is none. */
static uint64_t
next_start(struct device *dev, uint64_t now_ps, int *queue)
{
	struct mac *mac = &dev->mac;
	uint64_t next = DEVICE_NEVER, start;

	*queue = PAUSE_QUEUE;
	if (mac->pause_due)
		return mac->line_free_ps;
	if (dev->txq_pending == 0)
		return DEVICE_NEVER;
	*queue = txq_pick(dev, now_ps, &next);
	if (*queue < 0)
		return next;
	start = txq_head(&dev->txq[*queue])->ready_ps;
	if (txq_head(&dev->txq[*queue])->launch.valid)
		start = now_ps;
	if (start < mac->line_free_ps)
		start = mac->line_free_ps;
	return start < mac->paused_until_ps ? mac->paused_until_ps : start;
}

/* Transmit all that is due. True: stopped by the budget, there is more. */
bool
mac_tx_run(struct device *dev, uint64_t now_ps)
{
	struct mac *mac = &dev->mac;
	unsigned int budget = RUN_BUDGET;
	uint64_t start_ps;
	int queue;

	while (budget-- > 0) {
		bool more;

		if (mac->sending) {
			if (mac->sending_end_ps > now_ps)
				return false;
			complete(dev);
		}
		more = fetch_all(dev, mac->sending_end_ps);
		if (!gate_open(dev)) {
			if (mac->line_free_ps < now_ps)
				mac->line_free_ps = now_ps;
			return more;
		}
		start_ps = next_start(dev, now_ps, &queue);
		if (start_ps > now_ps)
			return more;
		if (queue == PAUSE_QUEUE)
			send_pause(dev, start_ps);
		else
			send_packet(dev, queue, start_ps);
	}
	return true;
}

uint64_t
mac_tx_next_ps(struct device *dev, uint64_t now_ps)
{
	int queue;

	if (dev->mac.sending)
		return dev->mac.sending_end_ps;
	if (!gate_open(dev))
		return DEVICE_NEVER;
	return next_start(dev, now_ps, &queue);
}
