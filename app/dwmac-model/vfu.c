/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "vfu.h"
#include "clock.h"
#include "unix_socket.h"
#include "vfu_cmd.h"
#include "vfu_conn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* A client that does not take a reply for this long is thrown out (QEMU itself gives up at 5 s). */
#define STALL_MAX_NS (5 * NS_PER_S)

/* Refused commands printed per client; the rest is only counted. */
#define NOTED_ERRORS_MAX 16u

struct vfu {
	struct loop *loop;
	struct slot *slot;
	bool quiet;
	struct unix_socket listener;
	struct loop_watch listen_watch;
	struct loop_watch client_watch;
	struct vfu_conn *conn; /* NULL: no client */
	bool version_seen;
	unsigned int noted_errors;
	uint64_t stalled_at_ns; /* 0: not stalled */
	struct vfu_stats stats;
	struct vfu_reply reply;
};

static void
leave(struct vfu *vfu)
{
	if (vfu->conn == NULL)
		return;
	loop_unwatch(vfu->loop, &vfu->client_watch);
	vfu_conn_fini(vfu->conn);
	free(vfu->conn);
	vfu->conn = NULL;
	vfu->stalled_at_ns = 0;
	if (!vfu->slot->removed)
		slot_vacate(vfu->slot);
	if (vfu->listener.fd >= 0)
		loop_rewatch(vfu->loop, &vfu->listen_watch, EPOLLIN);
}

static void
throw_out(struct vfu *vfu, const char *reason)
{
	vfu->stats.drops++;
	if (!vfu->quiet)
		fprintf(stderr, "%s: client dropped: %s\n", vfu->slot->config.name, reason);
	leave(vfu);
}

static void
note_error(struct vfu *vfu, const struct why *reason)
{
	vfu->stats.errors++;
	if (!vfu->quiet && vfu->noted_errors++ < NOTED_ERRORS_MAX)
		fprintf(stderr, "%s: refused: %s\n", vfu->slot->config.name, reason->text);
}

/* Sends the reply, unless the client asked for none. */
static int
answer(struct vfu *vfu, const struct vfu_header *request, int error)
{
	struct vfu_header header = { .id = request->id,
		.command = request->command,
		.size = (uint32_t)sizeof(header),
		.flags = VFU_FLAG_REPLY };

	if (request->flags & VFU_FLAG_NO_REPLY)
		return 0;
	if (error != 0) {
		header.flags |= VFU_FLAG_ERROR;
		header.error = (uint32_t)-error;
	} else {
		header.size += (uint32_t)vfu->reply.len;
	}
	memcpy(vfu->reply.message, &header, sizeof(header));
	return vfu_conn_send(vfu->conn, vfu->reply.message, header.size);
}

/* Returns non-zero when the client was thrown out. */
static int
handle(struct vfu *vfu, struct vfu_message *message)
{
	const uint16_t command = message->header.command;
	struct why reason;
	int error;

	vfu->stats.messages++;
	if ((message->header.flags & VFU_FLAG_TYPE_MASK) != 0) {
		vfu_message_release(message);
		throw_out(vfu, "a reply came where a command was expected");
		return -EPROTO;
	}
	if (!vfu->version_seen && command != VFU_VERSION)
		error = why(&reason, -EPROTO, "command %u before VERSION", command);
	else
		error = vfu_execute(vfu->slot, message, &vfu->reply, &reason);
	vfu_message_release(message);
	if (error != 0)
		note_error(vfu, &reason);
	if (answer(vfu, &message->header, error) != 0) {
		leave(vfu);
		return -EPIPE;
	}
	if (command == VFU_VERSION && error == 0)
		vfu->version_seen = true;
	if (!vfu->version_seen) {
		throw_out(vfu, reason.text);
		return -EPROTO;
	}
	return 0;
}

/* Handles whole messages until a reply does not go out. Non-zero: the client is gone. */
static int
handle_buffered(struct vfu *vfu)
{
	struct vfu_message message;
	struct why reason;
	int ret = 0;

	while (!vfu_conn_stalled(vfu->conn)) {
		ret = vfu_conn_next(vfu->conn, &message, &reason);
		if (ret <= 0)
			break;
		if (handle(vfu, &message) != 0)
			return -EPROTO;
	}
	if (ret < 0) {
		throw_out(vfu, reason.text);
		return ret;
	}
	if (vfu_conn_stalled(vfu->conn) && vfu->stalled_at_ns == 0) {
		vfu->stalled_at_ns = clock_true_ns();
		loop_rewatch(vfu->loop, &vfu->client_watch, EPOLLOUT);
	}
	return 0;
}

