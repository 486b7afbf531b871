/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * Messages: sending whole ones, and matching replies to requests.
 */

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>

#include "vfio_user_private.h"

/* poll() reports a UNIX socket writable only when three quarters of it are free, and posted writes
 * of other threads may keep it fuller than that: try again at this interval, whatever poll() says.
 */
#define VU_SEND_RETRY_MS 2

/* Linux error numbers end here; a larger one in a reply is nonsense. */
#define VU_ERRNO_MAX 4095

RTE_LOG_REGISTER(vfio_user_logtype, pmd.net.dwmac.vfio_user, NOTICE);

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

bool
vfio_user_is_dead(const struct vfio_user *vu)
{
	return __atomic_load_n(&vu->dead, __ATOMIC_RELAXED);
}

int
vu_die(struct vfio_user *vu, const char *format, ...)
{
	char why[128];
	va_list ap;

	if (!__atomic_exchange_n(&vu->dead, true, __ATOMIC_RELAXED)) {
		va_start(ap, format);
		vsnprintf(why, sizeof(why), format, ap);
		va_end(ap);
		VU_LOG(ERR, "connection lost: %s; the device is gone until it is probed again",
				why);
		/* Wakes whoever waits on the socket or on hup_fd. */
		shutdown(vu->fd, SHUT_RDWR);
	}
	return -ENODEV;
}

/* What became of an attempt to send one message: 0, -EAGAIN (nothing sent), -ENODEV. */
static inline int
send_result(struct vfio_user *vu, ssize_t n, size_t len)
{
	if (likely(n == (ssize_t)len))
		return 0;
	if (n >= 0)
		return vu_die(vu, "the kernel took %zd of %zu bytes of a message", n, len);
	/* ENOMEM and ENOBUFS: no memory for a socket buffer. ETOOMANYREFS: descriptors of earlier
	 * messages are still in flight. Nothing was sent; all of these pass.
	 */
	if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS ||
			errno == ENOMEM || errno == ETOOMANYREFS)
		return -EAGAIN;
	if (errno == EPIPE || errno == ECONNRESET)
		return vu_die(vu, "the server closed it");
	return vu_die(vu, "cannot send: %s", strerror(errno));
}

static int
send_whole(struct vfio_user *vu, const struct msghdr *msg, size_t len)
{
	return send_result(vu, sendmsg(vu->fd, msg, MSG_DONTWAIT | MSG_NOSIGNAL), len);
}

int
vu_send_now(struct vfio_user *vu, const void *msg, size_t len)
{
	if (unlikely(vfio_user_is_dead(vu)))
		return -ENODEV;
	return send_result(vu, send(vu->fd, msg, len, MSG_DONTWAIT | MSG_NOSIGNAL), len);
}

static int
send_msghdr_wait(struct vfio_user *vu, const struct msghdr *msg, size_t len, int64_t deadline_ms)
{
	struct pollfd pfd = { .fd = vu->fd, .events = POLLOUT };
	int ret;

	for (;;) {
		if (vfio_user_is_dead(vu))
			return -ENODEV;
		ret = send_whole(vu, msg, len);
		if (ret != -EAGAIN)
			return ret;
		if (now_ms() >= deadline_ms) {
			vu_die(vu, "the server read nothing for %d ms", vu->timeout_ms);
			return -ETIMEDOUT;
		}
		poll(&pfd, 1, VU_SEND_RETRY_MS);
	}
}

/* Room for the descriptors of one message, aligned as the kernel wants it. */
union vu_tx_control {
	struct cmsghdr align;
	char buf[CMSG_SPACE(VU_MSG_FDS_MAX * sizeof(int))];
};

static void
attach_fds(struct msghdr *msg, union vu_tx_control *control, const int *fds, size_t nb_fds)
{
	struct cmsghdr *cmsg;

	memset(control, 0, sizeof(*control));
	msg->msg_control = control->buf;
	msg->msg_controllen = CMSG_SPACE(nb_fds * sizeof(int));
	cmsg = CMSG_FIRSTHDR(msg);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(nb_fds * sizeof(int));
	memcpy(CMSG_DATA(cmsg), fds, nb_fds * sizeof(int));
}

