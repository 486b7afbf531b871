/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/*
 * source: generates numbered UDP/IPv4 frames for the device; what the device sends is counted.
 * The payload begins with a 64-bit big-endian number, from 0; checksums are right.
 */
#include "clock.h"
#include "feeder.h"
#include "opt.h"
#include "wire.h"

#include <errno.h>
#include <string.h>

#define ETHER_LEN   14u
#define IPV4_LEN    20u
#define UDP_LEN	    8u
#define HEADERS_LEN (ETHER_LEN + IPV4_LEN + UDP_LEN)
#define FCS_LEN	    4u
#define NUMBER_LEN  8u
#define LEN_MIN	    64u
#define LEN_MAX	    (WIRE_FRAME_MAX + FCS_LEN)
#define FLOWS_MAX   4096u
#define UDP_PORT    9u /* discard */
#define SOURCE_PORT 49152u

struct wire_source {
	struct wire wire;
	struct feeder feeder;
	uint64_t len;	/* with FCS, as frame sizes are usually given */
	uint64_t count; /* 0 = endless */
	uint64_t pps;	/* 0 = link rate */
	uint64_t flows;
	bool dst_given;
	uint8_t dst[6], src[6];
	uint64_t number;
	uint32_t udp_sum; /* of everything but source port and number */
	uint8_t frame[WIRE_FRAME_MAX];
};

