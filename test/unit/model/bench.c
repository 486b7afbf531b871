/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

static void *
bench_dma(void *ctx, uint64_t iova, size_t len, bool device_writes)
{
	struct bench *b = ctx;

	(void)device_writes;
	if (b->mem_gone || iova < MEM_IOVA || iova + len > MEM_IOVA + MEM_BYTES)
		return NULL;
	if (b->pages_apart && iova / 4096 != (iova + len - 1) / 4096)
		return NULL;
	return b->mem + (iova - MEM_IOVA);
}

static void
bench_irq(void *ctx, unsigned int vector)
{
	struct bench *b = ctx;

	assert_true(vector < 32);
	b->irqs[vector]++;
}

static void
bench_transmit(void *ctx, const struct frame *frame, uint64_t end_ps)
{
	struct bench *b = ctx;
	struct sent *s = &b->sent[b->nb_sent];

	if (b->nb_sent < sizeof(b->sent) / sizeof(b->sent[0])) {
		memcpy(s->data, frame->data, frame->len);
		s->len = frame->len;
		s->bad_fcs = frame->bad_fcs;
		s->sfd_ps = frame->sfd_ps;
		s->end_ps = end_ps;
		b->nb_sent++;
	}
	if (b->loop_wire)
		device_receive(b->dev, frame, b->now_ns);
}

static void
bench_complain(void *ctx, const char *kind, const char *text)
{
	(void)ctx;
	if (getenv("BENCH_VERBOSE") != NULL)
		fprintf(stderr, "complaint %s: %s\n", kind, text);
}

static void
bench_room(void *ctx)
{
	((struct bench *)ctx)->rooms++;
}

static const struct device_host host = {
	.dma = bench_dma,
	.irq = bench_irq,
	.transmit = bench_transmit,
	.complain = bench_complain,
	.rx_room = bench_room,
};

struct bench *
bench_create_with(const struct device_config *config)
{
	struct bench *b = aligned_alloc(64, sizeof(*b));

	assert_non_null(b);
	memset(b, 0, sizeof(*b));
	b->config = *config;
	b->now_ns = 1000000;
	b->dev = device_create(config, &host, b, b->now_ns);
	assert_non_null(b->dev);
	return b;
}

struct bench *
bench_create(const char *profile)
{
	struct device_config config = {
		.profile = profile,
		.mac = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 },
		.ptp_update_ns = UINT32_MAX,
		.an_ms = UINT32_MAX,
		.seed = 1,
	};

	return bench_create_with(&config);
}

void
bench_destroy(struct bench *b)
{
	device_destroy(b->dev);
	free(b);
}

uint32_t
rd(struct bench *b, uint32_t offset)
{
	return device_read(b->dev, offset, 4, b->now_ns);
}

void
wr(struct bench *b, uint32_t offset, uint32_t value)
{
	device_write(b->dev, offset, 4, value, b->now_ns);
	device_run(b->dev, b->now_ns);
}

void
bench_advance(struct bench *b, uint64_t ns)
{
	uint64_t end = b->now_ns + ns, next;

	for (;;) {
		next = device_run(b->dev, b->now_ns);
		if (next > end)
			break;
		if (next > b->now_ns)
			b->now_ns = next;
	}
	b->now_ns = end;
	device_run(b->dev, b->now_ns);
}

void *
mem_at(struct bench *b, uint64_t iova)
{
	assert_true(iova >= MEM_IOVA && iova < MEM_IOVA + MEM_BYTES);
	return b->mem + (iova - MEM_IOVA);
}

uint32_t *
tx_desc(struct bench *b, unsigned int index)
{
	return mem_at(b, TX_RING + 16ull * (index % RING_SIZE));
}

uint32_t *
rx_desc(struct bench *b, unsigned int index)
{
	return mem_at(b, RX_RING + 16ull * (index % RING_SIZE));
}

void
bench_reset(struct bench *b)
{
	wr(b, 0x1000, 1);
	assert_int_equal(rd(b, 0x1000) & 1, 1);
	bench_advance(b, 10000);
	assert_int_equal(rd(b, 0x1000) & 1, 0);
}

