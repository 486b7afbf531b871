/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "dma_map.h"

#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Tables the SIGBUS guard searches: one per device of this single-threaded process. */
#define GUARDED_MAX 256
static struct dma *guarded[GUARDED_MAX];
static volatile sig_atomic_t guard_hits;

static void
guard_table(struct dma *dma, bool on)
{
	for (unsigned int i = 0; i < GUARDED_MAX; i++) {
		if (on ? guarded[i] == NULL : guarded[i] == dma) {
			guarded[i] = on ? dma : NULL;
			return;
		}
	}
}

void
dma_init(struct dma *dma)
{
	memset(dma, 0, sizeof(*dma));
}

static void
release(struct dma_window *window)
{
	if (window->map_base == NULL)
		return;
	/* Its place in the arena stays reserved. */
	if (!window->in_arena ||
			mmap(window->map_base, window->map_size, PROT_NONE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
					0) == MAP_FAILED)
		munmap(window->map_base, window->map_size);
}

void
dma_clear(struct dma *dma)
{
	guard_table(dma, false);
	for (unsigned int i = 0; i < dma->nb_windows; i++)
		release(&dma->windows[i]);
	if (dma->arena != NULL)
		munmap(dma->arena, DMA_ARENA_SIZE);
	free(dma->windows);
	dma_init(dma);
}

