/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_HOST_H
#define DWMAC_MODEL_HOST_H

#include "loop.h"
#include "slot.h"
#include "vfu.h"
#include "wire.h"
#include "why.h"

#include <stdbool.h>
#include <stdint.h>

/* All devices, their servers and wires, and the loop that runs them. */

struct host_device {
	struct slot_config config;
	char socket_path[256];
	bool link_given;
	struct slot *slot;
	struct vfu *vfu;
};

struct host {
	struct loop *loop;
	struct host_device *devices;
	unsigned int nb_devices;
	struct wire **wires;
	unsigned int nb_wires;
	bool quiet;
	bool stop;
};

int host_init(struct host *host, struct why *w);
void host_fini(struct host *host);

/* Takes over the wire. Devices and wires are described first, then started together. */
int host_add_device(struct host *host, const struct host_device *device, struct why *w);
int host_add_wire(struct host *host, struct wire *wire, struct why *w);
int host_start(struct host *host, struct why *w);

struct host_device *host_find(struct host *host, const char *name);

/* Runs what is due; returns when something is due next. */
uint64_t host_run_due(struct host *host);
/* Until host->stop. */
int host_run(struct host *host);

/* Writes what wires keep in buffers. */
void host_flush(struct host *host);

#endif /* DWMAC_MODEL_HOST_H */
