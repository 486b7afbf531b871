/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#include "desc.h"

#define FCS_BYTES 4
#define FRAME_MIN 64

enum length_type { LT_LENGTH = 0, LT_TYPE = 1, LT_VLAN = 4, LT_DOUBLE_VLAN = 5, LT_CONTROL = 6 };
enum payload_type { PT_UDP = 1, PT_TCP = 2, PT_ICMP = 3, PT_IGMP = 4 };
enum pcf { PCF_DROP, PCF_NO_PAUSE, PCF_ALL, PCF_FILTERED };

/* A frame on its way from the MII to a queue. */
struct reception {
	const struct frame *frame;
	struct parsed parsed;
	struct filter_result filter;
	uint32_t len; /* with FCS, after the watchdog's cut */
	uint32_t rdes1, rdes3;
	bool control, pause;
	bool error; /* dropped without FEP */
	bool runt, cksum_error;
	int queue;
};

static uint32_t
watchdog_limit(const struct device *dev)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION), wdt = reg_get(dev, MAC_WATCHDOG_TIMEOUT);
	uint32_t wto = FIELD(wdt, 3, 0);

	if (conf & MAC_CONF_WD)
		return 16384;
	if (wdt & MAC_WDT_PWE)
		return wto == 14 ? 16383 : (wto + 2) * 1024;
	return conf & MAC_CONF_JE ? 10240 : 2048;
}

/* Longer than this is giant (eqos.md §1, MAC_Configuration). */
static uint32_t
giant_limit(const struct device *dev, unsigned int vlan_tags)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION), tag = vlan_tags != 0 ? 4 : 0;

	if (conf & MAC_CONF_GPSLCE)
		return MAC_EXT_GPSL(reg_get(dev, MAC_EXT_CONFIGURATION)) + tag;
	if (conf & MAC_CONF_JE)
		return 9018 + tag;
	return conf & MAC_CONF_S2KP ? 2000 : 1518 + tag;
}

static void
judge_length(struct device *dev, struct reception *r)
{
	bool check_crc = (reg_get(dev, MAC_EXT_CONFIGURATION) & MAC_EXT_DCRCC) == 0;

	r->len = r->frame->len + FCS_BYTES;
	r->runt = r->len < FRAME_MIN;
	if (r->len > giant_limit(dev, r->parsed.vlan_tags))
		r->rdes3 |= RDES3_GP;
	if (r->len > watchdog_limit(dev)) {
		r->len = watchdog_limit(dev);
		r->rdes3 |= RDES3_RWT;
		*reg(dev, MAC_RX_TX_STATUS) |= MAC_RTS_RWT;
	}
	if (r->frame->bad_fcs && check_crc)
		r->rdes3 |= RDES3_CE;
	r->error = (r->rdes3 & (RDES3_CE | RDES3_RWT)) != 0;
	if (r->rdes3 & (RDES3_CE | RDES3_RWT | RDES3_GP))
		r->rdes3 |= RDES3_ES;
}

static void
judge_type(struct reception *r)
{
	const struct parsed *p = &r->parsed;

	r->control = p->ether_type == 0x8808;
	if (p->vlan_tags != 0)
		r->rdes3 |= RDES3_LT(p->vlan_tags == 2 ? LT_DOUBLE_VLAN : LT_VLAN);
	else if (r->control)
		r->rdes3 |= RDES3_LT(LT_CONTROL);
	else
		r->rdes3 |= RDES3_LT(p->ether_type > 1536 ? LT_TYPE : LT_LENGTH);
	if (r->control && r->frame->len >= p->l3 + 2u)
		r->rdes1 |= (uint32_t)get16(r->frame->data + p->l3) << 16;
}

static uint32_t
payload_type(enum l4_kind l4)
{
	switch (l4) {
	case L4_UDP:
		return PT_UDP;
	case L4_TCP:
		return PT_TCP;
	case L4_ICMP:
		return PT_ICMP;
	case L4_IGMP:
		return PT_IGMP;
	default:
		return 0;
	}
}

