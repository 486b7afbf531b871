/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * Memory that grows and shrinks. EAL does that with hugepages only, so its memory functions are
 * replaced (the linker's --wrap) by a list of pages over one or more files.
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include <rte_eal.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include "fake_device.h"
#include "vfio_user.h"

#define PAGE_SIZE 4096ul
#define NB_PAGES  8

static struct fake_device dev;
static struct vfio_user *vu;

/* --- a memory of NB_PAGES pages, any of them present --------------------------------------- */

static struct {
	struct rte_memseg_list msl;
	struct rte_memseg segs[NB_PAGES];
	bool present[NB_PAGES];
	int page_fds[NB_PAGES];
	size_t page_offsets[NB_PAGES];
	char *base;
	enum rte_iova_mode iova_mode;
	int refuse_callback; /* rte_errno to refuse it with */
	rte_mem_event_callback_t callback;
	void *callback_arg;
	int nb_locks;
	size_t added_at_unlock; /* page that appears as soon as the lock is free; NB_PAGES: none */
} mem;

static void
send_event(enum rte_mem_event type, size_t first, size_t count)
{
	size_t i;

	for (i = first; type == RTE_MEM_EVENT_ALLOC && i < first + count; i++)
		mem.present[i] = true;
	if (mem.callback != NULL)
		mem.callback(type, mem.base + first * PAGE_SIZE, count * PAGE_SIZE,
				mem.callback_arg);
	for (i = first; type == RTE_MEM_EVENT_FREE && i < first + count; i++)
		mem.present[i] = false;
}

enum rte_iova_mode
__wrap_rte_eal_iova_mode(void)
{
	return mem.iova_mode;
}

void
__wrap_rte_mcfg_mem_read_lock(void)
{
	mem.nb_locks++;
}

void
__wrap_rte_mcfg_mem_read_unlock(void)
{
	mem.nb_locks--;
	if (mem.added_at_unlock < NB_PAGES) {
		send_event(RTE_MEM_EVENT_ALLOC, mem.added_at_unlock, 1);
		mem.added_at_unlock = NB_PAGES;
	}
}

int
__wrap_rte_mem_event_callback_register(
		const char *name, rte_mem_event_callback_t callback, void *arg)
{
	assert_non_null(name);
	assert_int_equal(mem.nb_locks, 1);
	if (mem.refuse_callback != 0) {
		rte_errno = mem.refuse_callback;
		return -1;
	}
	mem.callback = callback;
	mem.callback_arg = arg;
	return 0;
}

int
__wrap_rte_mem_event_callback_unregister(const char *name, void *arg)
{
	assert_non_null(name);
	assert_int_equal(mem.nb_locks, 0); /* it would wait for a running event */
	assert_ptr_equal(arg, mem.callback_arg);
	assert_non_null(mem.callback);
	mem.callback = NULL;
	return 0;
}

struct rte_memseg_list *
__wrap_rte_mem_virt2memseg_list(const void *addr)
{
	size_t at = (size_t)((const char *)addr - mem.base);

	return at < NB_PAGES * PAGE_SIZE ? &mem.msl : NULL;
}

struct rte_memseg *
__wrap_rte_mem_virt2memseg(const void *addr, const struct rte_memseg_list *msl)
{
	size_t page = (size_t)((const char *)addr - mem.base) / PAGE_SIZE;

	assert_ptr_equal(msl, &mem.msl);
	return page < NB_PAGES && mem.present[page] ? &mem.segs[page] : NULL;
}

int
__wrap_rte_memseg_get_fd_thread_unsafe(const struct rte_memseg *ms)
{
	int fd = mem.page_fds[ms - mem.segs];

	if (fd < 0)
		rte_errno = ENOTSUP;
	return fd;
}

int
__wrap_rte_memseg_get_fd_offset_thread_unsafe(const struct rte_memseg *ms, size_t *offset)
{
	*offset = mem.page_offsets[ms - mem.segs];
	return 0;
}

int
__wrap_rte_memseg_walk_thread_unsafe(rte_memseg_walk_t func, void *arg)
{
	size_t i;
	int ret;

	assert_int_equal(mem.nb_locks, 1);
	for (i = 0; i < NB_PAGES; i++) {
		ret = mem.present[i] ? func(&mem.msl, &mem.segs[i], arg) : 0;
		if (ret != 0)
			return ret;
	}
	return 0;
}

/* --- set-up -------------------------------------------------------------------------------- */

static int
setup(void **state)
{
	int fd = (int)syscall(SYS_memfd_create, "pages", 0);
	size_t i;

	(void)state;
	memset(&mem, 0, sizeof(mem));
	if (fd < 0 || ftruncate(fd, NB_PAGES * PAGE_SIZE) != 0)
		return -1;
	mem.base = mmap(NULL, NB_PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mem.base == MAP_FAILED)
		return -1;
	mem.msl.page_sz = PAGE_SIZE;
	mem.iova_mode = RTE_IOVA_VA;
	mem.added_at_unlock = NB_PAGES;
	for (i = 0; i < NB_PAGES; i++) {
		mem.segs[i].addr = mem.base + i * PAGE_SIZE;
		mem.segs[i].len = PAGE_SIZE;
		mem.page_fds[i] = fd;
		mem.page_offsets[i] = i * PAGE_SIZE;
	}
	fd_init(&dev);
	fd_start(&dev);
	return vfio_user_connect(dev.server.path, &vu);
}

static int
teardown(void **state)
{
	(void)state;
	vfio_user_disconnect(vu);
	fd_stop(&dev);
	munmap(mem.base, NB_PAGES * PAGE_SIZE);
	close(mem.page_fds[0]);
	/* Whatever was mapped was unmapped, exactly; and nobody listens to events any more. */
	return dev.nb_maps == 0 && mem.callback == NULL && mem.nb_locks == 0 ? 0 : -1;
}

static void
assert_entry(size_t at, uint16_t command, size_t page, size_t nb_pages)
{
	const struct fd_entry *entry = &dev.diary[at];

	assert_true(at < dev.nb_entries);
	assert_int_equal(entry->command, command);
	assert_int_equal(entry->address, (uint64_t)(uintptr_t)(mem.base + page * PAGE_SIZE));
	assert_int_equal(entry->size, nb_pages * PAGE_SIZE);
	if (command == FS_DMA_MAP)
		assert_int_equal(entry->offset, mem.page_offsets[page]);
}

static bool
is_mapped(size_t page, size_t count)
{
	return vfio_user_dma_is_mapped(vu, mem.base + page * PAGE_SIZE, count * PAGE_SIZE);
}

/* --- the tests ----------------------------------------------------------------------------- */

static void
growing_memory_is_mapped_page_by_page(void **state)
{
	(void)state;
	mem.present[1] = mem.present[2] = true;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	assert_int_equal(dev.nb_entries, 2);
	assert_entry(0, FS_DMA_MAP, 1, 1);
	assert_entry(1, FS_DMA_MAP, 2, 1);

	/* One event, three pages; in front of and behind what is there. */
	send_event(RTE_MEM_EVENT_ALLOC, 4, 3);
	send_event(RTE_MEM_EVENT_ALLOC, 0, 1);
	assert_int_equal(dev.nb_entries, 6);
	assert_entry(2, FS_DMA_MAP, 4, 1);
	assert_entry(4, FS_DMA_MAP, 6, 1);
	assert_entry(5, FS_DMA_MAP, 0, 1);
	assert_true(is_mapped(0, 3));
	assert_true(is_mapped(4, 3));
	assert_false(is_mapped(0, 5));
	assert_false(is_mapped(3, 1));
	assert_false(is_mapped(6, 2));
	strcpy(mem.base + 5 * PAGE_SIZE + 17, "page five");
	assert_string_equal(fd_view(&dev, mem.base + 5 * PAGE_SIZE + 17), "page five");
}

static void
freed_pages_are_unmapped_before_they_go(void **state)
{
	(void)state;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	send_event(RTE_MEM_EVENT_ALLOC, 0, 6);
	/* Parts of what came in one event: the middle, then the rest with a gap in it. */
	send_event(RTE_MEM_EVENT_FREE, 2, 2);
	assert_int_equal(dev.nb_entries, 8); /* the replies were waited for */
	assert_entry(6, FS_DMA_UNMAP, 2, 1);
	assert_entry(7, FS_DMA_UNMAP, 3, 1);
	assert_int_equal(dev.nb_maps, 4);
	assert_true(is_mapped(0, 2));
	assert_false(is_mapped(2, 1));
	assert_true(is_mapped(4, 2));
	send_event(RTE_MEM_EVENT_ALLOC, 3, 1);
	assert_true(is_mapped(3, 3));
	send_event(RTE_MEM_EVENT_FREE, 0, 6);
	assert_int_equal(dev.nb_maps, 0);
	send_event(RTE_MEM_EVENT_FREE, 0, 6);
	assert_int_equal(dev.nb_entries, 14);
}

static void
static_memory_is_mapped_in_runs(void **state)
{
	int other = (int)syscall(SYS_memfd_create, "other", 0);
	size_t i;

	(void)state;
	mem.refuse_callback = ENOTSUP;
	for (i = 0; i < NB_PAGES; i++)
		mem.present[i] = i != 2;
	/* 0 1 | 3, which continues the file but not the addresses | 4 elsewhere in the file |
	 * 5, another file at the offset that comes next | 6 7
	 */
	assert_int_equal(ftruncate(other, NB_PAGES * PAGE_SIZE), 0);
	mem.page_offsets[3] = 2 * PAGE_SIZE;
	mem.page_offsets[4] = 4 * PAGE_SIZE;
	mem.page_fds[5] = other;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	assert_int_equal(dev.nb_entries, 5);
	assert_entry(0, FS_DMA_MAP, 0, 2);
	assert_entry(1, FS_DMA_MAP, 3, 1);
	assert_entry(2, FS_DMA_MAP, 4, 1);
	assert_entry(3, FS_DMA_MAP, 5, 1);
	assert_entry(4, FS_DMA_MAP, 6, 2);
	assert_true(is_mapped(3, 5));
	assert_false(is_mapped(1, 3));
	close(other);
}

static void
nothing_falls_between_walk_and_events(void **state)
{
	(void)state;
	mem.present[0] = true;
	mem.added_at_unlock = 1;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	assert_int_equal(dev.nb_entries, 2);
	assert_true(is_mapped(0, 2));
}

static void
failures_leave_nothing_behind(void **state)
{
	(void)state;
	mem.present[0] = mem.present[1] = mem.present[2] = true;
	mem.iova_mode = RTE_IOVA_PA;
	assert_int_equal(vfio_user_dma_map_memory(vu), -ENOTSUP);
	mem.iova_mode = RTE_IOVA_VA;
	mem.refuse_callback = ENOMEM;
	assert_int_equal(vfio_user_dma_map_memory(vu), -ENOMEM);
	assert_int_equal(dev.nb_entries, 0);
	mem.refuse_callback = 0;

	mem.page_fds[2] = -1; /* anonymous memory */
	assert_int_equal(vfio_user_dma_map_memory(vu), -ENOTSUP);
	assert_null(mem.callback);
	assert_int_equal(dev.nb_maps, 0);
	assert_false(is_mapped(0, 1));

	mem.page_fds[2] = mem.page_fds[0];
	dev.fail_after = 2;
	dev.fail_error = ENOSPC;
	dev.fail_command = FS_DMA_MAP;
	assert_int_equal(vfio_user_dma_map_memory(vu), -ENOSPC);
	assert_null(mem.callback);
	assert_int_equal(dev.nb_maps, 0);
}

static void
a_page_the_server_refuses_is_not_claimed(void **state)
{
	(void)state;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	dev.fail_after = 1;
	dev.fail_error = ENOSPC;
	dev.fail_command = FS_DMA_MAP;
	send_event(RTE_MEM_EVENT_ALLOC, 0, 2);
	assert_true(is_mapped(0, 1));
	assert_false(is_mapped(1, 1));
	send_event(RTE_MEM_EVENT_FREE, 0, 2);
	assert_int_equal(dev.nb_maps, 0);
}

static void
events_of_external_memory_are_ignored(void **state)
{
	(void)state;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	mem.msl.external = 1;
	send_event(RTE_MEM_EVENT_ALLOC, 0, 2);
	send_event(RTE_MEM_EVENT_FREE, 0, 2);
	mem.callback(RTE_MEM_EVENT_ALLOC, &mem, PAGE_SIZE, mem.callback_arg);
	assert_int_equal(dev.nb_entries, 0);
}

static void
events_after_death_do_nothing(void **state)
{
	(void)state;
	mem.present[0] = true;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	dev.mute_command = FS_DMA_UNMAP;
	send_event(RTE_MEM_EVENT_FREE, 0, 1);
	assert_true(vfio_user_is_dead(vu));
	send_event(RTE_MEM_EVENT_ALLOC, 0, 4);
	send_event(RTE_MEM_EVENT_FREE, 0, 4);
	assert_false(is_mapped(0, 1));
	/* The server took its view with it. */
	munmap(dev.maps[0].memory, dev.maps[0].size);
	dev.nb_maps = 0;
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(growing_memory_is_mapped_page_by_page),
		TEST(freed_pages_are_unmapped_before_they_go),
		TEST(static_memory_is_mapped_in_runs),
		TEST(nothing_falls_between_walk_and_events),
		TEST(failures_leave_nothing_behind),
		TEST(a_page_the_server_refuses_is_not_claimed),
		TEST(events_of_external_memory_are_ignored),
		TEST(events_after_death_do_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
