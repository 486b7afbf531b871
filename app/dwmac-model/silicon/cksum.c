/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "parse.h"

#include <stddef.h>
#include <string.h>

/* Offset of the checksum inside the L4 header, 0 = the protocol has none. */
static unsigned int
cksum_field(enum l4_kind l4)
{
	switch (l4) {
	case L4_TCP:
		return 16;
	case L4_UDP:
		return 6;
	case L4_ICMP:
		return 2;
	default:
		return 0;
	}
}

static bool
l4_checkable(const struct parsed *p)
{
	unsigned int field = cksum_field(p->l4);

	return field != 0 && p->l4_complete && !p->fragment && !p->ip_bypass &&
	       p->l4_len >= field + 2;
}

uint32_t
cksum_add(uint32_t sum, const uint8_t *data, uint32_t len)
{
	uint64_t wide = sum;

	while (len >= 4) {
		uint32_t word;

		memcpy(&word, data, 4);
		wide += __builtin_bswap32(word);
		data += 4;
		len -= 4;
	}
	while (len >= 2) {
		wide += get16(data);
		data += 2;
		len -= 2;
	}
	if (len != 0)
		wide += (uint32_t)data[0] << 8;
	wide = (wide >> 32) + (wide & 0xffffffff);
	wide = (wide >> 32) + (wide & 0xffffffff);
	wide = (wide >> 16) + (wide & 0xffff);
	return (uint32_t)wide;
}

uint16_t
cksum_fold(uint32_t sum)
{
	while (sum >> 16 != 0)
		sum = (sum >> 16) + (sum & 0xffff);
	return (uint16_t)~sum;
}

static uint8_t
l4_proto(const struct parsed *p)
{
	return p->l4 == L4_TCP ? 6 : p->l4 == L4_UDP ? 17 : 58;
}

/* ICMP over IPv4 has no pseudo header. */
uint32_t
cksum_pseudo(const uint8_t *data, const struct parsed *p)
{
	const uint8_t *ip = data + p->l3;
	uint32_t sum = l4_proto(p) + (uint32_t)p->l4_len;

	if (p->ip_version == 6)
		return cksum_add(sum, ip + 8, 32);
	return p->l4 == L4_ICMP ? 0 : cksum_add(sum, ip + 12, 8);
}

bool
cksum_ip_ok(const uint8_t *data, const struct parsed *p)
{
	if (p->ip_version != 4)
		return true;
	return cksum_fold(cksum_add(0, data + p->l3, (data[p->l3] & 0xfu) * 4)) == 0;
}

bool
cksum_l4_ok(const uint8_t *data, const struct parsed *p)
{
	const uint8_t *l4 = data + p->l4_offset;

	if (!l4_checkable(p))
		return true;
	if (p->l4 == L4_UDP && get16(l4 + 6) == 0)
		return p->ip_version == 4;
	return cksum_fold(cksum_add(cksum_pseudo(data, p), l4, p->l4_len)) == 0;
}

void
cksum_ip_insert(uint8_t *data, const struct parsed *p)
{
	uint8_t *ip = data + p->l3;

	if (p->ip_version != 4 || !p->ip_ok)
		return;
	put16(ip + 10, 0);
	put16(ip + 10, cksum_fold(cksum_add(0, ip, (ip[0] & 0xfu) * 4)));
}

/* False: this packet is none the engine can do (TDES3.PCE). Without `pseudo_header` software has
 * already put the sum of the pseudo header into the field (CIC = 2). */
bool
cksum_l4_insert(uint8_t *data, const struct parsed *p, bool pseudo_header)
{
	uint8_t *l4 = data + p->l4_offset;
	unsigned int field = cksum_field(p->l4);
	uint16_t sum;

	if (!p->ip_ok || !l4_checkable(p))
		return false;
	if (pseudo_header)
		put16(l4 + field, 0);
	sum = cksum_fold(cksum_add(pseudo_header ? cksum_pseudo(data, p) : 0, l4, p->l4_len));
	if (sum == 0 && p->l4 == L4_UDP)
		sum = 0xffff;
	put16(l4 + field, sum);
	return true;
}
