/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_OSCILLATOR_H
#define SILICON_OSCILLATOR_H

#include <stdint.h>

typedef unsigned __int128 uint128;

#define OSC_HISTORY 64

/*
 * The PTP reference clock as a function of true time: piecewise constant frequency. A stretch
 * keeps its exact phase (64.64 fixed point ticks), so a query is arithmetic, never ticking.
 * The wander is a bounded random walk, seeded, one step per OSC_WANDER_STEP_PS.
 */
struct oscillator {
	uint32_t hz;
	int32_t ppb;
	uint32_t wander_ppb;
	int64_t walk_ppb;
	uint64_t random;
	unsigned int newest;
	struct osc_stretch {
		uint64_t start_ps;
		uint128 phase; /* ticks since power-on, 64.64 */
		uint64_t rate; /* ticks per ps, 0.64 */
		int64_t error_ppb;
	} stretch[OSC_HISTORY];
};

void osc_start(struct oscillator *osc, uint32_t hz, int32_t ppb, uint32_t wander_ppb, uint64_t seed,
		uint64_t now_ps);
void osc_advance(struct oscillator *osc, uint64_t now_ps);
void osc_retune(struct oscillator *osc, uint32_t hz, uint64_t now_ps);
uint64_t osc_tick(const struct oscillator *osc, uint64_t at_ps);
double osc_hz(const struct oscillator *osc, uint64_t at_ps);

#endif /* SILICON_OSCILLATOR_H */
