/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "vfu_conn.h"

#include <errno.h>
#include <linux/vfio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void
vfu_conn_init(struct vfu_conn *conn, int fd)
{
	conn->fd = fd;
	conn->in_head = conn->in_tail = 0;
	conn->out_head = conn->out_tail = 0;
	conn->nb_pending = 0;
}

void
vfu_conn_fini(struct vfu_conn *conn)
{
	for (unsigned int i = 0; i < conn->nb_pending; i++)
		close(conn->pending[i].fd);
	conn->nb_pending = 0;
	close(conn->fd);
	conn->fd = -1;
}

static bool
carries_fds(const uint8_t *message, size_t available)
{
	struct vfu_header header;
	struct vfu_irq_set set;

	memcpy(&header, message, sizeof(header));
	if (header.command == VFU_DMA_MAP)
		return true;
	if (header.command != VFU_DEVICE_SET_IRQS)
		return false;
	if (available < sizeof(header) + sizeof(set))
		return true;
	memcpy(&set, message + sizeof(header), sizeof(set));
	return set.flags & VFIO_IRQ_SET_DATA_EVENTFD;
}

/* Offset of the last message in the buffer that can own descriptors; in_head if there is none. */
static size_t
fds_owner(const struct vfu_conn *conn)
{
	size_t at = conn->in_head, owner = conn->in_head;

	while (at < conn->in_tail) {
		const size_t available = conn->in_tail - at;
		struct vfu_header header;

		if (available < sizeof(header))
			return at; /* cut inside its header: it is the one that was being sent */
		memcpy(&header, conn->in + at, sizeof(header));
		if (header.size < sizeof(header))
			break;
		if (carries_fds(conn->in + at, available))
			owner = at;
		at += header.size;
	}
	return owner;
}

static int
keep_fds(struct vfu_conn *conn, const int *fds, unsigned int nb_fds)
{
	const size_t owner = fds_owner(conn);

	for (unsigned int i = 0; i < nb_fds; i++) {
		if (conn->nb_pending == VFU_CONN_PENDING_FDS) {
			for (; i < nb_fds; i++)
				close(fds[i]);
			return -EMFILE;
		}
		conn->pending[conn->nb_pending].at = owner;
		conn->pending[conn->nb_pending].fd = fds[i];
		conn->nb_pending++;
	}
	return 0;
}

static void
compact(struct vfu_conn *conn)
{
	if (conn->in_head == 0)
		return;
	memmove(conn->in, conn->in + conn->in_head, conn->in_tail - conn->in_head);
	for (unsigned int i = 0; i < conn->nb_pending; i++)
		conn->pending[i].at -= conn->in_head;
	conn->in_tail -= conn->in_head;
	conn->in_head = 0;
}

static int
take_control(struct vfu_conn *conn, struct msghdr *msg, struct why *w)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
		int fds[VFU_FDS_MAX];
		unsigned int nb_fds;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		nb_fds = (unsigned int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(fds, CMSG_DATA(c), nb_fds * sizeof(int));
		if (keep_fds(conn, fds, nb_fds) != 0)
			return why(w, -EMFILE, "too many descriptors");
	}
	if (msg->msg_flags & MSG_CTRUNC)
		return why(w, -EMFILE, "a message with more than %u descriptors", VFU_FDS_MAX);
	return 0;
}

int
vfu_conn_receive(struct vfu_conn *conn, struct why *w)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(VFU_FDS_MAX * sizeof(int))];
	} control;
	struct iovec iov;
	struct msghdr msg = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	ssize_t got;
	int ret;

	compact(conn);
	iov.iov_base = conn->in + conn->in_tail;
	iov.iov_len = sizeof(conn->in) - conn->in_tail;
	got = recvmsg(conn->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (got < 0)
		return errno == EINTR ? -EAGAIN : why(w, -errno, "%s", strerror(errno));
	conn->in_tail += (size_t)got;
	ret = take_control(conn, &msg, w);
	return ret != 0 ? ret : (int)got;
}

/* Moves the descriptors of the message at `at` into it and closes those of earlier ones. */
static void
take_fds(struct vfu_conn *conn, size_t at, struct vfu_message *message)
{
	unsigned int kept = 0;

	message->nb_fds = 0;
	for (unsigned int i = 0; i < conn->nb_pending; i++) {
		const struct vfu_pending_fd pending = conn->pending[i];

		if (pending.at > at)
			conn->pending[kept++] = pending;
		else if (pending.at == at && message->nb_fds < VFU_FDS_MAX)
			message->fds[message->nb_fds++] = pending.fd;
		else
			close(pending.fd);
	}
	conn->nb_pending = kept;
}

int
vfu_conn_next(struct vfu_conn *conn, struct vfu_message *message, struct why *w)
{
	const size_t available = conn->in_tail - conn->in_head;
	const uint8_t *start = conn->in + conn->in_head;

	if (available < sizeof(message->header))
		return 0;
	memcpy(&message->header, start, sizeof(message->header));
	if (message->header.size < sizeof(message->header) ||
			message->header.size > VFU_MESSAGE_MAX)
		return why(w, -EMSGSIZE, "a message of %u bytes (16 … %zu are possible)",
				message->header.size, VFU_MESSAGE_MAX);
	if (available < message->header.size)
		return 0;
	message->payload = start + sizeof(message->header);
	message->len = message->header.size - sizeof(message->header);
	take_fds(conn, conn->in_head, message);
	conn->in_head += message->header.size;
	return 1;
}

void
vfu_message_release(struct vfu_message *message)
{
	for (unsigned int i = 0; i < message->nb_fds; i++) {
		if (message->fds[i] >= 0)
			close(message->fds[i]);
	}
	message->nb_fds = 0;
}

int
vfu_conn_flush(struct vfu_conn *conn)
{
	while (vfu_conn_stalled(conn)) {
		ssize_t sent = send(conn->fd, conn->out + conn->out_head,
				conn->out_tail - conn->out_head, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno == EAGAIN ? 0 : -errno;
		conn->out_head += (size_t)sent;
	}
	return 0;
}

int
vfu_conn_send(struct vfu_conn *conn, const void *data, size_t len)
{
	ssize_t sent = send(conn->fd, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent < 0 && errno != EAGAIN && errno != EINTR)
		return -errno;
	if (sent < 0)
		sent = 0;
	if ((size_t)sent == len)
		return 0;
	/* Messages are handled only while nothing is kept, so the buffer is empty here. */
	conn->out_head = 0;
	conn->out_tail = len - (size_t)sent;
	memcpy(conn->out, (const uint8_t *)data + sent, conn->out_tail);
	return 0;
}