void
bench_link(struct bench *b, unsigned int mbps)
{
	device_link(b->dev, true, mbps, true, b->now_ns);
	bench_advance(b, 50 * 1000 * 1000);
	assert_true(device_link_up(b->dev));
	assert_int_equal(device_link_mbps(b->dev), mbps);
}

void
bench_fill_rx(struct bench *b)
{
	for (unsigned int i = 0; i < RING_SIZE; i++) {
		uint32_t *d = rx_desc(b, i);

		d[0] = (uint32_t)(RX_BUFFERS + i * RX_BUFFER_SIZE);
		d[1] = d[2] = 0;
		d[3] = RX_GIVE;
	}
}

/* Bring-up in the order of sequences.md §3.1; queue sizes 4 KiB, all packets to the host. */
void
bench_start(struct bench *b, int channel)
{
	wr(b, CH(channel, 0x00), 1 << 16);
	wr(b, CH(channel, 0x04), 32 << 16 | 1 << 4);
	wr(b, CH(channel, 0x08), 32 << 16 | RX_BUFFER_SIZE << 1);
	wr(b, CH(channel, 0x10), 0);
	wr(b, CH(channel, 0x14), (uint32_t)TX_RING);
	wr(b, CH(channel, 0x18), 0);
	wr(b, CH(channel, 0x1c), (uint32_t)RX_RING);
	wr(b, CH(channel, 0x2c), RING_SIZE - 1);
	wr(b, CH(channel, 0x30), RING_SIZE - 1);
	wr(b, CH(channel, 0x20), (uint32_t)TX_RING);
	wr(b, CH(channel, 0x28), (uint32_t)RX_RING + 16 * (RING_SIZE - 1));
	wr(b, 0xd00 + 0x40 * (uint32_t)channel, 15 << 16 | 2 << 2 | 2);
	wr(b, 0xd30 + 0x40 * (uint32_t)channel, 15 << 20 | 1 << 5);
	wr(b, 0xa0, rd(b, 0xa0) | 2u << (2 * channel));
	wr(b, CH(channel, 0x34), 0xd041);
	wr(b, CH(channel, 0x04), rd(b, CH(channel, 0x04)) | 1);
	wr(b, CH(channel, 0x08), rd(b, CH(channel, 0x08)) | 1);
}

struct bench *
bench_running(const char *profile)
{
	struct bench *b = bench_create(profile);

	bench_link(b, 1000);
	bench_reset(b);
	wr(b, 0x300, 0x80005544);
	wr(b, 0x304, 0x33221102);
	bench_fill_rx(b);
	bench_start(b, 0);
	wr(b, 0x000, 1 << 13);
	wr(b, 0x000, 1 << 13 | 3);
	return b;
}

void
bench_give(struct bench *b, unsigned int index, uint32_t offset, uint32_t len, uint32_t tdes2,
		uint32_t tdes3)
{
	uint32_t *d = tx_desc(b, index);

	d[0] = (uint32_t)TX_BUFFERS + offset;
	d[1] = 0;
	d[2] = tdes2 | len;
	d[3] = OWN | tdes3;
}

void
bench_tail(struct bench *b, unsigned int index)
{
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 16 * index);
}

unsigned int
bench_send(struct bench *b, const void *data, uint32_t len, uint32_t tdes2, uint32_t tdes3)
{
	unsigned int index = b->tx_head++;
	uint32_t *d = tx_desc(b, index);
	uint64_t buffer = TX_BUFFERS + (index % RING_SIZE) * 0x4000ull;

	memcpy(mem_at(b, buffer), data, len);
	d[0] = (uint32_t)buffer;
	d[1] = 0;
	d[2] = tdes2 | len;
	d[3] = OWN | FD | LD | tdes3 | len;
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 16 * (b->tx_head % RING_SIZE));
	return index % RING_SIZE;
}

bool
bench_receive(struct bench *b, const void *data, uint32_t len)
{
	struct frame frame = { .data = data, .len = (uint16_t)len, .sfd_ps = b->now_ns * 1000 };
	bool taken = device_receive(b->dev, &frame, b->now_ns);

	device_run(b->dev, b->now_ns);
	return taken;
}

