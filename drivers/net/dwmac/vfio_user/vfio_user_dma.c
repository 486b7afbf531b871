/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * DPDK's memory, handed to the server as file descriptors.
 *
 * The protocol unmaps exactly what was mapped, never a part of it. Memory that EAL may free again
 * goes page by page, so it is mapped page by page; memory that stays for ever (EAL then refuses
 * the event callback) is mapped in the longest runs there are: --no-huge has one segment per 4 KiB.
 *
 * Locks, outermost first: EAL's memory lock, vu->dma.lock, vu->request_lock. Memory events arrive
 * with EAL's lock held for writing, so nothing under the inner two may allocate from DPDK.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "vfio_user_private.h"

#define VU_MEM_CALLBACK_NAME "dwmac_vfio_user"

/* Memory with consecutive addresses in consecutive places of one file. */
struct vu_run {
	int fd;
	uint64_t offset;
	uint64_t address;
	uint64_t size;
};

struct vu_walk {
	struct vfio_user *vu;
	bool is_coalescing;
	struct vu_run run; /* not yet sent; size 0: none */
};

/* Index of the first range that ends behind the address. */
static size_t
find_range(const struct vu_dma *dma, uint64_t address)
{
	size_t low = 0, high = dma->nb_ranges, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (dma->ranges[mid].address + dma->ranges[mid].size <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int
reserve_range(struct vu_dma *dma)
{
	size_t nb = dma->nb_allocated == 0 ? 64 : 2 * dma->nb_allocated;
	struct vu_dma_range *ranges;

	if (dma->nb_ranges < dma->nb_allocated)
		return 0;
	ranges = realloc(dma->ranges, nb * sizeof(*ranges));
	if (ranges == NULL)
		return -ENOMEM;
	dma->ranges = ranges;
	dma->nb_allocated = nb;
	return 0;
}

static void
insert_range(struct vu_dma *dma, size_t at, uint64_t address, uint64_t size)
{
	memmove(&dma->ranges[at + 1], &dma->ranges[at],
			(dma->nb_ranges - at) * sizeof(*dma->ranges));
	dma->ranges[at] = (struct vu_dma_range){ .address = address, .size = size };
	dma->nb_ranges++;
}

static int
map_run(struct vfio_user *vu, const struct vu_run *run)
{
	const struct vu_dma_map map = {
		.argsz = sizeof(map),
		.flags = VU_DMA_READABLE | VU_DMA_WRITEABLE,
		.offset = run->offset,
		.address = run->address,
		.size = run->size,
	};
	size_t at = find_range(&vu->dma, run->address);
	const struct vu_request req = {
		.command = VU_DMA_MAP,
		.head = &map,
		.head_len = sizeof(map),
		.fds = &run->fd,
		.nb_fds = 1,
	};
	int ret;

	ret = reserve_range(&vu->dma);
	if (ret == 0)
		ret = vu_request(vu, &req);
	if (ret < 0) {
		VU_LOG(ERR, "cannot give memory 0x%" PRIx64 "+0x%" PRIx64 " to the device: %s",
				run->address, run->size, strerror(-ret));
		return ret;
	}
	insert_range(&vu->dma, at, run->address, run->size);
	return 0;
}

/* Tell the server to let go, and wait until it has. */
static void
unmap_range(struct vfio_user *vu, const struct vu_dma_range *range)
{
	struct vu_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.address = range->address,
		.size = range->size,
	};
	struct vu_dma_unmap echo; /* the request comes back; some servers send the header only */
	const struct vu_request req = {
		.command = VU_DMA_UNMAP,
		.head = &unmap,
		.head_len = sizeof(unmap),
		.reply = &echo,
		.reply_min = 0,
		.reply_max = sizeof(echo),
	};
	int ret;

	ret = vu_request(vu, &req);
	/* A dead server maps nothing any more. */
	if (ret < 0 && !vfio_user_is_dead(vu))
		VU_LOG(ERR, "cannot take memory 0x%" PRIx64 "+0x%" PRIx64 " from the device: %s",
				range->address, range->size, strerror(-ret));
}

/* Unmap what overlaps [address, end); forgotten even if the server refuses. */
static void
unmap_between(struct vfio_user *vu, uint64_t address, uint64_t end)
{
	struct vu_dma *dma = &vu->dma;
	size_t first = find_range(dma, address);
	size_t last = first;

	while (last < dma->nb_ranges && dma->ranges[last].address < end)
		unmap_range(vu, &dma->ranges[last++]);
	if (last == first)
		return;
	memmove(&dma->ranges[first], &dma->ranges[last],
			(dma->nb_ranges - last) * sizeof(*dma->ranges));
	dma->nb_ranges -= last - first;
}

static int
segment_run(const struct rte_memseg *ms, struct vu_run *run)
{
	size_t offset = 0;
	int fd;

	/* The variants that lock would deadlock: EAL's memory lock is held here. */
	fd = rte_memseg_get_fd_thread_unsafe(ms);
	if (fd < 0 || rte_memseg_get_fd_offset_thread_unsafe(ms, &offset) < 0) {
		VU_LOG(ERR,
				"memory at %p has no file descriptor to share (%s): the kernel "
				"must "
				"offer memfd, or EAL use hugetlbfs",
				ms->addr, rte_strerror(rte_errno));
		return -ENOTSUP;
	}
	*run = (struct vu_run){
		.fd = fd,
		.offset = offset,
		.address = (uint64_t)(uintptr_t)ms->addr,
		.size = ms->len,
	};
	return 0;
}

static int
flush_walk(struct vu_walk *walk)
{
	int ret = 0;

	if (walk->run.size != 0)
		ret = map_run(walk->vu, &walk->run);
	walk->run.size = 0;
	return ret;
}

static int
walk_segment(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	struct vu_walk *walk = arg;
	struct vu_run *run = &walk->run;
	struct vu_run next;
	int ret;

	if (msl->external) {
		if (ms->addr == msl->base_va) /* once per area, not per page */
			VU_LOG(NOTICE, "external memory at %p is not shared with the device",
					ms->addr);
		return 0;
	}
	ret = segment_run(ms, &next);
	if (ret < 0)
		return ret;
	if (walk->is_coalescing && run->size != 0 && next.fd == run->fd &&
			next.address == run->address + run->size &&
			next.offset == run->offset + run->size) {
		run->size += next.size;
		return 0;
	}
	ret = flush_walk(walk);
	*run = next;
	return ret;
}

static void
memory_added(struct vfio_user *vu, const struct rte_memseg_list *msl, const void *addr, size_t len)
{
	const struct rte_memseg *ms;
	struct vu_run run;
	size_t at;

	/* One event may span several pages, each a segment and perhaps a file of its own. */
	for (at = 0; at < len; at += msl->page_sz) {
		ms = rte_mem_virt2memseg((const char *)addr + at, msl);
		/* Failures are logged; vfio_user_dma_is_mapped() tells them later. */
		if (ms != NULL && segment_run(ms, &run) == 0)
			map_run(vu, &run);
	}
}

static void
memory_event(enum rte_mem_event type, const void *addr, size_t len, void *arg)
{
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);
	uint64_t address = (uint64_t)(uintptr_t)addr;
	struct vfio_user *vu = arg;

	/* External memory: never mapped, and its pages may have any size. */
	if (msl == NULL || msl->external || vfio_user_is_dead(vu))
		return;
	pthread_mutex_lock(&vu->dma.lock);
	if (type == RTE_MEM_EVENT_ALLOC)
		memory_added(vu, msl, addr, len);
	else
		unmap_between(vu, address, address + len);
	pthread_mutex_unlock(&vu->dma.lock);
}