int
vu_send_wait(struct vfio_user *vu, const void *msg, size_t len)
{
	struct iovec iov = { .iov_base = (void *)(uintptr_t)msg, .iov_len = len };
	struct msghdr hdr = { .msg_iov = &iov, .msg_iovlen = 1 };

	return send_msghdr_wait(vu, &hdr, len, now_ms() + vu->timeout_ms);
}

/* The server has no business sending descriptors (no region is mapped): do not keep them. */
static void
close_received_fds(struct msghdr *msg)
{
	struct cmsghdr *cmsg;
	size_t nb_fds, i;
	int fd;

	for (cmsg = CMSG_FIRSTHDR(msg); cmsg != NULL; cmsg = CMSG_NXTHDR(msg, cmsg)) {
		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		nb_fds = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < nb_fds; i++) {
			memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(int), sizeof(int));
			close(fd);
		}
		VU_LOG(DEBUG, "closed %zu descriptors the server sent unasked", nb_fds);
	}
}

/* Wait for bytes and put them into the (empty) receive buffer. */
static int
rx_fill(struct vfio_user *vu, int64_t deadline_ms)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(VU_RX_FDS_MAX * sizeof(int))];
	} control;
	struct iovec iov = { .iov_base = vu->rx_buf, .iov_len = sizeof(vu->rx_buf) };
	struct msghdr msg;
	struct pollfd pfd = { .fd = vu->fd, .events = POLLIN };
	int64_t left_ms;
	ssize_t n;

	for (;;) {
		left_ms = RTE_MAX(deadline_ms - now_ms(), 0);
		n = poll(&pfd, 1, (int)left_ms);
		/* The last look comes after the deadline: a thread that was off the CPU all the
		 * time finds the answer that waits for it. */
		if (n == 0 && left_ms == 0) {
			vu_die(vu, "no answer for %d ms", vu->timeout_ms);
			return -ETIMEDOUT;
		}
		if (n <= 0)
			continue;
		memset(&msg, 0, sizeof(msg));
		msg.msg_iov = &iov;
		msg.msg_iovlen = 1;
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		n = recvmsg(vu->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		if (n > 0)
			break;
		if (n == 0)
			return vu_die(vu, "the server closed it");
		if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			return vu_die(vu, "cannot receive: %s", strerror(errno));
	}
	close_received_fds(&msg);
	vu->rx_head = 0;
	vu->rx_tail = (size_t)n;
	return 0;
}

/* Take exactly len bytes off the stream; into nowhere if buf is NULL. */
static int
rx_take(struct vfio_user *vu, void *buf, size_t len, int64_t deadline_ms)
{
	uint8_t *to = buf;
	size_t n;
	int ret;

	while (len > 0) {
		if (vu->rx_head == vu->rx_tail) {
			ret = rx_fill(vu, deadline_ms);
			if (ret < 0)
				return ret;
		}
		n = RTE_MIN(len, vu->rx_tail - vu->rx_head);
		if (to != NULL) {
			memcpy(to, vu->rx_buf + vu->rx_head, n);
			to += n;
		}
		vu->rx_head += n;
		len -= n;
	}
	return 0;
}

/* Our memory is mapped by the server, so it needs no DMA_READ or DMA_WRITE; say so at once, lest
 * it waits. Best effort: a server that does not read our answer waits by its own doing.
 */
