/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "host.h"
#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of due work before descriptors are looked at again. */
#define ROUNDS_MAX	 16u
/*
 * Small frames at line rate are due every 672 ns, and a sleep costs more than that. After a row
 * of short sleeps they are stretched, so that one wake-up serves several frames. What a frame's
 * stamp says does not depend on it, and a client's message still wakes at once.
 */
#define SHORT_SLEEP_NS	 5000u
#define SHORT_SLEEPS_MAX 8u

int
host_init(struct host *host, struct why *w)
{
	memset(host, 0, sizeof(*host));
	host->loop = loop_create();
	return host->loop != NULL ? 0 : why(w, -errno, "epoll: %s", strerror(errno));
}

void
host_fini(struct host *host)
{
	for (unsigned int i = 0; i < host->nb_devices; i++)
		vfu_destroy(host->devices[i].vfu);
	for (unsigned int i = 0; i < host->nb_wires; i++)
		wire_destroy(host->wires[i]);
	for (unsigned int i = 0; i < host->nb_devices; i++)
		slot_destroy(host->devices[i].slot);
	free(host->devices);
	free(host->wires);
	loop_destroy(host->loop);
	memset(host, 0, sizeof(*host));
}

struct host_device *
host_find(struct host *host, const char *name)
{
	for (unsigned int i = 0; i < host->nb_devices; i++) {
		if (strcmp(host->devices[i].config.name, name) == 0)
			return &host->devices[i];
	}
	return NULL;
}

int
host_add_device(struct host *host, const struct host_device *device, struct why *w)
{
	struct host_device *devices;

	if (host_find(host, device->config.name) != NULL)
		return why(w, -EINVAL, "two devices are called %s", device->config.name);
	for (unsigned int i = 0; i < host->nb_devices; i++) {
		if (strcmp(host->devices[i].socket_path, device->socket_path) == 0)
			return why(w, -EINVAL, "%s and %s have the same socket",
					device->config.name, host->devices[i].config.name);
	}
	devices = realloc(host->devices, (host->nb_devices + 1) * sizeof(*devices));
	if (devices == NULL)
		return why(w, -ENOMEM, "out of memory");
	host->devices = devices;
	host->devices[host->nb_devices++] = *device;
	return 0;
}

int
host_add_wire(struct host *host, struct wire *wire, struct why *w)
{
	struct wire **wires = realloc(host->wires, (host->nb_wires + 1) * sizeof(struct wire *));

	if (wires == NULL) {
		wire_destroy(wire);
		return why(w, -ENOMEM, "out of memory");
	}
	host->wires = wires;
	host->wires[host->nb_wires++] = wire;
	return 0;
}

static struct wire *
wire_of(const struct host *host, const char *name, unsigned int *port)
{
	for (unsigned int i = 0; i < host->nb_wires; i++) {
		for (*port = 0; *port < WIRE_PORTS_MAX; (*port)++) {
			if (strcmp(host->wires[i]->port_names[*port], name) == 0)
				return host->wires[i];
		}
	}
	return NULL;
}

static int
check_wires(struct host *host, struct why *w)
{
	for (unsigned int i = 0; i < host->nb_wires; i++) {
		const struct wire *wire = host->wires[i];

		for (unsigned int p = 0; p < wire->ops->nb_ports; p++) {
			const char *name = wire->port_names[p];
			unsigned int port;

			if (host_find(host, name) == NULL)
				return why(w, -EINVAL, "wire %s: no device %s", wire->name, name);
			if (wire_of(host, name, &port) != wire || port != p)
				return why(w, -EINVAL, "device %s is plugged in twice", name);
		}
	}
	return 0;
}

static int
start_device(struct host *host, struct host_device *device, struct why *w)
{
	unsigned int port = 0;
	struct wire *wire = wire_of(host, device->config.name, &port);

	device->config.device.unlimited_rate = wire != NULL && wire->unlimited;
	/* Without a wire there is no link partner. */
	if (wire == NULL && !device->link_given)
		device->config.link_up = false;
	device->slot = slot_create(&device->config, w);
	if (device->slot == NULL)
		return -EINVAL;
	if (wire != NULL)
		wire_plug(wire, port, device->slot);
	device->vfu = vfu_create(host->loop, device->slot, host->quiet);
	if (device->vfu == NULL)
		return why(w, -ENOMEM, "out of memory");
	return 0;
}

int
host_start(struct host *host, struct why *w)
{
	int ret = check_wires(host, w);

	for (unsigned int i = 0; ret == 0 && i < host->nb_devices; i++)
		ret = start_device(host, &host->devices[i], w);
	for (unsigned int i = 0; ret == 0 && i < host->nb_wires; i++)
		ret = wire_start(host->wires[i], host->loop, w);
	/* Last, so that a script that sees the socket finds everything ready. */
	for (unsigned int i = 0; ret == 0 && i < host->nb_devices; i++)
		ret = vfu_listen(host->devices[i].vfu, host->devices[i].socket_path, w);
	return ret;
}

static uint64_t
earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* One round over everything; `active` tells whether a device did something. */
static uint64_t
run_round(struct host *host, bool *active)
{
	const uint64_t now_ns = clock_true_ns();
	uint64_t next_ns = DEVICE_NEVER;

	for (unsigned int i = 0; i < host->nb_devices; i++) {
		struct slot *slot = host->devices[i].slot;

		*active |= slot->dirty || slot->due_ns <= now_ns;
		next_ns = earlier(next_ns, slot_run(slot, now_ns));
		next_ns = earlier(next_ns, vfu_run(host->devices[i].vfu, now_ns));
	}
	for (unsigned int i = 0; i < host->nb_wires; i++) {
		struct wire *wire = host->wires[i];

		if (wire->due_ns <= now_ns || (wire->waits_for_slot && *active))
			wire_run(wire, now_ns);
		next_ns = earlier(next_ns, wire->due_ns);
	}
	/* A wire may have given a device something to do. */
	for (unsigned int i = 0; i < host->nb_devices; i++) {
		if (host->devices[i].slot->dirty)
			next_ns = now_ns;
	}
	return next_ns;
}

uint64_t
host_run_due(struct host *host)
{
	uint64_t next_ns = 0;
	bool active = false;

	for (unsigned int round = 0; round < ROUNDS_MAX; round++) {
		next_ns = run_round(host, &active);
		if (next_ns > clock_true_ns())
			break;
	}
	return next_ns;
}

static uint64_t
sleep_time(uint64_t next_ns, unsigned int *short_sleeps)
{
	const uint64_t now_ns = clock_true_ns();

	if (next_ns == DEVICE_NEVER)
		return LOOP_FOREVER;
	if (next_ns <= now_ns)
		return 0;
	if (next_ns - now_ns >= SHORT_SLEEP_NS) {
		*short_sleeps = 0;
		return next_ns - now_ns;
	}
	if (*short_sleeps < SHORT_SLEEPS_MAX) {
		(*short_sleeps)++;
		return next_ns - now_ns;
	}
	return SHORT_SLEEP_NS;
}

int
host_run(struct host *host)
{
	unsigned int short_sleeps = 0;
	int ret = 0;

	while (!host->stop && ret >= 0)
		ret = loop_wait(host->loop, sleep_time(host_run_due(host), &short_sleeps));
	return ret < 0 ? ret : 0;
}

void
host_flush(struct host *host)
{
	struct why ignored;

	for (unsigned int i = 0; i < host->nb_wires; i++)
		wire_command(host->wires[i], "flush", &ignored);
}
