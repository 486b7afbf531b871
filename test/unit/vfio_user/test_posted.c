/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * Posted writes: what happens when the server does not read, and when many threads send at once.
 * These tests are the proof of what vfio_user.h claims about the kernel: a message is taken whole
 * or not at all, and two of them never interleave. The server checks every byte it gets.
 */

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_server.h"
#include "vfio_user_private.h"

#define IMPATIENT_MS 50

static struct fs_server server;
static struct vfio_user *vu;

/* --- one sender, a server that sleeps ------------------------------------------------------ */

struct sleeper {
	int wake[2];	    /* a byte written here lets the server read */
	uint32_t nb_writes; /* whole ones, values 0, 1, 2, … */
	bool in_order;
};

static bool
is_post(const struct fs_message *msg, uint32_t offset, uint32_t value)
{
	return msg->command == FS_REGION_WRITE && msg->flags == FS_NO_REPLY && msg->size == 36 &&
	       fs_get64(msg, 0) == offset && fs_get32(msg, 8) == 0 && fs_get32(msg, 12) == 4 &&
	       fs_get32(msg, 16) == value;
}

static void
sleep_then_read(struct fs_server *srv, int fd)
{
	struct sleeper *sleeper = srv->arg;
	struct fs_message msg;
	char c;

	fs_handshake(fd);
	sleeper->in_order = true;
	if (read(sleeper->wake[0], &c, 1) != 1)
		return;
	while (fs_receive(fd, &msg)) {
		if (msg.command == FS_REGION_READ) {
			uint8_t reply[20] = { [12] = 4 };

			fs_reply(fd, &msg, reply, sizeof(reply));
			continue;
		}
		sleeper->in_order &= is_post(&msg, 0x1128, sleeper->nb_writes);
		sleeper->nb_writes++;
	}
}

static void
begin(struct sleeper *sleeper)
{
	assert_int_equal(pipe(sleeper->wake), 0);
	fs_start(&server, sleep_then_read, sleeper);
	assert_int_equal(vfio_user_connect(server.path, &vu), 0);
}

static void
end(struct sleeper *sleeper)
{
	vfio_user_disconnect(vu);
	fs_stop(&server);
	close(sleeper->wake[0]);
	close(sleeper->wake[1]);
}

static void
wake(struct sleeper *sleeper)
{
	assert_int_equal(write(sleeper->wake[1], "x", 1), 1);
}

/* Post until the socket is full; returns the number of writes it took. */
static uint32_t
fill_socket(uint32_t first)
{
	uint32_t n = 0;
	int ret;

	while ((ret = vfio_user_bar_post32(vu, 0x1128, first + n)) == 0)
		n++;
	assert_int_equal(ret, -EAGAIN);
	assert_false(vfio_user_is_dead(vu));
	return n;
}

static void
a_full_socket_refuses_whole_writes(void **state)
{
	/* The second is about the smallest the client accepts, the last what is set up here. */
	static const int buffer_sizes[] = { 0, VFIO_USER_MSG_MAX + 64, 65536 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(buffer_sizes) / sizeof(buffer_sizes[0]); i++) {
		struct sleeper sleeper = { .nb_writes = 0 };
		uint32_t n;

		begin(&sleeper);
		if (buffer_sizes[i] != 0) /* the kernel doubles it */
			setsockopt(vfio_user_fd(vu), SOL_SOCKET, SO_SNDBUF, &buffer_sizes[i],
					sizeof(int));
		n = fill_socket(0);
		print_message("send buffer %d: %u writes fit\n", buffer_sizes[i], n);
		assert_true(n > 0);
		assert_int_equal(vfio_user_bar_post32(vu, 0x1128, n), -EAGAIN);
		wake(&sleeper);
		/* A read is ordered behind all of them, so it proves that there is room again. */
		assert_int_equal(vfio_user_bar_read32(vu, 0), 0);
		assert_int_equal(vfio_user_bar_post32(vu, 0x1128, n), 0);
		end(&sleeper);
		assert_int_equal(sleeper.nb_writes, n + 1);
		assert_true(sleeper.in_order);
	}
}

