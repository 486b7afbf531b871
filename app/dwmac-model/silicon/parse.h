/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_PARSE_H
#define SILICON_PARSE_H

#include <stdbool.h>
#include <stdint.h>

enum l4_kind { L4_NONE, L4_TCP, L4_UDP, L4_ICMP, L4_IGMP };

/* What the MAC's parsers know of a frame. Offsets count from the destination address. */
struct parsed {
	uint16_t ether_type; /* behind the VLAN tags */
	uint16_t outer_type, outer_tag, inner_tag;
	uint8_t vlan_tags;  /* 0..2 */
	uint8_t ip_version; /* 0, 4 or 6 */
	bool ip_ok;	    /* header complete, lengths and version right */
	bool fragment;
	bool ip_bypass; /* headers the checksum engine does not walk */
	enum l4_kind l4;
	uint16_t l3, l4_offset;
	uint16_t l4_len;  /* bytes of the L4 packet as the IP header says */
	bool l4_complete; /* ... and they are all in the frame */
	bool ptp;
	bool ptp_l2;
	uint8_t ptp_version, ptp_message, ptp_domain;
	uint16_t ptp_offset;
};

void parse_frame(const uint8_t *data, uint32_t len, bool svlan, struct parsed *out);

static inline uint16_t
get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void
put16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static inline void
put32(uint8_t *p, uint32_t value)
{
	put16(p, value >> 16);
	put16(p + 2, value);
}

/* Internet checksum: ones' complement sum of 16-bit words, carried over several calls. */
uint32_t cksum_add(uint32_t sum, const uint8_t *data, uint32_t len);
uint16_t cksum_fold(uint32_t sum);
uint32_t cksum_pseudo(const uint8_t *data, const struct parsed *p);

/* RX: is the checksum right? TX: put it in. */
bool cksum_ip_ok(const uint8_t *data, const struct parsed *p);
bool cksum_l4_ok(const uint8_t *data, const struct parsed *p);
void cksum_ip_insert(uint8_t *data, const struct parsed *p);
bool cksum_l4_insert(uint8_t *data, const struct parsed *p, bool pseudo_header);

uint32_t crc32_ethernet(const uint8_t *data, uint32_t len);
unsigned int crc32_hash(const uint8_t address[6], unsigned int bins);

#endif /* SILICON_PARSE_H */