static int
refuse_command(struct vfio_user *vu, const struct vu_header *command)
{
	struct vu_header reply = {
		.message_id = command->message_id,
		.command = command->command,
		.message_size = sizeof(reply),
		.flags = VU_FLAGS_TYPE_REPLY | VU_FLAGS_ERROR,
		.error = ENOTSUP,
	};
	struct iovec iov = { .iov_base = &reply, .iov_len = sizeof(reply) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	VU_LOG(DEBUG, "refused command %u of the server", command->command);
	if (command->flags & VU_FLAGS_NO_REPLY)
		return 0;
	return send_whole(vu, &msg, sizeof(reply)) == -ENODEV ? -ENODEV : 0;
}

/* The reply is ours: its header says so. Takes its payload off the stream in any case. */
static int
take_reply(struct vfio_user *vu, const struct vu_request *req, const struct vu_header *header,
		int64_t deadline_ms)
{
	size_t len = header->message_size - sizeof(*header);
	bool is_error = (header->flags & VU_FLAGS_ERROR) != 0;
	bool fits = !is_error && len >= req->reply_min && len <= req->reply_max;
	int ret;

	ret = rx_take(vu, fits ? req->reply : NULL, len, deadline_ms);
	if (ret < 0)
		return ret;
	if (is_error)
		return header->error == 0 || header->error > VU_ERRNO_MAX ? -EIO
									  : -(int)header->error;
	if (!fits) {
		VU_LOG(ERR, "reply to command %u has %zu bytes of payload, expected %zu to %zu",
				req->command, len, req->reply_min, req->reply_max);
		return -EPROTO;
	}
	return (int)len;
}

static int
wait_reply(struct vfio_user *vu, const struct vu_request *req, uint16_t message_id,
		int64_t deadline_ms)
{
	struct vu_header header;
	int ret;

	for (;;) {
		ret = rx_take(vu, &header, sizeof(header), deadline_ms);
		if (ret < 0)
			return ret;
		if (header.message_size < sizeof(header) || header.message_size > VU_RX_MSG_MAX) {
			vu_die(vu, "the server sent a message of %u bytes", header.message_size);
			return -EPROTO;
		}
		if ((header.flags & VU_FLAGS_TYPE_MASK) == VU_FLAGS_TYPE_REPLY &&
				header.message_id == message_id && header.command == req->command)
			return take_reply(vu, req, &header, deadline_ms);

		ret = rx_take(vu, NULL, header.message_size - sizeof(header), deadline_ms);
		if (ret < 0)
			return ret;
		if ((header.flags & VU_FLAGS_TYPE_MASK) == VU_FLAGS_TYPE_COMMAND)
			ret = refuse_command(vu, &header);
		else
			VU_LOG(DEBUG, "skipped a reply to nothing (id %u, command %u)",
					header.message_id, header.command);
		if (ret < 0)
			return ret;
	}
}

static int
request_locked(struct vfio_user *vu, const struct vu_request *req)
{
	int64_t deadline_ms = now_ms() + vu->timeout_ms;
	size_t len = sizeof(struct vu_header) + req->head_len + req->data_len;
	struct vu_header header = {
		.command = (uint16_t)req->command,
		.message_size = (uint32_t)len,
		.flags = VU_FLAGS_TYPE_COMMAND,
	};
	struct iovec iov[3] = {
		{ .iov_base = &header, .iov_len = sizeof(header) },
		{ .iov_base = (void *)(uintptr_t)req->head, .iov_len = req->head_len },
		{ .iov_base = (void *)(uintptr_t)req->data, .iov_len = req->data_len },
	};
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = RTE_DIM(iov) };
	union vu_tx_control control;
	int ret;

	if (++vu->last_message_id == VU_POSTED_MESSAGE_ID)
		vu->last_message_id++;
	header.message_id = vu->last_message_id;
	if (req->nb_fds != 0)
		attach_fds(&msg, &control, req->fds, req->nb_fds);
	ret = send_msghdr_wait(vu, &msg, len, deadline_ms);
	if (ret < 0)
		return ret;
	return wait_reply(vu, req, header.message_id, deadline_ms);
}

int
vu_request(struct vfio_user *vu, const struct vu_request *req)
{
	int ret;

	if (vu->post_only)
		return -ENOTSUP;
	if (req->nb_fds > VU_MSG_FDS_MAX ||
			sizeof(struct vu_header) + req->head_len + req->data_len >
					VFIO_USER_MSG_MAX)
		return -EMSGSIZE;
	pthread_mutex_lock(&vu->request_lock);
	ret = vfio_user_is_dead(vu) ? -ENODEV : request_locked(vu, req);
	pthread_mutex_unlock(&vu->request_lock);
	return ret;
}
