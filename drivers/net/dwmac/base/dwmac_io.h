/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_IO_H
#define DWMAC_IO_H

/*
 * The one seam for register access.
 *
 * A mapped BAR is plain loads and stores. Everything else (vfio-user messages, a mock in a unit
 * test) stands behind `ops`. The fast path passes the branch once per burst, for the tail write.
 */

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_cycles.h>
#include <rte_io.h>
#include <rte_pause.h>

struct dwmac_io_ops {
	/* All ones when the device is gone. */
	uint32_t (*read32)(void *ctx, uint32_t offset);
	/* Ordered with the reads and writes that follow. */
	void (*write32)(void *ctx, uint32_t offset, uint32_t value);
	/* Never waits, takes no lock. 0, -EAGAIN (nothing was written: try later), -ENODEV. */
	int (*post32)(void *ctx, uint32_t offset, uint32_t value);
};

struct dwmac_io {
	volatile uint8_t *bar; /* mapped registers, or NULL: use ops */
	const struct dwmac_io_ops *ops;
	void *ctx;
	uint64_t tsc_hz; /* for the polled waits; set before the first one */
};

static inline uint32_t
dwmac_read32(const struct dwmac_io *io, uint32_t offset)
{
	if (likely(io->bar != NULL))
		return rte_read32(io->bar + offset);
	return io->ops->read32(io->ctx, offset);
}

static inline void
dwmac_write32(const struct dwmac_io *io, uint32_t offset, uint32_t value)
{
	if (likely(io->bar != NULL))
		rte_write32(value, io->bar + offset);
	else
		io->ops->write32(io->ctx, offset, value);
}

/* The path without a mapped BAR, out of line: burst functions hold no indirect call. */
int dwmac_io_post(const struct dwmac_io *io, uint32_t offset, uint32_t value);

/* The tail write of a burst. 0, -EAGAIN: nothing written, the caller owes it; -ENODEV. */
static inline int
dwmac_post32(const struct dwmac_io *io, uint32_t offset, uint32_t value)
{
	if (likely(io->bar != NULL)) {
		rte_write32(value, io->bar + offset);
		return 0;
	}
	return dwmac_io_post(io, offset, value);
}

/* Change `mask` bits of a register to `value`. Not for registers with self-clearing or
 * write-1-to-clear bits. */
static inline void
dwmac_modify32(const struct dwmac_io *io, uint32_t offset, uint32_t mask, uint32_t value)
{
	dwmac_write32(io, offset, (dwmac_read32(io, offset) & ~mask) | (value & mask));
}

/* A device that is gone reads as all ones; no register here may hold that value for long. */
#define DWMAC_ALL_ONES UINT32_MAX

/*
 * Wait until (register & mask) == want: test at once, then again after a pause of a few
 * nanoseconds, until a TSC deadline. The hardware needs microseconds at most (ptp.md §5), so
 * sleeping would cost more than the wait. The last test comes after the deadline has passed, so
 * a thread that was off the CPU never reports a time-out it did not see.
 *
 * @param polls  out, may be NULL: how often the register was read.
 * @return 0, -ETIMEDOUT, -ENODEV when the register reads all ones.
 */
static inline int
dwmac_poll(const struct dwmac_io *io, uint32_t offset, uint32_t mask, uint32_t want,
		uint32_t timeout_us, uint32_t *polls)
{
	const uint64_t start = rte_rdtsc();
	const uint64_t limit = io->tsc_hz / 1000000 * timeout_us;
	uint32_t n = 0;
	uint32_t value;
	bool late;
	int ret;

	do {
		late = rte_rdtsc() - start > limit;
		value = dwmac_read32(io, offset);
		n++;
		if ((value & mask) == want && value != DWMAC_ALL_ONES) {
			ret = 0;
			break;
		}
		ret = value == DWMAC_ALL_ONES ? -ENODEV : -ETIMEDOUT;
		rte_pause();
	} while (!late && ret != -ENODEV);

	if (polls != NULL)
		*polls = n;
	return ret;
}

#endif /* DWMAC_IO_H */
