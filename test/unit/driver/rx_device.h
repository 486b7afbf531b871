/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef RX_DEVICE_H
#define RX_DEVICE_H

/* The receiving side of a device: one queue, one pool, frames into its buffers (eqos.md §13). */

#include "rig.h"

#define RS1V  (1u << 26)
#define BUF1V (1u << 24)
#define CE    (1u << 24)
#define GP    (1u << 23)
#define RWT   (1u << 22)
#define OE    (1u << 21)
#define RE    (1u << 20)
#define DE    (1u << 19)
#define ES    (1u << 15)
#define TSA   (1u << 14)

#define RX_POOL_SIZE 2048
#define RX_BUF_BYTES 128
#define RX_DATA_ROOM (RTE_PKTMBUF_HEADROOM + RX_BUF_BYTES)
#define RX_PATIENT_S 1000 /* longer than any test takes */

struct rx_device {
	struct rig rig;
	struct rte_mempool *pool;
	struct dwmac_rxq *rxq;
	uint16_t at;   /* entry the device stands at */
	uint32_t seed; /* of the frames' bytes */
};

/* Fixtures over one global device. */
extern struct rx_device rx;
int rx_group_setup(void **state);
int rx_setup(void **state); /* ring of 64 */
int rx_teardown(void **state);
/* Release the queue and set it up again with another ring. */
void rx_ring(uint16_t nb_desc);

/* The device may write into entry `at`: it owns it, it is complete, and the tail is ahead. */
void rx_expect_given(void);
/* Write back entry `at` and step. */
void rx_put(uint32_t w0, uint32_t w1, uint32_t w3);
/* Bytes of the running pattern into the buffer of entry `at`. */
void rx_fill(uint16_t bytes);
/* A good frame of `bytes`, FCS included, over as many entries as it takes; w1 and more bits of
 * word 3 on the last one. */
void rx_frame(uint16_t bytes, uint32_t w1, uint32_t status);
void rx_context(uint32_t ns, uint32_t s);

uint16_t rx_burst(struct rte_mbuf **pkts, uint16_t n);
/* Exactly one packet comes, of `bytes` FCS included, whole and with the right content. */
struct rte_mbuf *rx_one(uint16_t bytes);
/* Nothing comes. */
void rx_none(void);

#endif /* RX_DEVICE_H */
