/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "feeder.h"
#include "clock.h"
#include "opt.h"

#include <errno.h>
#include <string.h>

/* Frames offered in one go, so that the device, others and clients get their turn. */
#define BURST_MAX 256u

int
feeder_option(struct feeder *feeder, const char *key, const char *value, struct why *w)
{
	static const char *const waits[] = { "none", "client", "start", NULL };
	int ret;

	if (strcmp(key, "wait") != 0)
		return -ENOENT;
	ret = opt_word(key, value, waits, w);
	if (ret >= 0)
		feeder->wait = (enum feeder_wait)ret;
	return ret < 0 ? ret : 0;
}

void
feeder_begin(struct feeder *feeder)
{
	feeder->stopped = feeder->wait == FEEDER_WAIT_START;
	feeder->paused = true;
}

void
feeder_start(struct feeder *feeder)
{
	feeder->finished = false;
	feeder->stopped = false;
}

void
feeder_stop(struct feeder *feeder)
{
	feeder->stopped = true;
	feeder->paused = true;
}

/* Is the other side ready? Sets the pace to `now_ns` when frames begin to flow (again). */
static bool
flowing(struct feeder *feeder, struct wire *wire, uint64_t now_ns)
{
	const bool ready = feeder->wait == FEEDER_WAIT_CLIENT ? slot_receiver_on(wire->slots[0])
							      : slot_link_up(wire->slots[0]);

	if (ready && feeder->paused) {
		feeder->next_start_ps = now_ns * PS_PER_NS;
		/* A frame that waited meets the wire now. */
		feeder->frame.sfd_ps = feeder->end_ps = now_ns * PS_PER_NS;
	}
	feeder->paused = !ready;
	wire->waits_for_slot = !ready;
	return ready;
}

static bool
load(struct feeder *feeder, const struct wire *wire, uint64_t now_ns)
{
	const unsigned int mbps = slot_link_mbps(wire->slots[0]);
	const uint8_t *data;
	uint32_t len;

	if (!feeder->next(feeder->arg, &data, &len)) {
		feeder->finished = true;
		return false;
	}
	feeder->frame = (struct frame){ .data = data, .len = (uint16_t)len };
	if (feeder->lossless) {
		/* As fast as the device takes them; stamps still differ from frame to frame. */
		feeder->pace.free_ps++;
		if (feeder->pace.free_ps < now_ns * PS_PER_NS)
			feeder->pace.free_ps = now_ns * PS_PER_NS;
		if (feeder->pace.free_ps < feeder->next_start_ps)
			feeder->pace.free_ps = feeder->next_start_ps;
		feeder->frame.sfd_ps = feeder->end_ps = feeder->pace.free_ps;
	} else {
		wire_pace_frame(&feeder->pace, mbps, len, feeder->next_start_ps,
				&feeder->frame.sfd_ps, &feeder->end_ps);
	}
	feeder->next_start_ps += feeder->interval_ps;
	feeder->have = true;
	return true;
}

uint64_t
feeder_run(struct feeder *feeder, struct wire *wire, uint64_t now_ns)
{
	if (feeder->stopped || feeder->finished || !flowing(feeder, wire, now_ns))
		return DEVICE_NEVER;
	for (unsigned int n = 0; n < BURST_MAX; n++) {
		if (!feeder->have && !load(feeder, wire, now_ns))
			return DEVICE_NEVER;
		if (feeder->end_ps > now_ns * PS_PER_NS &&
				(!feeder->lossless || feeder->interval_ps != 0))
			return (feeder->end_ps + PS_PER_NS - 1) / PS_PER_NS;
		if (!wire_deliver(wire, 0, &feeder->frame, now_ns)) {
			if (feeder->lossless)
				return DEVICE_NEVER; /* until rx_room */
			wire_lose(wire, 0, &feeder->frame, now_ns);
		}
		feeder->have = false;
		feeder->fed++;
	}
	return now_ns;
}
