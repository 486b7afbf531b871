/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef TEST_MODEL_BENCH_H
#define TEST_MODEL_BENCH_H

/*
 * A bench with one device on it: memory, time, wire and interrupt controller are plain variables.
 * Register offsets and bits are written out here again, from eqos.md, and not taken from the model.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "device.h"

#define MEM_IOVA       UINT64_C(0x10000000)
#define MEM_BYTES      (1u << 20)
#define RING_SIZE      16
#define TX_RING	       (MEM_IOVA + 0x1000)
#define RX_RING	       (MEM_IOVA + 0x8000)
#define TX_BUFFERS     (MEM_IOVA + 0x10000)
#define RX_BUFFERS     (MEM_IOVA + 0x80000)
#define RX_BUFFER_SIZE 2048u

#define OWN	0x80000000u
#define CTXT	0x40000000u
#define FD	0x20000000u
#define LD	0x10000000u
#define IOC2	0x80000000u /* TDES2 */
#define TTSE	0x40000000u
#define RX_GIVE (OWN | 0x41000000u) /* IOC, BUF1V */

#define CH(n, off) (0x1100 + 0x80 * (n) + (off))

struct sent {
	uint8_t data[DEVICE_FRAME_MAX];
	uint16_t len;
	bool bad_fcs;
	uint64_t sfd_ps, end_ps;
};

struct bench {
	struct device *dev;
	struct device_config config;
	uint64_t now_ns;
	_Alignas(64) uint8_t mem[MEM_BYTES];
	bool mem_gone;
	bool pages_apart; /* as behind an IOMMU: no access may cross a page */
	unsigned int irqs[32];
	struct sent sent[600];
	unsigned int nb_sent;
	unsigned int rooms;
	bool loop_wire; /* what is sent comes back */
	uint32_t tx_head, rx_head;
};

struct bench *bench_create_with(const struct device_config *config);
struct bench *bench_create(const char *profile);
struct bench *bench_running(const char *profile); /* reset, linked at 1000, one channel started */
void bench_destroy(struct bench *b);

uint32_t rd(struct bench *b, uint32_t offset);
void wr(struct bench *b, uint32_t offset, uint32_t value);
void bench_advance(struct bench *b, uint64_t ns); /* running the device at every event on the way */
void *mem_at(struct bench *b, uint64_t iova);
uint32_t *tx_desc(struct bench *b, unsigned int index);
uint32_t *rx_desc(struct bench *b, unsigned int index);

void bench_reset(struct bench *b);
void bench_link(struct bench *b, unsigned int mbps);
void bench_start(struct bench *b, int channel);
void bench_fill_rx(struct bench *b);
/* One TX descriptor, and the tail pointer. */
void bench_give(struct bench *b, unsigned int index, uint32_t offset, uint32_t len, uint32_t tdes2,
		uint32_t tdes3);
void bench_tail(struct bench *b, unsigned int index);
/* One frame out of one descriptor; returns its index. */
unsigned int bench_send(
		struct bench *b, const void *data, uint32_t len, uint32_t tdes2, uint32_t tdes3);
bool bench_receive(struct bench *b, const void *data, uint32_t len);
uint32_t make_frame(uint8_t *out, const uint8_t da[6], uint16_t type, uint32_t len);
uint32_t make_udp(uint8_t *out, uint16_t port, uint32_t payload);

uint64_t complaints(struct bench *b, const char *kind);
uint64_t counter(struct bench *b, const char *name);
uint16_t phy_rd(struct bench *b, unsigned int phy, unsigned int regnum);
void phy_wr(struct bench *b, unsigned int phy, unsigned int regnum, uint16_t value);
void ptp_start(struct bench *b, uint32_t seconds, uint32_t ns);
uint64_t ptp_read_ns(struct bench *b);

#endif /* TEST_MODEL_BENCH_H */
