/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_CLOCK_H
#define DWMAC_MODEL_CLOCK_H

#include <stdint.h>

#define NS_PER_S  1000000000ULL
#define PS_PER_NS 1000ULL
#define PS_PER_S  1000000000000ULL

/* True time: CLOCK_MONOTONIC in nanoseconds, or what clock_freeze() said. */
uint64_t clock_true_ns(void);

/* Tests only: true time stands at `now_ns` until the next call; 0 lets it run again. */
void clock_freeze(uint64_t now_ns);

#endif /* DWMAC_MODEL_CLOCK_H */