static void *
wake_when_stuck(void *arg)
{
	/* Whether the writer already waits does not matter for the result. */
	usleep(20000);
	wake(arg);
	return NULL;
}

static void
ordinary_writes_wait_for_room(void **state)
{
	struct sleeper sleeper = { .nb_writes = 0 };
	pthread_t thread;
	uint32_t n, i;

	(void)state;
	begin(&sleeper);
	vu->timeout_ms = 3600 * 1000;
	n = fill_socket(0);
	assert_int_equal(pthread_create(&thread, NULL, wake_when_stuck, &sleeper), 0);
	for (i = 0; i < 1000; i++)
		vfio_user_bar_write32(vu, 0x1128, n + i);
	assert_false(vfio_user_is_dead(vu));
	pthread_join(thread, NULL);
	end(&sleeper);
	assert_int_equal(sleeper.nb_writes, n + 1000);
	assert_true(sleeper.in_order);
}

static void
a_server_that_never_reads_is_given_up(void **state)
{
	struct sleeper sleeper = { .nb_writes = 0 };
	uint32_t n;

	(void)state;
	begin(&sleeper);
	n = fill_socket(0);
	vu->timeout_ms = IMPATIENT_MS;
	vfio_user_bar_write32(vu, 0x1128, n);
	assert_true(vfio_user_is_dead(vu));
	assert_int_equal(vfio_user_bar_post32(vu, 0x1128, n), -ENODEV);
	wake(&sleeper);
	end(&sleeper);
	/* Nothing of the write that did not fit arrived. */
	assert_int_equal(sleeper.nb_writes, n);
	assert_true(sleeper.in_order);
}

static void
a_closed_socket_is_told_from_a_full_one(void **state)
{
	struct sleeper sleeper = { .nb_writes = 0 };

	(void)state;
	begin(&sleeper);
	fill_socket(0);
	close(sleeper.wake[1]); /* the server goes home */
	while (vfio_user_bar_post32(vu, 0x1128, 0) == -EAGAIN)
		sched_yield();
	assert_true(vfio_user_is_dead(vu));
	sleeper.wake[1] = dup(sleeper.wake[0]);
	end(&sleeper);
}

/* --- many senders -------------------------------------------------------------------------- */

#define NB_POSTERS	    3
#define POSTS_PER_THREAD    4000
#define NB_REQUESTERS	    2
#define REQUESTS_PER_THREAD 400
#define POSTER_BASE	    0x1000
#define REQUESTER_BASE	    0x2000

struct crowd_server {
	uint32_t next_post[NB_POSTERS];
	uint32_t nb_requests[NB_REQUESTERS];
	uint32_t nb_bad;
};

/* A request of the crowd: 1 KiB, filled with one byte that depends on its number. */
static bool
is_big_write(const struct fs_message *msg, uint8_t fill)
{
	uint32_t i;

	if (msg->size != 32 + VU_REGION_CHUNK || fs_get32(msg, 12) != VU_REGION_CHUNK)
		return false;
	for (i = 0; i < VU_REGION_CHUNK; i++)
		if (msg->payload[16 + i] != fill)
			return false;
	return true;
}

static void
receive_crowd(struct fs_server *srv, int fd)
{
	struct crowd_server *crowd = srv->arg;
	struct fs_message msg;

	fs_handshake(fd);
	while (fs_receive(fd, &msg)) {
		uint64_t offset = fs_get64(&msg, 0);
		uint32_t who = (uint32_t)(offset & 0xfff) / 4;

		if (offset < REQUESTER_BASE) {
			/* Posted: each thread's values come in order, none missing. */
			if (who >= NB_POSTERS ||
					!is_post(&msg, (uint32_t)offset, crowd->next_post[who]))
				crowd->nb_bad++;
			else
				crowd->next_post[who]++;
			continue;
		}
		if (who >= NB_REQUESTERS || !is_big_write(&msg, (uint8_t)crowd->nb_requests[who]))
			crowd->nb_bad++;
		else
			crowd->nb_requests[who]++;
		fs_reply(fd, &msg, msg.payload, 16);
	}
}

