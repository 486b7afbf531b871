/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_UNIX_SOCKET_H
#define DWMAC_MODEL_UNIX_SOCKET_H

#include "why.h"

#include <sys/types.h>
#include <sys/un.h>

/* A listening UNIX socket that owns its file. */
struct unix_socket {
	int fd; /* -1 = closed */
	struct sockaddr_un address;
	dev_t device; /* of the file we made: only that one is removed */
	ino_t inode;
};

/* Replaces the file of a dead process, refuses (-EADDRINUSE) that of a living one. */
int unix_socket_listen(struct unix_socket *s, const char *path, struct why *w);
void unix_socket_close(struct unix_socket *s);

/* Blocking connection to `path`, or a negative errno. */
int unix_socket_connect(const char *path, struct why *w);

#endif /* DWMAC_MODEL_UNIX_SOCKET_H */