/* Called with EAL's memory lock held, so that no event falls between callback and walk. */
static int
map_present_memory(struct vfio_user *vu)
{
	struct vu_walk walk = { .vu = vu };
	int ret;

	if (rte_mem_event_callback_register(VU_MEM_CALLBACK_NAME, memory_event, vu) == 0)
		vu->dma.follows_memory = true;
	else if (rte_errno != ENOTSUP)
		return -rte_errno;
	walk.is_coalescing = !vu->dma.follows_memory;

	pthread_mutex_lock(&vu->dma.lock);
	ret = rte_memseg_walk_thread_unsafe(walk_segment, &walk);
	if (ret == 0)
		ret = flush_walk(&walk);
	pthread_mutex_unlock(&vu->dma.lock);
	return ret;
}

int
vfio_user_dma_map_memory(struct vfio_user *vu)
{
	int ret;

	if (vu->post_only)
		return -ENOTSUP;
	if (vu->dma.mapped)
		return -EALREADY;
	if (rte_eal_iova_mode() != RTE_IOVA_VA) {
		VU_LOG(ERR, "the device addresses memory by virtual addresses: start EAL with "
			    "--iova-mode=va");
		return -ENOTSUP;
	}
	rte_mcfg_mem_read_lock();
	ret = map_present_memory(vu);
	rte_mcfg_mem_read_unlock();
	if (ret < 0) {
		vu_dma_release(vu);
		return ret;
	}
	vu->dma.mapped = true;
	VU_LOG(DEBUG, "%zu memory ranges shared", vu->dma.nb_ranges);
	return 0;
}

bool
vfio_user_dma_is_mapped(struct vfio_user *vu, const void *addr, size_t len)
{
	uint64_t address = (uint64_t)(uintptr_t)addr;
	uint64_t end = address + len;
	struct vu_dma *dma = &vu->dma;
	size_t i;

	if (end < address || vfio_user_is_dead(vu))
		return false;
	pthread_mutex_lock(&dma->lock);
	for (i = find_range(dma, address);
			address < end && i < dma->nb_ranges && dma->ranges[i].address <= address;
			i++)
		address = dma->ranges[i].address + dma->ranges[i].size;
	pthread_mutex_unlock(&dma->lock);
	return address >= end;
}

void
vu_dma_release(struct vfio_user *vu)
{
	/* First the events, else one of them could map behind our back. */
	if (vu->dma.follows_memory)
		rte_mem_event_callback_unregister(VU_MEM_CALLBACK_NAME, vu);
	vu->dma.follows_memory = false;
	pthread_mutex_lock(&vu->dma.lock);
	unmap_between(vu, 0, UINT64_MAX);
	pthread_mutex_unlock(&vu->dma.lock);
	free(vu->dma.ranges);
	vu->dma.ranges = NULL;
	vu->dma.nb_allocated = 0;
	vu->dma.mapped = false;
}
