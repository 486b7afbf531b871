/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "wire.h"
#include "clock.h"
#include "opt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct wire_ops *const kinds[] = {
	&wire_loop_ops,
	&wire_cable_ops,
	&wire_pcap_ops,
	&wire_packet_ops,
	&wire_tap_ops,
	&wire_sink_ops,
	&wire_source_ops,
};
#define NB_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const struct wire_ops *
find_kind(const char *name, size_t len)
{
	for (size_t i = 0; i < NB_KINDS; i++) {
		if (strlen(kinds[i]->kind) == len && strncmp(kinds[i]->kind, name, len) == 0)
			return kinds[i];
	}
	return NULL;
}

void
wire_help(FILE *out)
{
	for (size_t i = 0; i < NB_KINDS; i++)
		fputs(kinds[i]->help, out);
}

static int
add_port(struct wire *wire, unsigned int *nb_ports, const char *name, struct why *w)
{
	if (*nb_ports == wire->ops->nb_ports)
		return why(w, -EINVAL, "--wire %s: '%s' is one device too many", wire->ops->kind,
				name);
	if (name[0] == '\0' || strlen(name) >= SLOT_NAME_MAX)
		return why(w, -EINVAL, "--wire %s: device name '%s'", wire->ops->kind, name);
	strcpy(wire->port_names[(*nb_ports)++], name);
	return 0;
}

static int
parse_items(struct wire *wire, char *items, struct why *w)
{
	unsigned int nb_ports = 0;
	char *save = NULL;
	int ret = 0;

	for (char *item = strtok_r(items, ",", &save); item != NULL && ret == 0;
			item = strtok_r(NULL, ",", &save)) {
		char *value = opt_split(item);

		if (value == NULL)
			ret = add_port(wire, &nb_ports, item, w);
		else
			ret = wire_option(wire, item, value, w);
	}
	if (ret == 0 && nb_ports != wire->ops->nb_ports)
		ret = why(w, -EINVAL, "--wire %s needs %u device name%s", wire->ops->kind,
				wire->ops->nb_ports, wire->ops->nb_ports == 1 ? "" : "s");
	return ret;
}

static void
set_name(struct wire *wire)
{
	snprintf(wire->name, sizeof(wire->name), "%s:%s%s%s", wire->ops->kind, wire->port_names[0],
			wire->ops->nb_ports > 1 ? "," : "", wire->port_names[1]);
}

struct wire *
wire_create(const char *spec, struct why *w)
{
	const size_t kind_len = strcspn(spec, ":");
	const struct wire_ops *ops = find_kind(spec, kind_len);
	struct wire *wire;
	char *items;

	if (ops == NULL || spec[kind_len] == '\0') {
		why(w, -EINVAL, "--wire %s: no such wire (see --help)", spec);
		return NULL;
	}
	wire = calloc(1, ops->size);
	items = strdup(spec + kind_len + 1);
	if (wire == NULL || items == NULL) {
		why(w, -ENOMEM, "--wire %s: out of memory", spec);
		free(wire);
		free(items);
		return NULL;
	}
	wire->ops = ops;
	wire->random = 1;
	wire->due_ns = DEVICE_NEVER;
	if (ops->init != NULL)
		ops->init(wire);
	if (parse_items(wire, items, w) != 0) {
		wire_destroy(wire);
		wire = NULL;
	} else {
		set_name(wire);
	}
	free(items);
	return wire;
}

void
wire_plug(struct wire *wire, unsigned int port, struct slot *slot)
{
	wire->slots[port] = slot;
	slot->wire = wire;
	slot->port = port;
}

int
wire_start(struct wire *wire, struct loop *loop, struct why *w)
{
	int ret;

	wire->loop = loop;
	ret = wire->ops->start != NULL ? wire->ops->start(wire, loop, w) : 0;
	wire->started = ret == 0;
	return ret;
}

void
wire_destroy(struct wire *wire)
{
	if (wire == NULL)
		return;
	for (unsigned int i = 0; i < WIRE_PORTS_MAX; i++) {
		if (wire->slots[i] != NULL)
			wire->slots[i]->wire = NULL;
	}
	if (wire->ops->fini != NULL)
		wire->ops->fini(wire);
	free(wire);
}

