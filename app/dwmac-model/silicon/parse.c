/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "parse.h"

#include <stddef.h>
#include <string.h>

#define ETHER_IPV4  0x0800
#define ETHER_IPV6  0x86dd
#define ETHER_VLAN  0x8100
#define ETHER_SVLAN 0x88a8
#define ETHER_PTP   0x88f7

#define PROTO_HOPOPTS  0
#define PROTO_ICMP     1
#define PROTO_IGMP     2
#define PROTO_TCP      6
#define PROTO_UDP      17
#define PROTO_ROUTING  43
#define PROTO_FRAGMENT 44
#define PROTO_ICMPV6   58
#define PROTO_DSTOPTS  60

static enum l4_kind
l4_of(uint8_t proto, int version)
{
	switch (proto) {
	case PROTO_TCP:
		return L4_TCP;
	case PROTO_UDP:
		return L4_UDP;
	case PROTO_ICMP:
		return version == 4 ? L4_ICMP : L4_NONE;
	case PROTO_ICMPV6:
		return version == 6 ? L4_ICMP : L4_NONE;
	case PROTO_IGMP:
		return version == 4 ? L4_IGMP : L4_NONE;
	default:
		return L4_NONE;
	}
}

static void
parse_ipv4(const uint8_t *data, uint32_t len, struct parsed *out)
{
	const uint8_t *ip = data + out->l3;
	uint32_t room = len - out->l3, header, total;

	out->ip_version = 4;
	if (room < 20)
		return;
	header = (ip[0] & 0xfu) * 4;
	total = get16(ip + 2);
	if (ip[0] >> 4 != 4 || header < 20 || header > room || total < header)
		return;
	out->ip_ok = true;
	out->fragment = (get16(ip + 6) & 0x3fff) != 0;
	out->l4_offset = (uint16_t)(out->l3 + header);
	out->l4_len = (uint16_t)(total - header);
	out->l4_complete = total <= room;
	out->l4 = l4_of(ip[9], 4);
}

/* Walk the extension headers the engine knows (eqos.md §18). */
static void
parse_ipv6(const uint8_t *data, uint32_t len, struct parsed *out)
{
	const uint8_t *ip = data + out->l3;
	uint32_t room = len - out->l3, at = 40, end;
	uint8_t next;

	out->ip_version = 6;
	if (room < 40 || ip[0] >> 4 != 6)
		return;
	out->ip_ok = true;
	end = 40 + get16(ip + 4);
	next = ip[6];
	while (next == PROTO_HOPOPTS || next == PROTO_ROUTING || next == PROTO_DSTOPTS ||
			next == PROTO_FRAGMENT) {
		uint32_t header = at;

		if (at + 8 > room || at + 8 > end)
			return;
		if (next == PROTO_FRAGMENT && (get16(ip + at + 2) & 0xfff9) != 0)
			out->fragment = true;
		if (next == PROTO_ROUTING && ip[at + 3] != 0)
			out->ip_bypass = true;
		at += next == PROTO_FRAGMENT ? 8 : 8 + ip[at + 1] * 8u;
		next = ip[header];
	}
	if (at > end || at > room)
		return;
	out->l4_offset = (uint16_t)(out->l3 + at);
	out->l4_len = (uint16_t)(end - at);
	out->l4_complete = end <= room;
	out->l4 = l4_of(next, 6);
}

static void
parse_ptp(const uint8_t *data, uint32_t len, struct parsed *out)
{
	uint32_t at;
	uint16_t port;

	if (out->ether_type == ETHER_PTP) {
		at = out->l3;
		out->ptp_l2 = true;
	} else if (out->l4 == L4_UDP && !out->fragment && out->l4_complete && out->l4_len >= 8) {
		port = get16(data + out->l4_offset + 2);
		if (port != 319 && port != 320)
			return;
		at = out->l4_offset + 8u;
	} else {
		return;
	}
	if (at + 34 > len)
		return;
	out->ptp = true;
	out->ptp_offset = (uint16_t)at;
	out->ptp_message = data[at] & 0xf;
	out->ptp_version = data[at + 1] & 0xf;
	out->ptp_domain = data[at + 4];
}

void
parse_frame(const uint8_t *data, uint32_t len, bool svlan, struct parsed *out)
{
	uint32_t at = 12;
	uint16_t type;

	memset(out, 0, sizeof(*out));
	if (len < 14)
		return;
	type = get16(data + at);
	while (out->vlan_tags < 2 && at + 6 <= len &&
			(type == ETHER_VLAN || (svlan && type == ETHER_SVLAN))) {
		if (out->vlan_tags++ == 0) {
			out->outer_type = type;
			out->outer_tag = get16(data + at + 2);
		} else {
			out->inner_tag = get16(data + at + 2);
		}
		at += 4;
		type = get16(data + at);
	}
	out->ether_type = type;
	out->l3 = (uint16_t)(at + 2);
	if (type == ETHER_IPV4)
		parse_ipv4(data, len, out);
	else if (type == ETHER_IPV6)
		parse_ipv6(data, len, out);
	parse_ptp(data, len, out);
}
