/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_VFU_CONN_H
#define DWMAC_MODEL_VFU_CONN_H

#include "vfu_proto.h"
#include "why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Framing of one connection: bytes and descriptors in, whole messages out of it, whole replies
 * back. Knows no command except which of them come with descriptors.
 *
 * A client posts register writes in bursts, so one recvmsg() takes whatever is there (many
 * messages). The kernel ends a read after the piece that carried descriptors, hence they belong
 * to the last message of what was read that can carry any.
 */

#define VFU_CONN_IN_SIZE     (2 * 65536u)
#define VFU_CONN_PENDING_FDS (2 * VFU_FDS_MAX)

/* Descriptors received and not consumed yet; `at` is the offset in `in` of their message. */
struct vfu_pending_fd {
	size_t at;
	int fd;
};

struct vfu_conn {
	int fd;
	size_t in_head, in_tail; /* unparsed bytes are in[in_head, in_tail) */
	size_t out_head, out_tail;
	unsigned int nb_pending;
	struct vfu_pending_fd pending[VFU_CONN_PENDING_FDS];
	uint8_t in[VFU_CONN_IN_SIZE];
	uint8_t out[VFU_MESSAGE_MAX]; /* the tail of one reply the client does not take yet */
};

/* A received message; its payload and descriptors are good until the next vfu_conn_next(). */
struct vfu_message {
	struct vfu_header header;
	const uint8_t *payload;
	size_t len; /* of the payload */
	int fds[VFU_FDS_MAX];
	unsigned int nb_fds;
};

void vfu_conn_init(struct vfu_conn *conn, int fd);
void vfu_conn_fini(struct vfu_conn *conn); /* closes everything */

/* Reads once. >0: bytes arrived, -EAGAIN: nothing there, 0: the client left, other <0: broken. */
int vfu_conn_receive(struct vfu_conn *conn, struct why *w);
/* 1: `message` is filled, 0: more bytes needed, <0: the framing is broken. */
int vfu_conn_next(struct vfu_conn *conn, struct vfu_message *message, struct why *w);
/* Closes the descriptors that nobody took (those not set to -1). */
void vfu_message_release(struct vfu_message *message);

/* Sends in one piece without blocking; what the socket does not take is kept. */
int vfu_conn_send(struct vfu_conn *conn, const void *data, size_t len);
int vfu_conn_flush(struct vfu_conn *conn);
static inline bool
vfu_conn_stalled(const struct vfu_conn *conn)
{
	return conn->out_head != conn->out_tail;
}

#endif /* DWMAC_MODEL_VFU_CONN_H */