/* The receive checksum engine (MAC_Configuration.IPC). */
static void
judge_checksums(struct device *dev, struct reception *r)
{
	const struct parsed *p = &r->parsed;
	const uint8_t *data = r->frame->data;
	bool ip_error, l4_error = false, unchecked;

	if ((reg_get(dev, MAC_CONFIGURATION) & MAC_CONF_IPC) == 0 || p->ip_version == 0)
		return;
	r->rdes1 |= p->ip_version == 4 ? RDES1_IPV4 : RDES1_IPV6;
	ip_error = !p->ip_ok || !cksum_ip_ok(data, p);
	if (!ip_error) {
		r->rdes1 |= payload_type(p->l4);
		l4_error = p->l4 != L4_NONE && !p->fragment &&
			   (!p->l4_complete || !cksum_l4_ok(data, p));
		if (p->fragment || p->ip_bypass)
			r->rdes1 |= RDES1_IPCB;
	}
	unchecked = p->l4 == L4_UDP && p->ip_version == 4 && p->l4_len >= 8 && p->l4_complete &&
		    !p->fragment && get16(data + p->l4_offset + 6) == 0;
	r->rdes1 |= (ip_error ? RDES1_IPHE : 0) | (l4_error ? RDES1_IPCE : 0);
	r->cksum_error = ip_error || l4_error;
	mmc_count_ipc(dev, p, ip_error, l4_error, unchecked);
}

static void
judge_ptp(struct device *dev, struct reception *r)
{
	/* PMT of RDES1 by the message type of the header (eqos.md §13). */
	static const uint8_t pmt[16] = { 1, 3, 5, 6, 15, 15, 15, 15, 2, 4, 7, 8, 10, 9, 15, 15 };
	const struct parsed *p = &r->parsed;

	if (!p->ptp || (reg_get(dev, MAC_TIMESTAMP_CONTROL) & TSC_TSENA) == 0)
		return;
	r->rdes1 |= RDES1_PMT(pmt[p->ptp_message]) | (p->ptp_version >= 2 ? RDES1_PV : 0) |
		    (p->ptp_l2 ? RDES1_PFT : 0);
}

/* A received pause stops the transmitter for its quanta of 512 bit times. */
static void
obey_pause(struct device *dev, struct reception *r)
{
	const uint8_t *data = r->frame->data;
	uint32_t flow = reg_get(dev, MAC_RX_FLOW_CTRL);
	uint64_t quantum_ps = 64 * mac_byte_ps(dev), until;

	r->pause = r->control && !r->error && r->frame->len >= r->parsed.l3 + 4u &&
		   get16(data + r->parsed.l3) == 1 &&
		   (memcmp(data, pause_address, 6) == 0 ||
				   ((flow & MAC_RFC_UP) && filter_is_own_address(dev, data)));
	if (!r->pause)
		return;
	mmc_add(dev, 0x7d0, 1);
	if ((flow & MAC_RFC_RFE) == 0)
		return;
	until = r->frame->sfd_ps + (uint64_t)r->len * mac_byte_ps(dev) +
		get16(data + r->parsed.l3 + 2) * quantum_ps;
	dev->mac.paused_until_ps = until;
}

/* PCF decides about control frames, the filters about all others. RA passes everything. */
static bool
wanted(struct device *dev, const struct reception *r)
{
	uint32_t pf = reg_get(dev, MAC_PACKET_FILTER);

	if (pf & MAC_PF_RA)
		return true;
	if (!r->control)
		return r->filter.pass;
	switch (MAC_PF_PCF(pf)) {
	case PCF_DROP:
		return false;
	case PCF_NO_PAUSE:
		return !r->pause && r->filter.pass;
	case PCF_ALL:
		return true;
	default:
		return r->filter.pass;
	}
}

static int
queue_field(uint32_t value, unsigned int shift)
{
	return (int)(value >> shift & 7);
}

