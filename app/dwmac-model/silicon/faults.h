/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_FAULTS_H
#define SILICON_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

struct device;

/* X(enumerator, name, meaning of the argument) */
#define FAULTS(X)                                                                               \
	X(LOST_INTERRUPT, "lost-interrupt", "vector whose message is lost; -1 = any")           \
	X(STUCK_OWN, "stuck-own", "channel, +256 for RX; -1 = any TX: OWN is never given back") \
	X(BAD_LENGTH, "bad-length", "RX: PL written into the last descriptor")                  \
	X(MISSING_LD, "missing-ld", "RX: LD is not set (no argument)")                          \
	X(BUS_ERROR, "bus-error", "channel, +256 for RX; -1 = any: next DMA access fails")      \
	X(STUCK_SELF_CLEAR, "stuck-self-clear", "register offset; -1 = any: bits stay set")     \
	X(MISSING_TX_STAMP, "missing-tx-stamp", "no TTSS (no argument)")                        \
	X(MISSING_RX_STAMP, "missing-rx-stamp",                                                 \
			"0 = TD set, 1 = all-ones context, 2 = no context")                     \
	X(LATE_RX_STAMP, "late-rx-stamp", "ns by which the context descriptor is late")         \
	X(ALL_ONES, "all-ones", "every register reads all ones (no argument)")                  \
	X(RX_OVERFLOW, "rx-overflow", "a frame is lost to FIFO overflow (no argument)")

enum fault_id {
#define X(id, name, arg) FAULT_##id,
	FAULTS(X)
#undef X
			FAULT_COUNT
};

struct fault_state {
	uint32_t armed; /* bitmap by enum fault_id */
	struct {
		uint64_t arg;
		uint32_t left; /* UINT32_MAX: until cleared */
	} fault[FAULT_COUNT];
};

bool fault_take(struct device *dev, enum fault_id id, uint64_t match, uint64_t *arg);
/* The self-clearing bit of this register is due. True: it stays set for now, *due_ps is put off. */
bool fault_holds_bit(struct device *dev, uint32_t offset, uint64_t *due_ps);

#endif /* SILICON_FAULTS_H */
