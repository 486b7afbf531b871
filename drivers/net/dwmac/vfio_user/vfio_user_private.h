/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#ifndef VFIO_USER_PRIVATE_H
#define VFIO_USER_PRIVATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_common.h>
#include <rte_log.h>

#include "vfio_user.h"
#include "vfio_user_proto.h"

extern int vfio_user_logtype;

#define VU_LOG(level, fmt, ...) \
	rte_log(RTE_LOG_##level, vfio_user_logtype, "vfio-user: " fmt "\n", ##__VA_ARGS__)

/* Descriptors one message carries at most, whatever more the server takes. */
#define VU_MSG_FDS_MAX 16

/* Descriptors taken out of one received message, to be closed: the kernel's limit. */
#define VU_RX_FDS_MAX 253

/* Longest message accepted from the server; a longer one means the framing is lost. */
#define VU_RX_MSG_MAX 65536

/* Received but not yet consumed bytes; a whole reply usually arrives in one system call. */
#define VU_RX_BUF_SIZE 4096

/* Data bytes per region access: header and access description leave room for it. */
#define VU_REGION_CHUNK 1024

/* Message id of posted writes. Requests never use it, so a server that wrongly answers a posted
 * write cannot be taken for the answer to a request.
 */
#define VU_POSTED_MESSAGE_ID 0

struct vu_dma_range {
	uint64_t address;
	uint64_t size;
};

/* What the server was given, sorted by address, never overlapping. */
struct vu_dma {
	pthread_mutex_t lock; /* taken inside EAL's memory lock, outside the request lock */
	struct vu_dma_range *ranges;
	size_t nb_ranges;
	size_t nb_allocated;
	bool mapped;	     /* vfio_user_dma_map_memory() succeeded */
	bool follows_memory; /* the memory event callback is registered */
};

struct vfio_user {
	int fd;
	int hup_fd;
	bool post_only; /* see vfio_user_attach_fd() */
	bool dead;	/* atomic; set once */
	int timeout_ms; /* VFIO_USER_TIMEOUT_MS; tests have less patience */
	uint32_t max_msg_fds;
	uint32_t max_data_xfer_size;

	pthread_mutex_t request_lock; /* one request and its reply; guards what follows */
	uint16_t last_message_id;
	size_t rx_head;
	size_t rx_tail;
	uint8_t rx_buf[VU_RX_BUF_SIZE];

	struct vu_dma dma;
};

/* One request. Zero what is not used. */
struct vu_request {
	enum vu_command command;
	const void *head; /* payload: fixed part … */
	size_t head_len;
	const void *data; /* … and variable part */
	size_t data_len;
	const int *fds;
	size_t nb_fds;
	void *reply; /* payload of the reply */
	size_t reply_min;
	size_t reply_max;
};

/* Mark the connection dead, log why (first caller only), hang up. Returns -ENODEV. */
int vu_die(struct vfio_user *vu, const char *format, ...) __rte_format_printf(2, 3);

/* Send a request and wait for its reply. Returns the length of the reply's payload (between
 * reply_min and reply_max), or a negative errno.
 */
int vu_request(struct vfio_user *vu, const struct vu_request *req);

/* Send one whole message of at most VFIO_USER_MSG_MAX bytes, waiting for room: 0, -ENODEV,
 * -ETIMEDOUT.
 */
int vu_send_wait(struct vfio_user *vu, const void *msg, size_t len);

/* The same without waiting: 0, -EAGAIN (nothing sent), -ENODEV. */
int vu_send_now(struct vfio_user *vu, const void *msg, size_t len);

/* Unmap everything and stop following DPDK's memory. */
void vu_dma_release(struct vfio_user *vu);

/* Find object.member (both names given) in JSON text of at most len bytes and read it as an
 * unsigned number. 0, -ENOENT, or -EINVAL (not JSON, or not such a number).
 */
int vu_json_get_uint32(const char *text, size_t len, const char *object, const char *member,
		uint32_t *out);

#endif /* VFIO_USER_PRIVATE_H */
