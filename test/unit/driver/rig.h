/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef RIG_H
#define RIG_H

/*
 * A port without a bus: its queues are set up by the driver's own code on EAL memory; registers
 * read 0 and swallow writes, except the tail pointers, which are kept. The test is the device:
 * it reads and writes descriptors as eqos.md §13 says, with a second set of definitions.
 */

#include "checked_pool.h"
#include "dwmac.h"
#include "dwmac_sweep.h"
#include "unit.h"

#define OWN  0x80000000u
#define CTXT 0x40000000u
#define FD   0x20000000u
#define LD   0x10000000u

/* Two periods of the rig's PTP clock, by which every stamp is late (ptp.md §9). */
#define RIG_LATE_NS 10

struct raw_desc {
	uint32_t word[4];
};

struct rig {
	struct rte_eth_dev dev;
	struct rte_eth_dev_data data;
	struct dwmac_port port;
	struct dwmac_process process;
	void *rx_queues[DWMAC_MAX_QUEUES];
	void *tx_queues[DWMAC_MAX_QUEUES];
	uint32_t tx_tail[DWMAC_MAX_QUEUES]; /* atomic */
	uint32_t rx_tail[DWMAC_MAX_QUEUES]; /* atomic */
	unsigned int nb_posts;		    /* atomic */
	int post_ret;			    /* atomic: what the next tail writes return */
};

/* Group fixtures: EAL without hugepages, shared configuration or PCI. */
int rig_eal_setup(void **state);
int rig_eal_teardown(void **state);

void rig_init(struct rig *rig, uint16_t port_id);
struct dwmac_txq *rig_txq(struct rig *rig, uint16_t qid, uint16_t nb_desc, uint64_t offloads);
struct dwmac_rxq *rig_rxq(
		struct rig *rig, uint16_t qid, uint16_t nb_desc, struct rte_mempool *pool);
/* Start all queues set up so far; stop and release them. */
void rig_start(struct rig *rig);
void rig_close(struct rig *rig);

static inline struct raw_desc *
rig_desc(void *ring, uint16_t i)
{
	return (struct raw_desc *)ring + i;
}

static inline uint32_t
rig_status(void *ring, uint16_t i)
{
	return __atomic_load_n(&rig_desc(ring, i)->word[3], __ATOMIC_ACQUIRE);
}

/* What the driver may never notice out of order: word 3 last. */
static inline void
rig_write_back(void *ring, uint16_t i, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3)
{
	struct raw_desc *desc = rig_desc(ring, i);

	desc->word[0] = w0;
	desc->word[1] = w1;
	desc->word[2] = w2;
	__atomic_store_n(&desc->word[3], w3, __ATOMIC_RELEASE);
}

/* Send one packet: walk from *at to its last descriptor and write that one back with `status`
 * (and a stamp); others only lose OWN. False: the device has none. */
bool rig_tx_complete(struct dwmac_txq *txq, uint16_t *at, uint32_t status, uint32_t ns, uint32_t s);

/* An mbuf of `segs` segments with `bytes` each. */
struct rte_mbuf *rig_mbuf(struct rte_mempool *pool, unsigned int segs, uint16_t bytes);

static inline uint32_t
rig_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

#endif /* RIG_H */
