/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_DMA_H
#define SILICON_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../device.h"

#define DMA_CHANNELS_MAX 8
#define TSO_BYTES_MAX	 (262143 + 1023) /* TPL has 18 bits, HL 10 */

struct device;

enum dma_dir { DMA_TX, DMA_RX };

/*
 * A descriptor ring as the DMA walks it (eqos.md §14). `exhausted` is judged when `current`
 * advances and when the channel starts, never as a standing comparison with the tail.
 */
struct ring {
	uint64_t base;
	uint32_t count, stride;
	uint32_t current;
	uint32_t tail; /* low 32 bits of an address */
	bool rebase;   /* the list address was written: begin at entry 0 */
	bool running;
	bool exhausted;	    /* suspended at the tail */
	bool starved;	    /* suspended at OWN = 0 */
	bool was_owned;	    /* the previous descriptor was the DMA's: RBU may be raised */
	uint64_t map_epoch; /* the mapping below is good during this call into the device */
	uint8_t *map;
};

/* VLAN tags out of context descriptors. */
struct tx_tags {
	uint16_t outer, inner;
	bool outer_valid, inner_valid;
	uint8_t inner_action; /* of one packet only */
};

struct tx_launch {
	bool valid;
	uint8_t seconds;
	uint32_t ns;
};

/* What a packet's first descriptor and the context before it ask for. */
struct tx_request {
	uint32_t tdes2, tdes3;
	struct tx_tags tags;
	struct tx_launch launch;
};

struct tx_channel {
	struct ring ring;
	bool open;    /* between FD and LD */
	bool dead;    /* context descriptor error: only SWR helps */
	bool overrun; /* the packet is longer than the MAC can send: rest is dropped */
	struct tx_request request;
	uint8_t *asm_data; /* where the packet is being put together */
	uint32_t asm_len, asm_room;
	uint32_t sum;	      /* buffer lengths of the packet so far */
	uint32_t descriptors; /* of it, not yet given back */
	uint32_t sticky_mss;
	struct tx_tags sticky_tags;
	struct tso_job *tso;
	uint8_t *tso_buffer;
	uint64_t ready_ps;  /* since when descriptors and room are there */
	uint64_t fetch_ns;  /* when the FD descriptor was fetched */
	uint32_t in_flight; /* packets whose LD is not yet written back */
	uint32_t queued_ti; /* INTM = 2 */
	struct device_tx_hold hold;
	uint64_t packets, bytes;
};

struct rx_channel {
	struct ring ring;
	int active_queue;    /* a packet is half delivered from this queue, -1 = none */
	uint32_t delivered;  /* ... and so much of it */
	bool ioc;	     /* one of its descriptors had IOC */
	bool error;	     /* drop the rest of it after a bus error */
	bool context_due;    /* the context descriptor is still to be written ... */
	uint64_t context_ps; /* ... at this time (fault late-rx-stamp) */
	uint32_t context_seconds, context_sub;
	uint64_t watchdog_ps; /* RI by RIWT, DEVICE_NEVER = off */
	uint32_t queued_ri;
	uint64_t packets, bytes, stamps, stamps_dropped;
};

/* Host memory by the device. False or NULL: bus error, after a complaint. */
bool bus_read(struct device *dev, uint64_t iova, void *to, size_t len, int channel,
		enum dma_dir dir);
bool bus_write(struct device *dev, uint64_t iova, const void *from, size_t len, int channel,
		enum dma_dir dir);
uint32_t *bus_words(struct device *dev, uint64_t iova, size_t len, int channel, enum dma_dir dir);
/* Address of a buffer or ring out of its two register or descriptor words. */
uint64_t bus_address(struct device *dev, uint32_t low, uint32_t high);

uint64_t ring_address(const struct ring *ring, uint32_t index);
uint32_t *ring_map(struct device *dev, struct ring *ring, uint32_t index, int channel,
		enum dma_dir dir);
void ring_advance(struct ring *ring);
void ring_start(struct device *dev, struct ring *ring, int channel, enum dma_dir dir);
void ring_tail_written(struct ring *ring, uint32_t tail);

void dma_reset(struct device *dev);
void dma_event(struct device *dev, int channel, uint32_t bits);
void dma_bus_error(struct device *dev, int channel, enum dma_dir dir, bool descriptor, bool read);

void tx_start(struct device *dev, int channel);
void tx_stop(struct device *dev, int channel);
bool tx_fetch(struct device *dev, int channel, uint64_t at_ps);
struct tx_packet;
void tx_writeback(struct device *dev, const struct tx_packet *packet, uint64_t at_ps);
bool tso_create(struct device *dev);
void tso_destroy(struct device *dev);
void tso_reset(struct tx_channel *tx);
void tso_abort(struct device *dev, int channel);
void tso_begin(struct device *dev, int channel, uint32_t tdes2, uint32_t tdes3,
		uint64_t descriptor);
bool tso_emit(struct device *dev, int channel, uint64_t at_ps);
bool tso_active(const struct tx_channel *tx);

void rx_start(struct device *dev, int channel);
void rx_stop(struct device *dev, int channel);
bool rx_run(struct device *dev, uint64_t now_ps, bool *more);
uint64_t rx_next_ps(const struct device *dev);

#endif /* SILICON_DMA_H */
