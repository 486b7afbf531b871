/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "ingress.h"
#include "clock.h"

#include <sys/epoll.h>

/* Frames read ahead of the wire; 3 ms of smallest frames at 1 Gb/s. */
#define QUEUE_MAX 4096u
#define READ_LOW  64u  /* read on below */
#define READ_HIGH 512u /* leave the rest to the kernel above */
#define BURST_MAX 64u

static void
set_reading(struct ingress *ingress, bool on)
{
	if (ingress->reading == on)
		return;
	loop_rewatch(ingress->wire->loop, &ingress->watch, on ? EPOLLIN : 0);
	ingress->reading = on;
}

static void
enqueue(struct ingress *ingress, uint32_t len, uint64_t now_ns)
{
	struct wire *wire = ingress->wire;
	const unsigned int mbps = slot_link_mbps(wire->slots[0]);
	struct frame frame = { .data = ingress->frame, .len = (uint16_t)len };
	uint64_t end_ps = now_ns * PS_PER_NS;

	if (mbps == 0) {
		wire->counts.rx_lost++;
		return;
	}
	if (wire->unlimited) {
		if (end_ps <= ingress->pace.free_ps)
			end_ps = ingress->pace.free_ps + 1;
		ingress->pace.free_ps = end_ps;
		frame.sfd_ps = end_ps;
		end_ps = now_ns * PS_PER_NS;
	} else {
		wire_pace_frame(&ingress->pace, mbps, len, end_ps, &frame.sfd_ps, &end_ps);
	}
	if (!frameq_push(&ingress->queue, &frame, end_ps))
		wire->counts.wire_lost++;
	else if (!ingress->blocked)
		wire_due(wire, end_ps);
}

static void
fd_ready(void *arg, uint32_t events)
{
	struct ingress *ingress = arg;
	const uint64_t now_ns = clock_true_ns();

	(void)events;
	for (unsigned int n = 0; n < BURST_MAX; n++) {
		int got = ingress->read(ingress->arg, ingress->frame, sizeof(ingress->frame));
		uint32_t len = (uint32_t)got;

		if (got == 0)
			break;
		if (got > 0 && wire_admit(ingress->wire, ingress->frame, &len))
			enqueue(ingress, len, now_ns);
	}
	if (ingress->queue.nb >= READ_HIGH)
		set_reading(ingress, false);
}

int
ingress_start(struct ingress *ingress, struct wire *wire, int fd)
{
	ingress->wire = wire;
	frameq_init(&ingress->queue, QUEUE_MAX);
	ingress->watch = (struct loop_watch){ .fd = fd, .ready = fd_ready, .arg = ingress };
	ingress->reading = true;
	return loop_watch(wire->loop, &ingress->watch, EPOLLIN);
}

void
ingress_stop(struct ingress *ingress)
{
	if (ingress->wire == NULL)
		return;
	loop_unwatch(ingress->wire->loop, &ingress->watch);
	frameq_fini(&ingress->queue);
	ingress->wire = NULL;
}

uint64_t
ingress_run(struct ingress *ingress, uint64_t now_ns)
{
	struct wire *wire = ingress->wire;
	struct frame frame;
	uint64_t due_ps;

	if (ingress->blocked)
		return DEVICE_NEVER;
	while (frameq_peek(&ingress->queue, &frame, &due_ps)) {
		if (due_ps > now_ns * PS_PER_NS)
			return (due_ps + PS_PER_NS - 1) / PS_PER_NS;
		if (!wire_deliver(wire, 0, &frame, now_ns)) {
			if (wire->unlimited) {
				ingress->blocked = true;
				return DEVICE_NEVER;
			}
			wire_lose(wire, 0, &frame, now_ns);
		}
		frameq_pop(&ingress->queue);
		if (ingress->queue.nb <= READ_LOW)
			set_reading(ingress, true);
	}
	return DEVICE_NEVER;
}

void
ingress_rx_room(struct ingress *ingress)
{
	if (ingress->blocked) {
		ingress->blocked = false;
		wire_due(ingress->wire, 0);
	}
}
