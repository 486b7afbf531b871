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
