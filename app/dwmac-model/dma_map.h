/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_DMA_MAP_H
#define DWMAC_MODEL_DMA_MAP_H

#include "why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory a client shared: windows of its address space, sorted by address, never overlapping.
 */

#define DMA_WINDOWS_MAX 65535u /* the protocol's default max_dma_maps */

struct dma_window {
	uint64_t iova;
	uint64_t size;
	uint8_t *base;	   /* of `iova`; NULL: no descriptor came with it, so not reachable */
	uint8_t *map_base; /* as mmap() returned it (page aligned) */
	size_t map_size;
	bool writable;
};

struct dma {
	struct dma_window *windows;
	unsigned int nb_windows;
	unsigned int room;
	unsigned int last_hit;
};

void dma_init(struct dma *dma);
void dma_clear(struct dma *dma); /* unmaps everything; the table can be used again */

/*
 * Adds [iova, iova + size). `fd` < 0: known but not reachable. The descriptor stays the caller's.
 * -EEXIST: overlaps a window. -EINVAL: empty, wraps, or the file is too short or no plain memory.
 */
int dma_map(struct dma *dma, uint64_t iova, uint64_t size, int fd, uint64_t offset, bool writable,
		struct why *w);
/* Removes every window contained in the range, returns how many. Size 0: every window. */
unsigned int dma_unmap(struct dma *dma, uint64_t iova, uint64_t size);

/* NULL when [iova, iova + len) does not lie in one reachable window that permits the direction. */
void *dma_lookup(struct dma *dma, uint64_t iova, size_t len, bool device_writes);

/*
 * A client can truncate a file after it was mapped; touching it then raises SIGBUS. The guard
 * swaps zero pages in and counts, so that a client can break its own memory but not the model.
 */
void dma_guard_install(void);
unsigned int dma_guard_hits(void);

#endif /* DWMAC_MODEL_DMA_MAP_H */
