/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_FRAMEQ_H
#define DWMAC_MODEL_FRAMEQ_H

#include "device.h"

#include <stdbool.h>
#include <stdint.h>

/* Copies of frames under way, ordered by the time they are due; equal times keep their order. */

struct frameq_entry;

struct frameq {
	struct frameq_entry **heap;
	unsigned int nb; /* frames in the queue */
	unsigned int room;
	unsigned int limit;
	uint64_t next_sequence;
	struct frameq_entry *spare[2]; /* small and large buffers for reuse */
};

void frameq_init(struct frameq *q, unsigned int limit);
void frameq_fini(struct frameq *q);

/* Copies the frame. False: the queue is at its limit, or there is no memory. */
bool frameq_push(struct frameq *q, const struct frame *frame, uint64_t due_ps);
/* The first frame due; false: empty. The data is good until frameq_pop(). */
bool frameq_peek(const struct frameq *q, struct frame *frame, uint64_t *due_ps);
void frameq_pop(struct frameq *q);

#endif /* DWMAC_MODEL_FRAMEQ_H */
