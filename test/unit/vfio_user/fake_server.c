/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fake_server.h"

#define HEADER_SIZE 16

/* cmocka's assertions work in the main thread only; here a failure ends the program. */
#define CHECK(condition)                                                                \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "fake server: %s:%d: %s\n", __FILE__, __LINE__, \
					#condition);                                    \
			abort();                                                        \
		}                                                                       \
	} while (0)

static void *
run(void *arg)
{
	struct fs_server *server = arg;
	int fd = accept(server->listen_fd, NULL, NULL);

	if (fd >= 0) {
		server->script(server, fd);
		close(fd);
	}
	return NULL;
}

void
fs_start(struct fs_server *server, fs_script script, void *arg)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	server->script = script;
	server->arg = arg;
	strcpy(server->dir, "/tmp/vfio_user_XXXXXX");
	CHECK(mkdtemp(server->dir) != NULL);
	snprintf(server->path, sizeof(server->path), "%s/socket", server->dir);
	strcpy(addr.sun_path, server->path);
	server->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CHECK(server->listen_fd >= 0);
	CHECK(bind(server->listen_fd, (struct sockaddr *)&addr, sizeof(addr)) == 0);
	CHECK(listen(server->listen_fd, 1) == 0);
	CHECK(pthread_create(&server->thread, NULL, run, server) == 0);
}

void
fs_stop(struct fs_server *server)
{
	/* Wakes accept() if no client ever came. */
	shutdown(server->listen_fd, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	close(server->listen_fd);
	unlink(server->path);
	rmdir(server->dir);
}

static void
keep_fds(struct msghdr *hdr, struct fs_message *msg)
{
	struct cmsghdr *cmsg;
	size_t nb_fds;

	for (cmsg = CMSG_FIRSTHDR(hdr); cmsg != NULL; cmsg = CMSG_NXTHDR(hdr, cmsg)) {
		CHECK(cmsg->cmsg_type == SCM_RIGHTS);
		nb_fds = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		CHECK(msg->nb_fds + nb_fds <= FS_FDS_MAX);
		memcpy(msg->fds + msg->nb_fds, CMSG_DATA(cmsg), nb_fds * sizeof(int));
		msg->nb_fds += nb_fds;
	}
}

/* Exactly len bytes; false at the end of the stream before the first of them. */
static bool
receive_bytes(int fd, struct fs_message *msg, void *to, size_t len)
{
	char control[CMSG_SPACE(FS_FDS_MAX * sizeof(int))] __attribute__((aligned(8)));
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		struct iovec iov = { .iov_base = (char *)to + done, .iov_len = len - done };
		struct msghdr hdr = {
			.msg_iov = &iov,
			.msg_iovlen = 1,
			.msg_control = control,
			.msg_controllen = sizeof(control),
		};

		n = recvmsg(fd, &hdr, MSG_CMSG_CLOEXEC);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			CHECK(done == 0);
			return false;
		}
		keep_fds(&hdr, msg);
		done += (size_t)n;
	}
	return true;
}

bool
fs_receive(int fd, struct fs_message *msg)
{
	uint8_t header[HEADER_SIZE];

	msg->nb_fds = 0;
	if (!receive_bytes(fd, msg, header, sizeof(header)))
		return false;
	memcpy(&msg->id, header, 2);
	memcpy(&msg->command, header + 2, 2);
	memcpy(&msg->size, header + 4, 4);
	memcpy(&msg->flags, header + 8, 4);
	memcpy(&msg->error, header + 12, 4);
	CHECK(msg->size >= HEADER_SIZE && msg->size <= HEADER_SIZE + FS_PAYLOAD_MAX);
	if (msg->size > HEADER_SIZE)
		CHECK(receive_bytes(fd, msg, msg->payload, msg->size - HEADER_SIZE));
	return true;
}

void
fs_close_fds(struct fs_message *msg)
{
	while (msg->nb_fds > 0)
		close(msg->fds[--msg->nb_fds]);
}

void
fs_send(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;
	ssize_t n;

	for (; len > 0; at += n, len -= (size_t)n) {
		n = send(fd, at, len, MSG_NOSIGNAL);
		if (n <= 0)
			return;
	}
}

void
fs_send_message(int fd, uint16_t id, uint16_t command, uint32_t flags, uint32_t error,
		const void *payload, size_t len)
{
	uint8_t bytes[HEADER_SIZE + FS_PAYLOAD_MAX];
	uint32_t size = (uint32_t)(HEADER_SIZE + len);

	CHECK(len <= FS_PAYLOAD_MAX);
	memcpy(bytes, &id, 2);
	memcpy(bytes + 2, &command, 2);
	memcpy(bytes + 4, &size, 4);
	memcpy(bytes + 8, &flags, 4);
	memcpy(bytes + 12, &error, 4);
	if (len > 0)
		memcpy(bytes + HEADER_SIZE, payload, len);
	fs_send(fd, bytes, size);
}

void
fs_reply(int fd, const struct fs_message *msg, const void *payload, size_t len)
{
	fs_send_message(fd, msg->id, msg->command, FS_REPLY, 0, payload, len);
}

void
fs_reply_error(int fd, const struct fs_message *msg, uint32_t error)
{
	fs_send_message(fd, msg->id, msg->command, FS_REPLY | FS_ERROR, error, NULL, 0);
}

void
fs_expect(int fd, uint16_t command, struct fs_message *msg)
{
	CHECK(fs_receive(fd, msg));
	CHECK(msg->command == command);
	CHECK(msg->flags == 0);
}

void
fs_handshake(int fd)
{
	struct fs_message msg;

	fs_expect(fd, FS_VERSION, &msg);
	CHECK(msg.size >= HEADER_SIZE + sizeof(FS_VERSION_OK)); /* QEMU's rule: no longer reply */
	CHECK(msg.payload[msg.size - HEADER_SIZE - 1] == '\0');
	fs_reply(fd, &msg, FS_VERSION_OK, sizeof(FS_VERSION_OK));
}

uint32_t
fs_get32(const struct fs_message *msg, size_t offset)
{
	uint32_t value;

	CHECK(HEADER_SIZE + offset + sizeof(value) <= msg->size);
	memcpy(&value, msg->payload + offset, sizeof(value));
	return value;
}

uint64_t
fs_get64(const struct fs_message *msg, size_t offset)
{
	uint64_t value;

	CHECK(HEADER_SIZE + offset + sizeof(value) <= msg->size);
	memcpy(&value, msg->payload + offset, sizeof(value));
	return value;
}

size_t
count_open_fds(void)
{
	size_t n = 0;
	int fd;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}
