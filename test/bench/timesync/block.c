/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <rte_cycles.h>

#include "block.h"

static uint32_t *
control(struct block *block)
{
	return (uint32_t *)(void *)(block->wires + BLOCK_CONTROL);
}

/* No rte_pause() in these loops: on a virtual machine a loop of pauses is what the hypervisor takes
 * for a thread that may lose its CPU. */
static void
play(struct block *block)
{
	struct block_command command;
	uint64_t due;

	if ((__atomic_load_n(control(block), __ATOMIC_ACQUIRE) & BLOCK_COMMANDS) == 0)
		return;
	command.seen = rte_rdtsc_precise();
	command.set = RTE_MIN(__atomic_load_n(&block->set, __ATOMIC_ACQUIRE), command.seen);
	due = command.set + __atomic_load_n(&block->hardware_tsc, __ATOMIC_RELAXED);
	while (rte_rdtsc() < due)
		;
	__atomic_fetch_and(control(block), ~BLOCK_COMMANDS, __ATOMIC_ACQ_REL);
	command.cleared = rte_rdtsc_precise();
	block->last = command;
	__atomic_store_n(&block->done, block->done + 1, __ATOMIC_RELEASE);
}

static void *
player(void *arg)
{
	struct block *block = arg;

	while (!__atomic_load_n(&block->stop, __ATOMIC_RELAXED))
		play(block);
	return NULL;
}

static int
map_twice(struct block *block)
{
	const int prot = PROT_READ | PROT_WRITE;
	const int flags = MAP_SHARED | MAP_POPULATE;
	int fd, ret = 0;

	fd = memfd_create("ptp-block", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, BLOCK_BAR_SIZE) != 0) {
		ret = -errno;
	} else {
		block->bar = mmap(NULL, BLOCK_BAR_SIZE, prot, flags, fd, 0);
		block->wires = mmap(NULL, BLOCK_BAR_SIZE, prot, flags, fd, 0);
		if (block->bar == MAP_FAILED || block->wires == MAP_FAILED)
			ret = -errno;
	}
	close(fd);
	return ret;
}

static void
unmap(struct block *block)
{
	if (block->bar != MAP_FAILED)
		munmap((void *)(uintptr_t)block->bar, BLOCK_BAR_SIZE);
	if (block->wires != MAP_FAILED)
		munmap(block->wires, BLOCK_BAR_SIZE);
	block->bar = MAP_FAILED;
	block->wires = MAP_FAILED;
}

int
block_start(struct block *block, unsigned int cpu)
{
	pthread_attr_t attr;
	cpu_set_t set;
	int ret;

	memset(block, 0, sizeof(*block));
	block->bar = MAP_FAILED;
	block->wires = MAP_FAILED;
	ret = map_twice(block);
	if (ret != 0) {
		unmap(block);
		return ret;
	}
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attr);
	ret = -pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	if (ret == 0)
		ret = -pthread_create(&block->thread, &attr, player, block);
	pthread_attr_destroy(&attr);
	if (ret != 0)
		unmap(block);
	block->running = ret == 0;
	return ret;
}

void
block_stop(struct block *block)
{
	if (!block->running)
		return;
	__atomic_store_n(&block->stop, true, __ATOMIC_RELAXED);
	pthread_join(block->thread, NULL);
	block->running = false;
	unmap(block);
}

void
block_expect(struct block *block, uint64_t hardware_tsc, uint64_t set)
{
	__atomic_store_n(&block->hardware_tsc, hardware_tsc, __ATOMIC_RELAXED);
	__atomic_store_n(&block->set, set, __ATOMIC_RELEASE);
}

void
block_set_at(struct block *block, uint64_t set)
{
	__atomic_store_n(&block->set, set, __ATOMIC_RELEASE);
}

static uint64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int
block_wait(struct block *block, uint64_t done, struct block_command *command)
{
	uint64_t start = 0;

	while (__atomic_load_n(&block->done, __ATOMIC_ACQUIRE) != done) {
		if (start == 0)
			start = now_ms();
		else if (now_ms() - start > BLOCK_WAKE_LIMIT_MS)
			return -ETIMEDOUT;
		sched_yield();
	}
	if (command != NULL)
		*command = block->last;
	return 0;
}
