/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef FAKE_CORE_H
#define FAKE_CORE_H

/*
 * A whole port by ethdev's own calls, on a register file that behaves just enough: it resets, its
 * channels stop or do not, its PHY answers, its clock takes the time it is given. It moves no
 * packets. Registers by offset, a second set of definitions (eqos.md §1-§4, ptp.md §1).
 */

#include <pthread.h>

#include "checked_pool.h"
#include "dwmac.h"
#include "unit.h"

/* Every queue pair shares these equally. */
#define FAKE_FIFO_BYTES 32768
#define FAKE_QUEUES	4
#define FAKE_PHY	1

#define REG_CONFIGURATION 0x0000
#define REG_PTP_SECONDS	  0x0b08
#define REG_PTP_ADDEND	  0x0b18
#define REG_CH_STATUS(n)  (0x1160 + 0x80 * (n))

struct fake_core {
	pthread_mutex_t mutex; /* EAL's interrupt thread looks at the link */
	uint32_t reg[0x2000 / 4];
	uint16_t phy[32];
	bool link;	  /* the cable is in */
	bool tx_busy;	  /* TX channels never come to rest, short of a reset */
	bool rx_busy;	  /* likewise */
	bool reset_hangs; /* a clock is missing */
	bool gone;	  /* everything reads all ones */
	unsigned int nb_resets;
	unsigned int in_pool_at_reset; /* mbufs, when the last reset came */

	struct rte_mempool *pool;
	struct rte_device device;
	struct dwmac_device row;
	uint16_t port_id;
};

/* A port of this name, not configured. */
void fake_open(struct fake_core *core, const char *name);
/* Stopped if need be, and closed. */
void fake_close(struct fake_core *core);
/* Configure nb queue pairs of 64 descriptors on the pool. */
void fake_configure(struct fake_core *core, uint16_t nb, const struct rte_eth_conf *conf,
		struct rte_mempool *pool);

/* With the mutex. */
uint32_t fake_peek(struct fake_core *core, uint32_t offset);
void fake_poke(struct fake_core *core, uint32_t offset, uint32_t value);

struct dwmac_port *fake_dwmac_port(const struct fake_core *core);
/* Time-outs pass a hundred times faster; the fake answers at once or never. */
void fake_hurry(struct fake_core *core);
/* The value of one extended statistic. */
uint64_t fake_xstat(const struct fake_core *core, const char *name);

#endif /* FAKE_CORE_H */
