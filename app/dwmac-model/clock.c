/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "clock.h"

#include <time.h>

static uint64_t frozen_ns;

uint64_t
clock_true_ns(void)
{
	struct timespec now;

	if (frozen_ns != 0)
		return frozen_ns;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void
clock_freeze(uint64_t now_ns)
{
	frozen_ns = now_ns;
}