uint32_t
make_frame(uint8_t *out, const uint8_t da[6], uint16_t type, uint32_t len)
{
	static const uint8_t sa[6] = { 0x02, 0, 0, 0, 0, 0x99 };

	memcpy(out, da, 6);
	memcpy(out + 6, sa, 6);
	out[12] = (uint8_t)(type >> 8);
	out[13] = (uint8_t)type;
	for (uint32_t i = 14; i < len; i++)
		out[i] = (uint8_t)i;
	return len;
}

/* Ethernet + IPv4 + UDP to `port`, both checksums zero. */
uint32_t
make_udp(uint8_t *out, uint16_t port, uint32_t payload)
{
	static const uint8_t da[6] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 };
	uint32_t ip_len = 28 + payload;

	make_frame(out, da, 0x0800, 14 + ip_len);
	memset(out + 14, 0, 28);
	out[14] = 0x45;
	out[16] = (uint8_t)(ip_len >> 8);
	out[17] = (uint8_t)ip_len;
	out[22] = 64;
	out[23] = 17;
	memcpy(out + 26, "\x0a\x00\x00\x01\x0a\x00\x00\x02", 8);
	out[34] = 0x30;
	out[36] = (uint8_t)(port >> 8);
	out[37] = (uint8_t)port;
	out[38] = (uint8_t)((8 + payload) >> 8);
	out[39] = (uint8_t)(8 + payload);
	return 14 + ip_len;
}

uint64_t
complaints(struct bench *b, const char *kind)
{
	struct device_complaint list[128];
	unsigned int n = device_complaints(b->dev, list, 128);
	uint64_t count = 0;

	for (unsigned int i = 0; i < n && i < 128; i++)
		if (kind == NULL || strcmp(list[i].kind, kind) == 0)
			count += list[i].count;
	return count;
}

uint64_t
counter(struct bench *b, const char *name)
{
	struct device_counter list[400];
	unsigned int n = device_counters(b->dev, list, 400);

	for (unsigned int i = 0; i < n && i < 400; i++)
		if (strcmp(list[i].name, name) == 0)
			return list[i].value;
	fail_msg("no counter %s", name);
	return 0;
}

static void
mdio_wait(struct bench *b)
{
	for (int i = 0; i < 20; i++) {
		if ((rd(b, 0x200) & 1) == 0)
			return;
		bench_advance(b, 10000);
	}
	fail_msg("MDIO stays busy");
}

uint16_t
phy_rd(struct bench *b, unsigned int phy, unsigned int regnum)
{
	wr(b, 0x200, phy << 21 | regnum << 16 | 4 << 8 | 3 << 2 | 1);
	mdio_wait(b);
	return (uint16_t)rd(b, 0x204);
}

void
phy_wr(struct bench *b, unsigned int phy, unsigned int regnum, uint16_t value)
{
	wr(b, 0x204, value);
	wr(b, 0x200, phy << 21 | regnum << 16 | 4 << 8 | 1 << 2 | 1);
	mdio_wait(b);
}

/* Decimal, fine, SSINC 9 and the addend for 204.8 MHz (ptp.md §2). */
void
ptp_start(struct bench *b, uint32_t seconds, uint32_t ns)
{
	wr(b, 0xb00, 0x2203);
	wr(b, 0xb04, 9 << 16);
	wr(b, 0xb18, 0x8ae38e36);
	wr(b, 0xb00, 0x2223);
	bench_advance(b, 5000);
	assert_int_equal(rd(b, 0xb00), 0x2203);
	wr(b, 0xb10, seconds);
	wr(b, 0xb14, ns);
	wr(b, 0xb00, 0x2207);
	bench_advance(b, 5000);
	assert_int_equal(rd(b, 0xb00), 0x2203);
}

uint64_t
ptp_read_ns(struct bench *b)
{
	uint64_t seconds = rd(b, 0xb08);

	return seconds * 1000000000 + rd(b, 0xb0c);
}
