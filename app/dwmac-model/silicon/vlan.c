/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#include "desc.h"

enum tag_action { TAG_KEEP, TAG_REMOVE, TAG_INSERT, TAG_REPLACE };
enum strip { STRIP_NEVER, STRIP_IF_PASS, STRIP_IF_FAIL, STRIP_ALWAYS };

#define TAG_BYTES 4

static bool
is_tag(const uint8_t *type)
{
	return get16(type) == 0x8100 || get16(type) == 0x88a8;
}

/* One tag at `at`: 12 = outer, 16 = inner. Room before the frame is the queue's headroom. */
static uint8_t *
apply(uint8_t *data, uint32_t *len, uint32_t at, enum tag_action action, uint16_t type,
		uint16_t tag)
{
	bool there = *len >= at + TAG_BYTES && is_tag(data + at);

	if (action == TAG_KEEP || (action != TAG_INSERT && !there))
		return data;
	if (action == TAG_REMOVE) {
		memmove(data + TAG_BYTES, data, at);
		*len -= TAG_BYTES;
		return data + TAG_BYTES;
	}
	if (action == TAG_INSERT) {
		data -= TAG_BYTES;
		memmove(data, data + TAG_BYTES, at);
		*len += TAG_BYTES;
	}
	put16(data + at, type);
	put16(data + at + 2, tag);
	return data;
}

/* VLTI: the tag of the context descriptor; VLP: VLC of the register governs (eqos.md §7). */
static uint8_t *
apply_register(struct device *dev, uint32_t offset, uint8_t *data, uint32_t *len, uint32_t at,
		uint32_t packet_action, uint16_t tag, bool tag_valid)
{
	uint32_t value = reg_get(dev, offset);
	enum tag_action action = value & MAC_VI_VLP ? MAC_VI_VLC(value) : packet_action;
	bool needs_tag = action == TAG_INSERT || action == TAG_REPLACE;

	if ((value & MAC_VI_VLTI) == 0)
		tag = (uint16_t)value;
	else if (needs_tag && !tag_valid)
		return data;
	return apply(data, len, at, action, value & MAC_VI_CSVL ? 0x88a8 : 0x8100, tag);
}

/*
 * Insert or replace the source address. SARC governs all packets (2, 6 insert; 3, 7 replace), else
 * SAIC this one (1 insert, 2 replace); the top bit of both chooses MAC_Address0 or 1.
 */
static uint8_t *
apply_source(struct device *dev, const struct tx_packet *packet, uint8_t *data, uint32_t *len)
{
	uint32_t sarc = MAC_CONF_SARC(reg_get(dev, MAC_CONFIGURATION));
	uint32_t choice = sarc != 0 ? sarc : packet->saic;
	bool insert = (choice & 3) == (sarc != 0 ? 2u : 1u);
	bool replace = (choice & 3) == (sarc != 0 ? 3u : 2u);

	if (!insert && !replace)
		return data;
	if (insert) {
		data -= 6;
		memmove(data, data + 6, 6);
		*len += 6;
	}
	mac_address(dev, choice >> 2, data + 6);
	return data;
}

uint8_t *
vlan_transmit(struct device *dev, const struct tx_packet *packet, uint8_t *data, uint32_t *len)
{
	uint32_t inner_at;

	if (*len < 18)
		return data;
	if (packet->saic != 0 || MAC_CONF_SARC(reg_get(dev, MAC_CONFIGURATION)) != 0)
		data = apply_source(dev, packet, data, len);
	/* A tag by software that stays is the outer one: the inner one goes behind it. */
	inner_at = is_tag(data + 12) && packet->vtir != TAG_INSERT ? 16 : 12;
	data = apply_register(dev, MAC_INNER_VLAN_INCL, data, len, inner_at,
			packet->tags.inner_action, packet->tags.inner, packet->tags.inner_valid);
	return apply_register(dev, MAC_VLAN_INCL, data, len, 12, packet->vtir, packet->tags.outer,
			packet->tags.outer_valid);
}

static bool
strips(enum strip when, bool pass)
{
	return when == STRIP_ALWAYS || (when == STRIP_IF_PASS && pass) ||
	       (when == STRIP_IF_FAIL && !pass);
}

/* Strip tags as EVLS and EIVLS say and report them in RDES0; returns RS0V if reported. */
uint32_t
vlan_receive(struct device *dev, const struct parsed *p, uint8_t *data, uint32_t *len,
		uint32_t *rdes0)
{
	uint32_t vtc = reg_get(dev, MAC_VLAN_TAG_CTRL), valid = 0;
	bool pass;

	*rdes0 = 0;
	if (p->vlan_tags == 0)
		return 0;
	pass = filter_vlan_match(dev, p);
	if (vtc & MAC_VTC_EVLRXS) {
		*rdes0 |= p->outer_tag;
		valid = RDES3_RS0V;
	}
	if (p->vlan_tags == 2 && (vtc & MAC_VTC_EIVLRXS)) {
		*rdes0 |= (uint32_t)p->inner_tag << 16;
		valid = RDES3_RS0V;
	}
	if (p->vlan_tags == 2 && (vtc & MAC_VTC_EDVLP) && strips(MAC_VTC_EIVLS(vtc), pass)) {
		memmove(data + 16, data + 20, *len - 20);
		*len -= TAG_BYTES;
	}
	if (strips(MAC_VTC_EVLS(vtc), pass)) {
		memmove(data + 12, data + 16, *len - 16);
		*len -= TAG_BYTES;
	}
	return valid;
}
