/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * A vfio-user server that follows a script: one thread, one client, one socket in a folder of its
 * own. Written from the protocol alone, it shares no definition with the client under test.
 */

#ifndef FAKE_SERVER_H
#define FAKE_SERVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FS_PAYLOAD_MAX 4096
#define FS_FDS_MAX     16

/* Commands, by the protocol's table. */
#define FS_VERSION	1
#define FS_DMA_MAP	2
#define FS_DMA_UNMAP	3
#define FS_REGION_INFO	5
#define FS_IRQ_INFO	7
#define FS_SET_IRQS	8
#define FS_REGION_READ	9
#define FS_REGION_WRITE 10
#define FS_DMA_READ	11
#define FS_RESET	13

#define FS_REPLY    0x1
#define FS_NO_REPLY 0x10
#define FS_ERROR    0x20

#define FS_VERSION_OK \
	"\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576}}"

struct fs_message {
	uint16_t id;
	uint16_t command;
	uint32_t size;
	uint32_t flags;
	uint32_t error;
	uint8_t payload[FS_PAYLOAD_MAX];
	int fds[FS_FDS_MAX];
	size_t nb_fds;
};

struct fs_server;
typedef void (*fs_script)(struct fs_server *server, int fd);

struct fs_server {
	char dir[32];
	char path[64];
	fs_script script;
	void *arg;
	int listen_fd;
	pthread_t thread;
};

/* Listen and run the script on the first connection, in a thread. */
void fs_start(struct fs_server *server, fs_script script, void *arg);

/* Wait for the script to end and remove the socket. */
void fs_stop(struct fs_server *server);

/* Read one whole message; false when the client hung up. Anything malformed aborts the test. */
bool fs_receive(int fd, struct fs_message *msg);
void fs_close_fds(struct fs_message *msg);

/* Send raw bytes, all of them (or fewer when the client hangs up). */
void fs_send(int fd, const void *bytes, size_t len);

/* Send a header (size computed from len) and a payload. */
void fs_send_message(int fd, uint16_t id, uint16_t command, uint32_t flags, uint32_t error,
		const void *payload, size_t len);
void fs_reply(int fd, const struct fs_message *msg, const void *payload, size_t len);
void fs_reply_error(int fd, const struct fs_message *msg, uint32_t error);

/* Answer the VERSION request as a sane server does. */
void fs_handshake(int fd);

/* Take one message, which must have this command and want a reply. */
void fs_expect(int fd, uint16_t command, struct fs_message *msg);

/* Little helpers: a number at an offset of the payload. */
uint32_t fs_get32(const struct fs_message *msg, size_t offset);
uint64_t fs_get64(const struct fs_message *msg, size_t offset);

/* Number of open descriptors of this process. */
size_t count_open_fds(void);

#endif /* FAKE_SERVER_H */
