/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_WIRE_H
#define DWMAC_MODEL_WIRE_H

#include "device.h"
#include "loop.h"
#include "slot.h"
#include "why.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A wire is what a device is plugged into. One file per kind; each fills a struct wire_ops.
 * Frames carry the true time of their SFD; no stamp depends on when this process woke up.
 */

#define WIRE_PORTS_MAX 2u

/* Frame lengths that can be on a wire, FCS not included: shorter ones are padded to 60. */
#define WIRE_FRAME_MIN	  14u
#define WIRE_FRAME_PADDED 60u
#define WIRE_FRAME_MAX	  9018u

struct wire;

struct wire_ops {
	const char *kind;
	const char *help; /* one line per option, for --help */
	unsigned int nb_ports;
	size_t size; /* of the kind's own struct, which begins with a struct wire */
	void (*init)(struct wire *wire);
	/* One option, at start or later through the control socket. -ENOENT: no such option. */
	int (*option)(struct wire *wire, const char *key, const char *value, struct why *w);
	int (*start)(struct wire *wire, struct loop *loop, struct why *w);
	void (*transmit)(struct wire *wire, unsigned int port, const struct frame *frame,
			uint64_t end_ps);
	void (*rx_room)(struct wire *wire, unsigned int port);
	/* Does what is due, returns when to be called again. */
	uint64_t (*run)(struct wire *wire, uint64_t now_ns);
	/* «start», «stop», «flush». -ENOTSUP: means nothing here. */
	int (*command)(struct wire *wire, const char *action, struct why *w);
	unsigned int (*counters)(
			const struct wire *wire, struct device_counter *out, unsigned int max);
	void (*fini)(struct wire *wire);
};

struct wire_counts {
	uint64_t tx_frames, tx_bytes; /* left a device */
	uint64_t rx_frames, rx_bytes; /* reached a device */
	uint64_t rx_lost;	      /* the device had no room, or its link was down */
	uint64_t wire_lost; /* lost on the way: option loss, a full queue, an interface's error */
	uint64_t refused;   /* not possible on a wire: too short, too long */
	uint64_t padded;
};

struct wire {
	const struct wire_ops *ops;
	char name[2 * SLOT_NAME_MAX + 16]; /* "cable:eth0,eth1" */
	char port_names[WIRE_PORTS_MAX][SLOT_NAME_MAX];
	struct slot *slots[WIRE_PORTS_MAX];
	struct loop *loop;
	uint64_t due_ns;
	bool started;
	bool unlimited;	     /* rate=off */
	bool waits_for_slot; /* run() wants to look whenever a device was active */
	uint64_t random;     /* state of wire_random() */
	struct wire_counts counts;
};

/* From "kind:device[,device][,key=value…]". The devices are plugged in afterwards. */
struct wire *wire_create(const char *spec, struct why *w);
void wire_plug(struct wire *wire, unsigned int port, struct slot *slot);
int wire_start(struct wire *wire, struct loop *loop, struct why *w);
void wire_destroy(struct wire *wire);

int wire_option(struct wire *wire, const char *key, const char *value, struct why *w);
int wire_command(struct wire *wire, const char *action, struct why *w);
uint64_t wire_run(struct wire *wire, uint64_t now_ns);
unsigned int wire_counters(const struct wire *wire, struct device_counter *out, unsigned int max);
void wire_help(FILE *out);

static inline void
wire_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	wire->counts.tx_frames++;
	wire->counts.tx_bytes += frame->len;
	wire->ops->transmit(wire, port, frame, end_ps);
}

static inline void
wire_rx_room(struct wire *wire, unsigned int port)
{
	if (wire->ops->rx_room != NULL)
		wire->ops->rx_room(wire, port);
}

/* ---- for the kinds ---- */

/* Call run() at `due_ps` at the latest. */
void wire_due(struct wire *wire, uint64_t due_ps);

/* Offers a frame to a device and counts it. False: no room; the caller keeps it or calls lose. */
bool wire_deliver(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t now_ns);
void wire_lose(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t now_ns);

/* Checks and pads a frame from outside in a buffer of at least WIRE_FRAME_PADDED bytes. */
bool wire_admit(struct wire *wire, uint8_t *data, uint32_t *len);

uint64_t wire_random(struct wire *wire);
bool wire_chance(struct wire *wire, double probability);

/* Time on the wire at a link rate: 7 + 1 bytes of preamble and SFD, frame, FCS, gap of 12. */
struct wire_pace {
	uint64_t free_ps; /* from when on a preamble can start */
};
void wire_pace_frame(struct wire_pace *pace, unsigned int mbps, uint32_t len, uint64_t earliest_ps,
		uint64_t *sfd_ps, uint64_t *end_ps);

extern const struct wire_ops wire_loop_ops, wire_cable_ops, wire_pcap_ops, wire_packet_ops,
		wire_tap_ops, wire_sink_ops, wire_source_ops;

#endif /* DWMAC_MODEL_WIRE_H */
