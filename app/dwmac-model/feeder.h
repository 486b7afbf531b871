/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_FEEDER_H
#define DWMAC_MODEL_FEEDER_H

#include "wire.h"

/*
 * Plays a sequence of frames into a device: at the rate of the link (what finds no room is lost,
 * as on a wire) or as fast as the device has room (nothing is lost). Used by pcap and source.
 */

enum feeder_wait {
	FEEDER_WAIT_NONE,   /* begins at once */
	FEEDER_WAIT_CLIENT, /* runs while a driver has the receiver enabled */
	FEEDER_WAIT_START,  /* begins on the control command «start» */
};

struct feeder {
	/* The next frame, good until the call after; false at the end. */
	bool (*next)(void *arg, const uint8_t **data, uint32_t *len);
	void *arg;
	bool lossless;
	enum feeder_wait wait;
	uint64_t interval_ps; /* least distance of two frames, 0 = back to back */

	bool stopped, finished, paused;
	bool have; /* `frame` is to be delivered at `end_ps` */
	struct frame frame;
	uint64_t end_ps;
	uint64_t next_start_ps; /* by interval_ps */
	struct wire_pace pace;
	uint64_t fed;
};

/* "wait=none|client|start". -ENOENT for any other key. */
int feeder_option(struct feeder *feeder, const char *key, const char *value, struct why *w);
void feeder_begin(struct feeder *feeder);
/* The control commands. A start after the end begins anew: the owner rewinds. */
void feeder_start(struct feeder *feeder);
void feeder_stop(struct feeder *feeder);
/* Into port 0 of `wire`; returns when to be called again. */
uint64_t feeder_run(struct feeder *feeder, struct wire *wire, uint64_t now_ns);

#endif /* DWMAC_MODEL_FEEDER_H */
