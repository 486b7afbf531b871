/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <string.h>

#include "access.h"

static void
spend(uint64_t tsc)
{
	const uint64_t start = rte_rdtsc();

	while (rte_rdtsc() - start < tsc)
		;
}

/* The request is half of a read's way and the completion the other half: the register is looked
 * at in the middle. */
static uint32_t
timed_read32(void *ctx, uint32_t offset)
{
	struct access *access = ctx;
	uint32_t value;

	if (access->read_tsc != 0)
		spend(access->read_tsc / 2);
	value = rte_read32(access->block->bar + offset);
	if (access->read_tsc != 0)
		spend(access->read_tsc - access->read_tsc / 2);
	if (offset != BLOCK_CONTROL)
		return value;
	if ((value & BLOCK_COMMANDS) != 0 && access->busy_tsc != 0)
		spend(access->busy_tsc);
	return value;
}

/* Writes are posted: the writer does not wait for them. */
static void
timed_write32(void *ctx, uint32_t offset, uint32_t value)
{
	struct access *access = ctx;

	if (offset == BLOCK_CONTROL && (value & BLOCK_COMMANDS) != 0) {
		access->set = rte_rdtsc();
		block_set_at(access->block, access->set);
	}
	rte_write32(value, access->block->bar + offset);
}

static int
timed_post32(void *ctx, uint32_t offset, uint32_t value)
{
	timed_write32(ctx, offset, value);
	return 0;
}

static const struct dwmac_io_ops timed_ops = {
	.read32 = timed_read32,
	.write32 = timed_write32,
	.post32 = timed_post32,
};

void
access_mapped(struct access *access, struct block *block, uint64_t tsc_hz)
{
	memset(access, 0, sizeof(*access));
	access->block = block;
	access->io.bar = block->bar;
	access->io.tsc_hz = tsc_hz;
}

void
access_timed(struct access *access, struct block *block, uint64_t tsc_hz, uint64_t read_tsc,
		uint64_t busy_tsc)
{
	memset(access, 0, sizeof(*access));
	access->block = block;
	access->io.ops = &timed_ops;
	access->io.ctx = access;
	access->io.tsc_hz = tsc_hz;
	access->read_tsc = read_tsc;
	access->busy_tsc = busy_tsc;
}