/* The first window that ends beyond `iova`. */
static unsigned int
find(const struct dma *dma, uint64_t iova)
{
	unsigned int low = 0, high = dma->nb_windows;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;
		const struct dma_window *window = &dma->windows[middle];

		if (window->iova + (window->size - 1) < iova)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Pages of hugetlbfs are mapped whole: there, offset and length go by the file's block size. */
static size_t
page_size_of(int fd, const struct stat *st)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC && st->st_blksize > 0)
		return (size_t)st->st_blksize;
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Where a window goes in the arena, or NULL if it has to be mapped by itself. */
static uint8_t *
arena_place(struct dma *dma, const struct dma_window *window, size_t page, uint64_t offset)
{
	if (((window->iova | window->size | offset) & (page - 1)) != 0 ||
			window->iova >= DMA_ARENA_SIZE ||
			window->size > DMA_ARENA_SIZE - window->iova)
		return NULL;
	if (dma->arena == NULL) {
		void *arena = mmap(NULL, DMA_ARENA_SIZE, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (arena == MAP_FAILED || ((uintptr_t)arena & (page - 1)) != 0)
			return NULL;
		dma->arena = arena;
	}
	return dma->arena + window->iova;
}

static int
check_file(const struct stat *st, uint64_t offset, uint64_t size, struct why *w)
{
	if (!S_ISREG(st->st_mode))
		return why(w, -EINVAL, "memory descriptor is no memfd or file on tmpfs/hugetlbfs");
	if (offset > (uint64_t)st->st_size || size > (uint64_t)st->st_size - offset)
		return why(w, -EINVAL, "memory file ends before offset 0x%llx + 0x%llx",
				(unsigned long long)offset, (unsigned long long)size);
	return 0;
}

static int
map_file(struct dma *dma, struct dma_window *window, int fd, uint64_t offset, struct why *w)
{
	const int protection = PROT_READ | (window->writable ? PROT_WRITE : 0);
	struct stat st;
	size_t page, head;
	uint8_t *place;
	int ret;

	if (fstat(fd, &st) != 0)
		return why(w, -errno, "memory descriptor: %s", strerror(errno));
	ret = check_file(&st, offset, window->size, w);
	if (ret != 0)
		return ret;
	page = page_size_of(fd, &st);
	head = (size_t)(offset & (page - 1));
	window->map_size = (size_t)((head + window->size + page - 1) & ~(uint64_t)(page - 1));
	place = arena_place(dma, window, page, offset);
	window->in_arena = place != NULL;
	window->map_base = mmap(place, window->map_size, protection,
			MAP_SHARED | (place != NULL ? MAP_FIXED : 0), fd, (off_t)(offset - head));
	if (window->map_base == MAP_FAILED) {
		window->map_base = NULL;
		return why(w, -errno, "mmap of 0x%llx bytes: %s", (unsigned long long)window->size,
				strerror(errno));
	}
	window->base = window->map_base + head;
	return 0;
}

static int
grow(struct dma *dma)
{
	unsigned int room = dma->room == 0 ? 16 : dma->room * 2;
	struct dma_window *windows;

	if (dma->nb_windows < dma->room)
		return 0;
	if (dma->nb_windows >= DMA_WINDOWS_MAX)
		return -ENOSPC;
	windows = realloc(dma->windows, room * sizeof(*windows));
	if (windows == NULL)
		return -ENOMEM;
	dma->windows = windows;
	dma->room = room;
	return 0;
}

int
dma_map(struct dma *dma, uint64_t iova, uint64_t size, int fd, uint64_t offset, bool writable,
		struct why *w)
{
	struct dma_window window = { .iova = iova, .size = size, .writable = writable };
	unsigned int at;
	int ret;

	if (size == 0 || iova + (size - 1) < iova || size > SIZE_MAX / 2)
		return why(w, -EINVAL, "memory window 0x%llx + 0x%llx is empty or wraps",
				(unsigned long long)iova, (unsigned long long)size);
	at = find(dma, iova);
	if (at < dma->nb_windows && dma->windows[at].iova <= iova + (size - 1))
		return why(w, -EEXIST, "memory window 0x%llx + 0x%llx overlaps one at 0x%llx",
				(unsigned long long)iova, (unsigned long long)size,
				(unsigned long long)dma->windows[at].iova);
	ret = grow(dma);
	if (ret != 0)
		return why(w, ret, "no room for more than %u memory windows", dma->nb_windows);
	ret = fd < 0 ? 0 : map_file(dma, &window, fd, offset, w);
	if (ret != 0)
		return ret;
	if (dma->nb_windows == 0)
		guard_table(dma, true);
	memmove(&dma->windows[at + 1], &dma->windows[at], (dma->nb_windows - at) * sizeof(window));
	dma->windows[at] = window;
	dma->nb_windows++;
	return 0;
}

unsigned int
dma_unmap(struct dma *dma, uint64_t iova, uint64_t size)
{
	uint64_t last = size == 0 ? UINT64_MAX : iova + (size - 1);
	unsigned int removed = 0, kept = 0;

	for (unsigned int i = 0; i < dma->nb_windows; i++) {
		struct dma_window *window = &dma->windows[i];

		if (window->iova >= iova && window->iova + (window->size - 1) <= last) {
			release(window);
			removed++;
			continue;
		}
		dma->windows[kept++] = *window;
	}
	dma->nb_windows = kept;
	dma->last_hit = 0;
	if (kept == 0)
		guard_table(dma, false);
	return removed;
}

static inline bool
holds(const struct dma_window *window, uint64_t iova, size_t len)
{
	return iova >= window->iova && len <= window->size &&
	       iova - window->iova <= window->size - len;
}

static inline bool
permits(const struct dma_window *window, bool device_writes)
{
	return window->base != NULL && (window->writable || !device_writes);
}

/* Is [iova, iova + len), which begins in window `at`, covered by neighbours in the arena? */
static bool
spans(const struct dma *dma, unsigned int at, uint64_t iova, size_t len, bool device_writes)
{
	const uint64_t last = iova + (len - 1);
	uint64_t expected = dma->windows[at].iova;

	if (len == 0 || last < iova || iova < expected)
		return false;
	for (; at < dma->nb_windows; at++) {
		const struct dma_window *window = &dma->windows[at];

		if (window->iova != expected || !window->in_arena ||
				!permits(window, device_writes))
			return false;
		expected = window->iova + window->size;
		if (last < expected)
			return true;
	}
	return false;
}

void *
dma_lookup(struct dma *dma, uint64_t iova, size_t len, bool device_writes)
{
	struct dma_window *window;
	unsigned int at = dma->last_hit;

	if (at >= dma->nb_windows || !holds(&dma->windows[at], iova, len)) {
		at = find(dma, iova);
		if (at >= dma->nb_windows)
			return NULL;
		if (!holds(&dma->windows[at], iova, len))
			return spans(dma, at, iova, len, device_writes) ? dma->arena + iova : NULL;
		dma->last_hit = at;
	}
	window = &dma->windows[at];
	return permits(window, device_writes) ? window->base + (iova - window->iova) : NULL;
}

static bool
guard_replace(const struct dma *dma, const uint8_t *address)
{
	for (unsigned int i = 0; i < dma->nb_windows; i++) {
		const struct dma_window *window = &dma->windows[i];

		if (window->map_base == NULL || address < window->map_base ||
				address >= window->map_base + window->map_size)
			continue;
		return mmap(window->map_base, window->map_size, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
				       0) != MAP_FAILED;
	}
	return false;
}

/* Synchronous, raised by this thread's own access: the tables are consistent and mmap() is a
 * plain system call, so both may be used here. */
static void
guard_handler(int signum, siginfo_t *info, void *context)
{
	int saved_errno = errno;

	(void)context;
	for (unsigned int i = 0; i < GUARDED_MAX; i++) {
		if (guarded[i] != NULL && guard_replace(guarded[i], info->si_addr)) {
			guard_hits = guard_hits + 1;
			errno = saved_errno;
			return;
		}
	}
	signal(signum, SIG_DFL); /* not ours: the access repeats and the default action follows */
}

void
dma_guard_install(void)
{
	struct sigaction action = { .sa_sigaction = guard_handler, .sa_flags = SA_SIGINFO };

	sigaction(SIGBUS, &action, NULL);
}

unsigned int
dma_guard_hits(void)
{
	return (unsigned int)guard_hits;
}
