/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "oscillator.h"

#include <string.h>

#define OSC_WANDER_STEP_PS UINT64_C(10000000000) /* 10 ms */
#define PS_PER_S	   UINT64_C(1000000000000)
#define PPB		   INT64_C(1000000000)

/* 2^64 * hz * (1 + ppb/10^9) / 10^12, exact to 2^-64. */
static uint64_t
rate_of(uint32_t hz, int64_t error_ppb)
{
	uint128 scaled = (uint128)hz * (uint64_t)(PPB + error_ppb);

	return (uint64_t)((scaled << 64) / ((uint128)PS_PER_S * PPB));
}

static const struct osc_stretch *
stretch_at(const struct oscillator *osc, uint64_t at_ps)
{
	unsigned int i = osc->newest;

	for (unsigned int back = 0; back < OSC_HISTORY - 1; back++) {
		unsigned int older = (i + OSC_HISTORY - 1) % OSC_HISTORY;

		if (osc->stretch[i].start_ps <= at_ps || osc->stretch[older].rate == 0)
			break;
		i = older;
	}
	return &osc->stretch[i];
}

static uint128
phase_at(const struct oscillator *osc, uint64_t at_ps)
{
	const struct osc_stretch *s = stretch_at(osc, at_ps);

	if (at_ps < s->start_ps)
		return s->phase;
	return s->phase + (uint128)s->rate * (at_ps - s->start_ps);
}

static void
new_stretch(struct oscillator *osc, uint64_t start_ps)
{
	uint128 phase = phase_at(osc, start_ps);
	struct osc_stretch *s;

	osc->newest = (osc->newest + 1) % OSC_HISTORY;
	s = &osc->stretch[osc->newest];
	s->start_ps = start_ps;
	s->phase = phase;
	s->error_ppb = osc->ppb + osc->walk_ppb;
	s->rate = rate_of(osc->hz, s->error_ppb);
}

/* xorshift64*: small, seeded, the same on every machine. */
static uint64_t
next_random(struct oscillator *osc)
{
	osc->random ^= osc->random >> 12;
	osc->random ^= osc->random << 25;
	osc->random ^= osc->random >> 27;
	return osc->random * UINT64_C(0x2545f4914f6cdd1d);
}

static void
walk(struct oscillator *osc)
{
	int64_t limit = osc->wander_ppb, step = limit / 16 + 1;

	osc->walk_ppb += (int64_t)(next_random(osc) % (uint64_t)(2 * step + 1)) - step;
	if (osc->walk_ppb > limit)
		osc->walk_ppb = 2 * limit - osc->walk_ppb;
	if (osc->walk_ppb < -limit)
		osc->walk_ppb = -2 * limit - osc->walk_ppb;
}

void
osc_start(struct oscillator *osc, uint32_t hz, int32_t ppb, uint32_t wander_ppb, uint64_t seed,
		uint64_t now_ps)
{
	memset(osc, 0, sizeof(*osc));
	osc->hz = hz;
	osc->ppb = ppb;
	osc->wander_ppb = wander_ppb;
	osc->random = seed * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0xd1b54a32d192ed03);
	if (osc->random == 0)
		osc->random = 1;
	osc->stretch[0].start_ps = now_ps;
	osc->stretch[0].error_ppb = ppb;
	osc->stretch[0].rate = rate_of(hz, ppb);
}

void
osc_advance(struct oscillator *osc, uint64_t now_ps)
{
	if (osc->wander_ppb == 0)
		return;
	while (now_ps - osc->stretch[osc->newest].start_ps >= OSC_WANDER_STEP_PS &&
			now_ps > osc->stretch[osc->newest].start_ps) {
		walk(osc);
		new_stretch(osc, osc->stretch[osc->newest].start_ps + OSC_WANDER_STEP_PS);
	}
}

void
osc_retune(struct oscillator *osc, uint32_t hz, uint64_t now_ps)
{
	osc->hz = hz;
	new_stretch(osc, now_ps);
}

/* Number of the last rising edge at or before this true time. */
uint64_t
osc_tick(const struct oscillator *osc, uint64_t at_ps)
{
	return (uint64_t)(phase_at(osc, at_ps) >> 64);
}

double
osc_hz(const struct oscillator *osc, uint64_t at_ps)
{
	return osc->hz * (1.0 + (double)stretch_at(osc, at_ps)->error_ppb / 1e9);
}
