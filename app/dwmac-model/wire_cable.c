/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/*
 * cable: two devices of this process; loop: a device and itself (a loopback plug).
 * A frame arrives when it has left, plus delay, plus jitter; its stamp is moved by the same.
 */
#include "clock.h"
#include "frameq.h"
#include "opt.h"
#include "wire.h"

#include <errno.h>
#include <string.h>

/* Frames under way per direction. 1 s of delay at 1 Gb/s of full-size frames is 81,000. */
#define QUEUE_MAX    131072u
/* Frames handled in one go, so that other devices and clients get their turn. */
#define BURST_MAX    256u
#define DELAY_MAX_NS (10 * NS_PER_S)

struct wire_cable {
	struct wire wire;
	uint64_t delay_ns[WIRE_PORTS_MAX]; /* of what leaves this port */
	uint64_t jitter_ns;
	uint64_t reorder_ns;
	double loss, reorder, corrupt;
	struct frameq queues[WIRE_PORTS_MAX]; /* by the port they go to */
	uint64_t last_due_ps[WIRE_PORTS_MAX];
	bool blocked[WIRE_PORTS_MAX]; /* rate=off: waits for room instead of losing */
	uint64_t reordered, corrupted;
};

static void
cable_init(struct wire *wire)
{
	struct wire_cable *cable = (struct wire_cable *)wire;

	cable->reorder_ns = 100000;
	for (unsigned int i = 0; i < WIRE_PORTS_MAX; i++)
		frameq_init(&cable->queues[i], QUEUE_MAX);
}

static void
cable_fini(struct wire *wire)
{
	struct wire_cable *cable = (struct wire_cable *)wire;

	for (unsigned int i = 0; i < WIRE_PORTS_MAX; i++)
		frameq_fini(&cable->queues[i]);
}

static int
cable_option(struct wire *wire, const char *key, const char *value, struct why *w)
{
	struct wire_cable *cable = (struct wire_cable *)wire;
	int ret;

	if (strcmp(key, "delay_ns") == 0) {
		ret = opt_u64(key, value, DELAY_MAX_NS, &cable->delay_ns[0], w);
		cable->delay_ns[1] = cable->delay_ns[0];
		return ret;
	}
	if (strcmp(key, "delay_back_ns") == 0 && wire->ops->nb_ports > 1)
		return opt_u64(key, value, DELAY_MAX_NS, &cable->delay_ns[1], w);
	if (strcmp(key, "jitter_ns") == 0)
		return opt_u64(key, value, DELAY_MAX_NS, &cable->jitter_ns, w);
	if (strcmp(key, "loss") == 0)
		return opt_fraction(key, value, &cable->loss, w);
	if (strcmp(key, "reorder") == 0)
		return opt_fraction(key, value, &cable->reorder, w);
	if (strcmp(key, "reorder_ns") == 0)
		return opt_u64(key, value, DELAY_MAX_NS, &cable->reorder_ns, w);
	if (strcmp(key, "corrupt") == 0)
		return opt_fraction(key, value, &cable->corrupt, w);
	return -ENOENT;
}

static unsigned int
other_port(const struct wire *wire, unsigned int port)
{
	return wire->ops->nb_ports > 1 ? 1 - port : port;
}

static void
cable_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	struct wire_cable *cable = (struct wire_cable *)wire;
	const unsigned int to = other_port(wire, port);
	struct frame arriving = *frame;
	uint64_t extra_ps = cable->delay_ns[port] * PS_PER_NS, due_ps;

	if (wire_chance(wire, cable->loss)) {
		wire->counts.wire_lost++;
		return;
	}
	if (wire_chance(wire, cable->corrupt)) {
		arriving.bad_fcs = true;
		cable->corrupted++;
	}
	if (cable->jitter_ns != 0)
		extra_ps += wire_random(wire) % (cable->jitter_ns * PS_PER_NS + 1);
	due_ps = end_ps + extra_ps;
	if (wire_chance(wire, cable->reorder)) {
		extra_ps += cable->reorder_ns * PS_PER_NS;
		due_ps += cable->reorder_ns * PS_PER_NS;
		cable->reordered++;
	} else {
		/* Jitter moves stamps, it does not let one frame overtake another. */
		if (due_ps < cable->last_due_ps[to])
			due_ps = cable->last_due_ps[to];
		cable->last_due_ps[to] = due_ps;
	}
	arriving.sfd_ps += extra_ps;
	if (!frameq_push(&cable->queues[to], &arriving, due_ps)) {
		wire->counts.wire_lost++;
		return;
	}
	if (!cable->blocked[to])
		wire_due(wire, due_ps);
}

