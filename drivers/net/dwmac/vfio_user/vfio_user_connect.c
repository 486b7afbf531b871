/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * A connection's beginning and end.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "vfio_user_private.h"

/* A server may answer with no more bytes than they were asked with; this leaves them room. */
#define VU_CAPABILITIES                                                     \
	"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1024," \
	"\"max_dma_maps\":65535,\"pgsizes\":4096}}"

#define VU_VERSION_REPLY_MAX 4096

static const char *
connect_remedy(int err)
{
	switch (err) {
	case ENOENT:
		return "no such socket: start the vfio-user server first, or correct the path";
	case ECONNREFUSED:
		return "nobody listens there: is the vfio-user server running?";
	case EAGAIN:
		return "the server accepts no connection: does it hang, or serve another client?";
	default:
		return strerror(err);
	}
}

static int
open_socket(const char *path)
{
	const struct timeval timeout = { .tv_sec = VFIO_USER_TIMEOUT_MS / 1000 };
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd, ret, err;

	if (strlen(path) >= sizeof(addr.sun_path)) {
		VU_LOG(ERR, "%s: a socket path has at most %zu characters", path,
				sizeof(addr.sun_path) - 1);
		return -ENAMETOOLONG;
	}
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		err = errno;
		VU_LOG(ERR, "cannot make a socket: %s", strerror(err));
		return -err;
	}
	/* connect() waits this long for a place in the server's queue. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
	do {
		ret = connect(fd, (const struct sockaddr *)&addr, sizeof(addr));
	} while (ret < 0 && errno == EINTR);
	if (ret < 0) {
		err = errno;
		VU_LOG(ERR, "cannot connect to %s: %s", path, connect_remedy(err));
		close(fd);
		return err == EAGAIN ? -ETIMEDOUT : -err;
	}
	return fd;
}

/* The premise of vfio_user.h: one message fits into one socket buffer. */
static int
check_send_buffer(int fd)
{
	int size = 2 * (VFIO_USER_MSG_MAX + 64);
	int actual = 0;
	socklen_t len = sizeof(actual);

	if (getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &actual, &len) == 0 && actual >= size)
		return 0;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	if (getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &actual, &len) == 0 && actual >= size)
		return 0;
	VU_LOG(ERR, "send buffer of %d bytes, %d needed: raise net.core.wmem_max", actual, size);
	return -ENOBUFS;
}

static int
open_hup_fd(int fd)
{
	struct epoll_event event = { .events = EPOLLRDHUP };
	int hup_fd, err;

	hup_fd = epoll_create1(EPOLL_CLOEXEC);
	if (hup_fd < 0)
		return -errno;
	if (epoll_ctl(hup_fd, EPOLL_CTL_ADD, fd, &event) < 0) {
		err = errno;
		close(hup_fd);
		return -err;
	}
	return hup_fd;
}

/* A connection around a connected socket. On error the socket stays the caller's. */
static int
make_connection(int fd, struct vfio_user **out)
{
	struct vfio_user *vu;
	int ret;

	ret = check_send_buffer(fd);
	if (ret < 0)
		return ret;
	vu = calloc(1, sizeof(*vu));
	if (vu == NULL)
		return -ENOMEM;
	ret = open_hup_fd(fd);
	if (ret < 0) {
		VU_LOG(ERR, "cannot watch the socket: %s", strerror(-ret));
		free(vu);
		return ret;
	}
	vu->fd = fd;
	vu->hup_fd = ret;
	vu->timeout_ms = VFIO_USER_TIMEOUT_MS;
	vu->max_msg_fds = VU_DEFAULT_MAX_MSG_FDS;
	vu->max_data_xfer_size = VU_DEFAULT_MAX_DATA_XFER_SIZE;
	vu->last_message_id = VU_POSTED_MESSAGE_ID;
	pthread_mutex_init(&vu->request_lock, NULL);
	pthread_mutex_init(&vu->dma.lock, NULL);
	*out = vu;
	return 0;
}

