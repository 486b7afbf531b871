/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_VFU_CMD_H
#define DWMAC_MODEL_VFU_CMD_H

#include "slot.h"
#include "vfu_conn.h"

/* The commands: one message in, the payload of its reply out. No I/O. */

struct vfu_reply {
	size_t len; /* of the payload that follows the header */
	uint8_t message[VFU_MESSAGE_MAX];
};

static inline uint8_t *
vfu_reply_payload(struct vfu_reply *reply)
{
	return reply->message + sizeof(struct vfu_header);
}

/* 0, or a negative errno that becomes an error reply (with its sentence for the log). */
int vfu_execute(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w);

#endif /* DWMAC_MODEL_VFU_CMD_H */