static void
put16(uint8_t *at, unsigned int value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint32_t
sum16(const uint8_t *data, unsigned int len)
{
	uint32_t sum = 0;

	for (unsigned int i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)(data[i] << 8 | data[i + 1]);
	return len & 1 ? sum + (uint32_t)(data[len - 1] << 8) : sum;
}

static unsigned int
fold(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

static void
build(struct wire_source *source)
{
	uint8_t *ip = source->frame + ETHER_LEN, *udp = ip + IPV4_LEN;
	const unsigned int len = (unsigned int)source->len - FCS_LEN;
	const unsigned int udp_len = len - ETHER_LEN - IPV4_LEN;

	memset(source->frame, 0, sizeof(source->frame));
	memcpy(source->frame, source->dst, 6);
	memcpy(source->frame + 6, source->src, 6);
	put16(source->frame + 12, 0x0800);
	ip[0] = 0x45;
	put16(ip + 2, len - ETHER_LEN);
	ip[8] = 64;
	ip[9] = 17;
	memcpy(ip + 12, (const uint8_t[]){ 198, 18, 0, 1 }, 4); /* benchmark network, RFC 2544 */
	memcpy(ip + 16, (const uint8_t[]){ 198, 18, 0, 2 }, 4);
	put16(ip + 10, fold(sum16(ip, IPV4_LEN)));
	put16(udp + 2, UDP_PORT);
	put16(udp + 4, udp_len);
	for (unsigned int i = HEADERS_LEN + NUMBER_LEN; i < len; i++)
		source->frame[i] = (uint8_t)i;
	source->udp_sum = sum16(ip + 12, 8) + 17 + udp_len + sum16(udp, udp_len);
}

static bool
next_frame(void *arg, const uint8_t **data, uint32_t *len)
{
	struct wire_source *source = arg;
	uint8_t *udp = source->frame + ETHER_LEN + IPV4_LEN;
	uint8_t *number = udp + UDP_LEN;
	unsigned int checksum;

	if (source->count != 0 && source->number == source->count)
		return false;
	put16(udp, SOURCE_PORT + (unsigned int)(source->number % source->flows));
	for (unsigned int i = 0; i < NUMBER_LEN; i++)
		number[i] = (uint8_t)(source->number >> (56 - 8 * i));
	checksum = fold(source->udp_sum + sum16(udp, 2) + sum16(number, NUMBER_LEN));
	put16(udp + 6, checksum != 0 ? checksum : 0xffff);
	source->number++;
	*data = source->frame;
	*len = (uint32_t)source->len - FCS_LEN;
	return true;
}

static void
source_init(struct wire *wire)
{
	struct wire_source *source = (struct wire_source *)wire;

	source->feeder.next = next_frame;
	source->feeder.arg = source;
	source->feeder.wait = FEEDER_WAIT_CLIENT;
	source->len = LEN_MIN;
	source->flows = 1;
	memcpy(source->src, (const uint8_t[]){ 0x02, 0, 0, 0xff, 0xff, 0x01 }, 6);
}

static int
set_len(struct wire_source *source, const char *value, struct why *w)
{
	uint64_t len;
	int ret = opt_u64("len", value, LEN_MAX, &len, w);

	if (ret != 0)
		return ret;
	if (len < LEN_MIN)
		return why(w, -EINVAL, "len=%s: %u to %u bytes, FCS included", value, LEN_MIN,
				LEN_MAX);
	source->len = len;
	return 0;
}

static int
source_option(struct wire *wire, const char *key, const char *value, struct why *w)
{
	struct wire_source *source = (struct wire_source *)wire;
	int ret;

	if (strcmp(key, "len") == 0)
		ret = set_len(source, value, w);
	else if (strcmp(key, "count") == 0)
		ret = opt_u64(key, value, UINT64_MAX, &source->count, w);
	else if (strcmp(key, "pps") == 0)
		ret = opt_u64(key, value, NS_PER_S, &source->pps, w);
	else if (strcmp(key, "flows") == 0)
		ret = opt_u64(key, value, FLOWS_MAX, &source->flows, w);
	else if (strcmp(key, "src") == 0)
		ret = opt_mac(key, value, source->src, w);
	else if (strcmp(key, "dst") == 0) {
		ret = opt_mac(key, value, source->dst, w);
		source->dst_given = ret == 0;
	} else
		return feeder_option(&source->feeder, key, value, w);
	if (ret == 0 && source->flows == 0)
		source->flows = 1;
	if (ret == 0 && wire->started)
		build(source);
	source->feeder.interval_ps = source->pps != 0 ? PS_PER_S / source->pps : 0;
	return ret;
}

static int
source_start(struct wire *wire, struct loop *loop, struct why *w)
{
	struct wire_source *source = (struct wire_source *)wire;

	(void)loop;
	(void)w;
	if (!source->dst_given)
		memcpy(source->dst, wire->slots[0]->config.device.mac, 6);
	source->feeder.lossless = wire->unlimited;
	build(source);
	feeder_begin(&source->feeder);
	wire_due(wire, 0);
	return 0;
}

static void
source_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	(void)wire;
	(void)port;
	(void)frame;
	(void)end_ps;
}

static void
source_rx_room(struct wire *wire, unsigned int port)
{
	(void)port;
	wire_due(wire, 0);
}

static uint64_t
source_run(struct wire *wire, uint64_t now_ns)
{
	return feeder_run(&((struct wire_source *)wire)->feeder, wire, now_ns);
}

static int
source_command(struct wire *wire, const char *action, struct why *w)
{
	struct wire_source *source = (struct wire_source *)wire;

	(void)w;
	if (strcmp(action, "start") == 0) {
		if (source->feeder.finished)
			source->number = 0;
		feeder_start(&source->feeder);
		wire_due(wire, 0);
		return 0;
	}
	if (strcmp(action, "stop") == 0) {
		feeder_stop(&source->feeder);
		return 0;
	}
	return -ENOTSUP;
}

static unsigned int
source_counters(const struct wire *wire, struct device_counter *out, unsigned int max)
{
	const struct wire_source *source = (const struct wire_source *)wire;
	const struct device_counter own[] = {
		{ "generated", source->number },
		{ "finished", source->feeder.finished },
	};
	const unsigned int nb_own = sizeof(own) / sizeof(own[0]);

	for (unsigned int i = 0; i < nb_own && i < max; i++)
		out[i] = own[i];
	return nb_own;
}

const struct wire_ops wire_source_ops = {
	.kind = "source",
	.help = "  source:DEV                         numbered UDP/IPv4 frames for DEV\n"
		"      len=N                          frame size with FCS (64)\n"
		"      count=N                        how many (0 = endless)\n"
		"      pps=N                          frames per second (0 = link rate)\n"
		"      flows=N                        number of UDP source ports (1)\n"
		"      dst=MAC src=MAC                addresses (DEV's own; "
		"02:00:00:ff:ff:01)\n"
		"      wait=client|start|none         as for pcap\n",
	.nb_ports = 1,
	.size = sizeof(struct wire_source),
	.init = source_init,
	.option = source_option,
	.start = source_start,
	.transmit = source_transmit,
	.rx_room = source_rx_room,
	.run = source_run,
	.command = source_command,
	.counters = source_counters,
};
