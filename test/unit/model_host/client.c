/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "fake_device.h"
#include "client.h"
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void
bench_open(struct bench *bench)
{
	struct why w;

	memset(bench, 0, sizeof(*bench));
	bench->fd = -1;
	assert_int_equal(host_init(&bench->host, &w), 0);
	bench->host.quiet = true;
	bench->device.config = (struct slot_config){
		.name = "eth0",
		.link_up = true,
		.link_mbps = 1000,
		.link_full_duplex = true,
		.quiet = true,
	};
	assert_int_equal(host_add_device(&bench->host, &bench->device, &w), 0);
	bench->host.devices[0].slot = slot_create(&bench->device.config, &w);
	assert_non_null(bench->host.devices[0].slot);
	bench->host.devices[0].vfu =
			vfu_create(bench->host.loop, bench->host.devices[0].slot, true);
	bench->device = bench->host.devices[0];
}

void
bench_close(struct bench *bench)
{
	if (bench->fd >= 0)
		close(bench->fd);
	host_fini(&bench->host);
}

void
bench_connect(struct bench *bench)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair),
			0);
	assert_int_equal(vfu_adopt(bench->device.vfu, pair[0]), 0);
	bench->fd = pair[1];
}

void
bench_turn(struct bench *bench)
{
	/* Until nothing is ready: a paused connection needs several events. */
	do {
		host_run_due(&bench->host);
	} while (loop_wait(bench->host.loop, 0) > 0);
	host_run_due(&bench->host);
}

void
bench_disconnect(struct bench *bench)
{
	close(bench->fd);
	bench->fd = -1;
	bench_turn(bench);
}

void
bench_greet(struct bench *bench)
{
	static const char request[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8,"
				      "\"max_data_xfer_size\":1048576,\"write_multiple\":true}}";
	struct answer answer;

	bench_connect(bench);
	assert_int_equal(bench_call(bench, VFU_VERSION, request, sizeof(request), NULL, 0, &answer),
			0);
}

void
bench_send(struct bench *bench, const void *data, size_t len, const int *fds, unsigned int nb_fds)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(64 * sizeof(int))];
	} control = { 0 };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (nb_fds != 0) {
		struct cmsghdr *c;

		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(nb_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(nb_fds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, nb_fds * sizeof(int));
	}
	assert_int_equal(sendmsg(bench->fd, &msg, MSG_NOSIGNAL), (long)len);
}

size_t
bench_build(struct bench *bench, void *to, uint16_t command, uint32_t flags, const void *payload,
		size_t len)
{
	const struct vfu_header header = { .id = ++bench->next_id,
		.command = command,
		.size = (uint32_t)(sizeof(header) + len),
		.flags = flags };

	memcpy(to, &header, sizeof(header));
	if (len != 0)
		memcpy((uint8_t *)to + sizeof(header), payload, len);
	return sizeof(header) + len;
}

long
bench_receive(struct bench *bench, void *data, size_t size)
{
	ssize_t got = recv(bench->fd, data, size, MSG_DONTWAIT);

	return got < 0 ? -errno : got;
}

int
bench_answer(struct bench *bench, struct answer *answer)
{
	size_t have = 0, want = sizeof(answer->header);
	uint8_t buffer[sizeof(answer->header) + VFU_MESSAGE_MAX];

	while (have < want) {
		long got = bench_receive(bench, buffer + have, want - have);

		if (got == -EAGAIN) {
			bench_turn(bench);
			got = bench_receive(bench, buffer + have, want - have);
		}
		if (got <= 0)
			return -EPIPE;
		have += (size_t)got;
		if (have == sizeof(answer->header) && want == sizeof(answer->header)) {
			memcpy(&answer->header, buffer, sizeof(answer->header));
			want = answer->header.size;
			assert_in_range(want, sizeof(answer->header), VFU_MESSAGE_MAX);
		}
	}
	answer->len = want - sizeof(answer->header);
	memcpy(answer->payload, buffer + sizeof(answer->header), answer->len);
	assert_int_equal(answer->header.flags & VFU_FLAG_TYPE_MASK, VFU_FLAG_REPLY);
	if (answer->header.flags & VFU_FLAG_ERROR) {
		assert_int_equal(answer->len, 0);
		return (int)answer->header.error;
	}
	return 0;
}

int
bench_call(struct bench *bench, uint16_t command, const void *payload, size_t len, const int *fds,
		unsigned int nb_fds, struct answer *answer)
{
	uint8_t message[VFU_MESSAGE_MAX];
	const size_t size = bench_build(bench, message, command, 0, payload, len);
	int ret;

	bench_send(bench, message, size, fds, nb_fds);
	bench_turn(bench);
	ret = bench_answer(bench, answer);
	if (ret >= 0) {
		assert_int_equal(answer->header.id, bench->next_id);
		assert_int_equal(answer->header.command, command);
	}
	return ret;
}

int
bench_read(struct bench *bench, uint32_t region, uint64_t offset, uint32_t count, void *data)
{
	const struct vfu_region_io io = { .offset = offset, .region = region, .count = count };
	struct vfu_region_io got;
	struct answer answer;
	int ret = bench_call(bench, VFU_REGION_READ, &io, sizeof(io), NULL, 0, &answer);

	if (ret != 0)
		return ret;
	memcpy(&got, answer.payload, sizeof(got));
	assert_int_equal(answer.len, sizeof(got) + got.count);
	assert_true(got.count <= count);
	memcpy(data, answer.payload + sizeof(got), got.count);
	return 0;
}

int
bench_write(struct bench *bench, uint32_t region, uint64_t offset, uint32_t count, const void *data)
{
	struct {
		struct vfu_region_io io;
		uint8_t data[4096];
	} request = { .io = { .offset = offset, .region = region, .count = count } };
	struct answer answer;

	memcpy(request.data, data, count);
	return bench_call(bench, VFU_REGION_WRITE, &request, sizeof(request.io) + count, NULL, 0,
			&answer);
}

int
bench_map(struct bench *bench, uint64_t iova, uint64_t size, int fd, uint64_t offset,
		uint32_t flags)
{
	const struct vfu_dma_map map = {
		.argsz = sizeof(map), .flags = flags, .offset = offset, .iova = iova, .size = size
	};
	struct answer answer;

	return bench_call(bench, VFU_DMA_MAP, &map, sizeof(map), &fd, fd >= 0 ? 1 : 0, &answer);
}

int
bench_set_irqs(struct bench *bench, uint32_t flags, uint32_t index, uint32_t start, uint32_t count,
		const int *fds, unsigned int nb_fds)
{
	const struct vfu_irq_set set = {
		.argsz = sizeof(set), .flags = flags, .index = index, .start = start, .count = count
	};
	struct answer answer;

	return bench_call(bench, VFU_DEVICE_SET_IRQS, &set, sizeof(set), fds, nb_fds, &answer);
}

unsigned int
count_open_fds(void)
{
	unsigned int count = 0;

	for (int fd = 0; fd < 4096; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}