static void
client_writable(struct vfu *vfu)
{
	if (vfu_conn_flush(vfu->conn) != 0) {
		leave(vfu);
		return;
	}
	if (vfu_conn_stalled(vfu->conn))
		return;
	vfu->stalled_at_ns = 0;
	loop_rewatch(vfu->loop, &vfu->client_watch, EPOLLIN);
	handle_buffered(vfu);
}

static void
client_ready(void *arg, uint32_t events)
{
	struct vfu *vfu = arg;
	struct why reason;
	int got;

	if (vfu_conn_stalled(vfu->conn)) {
		/* The other end is gone: nobody will ever read the reply. */
		if ((events & (EPOLLHUP | EPOLLERR)) != 0 && (events & EPOLLOUT) == 0)
			leave(vfu);
		else
			client_writable(vfu);
		return;
	}
	got = vfu_conn_receive(vfu->conn, &reason);
	if (got == -EAGAIN)
		return;
	if (got == 0 || got == -ECONNRESET)
		leave(vfu);
	else if (got < 0)
		throw_out(vfu, reason.text);
	else
		handle_buffered(vfu);
}

int
vfu_adopt(struct vfu *vfu, int fd)
{
	struct vfu_conn *conn;
	int ret;

	if (vfu->conn != NULL)
		return -EBUSY;
	conn = malloc(sizeof(*conn));
	if (conn == NULL)
		return -ENOMEM;
	vfu_conn_init(conn, fd);
	vfu->client_watch = (struct loop_watch){ .fd = fd, .ready = client_ready, .arg = vfu };
	ret = loop_watch(vfu->loop, &vfu->client_watch, EPOLLIN);
	if (ret != 0) {
		free(conn);
		return ret;
	}
	vfu->conn = conn;
	vfu->version_seen = false;
	vfu->noted_errors = 0;
	vfu->stats.clients++;
	/* The next client waits in the backlog until this one has left. */
	if (vfu->listener.fd >= 0)
		loop_rewatch(vfu->loop, &vfu->listen_watch, 0);
	return 0;
}

static void
listener_ready(void *arg, uint32_t events)
{
	struct vfu *vfu = arg;
	int fd = accept4(vfu->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (fd < 0)
		return;
	/* A removed device answers nobody; a client learns it at once. */
	if (vfu->slot->removed || vfu_adopt(vfu, fd) != 0)
		close(fd);
}

static void
slot_removed(void *arg)
{
	leave(arg);
}

static const struct slot_bus_ops bus_ops = { .removed = slot_removed };

struct vfu *
vfu_create(struct loop *loop, struct slot *slot, bool quiet)
{
	struct vfu *vfu = calloc(1, sizeof(*vfu));

	if (vfu == NULL)
		return NULL;
	vfu->loop = loop;
	vfu->slot = slot;
	vfu->quiet = quiet;
	vfu->listener.fd = -1;
	slot->bus_ops = &bus_ops;
	slot->bus_arg = vfu;
	return vfu;
}

void
vfu_destroy(struct vfu *vfu)
{
	if (vfu == NULL)
		return;
	leave(vfu);
	if (vfu->listener.fd >= 0)
		loop_unwatch(vfu->loop, &vfu->listen_watch);
	unix_socket_close(&vfu->listener);
	vfu->slot->bus_ops = NULL;
	free(vfu);
}

int
vfu_listen(struct vfu *vfu, const char *path, struct why *w)
{
	int ret = unix_socket_listen(&vfu->listener, path, w);

	if (ret != 0)
		return ret;
	vfu->listen_watch = (struct loop_watch){
		.fd = vfu->listener.fd, .ready = listener_ready, .arg = vfu
	};
	return loop_watch(vfu->loop, &vfu->listen_watch, EPOLLIN);
}

bool
vfu_busy(const struct vfu *vfu)
{
	return vfu->conn != NULL;
}

void
vfu_drop(struct vfu *vfu)
{
	leave(vfu);
}

const struct vfu_stats *
vfu_stats(const struct vfu *vfu)
{
	return &vfu->stats;
}

uint64_t
vfu_run(struct vfu *vfu, uint64_t now_ns)
{
	if (vfu->stalled_at_ns == 0)
		return DEVICE_NEVER;
	if (now_ns < vfu->stalled_at_ns + STALL_MAX_NS)
		return vfu->stalled_at_ns + STALL_MAX_NS;
	throw_out(vfu, "it does not read its replies");
	return DEVICE_NEVER;
}
