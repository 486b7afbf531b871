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
	bool in_arena;
};

/*
 * An IOMMU makes neighbours out of scattered pages, and one buffer may lie across several windows.
 * Windows are therefore mapped into an arena of our address space as they lie in the device's, so
 * that what is contiguous to the device is contiguous to us. It covers 40 bits, as the default
 * profile's device does; a window beyond, or one that is not page aligned, is mapped by itself and
 * nothing can reach across its ends.
 */
#define DMA_ARENA_SIZE (UINT64_C(1) << 40)

struct dma {
	uint8_t *arena; /* NULL: not reserved yet, or not possible */
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

/* NULL unless all of [iova, iova + len) is reachable, permits the direction and is contiguous. */
void *dma_lookup(struct dma *dma, uint64_t iova, size_t len, bool device_writes);

/*
 * A client can truncate a file after it was mapped; touching it then raises SIGBUS. The guard
 * swaps zero pages in and counts, so that a client can break its own memory but not the model.
 */
void dma_guard_install(void);
unsigned int dma_guard_hits(void);

#endif /* DWMAC_MODEL_DMA_MAP_H */
