/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_INGRESS_H
#define DWMAC_MODEL_INGRESS_H

#include "frameq.h"
#include "wire.h"

/*
 * Frames that come out of a file descriptor (a tap device, a packet socket) and go into port 0
 * of a wire at link rate. The descriptor is read no faster than that: the backlog stays with the
 * kernel, which drops when its own buffer is full, as a switch does.
 */

struct ingress {
	struct wire *wire;
	/* One frame into `data`; its length, 0 for «nothing there», negative for «skip this one».
	 */
	int (*read)(void *arg, uint8_t *data, uint32_t size);
	void *arg;
	struct loop_watch watch;
	bool reading;
	bool blocked; /* rate=off: the device has no room */
	struct wire_pace pace;
	struct frameq queue;
	uint8_t frame[DEVICE_FRAME_MAX];
};

/* `fd` stays the caller's. */
int ingress_start(struct ingress *ingress, struct wire *wire, int fd);
void ingress_stop(struct ingress *ingress);
uint64_t ingress_run(struct ingress *ingress, uint64_t now_ns);
void ingress_rx_room(struct ingress *ingress);

#endif /* DWMAC_MODEL_INGRESS_H */
