/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include "block.h"
#include "ops.h"

int64_t
op_scaled_ppm(unsigned int n)
{
	return (n % 2 == 0 ? 1 : -1) * (int64_t)(1 + n % 65536);
}

/* Never whole seconds: those take two commands backwards (ptp.md §4.3). */
int64_t
op_delta_ns(unsigned int n)
{
	return (n % 2 == 0 ? 1 : -1) * (int64_t)(1 + n % 1000000);
}

struct dwmac_time
op_time(unsigned int n)
{
	return (struct dwmac_time){ .s = 1000 + (int64_t)n, .ns = n % 1000000 };
}

int
op_run(enum op op, struct dwmac_ptp *ptp, const struct dwmac_io *io, unsigned int n)
{
	const struct dwmac_time time = op_time(n);

	switch (op) {
	case OP_ADJUST_FREQ:
		return dwmac_ptp_adjust_freq(ptp, io, op_scaled_ppm(n));
	case OP_ADJUST_TIME:
		return dwmac_ptp_adjust_time(ptp, io, op_delta_ns(n));
	default:
		return dwmac_ptp_write(ptp, io, &time);
	}
}

/* A block that is always done. */
struct instant {
	unsigned int reads; /* of the control register */
	unsigned int pretests;
};

static uint32_t
instant_read32(void *ctx, uint32_t offset)
{
	struct instant *instant = ctx;

	instant->reads += offset == BLOCK_CONTROL;
	return 0;
}

static void
instant_write32(void *ctx, uint32_t offset, uint32_t value)
{
	struct instant *instant = ctx;

	if (offset == BLOCK_CONTROL && (value & BLOCK_COMMANDS) != 0)
		instant->pretests = instant->reads;
}

unsigned int
op_pretests(enum op op)
{
	static const struct dwmac_io_ops ops = {
		.read32 = instant_read32,
		.write32 = instant_write32,
	};
	struct instant instant = { 0 };
	const struct dwmac_io io = { .ops = &ops, .ctx = &instant, .tsc_hz = 1000000 };
	struct dwmac_ptp ptp = { .base = BLOCK_BASE, .clk_hz = BLOCK_CLOCK_HZ };
	const struct dwmac_time start = { .s = 1 };

	if (dwmac_ptp_start(&ptp, &io, &start, DWMAC_PTP_FILTER_NONE) != 0)
		return 0;
	instant.reads = 0;
	return op_run(op, &ptp, &io, 0) == 0 ? instant.pretests : 0;
}