/* The order of eqos.md §16. */
static int
route(const struct device *dev, const struct reception *r)
{
	uint32_t c1 = reg_get(dev, MAC_RXQ_CTRL1), c4 = reg_get(dev, MAC_RXQ_CTRL4);
	const struct parsed *p = &r->parsed;
	unsigned int priority = p->outer_tag >> 13;

	if (r->filter.da_fail && r->filter.multicast && (c4 & BIT(8)))
		return queue_field(c4, 9);
	if (r->filter.da_fail && !r->filter.multicast && (c4 & BIT(0)))
		return queue_field(c4, 1);
	if (r->filter.vlan_fail && (c4 & BIT(16)))
		return queue_field(c4, 17);
	if ((r->filter.multicast || r->filter.broadcast) && (c1 & BIT(20)))
		return queue_field(c1, 16);
	if (p->ptp_l2 && p->vlan_tags == 0)
		return queue_field(c1, 4);
	if (p->ptp_l2 && FIELD(c1, 23, 22) != 0)
		return queue_field(c1, 4);
	if (p->vlan_tags == 0)
		return queue_field(c1, 12);
	for (int q = 0; q < dev->profile->channels; q++)
		if (reg_get(dev, MAC_RXQ_CTRL2 + 4u * ((unsigned int)q / 4)) >>
						(8 * (q % 4) + priority) &
				1)
			return q;
	return 0;
}

/* Static or per-packet channel of the queue. */
static int
channel_of(const struct device *dev, const struct reception *r)
{
	uint32_t map = reg_get(dev, MTL_RXQ_DMA_MAP0 + 4u * ((unsigned int)r->queue / 4)) >>
		       (8 * (r->queue % 4));
	int channel = map & BIT(4) ? r->filter.channel : (int)(map & 7);

	return channel < dev->profile->channels ? channel : 0;
}

/* Error packets, runts and packets with bad checksums as the queue's mode says. */
static bool
queue_takes(struct device *dev, const struct reception *r)
{
	uint32_t mode = reg_get(dev, (uint32_t)MTL_RXQ_OPERATION_MODE(r->queue));

	if ((reg_get(dev, MAC_RXQ_CTRL0) >> (2 * r->queue) & 3) == 0) {
		complain(dev, COMPLAINT_RXQ_OFF,
				"frame for RX queue %d, which MAC_RxQ_Ctrl0 has off", r->queue);
		return false;
	}
	if (r->error && (mode & MTL_RQ_FEP) == 0)
		return false;
	if (r->runt && !r->error && (mode & MTL_RQ_FUP) == 0)
		return false;
	return !r->cksum_error || (mode & (MTL_RQ_DIS_TCP_EF | MTL_RQ_FEP)) != 0;
}

static void
count(struct device *dev, const struct reception *r)
{
	uint16_t type = r->parsed.ether_type;
	uint32_t payload = r->frame->len > r->parsed.l3 ? r->frame->len - r->parsed.l3 : 0;
	struct mmc_rx_info info = {
		.len = r->len,
		.crc_error = (r->rdes3 & RDES3_CE) != 0,
		.giant = (r->rdes3 & RDES3_GP) != 0,
		.watchdog = (r->rdes3 & RDES3_RWT) != 0,
		.undersize = r->runt,
		.length_error = type < 1501 && type > payload,
		.out_of_range = type > 1500 && type < 1536,
		.filter = &r->filter,
		.parsed = &r->parsed,
	};

	mmc_count_rx(dev, &info);
}

static uint32_t
filter_status(const struct reception *r)
{
	return RDES2_MADRM(r->filter.madrm) | (r->filter.hash ? RDES2_HF : 0) |
	       (r->filter.da_fail ? RDES2_DAF : 0) | (r->filter.sa_fail ? RDES2_SAF : 0) |
	       (r->parsed.vlan_tags != 0 && !r->filter.vlan_fail ? RDES2_VF : 0);
}

/* ACS strips pad and FCS of length packets, CST the FCS of type packets. */
static uint32_t
strip_or_append_fcs(struct device *dev, const struct reception *r, uint8_t *data, uint32_t len)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION), fcs;
	uint16_t type = r->parsed.ether_type;
	uint32_t content = r->parsed.l3 + (uint32_t)type;

	if (type < 1536 && (conf & MAC_CONF_ACS))
		return content < len ? content : len;
	if (type > 1536 && (conf & MAC_CONF_CST))
		return len;
	fcs = crc32_ethernet(r->frame->data, r->frame->len);
	if (r->frame->bad_fcs)
		fcs = ~fcs;
	memcpy(data + len, &fcs, FCS_BYTES);
	return len + FCS_BYTES;
}

