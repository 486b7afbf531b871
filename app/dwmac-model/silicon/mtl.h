/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_MTL_H
#define SILICON_MTL_H

#include <stdbool.h>
#include <stdint.h>

#include "dma.h"

#define QUEUE_PACKETS  1024 /* a power of two; more than 32 KiB of minimum packets */
#define QUEUE_RING     (256 * 1024)
#define FRAME_ROOM     (16384 + 64)
#define FRAME_TAILROOM 16
#define FRAME_HEADROOM 16 /* for two VLAN tags and a source address to be inserted */

struct device;

/* Packet bytes of one queue: a ring in which every packet is contiguous. */
struct byte_fifo {
	uint8_t *data;
	uint32_t tail;
};

struct tx_packet {
	uint32_t offset, len; /* in the queue's byte_fifo */
	uint16_t charged;     /* bytes of queue space it takes */
	uint8_t channel;
	bool last; /* the LD descriptor is written back after this frame */
	bool stamp, interrupt;
	uint32_t tdes3_keep; /* FD and LD of the LD descriptor */
	uint32_t status;     /* TDES3 write-back bits known so far */
	uint64_t descriptor; /* address of the LD descriptor's TDES0 */
	uint32_t cpc, saic, vtir;
	struct tx_tags tags;
	struct tx_launch launch;
	uint64_t ready_ps, fetch_ns;
	uint64_t sfd_ps;
	uint32_t descriptors;
};

struct tx_queue {
	struct byte_fifo fifo;
	struct tx_packet packet[QUEUE_PACKETS];
	uint32_t head, count;
	uint32_t bytes;	 /* charged */
	int32_t deficit; /* scheduler: WRR packets or DWRR bytes left */
};

struct rx_packet {
	uint32_t offset, len;
	uint16_t charged;
	uint8_t channel;
	bool stamp;
	uint32_t rdes0, rdes1, rdes2, rdes3;
	uint64_t ready_ps, sfd_ps;
};

struct rx_queue {
	struct byte_fifo fifo;
	struct rx_packet packet[QUEUE_PACKETS];
	uint32_t head, count;
	uint32_t bytes;
	uint64_t overflows, flushed;
};

uint8_t *fifo_reserve(struct byte_fifo *fifo, uint32_t len);
void fifo_commit(struct byte_fifo *fifo, const uint8_t *data, uint32_t len);

static inline struct tx_packet *
txq_head(struct tx_queue *q)
{
	return &q->packet[q->head];
}

static inline struct rx_packet *
rxq_head(struct rx_queue *q)
{
	return &q->packet[q->head];
}

bool mtl_create(struct device *dev);
void mtl_destroy(struct device *dev);
void mtl_reset(struct device *dev);
void mtl_settle(struct device *dev, uint64_t now_ps);
uint32_t txq_size(const struct device *dev, int queue);
uint32_t rxq_size(const struct device *dev, int queue);
bool txq_has_room(struct device *dev, int queue, uint32_t len);
struct tx_packet *txq_push(struct device *dev, int queue, const uint8_t *data, uint32_t len);
void txq_pop(struct device *dev, int queue);
int txq_pick(struct device *dev, uint64_t at_ps, uint64_t *next_ps);
bool rxq_has_room(const struct device *dev, int queue, uint32_t len);
struct rx_packet *rxq_push(struct device *dev, int queue, uint32_t len);
uint8_t *rxq_reserve(struct device *dev, int queue);
void rxq_pop(struct device *dev, int queue);
void rxq_flush_head(struct device *dev, int queue);
void rxq_lost(struct device *dev, int queue);
void mtl_check_sizes(struct device *dev, enum dma_dir dir);

#endif /* SILICON_MTL_H */