static void *
post_many(void *arg)
{
	uint32_t who = *(uint32_t *)arg;
	uint32_t i;

	for (i = 0; i < POSTS_PER_THREAD; i++) {
		if (i % 64 == 0)
			vfio_user_bar_write32(vu, POSTER_BASE + 4 * who, i);
		else
			while (vfio_user_bar_post32(vu, POSTER_BASE + 4 * who, i) == -EAGAIN)
				sched_yield();
	}
	return NULL;
}

static void *
request_many(void *arg)
{
	uint32_t who = *(uint32_t *)arg;
	uint8_t data[VU_REGION_CHUNK];
	uint32_t i;

	for (i = 0; i < REQUESTS_PER_THREAD; i++) {
		memset(data, (int)(uint8_t)i, sizeof(data));
		if (vfio_user_region_write(vu, 0, REQUESTER_BASE + 4 * who, sizeof(data), data) !=
				sizeof(data))
			break;
	}
	return NULL;
}

static void
messages_of_many_threads_never_interleave(void **state)
{
	static struct crowd_server crowd;
	pthread_t threads[NB_POSTERS + NB_REQUESTERS];
	uint32_t who[NB_POSTERS + NB_REQUESTERS];
	uint32_t i;

	(void)state;
	fs_start(&server, receive_crowd, &crowd);
	assert_int_equal(vfio_user_connect(server.path, &vu), 0);
	vu->timeout_ms = 3600 * 1000;
	for (i = 0; i < NB_POSTERS + NB_REQUESTERS; i++) {
		bool posts = i < NB_POSTERS;

		who[i] = posts ? i : i - NB_POSTERS;
		assert_int_equal(pthread_create(&threads[i], NULL, posts ? post_many : request_many,
						 &who[i]),
				0);
	}
	for (i = 0; i < NB_POSTERS + NB_REQUESTERS; i++)
		pthread_join(threads[i], NULL);
	assert_false(vfio_user_is_dead(vu));
	vfio_user_disconnect(vu);
	fs_stop(&server);
	assert_int_equal(crowd.nb_bad, 0);
	for (i = 0; i < NB_POSTERS; i++)
		assert_int_equal(crowd.next_post[i], POSTS_PER_THREAD);
	for (i = 0; i < NB_REQUESTERS; i++)
		assert_int_equal(crowd.nb_requests[i], REQUESTS_PER_THREAD);
}

/* Threads in the middle of everything when the server dies: all come home. */
static void
die_early(struct fs_server *srv, int fd)
{
	struct fs_message msg;
	int i;

	(void)srv;
	fs_handshake(fd);
	for (i = 0; i < 200 && fs_receive(fd, &msg); i++)
		if (!(msg.flags & FS_NO_REPLY))
			fs_reply(fd, &msg, msg.payload, 16);
}

static void
death_releases_every_thread(void **state)
{
	pthread_t threads[4];
	uint32_t who[4] = { 0, 1, 0, 1 };
	int i;

	(void)state;
	fs_start(&server, die_early, NULL);
	assert_int_equal(vfio_user_connect(server.path, &vu), 0);
	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, i < 2 ? post_many : request_many,
						 &who[i]),
				0);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_true(vfio_user_is_dead(vu));
	vfio_user_disconnect(vu);
	fs_stop(&server);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_socket_refuses_whole_writes),
		cmocka_unit_test(ordinary_writes_wait_for_room),
		cmocka_unit_test(a_server_that_never_reads_is_given_up),
		cmocka_unit_test(a_closed_socket_is_told_from_a_full_one),
		cmocka_unit_test(messages_of_many_threads_never_interleave),
		cmocka_unit_test(death_releases_every_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
