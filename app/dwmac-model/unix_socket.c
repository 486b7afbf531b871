/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "unix_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define BACKLOG 8

static int
set_address(struct sockaddr_un *address, const char *path, struct why *w)
{
	if (path[0] == '\0' || strlen(path) >= sizeof(address->sun_path))
		return why(w, -ENAMETOOLONG, "socket path '%s' is empty or longer than %zu bytes",
				path, sizeof(address->sun_path) - 1);
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path, path, strlen(path));
	return 0;
}

static int
connect_to(const char *path, int type, struct why *w)
{
	struct sockaddr_un address;
	int fd, ret = set_address(&address, path, w);

	if (ret != 0)
		return ret;
	fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return why(w, -errno, "socket: %s", strerror(errno));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		ret = why(w, -errno, "cannot connect to %s: %s", path, strerror(errno));
		close(fd);
		return ret;
	}
	return fd;
}

int
unix_socket_connect(const char *path, struct why *w)
{
	return connect_to(path, SOCK_STREAM, w);
}

/* Makes way for the socket file, unless it is somebody's. */
static int
clear_path(const char *path, struct why *w)
{
	struct stat st;
	struct why ignored;
	int fd;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? 0 : why(w, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return why(w, -EEXIST, "%s exists and is no socket; remove it or choose another",
				path);
	fd = connect_to(path, SOCK_STREAM | SOCK_NONBLOCK, &ignored);
	if (fd != -ECONNREFUSED) {
		if (fd >= 0)
			close(fd);
		return why(w, -EADDRINUSE, "%s is in use by a running process", path);
	}
	if (unlink(path) != 0)
		return why(w, -errno, "cannot remove the stale socket %s: %s", path,
				strerror(errno));
	return 0;
}

int
unix_socket_listen(struct unix_socket *s, const char *path, struct why *w)
{
	struct stat st;
	int ret;

	s->fd = -1;
	ret = set_address(&s->address, path, w);
	if (ret == 0)
		ret = clear_path(path, w);
	if (ret != 0)
		return ret;
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->fd < 0)
		return why(w, -errno, "socket: %s", strerror(errno));
	if (bind(s->fd, (struct sockaddr *)&s->address, sizeof(s->address)) != 0 ||
			lstat(path, &st) != 0 || listen(s->fd, BACKLOG) != 0) {
		ret = why(w, -errno, "cannot listen at %s: %s", path, strerror(errno));
		close(s->fd);
		s->fd = -1;
		return ret;
	}
	s->device = st.st_dev;
	s->inode = st.st_ino;
	return 0;
}

void
unix_socket_close(struct unix_socket *s)
{
	struct stat st;

	if (s->fd < 0)
		return;
	close(s->fd);
	s->fd = -1;
	if (lstat(s->address.sun_path, &st) == 0 && st.st_dev == s->device && st.st_ino == s->inode)
		unlink(s->address.sun_path);
}
