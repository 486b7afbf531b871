/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef BLOCK_H
#define BLOCK_H

/*
 * The PTP block of a MAC, played by a thread on a core of its own: shared memory is the BAR, and
 * a command bit of MAC_Timestamp_Control clears itself a set time after it was set (ptp.md §3).
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

#define BLOCK_BAR_SIZE	    4096
#define BLOCK_BASE	    0x0b00 /* of the PTP registers, ptp.md §1 */
#define BLOCK_CONTROL	    BLOCK_BASE
#define BLOCK_COMMANDS	    ((1u << 2) | (1u << 3) | (1u << 5)) /* TSINIT TSUPDT TSADDREG */
#define BLOCK_CLOCK_HZ	    50000000
#define BLOCK_WAKE_LIMIT_MS 5000

/* How one command went, by TSC. */
struct block_command {
	uint64_t set;	  /* when the bit was set, as told; never after `seen` */
	uint64_t seen;	  /* the thread saw it */
	uint64_t cleared; /* it is clear for everybody */
};

/* What each side writes has cache lines of its own: a line that the other side spins on would
 * delay what is measured. */
struct block {
	/* One page mapped twice. The thread plays on a mapping of its own, as a device would:
	 * neither the compiler nor a sanitizer may reason about the two as one object. */
	volatile uint8_t *bar;
	uint8_t *wires;
	pthread_t thread;
	bool running;

	uint64_t set __rte_cache_aligned; /* told by the side that sets the bit, before it does */
	uint64_t hardware_tsc;		  /* how long the next command takes */

	struct block_command last __rte_cache_aligned;
	uint64_t done; /* commands finished */

	bool stop __rte_cache_aligned;
};

/* @return 0 or a negative errno. */
int block_start(struct block *block, unsigned int cpu);
void block_stop(struct block *block);

/* Before a command: its time, and when its bit will be set, as well as it is known. */
void block_expect(struct block *block, uint64_t hardware_tsc, uint64_t set);
/* The moment the bit is set, for those who know it. */
void block_set_at(struct block *block, uint64_t set);

/* Wait for the block to finish command number `done`. -ETIMEDOUT: the thread gets no CPU. */
int block_wait(struct block *block, uint64_t done, struct block_command *command);

#endif /* BLOCK_H */