static void
cable_rx_room(struct wire *wire, unsigned int port)
{
	struct wire_cable *cable = (struct wire_cable *)wire;

	if (cable->blocked[port]) {
		cable->blocked[port] = false;
		wire_due(wire, 0);
	}
}

/* Delivers what has arrived at `port`; returns when the next frame does. */
static uint64_t
run_port(struct wire_cable *cable, unsigned int port, uint64_t now_ns)
{
	struct wire *wire = &cable->wire;
	struct frame frame;
	uint64_t due_ps;

	for (unsigned int n = 0; frameq_peek(&cable->queues[port], &frame, &due_ps); n++) {
		if (due_ps > now_ns * PS_PER_NS)
			return (due_ps + PS_PER_NS - 1) / PS_PER_NS;
		if (n == BURST_MAX)
			return now_ns;
		if (!wire_deliver(wire, port, &frame, now_ns)) {
			if (wire->unlimited) {
				cable->blocked[port] = true;
				return DEVICE_NEVER;
			}
			wire_lose(wire, port, &frame, now_ns);
		}
		frameq_pop(&cable->queues[port]);
	}
	return DEVICE_NEVER;
}

static uint64_t
cable_run(struct wire *wire, uint64_t now_ns)
{
	struct wire_cable *cable = (struct wire_cable *)wire;
	uint64_t next_ns = DEVICE_NEVER;

	for (unsigned int port = 0; port < wire->ops->nb_ports; port++) {
		uint64_t due_ns =
				cable->blocked[port] ? DEVICE_NEVER : run_port(cable, port, now_ns);

		if (due_ns < next_ns)
			next_ns = due_ns;
	}
	return next_ns;
}

static unsigned int
cable_counters(const struct wire *wire, struct device_counter *out, unsigned int max)
{
	const struct wire_cable *cable = (const struct wire_cable *)wire;
	const struct device_counter own[] = {
		{ "reordered", cable->reordered },
		{ "corrupted", cable->corrupted },
		{ "under_way", cable->queues[0].nb + cable->queues[1].nb },
	};
	const unsigned int nb_own = sizeof(own) / sizeof(own[0]);

	for (unsigned int i = 0; i < nb_own && i < max; i++)
		out[i] = own[i];
	return nb_own;
}

#define COMMON_OPS                                                                     \
	.size = sizeof(struct wire_cable), .init = cable_init, .option = cable_option, \
	.transmit = cable_transmit, .rx_room = cable_rx_room, .run = cable_run,        \
	.counters = cable_counters, .fini = cable_fini

const struct wire_ops wire_loop_ops = {
	.kind = "loop",
	.help = "  loop:DEV[,OPTIONS of cable]        what DEV sends comes back to it\n",
	.nb_ports = 1,
	COMMON_OPS,
};

const struct wire_ops wire_cable_ops = {
	.kind = "cable",
	.help = "  cable:DEV,DEV                      two devices of this process\n"
		"      delay_ns=N                     propagation delay (0)\n"
		"      delay_back_ns=N                from the second to the first, if "
		"different\n"
		"      jitter_ns=N                    plus 0 … N ns, uniform, seeded (0)\n"
		"      loss=P corrupt=P reorder=P     fractions from 0 to 1 (0)\n"
		"      reorder_ns=N                   how late a reordered frame comes "
		"(100000)\n",
	.nb_ports = 2,
	COMMON_OPS,
};