int
wire_option(struct wire *wire, const char *key, const char *value, struct why *w)
{
	static const char *const rates[] = { "link", "off", NULL };
	int ret = -ENOENT;

	if (strcmp(key, "seed") == 0)
		return opt_u64(key, value, UINT64_MAX, &wire->random, w);
	if (strcmp(key, "rate") == 0) {
		if (wire->started)
			return why(w, -EBUSY, "rate can only be given at start");
		ret = opt_word(key, value, rates, w);
		wire->unlimited = ret == 1;
		return ret < 0 ? ret : 0;
	}
	if (wire->ops->option != NULL)
		ret = wire->ops->option(wire, key, value, w);
	if (ret == -ENOENT)
		return why(w, -EINVAL, "wire %s has no option '%s' (see --help)", wire->ops->kind,
				key);
	return ret;
}

int
wire_command(struct wire *wire, const char *action, struct why *w)
{
	int ret = wire->ops->command != NULL ? wire->ops->command(wire, action, w) : -ENOTSUP;

	if (ret == -ENOTSUP)
		return why(w, ret, "wire %s has no action '%s'", wire->name, action);
	return ret;
}

uint64_t
wire_run(struct wire *wire, uint64_t now_ns)
{
	if (wire->ops->run == NULL)
		return DEVICE_NEVER;
	wire->due_ns = DEVICE_NEVER; /* what happens during run() may set it earlier again */
	now_ns = wire->ops->run(wire, now_ns);
	if (now_ns < wire->due_ns)
		wire->due_ns = now_ns;
	return wire->due_ns;
}

unsigned int
wire_counters(const struct wire *wire, struct device_counter *out, unsigned int max)
{
	const struct wire_counts *counts = &wire->counts;
	const struct device_counter common[] = {
		{ "tx_frames", counts->tx_frames },
		{ "tx_bytes", counts->tx_bytes },
		{ "rx_frames", counts->rx_frames },
		{ "rx_bytes", counts->rx_bytes },
		{ "rx_lost", counts->rx_lost },
		{ "wire_lost", counts->wire_lost },
		{ "refused", counts->refused },
		{ "padded", counts->padded },
	};
	const unsigned int nb_common = sizeof(common) / sizeof(common[0]);

	for (unsigned int i = 0; i < nb_common && i < max; i++)
		out[i] = common[i];
	if (wire->ops->counters == NULL)
		return nb_common;
	return nb_common + wire->ops->counters(wire, max > nb_common ? out + nb_common : NULL,
					   max > nb_common ? max - nb_common : 0);
}

void
wire_due(struct wire *wire, uint64_t due_ps)
{
	const uint64_t due_ns = (due_ps + PS_PER_NS - 1) / PS_PER_NS;

	if (due_ns < wire->due_ns)
		wire->due_ns = due_ns;
}

bool
wire_deliver(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t now_ns)
{
	if (!slot_link_up(wire->slots[port])) {
		wire->counts.rx_lost++;
		return true;
	}
	if (!slot_receive(wire->slots[port], frame, now_ns))
		return false;
	wire->counts.rx_frames++;
	wire->counts.rx_bytes += frame->len;
	return true;
}

void
wire_lose(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t now_ns)
{
	wire->counts.rx_lost++;
	slot_receive_lost(wire->slots[port], frame, now_ns);
}

bool
wire_admit(struct wire *wire, uint8_t *data, uint32_t *len)
{
	if (*len < WIRE_FRAME_MIN || *len > WIRE_FRAME_MAX) {
		wire->counts.refused++;
		return false;
	}
	if (*len < WIRE_FRAME_PADDED) {
		memset(data + *len, 0, WIRE_FRAME_PADDED - *len);
		*len = WIRE_FRAME_PADDED;
		wire->counts.padded++;
	}
	return true;
}

/* splitmix64: small, seedable, the same on every machine. */
uint64_t
wire_random(struct wire *wire)
{
	uint64_t z = wire->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

bool
wire_chance(struct wire *wire, double probability)
{
	return probability > 0 && (double)(wire_random(wire) >> 11) * 0x1p-53 < probability;
}

void
wire_pace_frame(struct wire_pace *pace, unsigned int mbps, uint32_t len, uint64_t earliest_ps,
		uint64_t *sfd_ps, uint64_t *end_ps)
{
	const uint64_t byte_ps = 8 * UINT64_C(1000000) / mbps;
	const uint64_t start_ps = pace->free_ps > earliest_ps ? pace->free_ps : earliest_ps;

	*sfd_ps = start_ps + 8 * byte_ps;
	*end_ps = *sfd_ps + (len + 4) * byte_ps;
	pace->free_ps = *end_ps + 12 * byte_ps;
}
