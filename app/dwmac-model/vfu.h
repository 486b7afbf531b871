/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_VFU_H
#define DWMAC_MODEL_VFU_H

#include "loop.h"
#include "slot.h"
#include "why.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The vfio-user server of one slot: listens on a UNIX socket, serves one client at a time and,
 * when it leaves, puts the device back to power-on state and serves the next.
 */

struct vfu;

struct vfu_stats {
	uint64_t clients;
	uint64_t messages;
	uint64_t errors; /* replies with an error, NO_REPLY ones included */
	uint64_t drops;	 /* clients we threw out: broken framing, not reading, … */
};

/* `quiet`: do not print why a client was thrown out. */
struct vfu *vfu_create(struct loop *loop, struct slot *slot, bool quiet);
void vfu_destroy(struct vfu *vfu);

/* Binds the socket. Refuses a path that a living process serves, replaces a stale one. */
int vfu_listen(struct vfu *vfu, const char *path, struct why *w);
/* Serves an already connected socket, which becomes the server's. -EBUSY: there is a client. */
int vfu_adopt(struct vfu *vfu, int fd);

bool vfu_busy(const struct vfu *vfu); /* a client is connected */
void vfu_drop(struct vfu *vfu);	      /* throw the client out */
const struct vfu_stats *vfu_stats(const struct vfu *vfu);

/* Throws out a client that has not read its replies for too long; returns when to ask again. */
uint64_t vfu_run(struct vfu *vfu, uint64_t now_ns);

#endif /* DWMAC_MODEL_VFU_H */
