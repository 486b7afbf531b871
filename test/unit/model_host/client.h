/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef CLIENT_H
#define CLIENT_H

#include "host.h"
#include "vfu_proto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A vfio-user client that can misbehave, and one device behind a server, all in this thread:
 * client_turn() lets the server work.
 */

struct bench {
	struct host host;
	struct host_device device;
	int fd; /* the client's end, -1 = not connected */
	uint16_t next_id;
};

void bench_open(struct bench *bench);
void bench_close(struct bench *bench);
void bench_connect(struct bench *bench); /* a new client, without VERSION */
void bench_greet(struct bench *bench);	 /* connects and negotiates */
void bench_disconnect(struct bench *bench);
/* Lets the server handle what there is. */
void bench_turn(struct bench *bench);

static inline struct fake_device *
bench_fake(const struct bench *bench)
{
	return (struct fake_device *)bench->device.slot->dev;
}

/* Raw bytes, with descriptors. */
void bench_send(struct bench *bench, const void *data, size_t len, const int *fds,
		unsigned int nb_fds);
/* Builds a message; returns its size. */
size_t bench_build(struct bench *bench, void *to, uint16_t command, uint32_t flags,
		const void *payload, size_t len);
/* Receives what is there without blocking: length, 0 = the server closed, -EAGAIN. */
long bench_receive(struct bench *bench, void *data, size_t size);

struct answer {
	struct vfu_header header;
	uint8_t payload[VFU_MESSAGE_MAX];
	size_t len;
};

/* One command and its reply. Returns the error of the reply (0 = none), or -EPIPE. */
int bench_call(struct bench *bench, uint16_t command, const void *payload, size_t len,
		const int *fds, unsigned int nb_fds, struct answer *answer);
/* Reads the next reply off the socket. */
int bench_answer(struct bench *bench, struct answer *answer);

/* The usual calls. */
int bench_read(struct bench *bench, uint32_t region, uint64_t offset, uint32_t count, void *data);
int bench_write(struct bench *bench, uint32_t region, uint64_t offset, uint32_t count,
		const void *data);
int bench_map(struct bench *bench, uint64_t iova, uint64_t size, int fd, uint64_t offset,
		uint32_t flags);
int bench_set_irqs(struct bench *bench, uint32_t flags, uint32_t index, uint32_t start,
		uint32_t count, const int *fds, unsigned int nb_fds);

unsigned int count_open_fds(void);

#endif /* CLIENT_H */