static int
read_capability(const char *text, size_t len, const char *name, uint32_t minimum, uint32_t *value)
{
	int ret;

	if (len == 0 || text[0] == '\0')
		return 0;
	ret = vu_json_get_uint32(text, len, "capabilities", name, value);
	if (ret == -ENOENT)
		return 0;
	if (ret < 0 || *value < minimum) {
		VU_LOG(ERR, "the server's capability %s makes no sense", name);
		return -EPROTO;
	}
	return 0;
}

static int
check_version_reply(struct vfio_user *vu, const struct vu_version *version, size_t data_len)
{
	int ret;

	if (version->major != VU_VERSION_MAJOR || version->minor > VU_VERSION_MINOR) {
		VU_LOG(ERR, "the server speaks protocol %u.%u, this client %u.%u", version->major,
				version->minor, VU_VERSION_MAJOR, VU_VERSION_MINOR);
		return -EPROTO;
	}
	ret = read_capability(version->data, data_len, "max_msg_fds", 1, &vu->max_msg_fds);
	if (ret < 0)
		return ret;
	return read_capability(version->data, data_len, "max_data_xfer_size", sizeof(uint64_t),
			&vu->max_data_xfer_size);
}

static int
negotiate(struct vfio_user *vu)
{
	const struct vu_version ours = { .major = VU_VERSION_MAJOR, .minor = VU_VERSION_MINOR };
	union {
		struct vu_version version;
		char bytes[VU_VERSION_REPLY_MAX];
	} theirs;
	const struct vu_request req = {
		.command = VU_VERSION,
		.head = &ours,
		.head_len = sizeof(ours),
		.data = VU_CAPABILITIES,
		.data_len = sizeof(VU_CAPABILITIES),
		.reply = &theirs,
		.reply_min = sizeof(theirs.version),
		.reply_max = sizeof(theirs),
	};
	int ret;

	ret = vu_request(vu, &req);
	if (ret < 0)
		return ret;
	return check_version_reply(vu, &theirs.version, (size_t)ret - sizeof(theirs.version));
}

int
vfio_user_connect(const char *path, struct vfio_user **out)
{
	struct vfio_user *vu = NULL;
	int fd, ret;

	fd = open_socket(path);
	if (fd < 0)
		return fd;
	ret = make_connection(fd, &vu);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	ret = negotiate(vu);
	if (ret < 0) {
		VU_LOG(ERR, "%s: no agreement with the server: %s", path, strerror(-ret));
		vfio_user_disconnect(vu);
		/* Hung up instead of answering: it wants no (further) client. */
		return ret == -ENODEV ? -ECONNREFUSED : ret;
	}
	*out = vu;
	return 0;
}

int
vfio_user_attach_fd(int fd, struct vfio_user **out)
{
	int domain = 0, type = 0;
	socklen_t len = sizeof(int);
	int ret;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) < 0 ||
			getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) < 0)
		return -errno;
	if (domain != AF_UNIX || type != SOCK_STREAM)
		return -EINVAL;
	ret = make_connection(fd, out);
	if (ret == 0)
		(*out)->post_only = true;
	return ret;
}

void
vfio_user_disconnect(struct vfio_user *vu)
{
	if (vu == NULL)
		return;
	vu_dma_release(vu);
	/* Whoever shares the socket learns that the device is no longer ours to use. */
	if (!vu->post_only)
		shutdown(vu->fd, SHUT_RDWR);
	close(vu->hup_fd);
	close(vu->fd);
	pthread_mutex_destroy(&vu->dma.lock);
	pthread_mutex_destroy(&vu->request_lock);
	free(vu);
}

int
vfio_user_fd(const struct vfio_user *vu)
{
	return vu->fd;
}

int
vfio_user_hup_fd(const struct vfio_user *vu)
{
	return vu->hup_fd;
}

bool
vfio_user_hup_check(struct vfio_user *vu)
{
	struct epoll_event event;

	if (!vfio_user_is_dead(vu) && epoll_wait(vu->hup_fd, &event, 1, 0) > 0)
		vu_die(vu, "the server closed it");
	return vfio_user_is_dead(vu);
}