static void
push(struct device *dev, const struct reception *r)
{
	uint8_t *data = rxq_reserve(dev, r->queue);
	uint32_t len = r->len - FCS_BYTES, rdes0, rs0v;
	struct rx_packet *packet;
	uint64_t end_ps = r->frame->sfd_ps;

	memcpy(data, r->frame->data, len);
	rs0v = vlan_receive(dev, &r->parsed, data, &len, &rdes0);
	len = strip_or_append_fcs(dev, r, data, len);
	packet = rxq_push(dev, r->queue, len);
	packet->channel = (uint8_t)channel_of(dev, r);
	packet->stamp = !r->error && ptp_wants_stamp(dev, r->frame->data, &r->parsed);
	packet->rdes0 = rdes0;
	packet->rdes1 = r->rdes1;
	packet->rdes2 = filter_status(r);
	packet->rdes3 = r->rdes3 | rs0v | RDES3_RS1V | RDES3_RS2V;
	if (!dev->config.unlimited_rate)
		end_ps += (uint64_t)r->len * mac_byte_ps(dev);
	packet->ready_ps = end_ps;
	packet->sfd_ps = r->frame->sfd_ps;
	flow_control(dev, r->queue);
	dev->rx[packet->channel].ring.starved = false; /* a new packet retries the fetch */
	if (!dev->rx[packet->channel].ring.running &&
			(ch_reg(dev, packet->channel, DMA_RX_CONTROL) & DMA_RC_RPF) == 0)
		complain(dev, COMPLAINT_RX_CHANNEL_STOPPED,
				"frame for RX channel %u, which is stopped and has RPF = 0",
				packet->channel);
}

static bool
receiving(struct device *dev)
{
	uint32_t conf = reg_get(dev, MAC_CONFIGURATION);

	if (!device_receiving(dev) || !phy_rx_clock(dev))
		return false;
	if ((conf & MAC_CONF_LM) != 0 || phy_loopback(dev) || mac_speed_matches(dev))
		return true;
	mac_mismatched(dev, "received");
	return false;
}

static void
classify(struct device *dev, const struct frame *frame, struct reception *r)
{
	memset(r, 0, sizeof(*r));
	r->frame = frame;
	parse_frame(frame->data, frame->len, (reg_get(dev, MAC_VLAN_TAG_CTRL) & MAC_VTC_ESVL) != 0,
			&r->parsed);
	filter_frame(dev, frame->data, &r->parsed, &r->filter);
	r->queue = route(dev, r);
}

/* False: RECEIVE_OFFER, and the queue has no room. Nothing has been counted then. */
bool
mac_receive(struct device *dev, const struct frame *frame, enum receive_mode mode)
{
	struct reception r;
	bool room, promiscuous = (reg_get(dev, MAC_PACKET_FILTER) & MAC_PF_RA) != 0;

	if (frame->len < 14 || frame->len > DEVICE_FRAME_MAX || !receiving(dev))
		return true;
	classify(dev, frame, &r);
	room = rxq_has_room(dev, r.queue, frame->len + FCS_BYTES);
	if (!room && mode == RECEIVE_OFFER && (r.filter.pass || promiscuous)) {
		dev->rx_refused = true;
		return false;
	}
	dev->mac.rx_frames++;
	judge_length(dev, &r);
	judge_type(&r);
	obey_pause(dev, &r);
	count(dev, &r);
	if (!wanted(dev, &r)) {
		dev->mac.filtered++;
		return true;
	}
	judge_checksums(dev, &r);
	judge_ptp(dev, &r);
	if (!queue_takes(dev, &r))
		return true;
	if (!room || mode == RECEIVE_LOST || fault_take(dev, FAULT_RX_OVERFLOW, 0, NULL))
		rxq_lost(dev, r.queue);
	else
		push(dev, &r);
	return true;
}

/* A loop wire hands frames back in the middle of a call, which has its own time. */
static void
advance(struct device *dev, uint64_t now_ns)
{
	if (dev->depth == 0 && dev->now_ps < now_ns * 1000)
		dev->now_ps = now_ns * 1000;
}

bool
device_receive(struct device *dev, const struct frame *frame, uint64_t now_ns)
{
	advance(dev, now_ns);
	return mac_receive(dev, frame, RECEIVE_OFFER);
}

void
device_receive_lost(struct device *dev, const struct frame *frame, uint64_t now_ns)
{
	advance(dev, now_ns);
	mac_receive(dev, frame, RECEIVE_LOST);
}
