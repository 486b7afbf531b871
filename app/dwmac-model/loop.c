/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "loop.h"
#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define EVENTS_PER_WAIT 64

struct loop {
	int epoll_fd;
	int nb_events;
	struct epoll_event events[EVENTS_PER_WAIT];
};

struct loop *
loop_create(void)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (loop == NULL)
		return NULL;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd < 0) {
		free(loop);
		return NULL;
	}
	return loop;
}

void
loop_destroy(struct loop *loop)
{
	if (loop == NULL)
		return;
	close(loop->epoll_fd);
	free(loop);
}

static int
control(struct loop *loop, int op, struct loop_watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(loop->epoll_fd, op, watch->fd, &event) == 0 ? 0 : -errno;
}

int
loop_watch(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	return control(loop, EPOLL_CTL_ADD, watch, events);
}

int
loop_rewatch(struct loop *loop, struct loop_watch *watch, uint32_t events)
{
	return control(loop, EPOLL_CTL_MOD, watch, events);
}

void
loop_unwatch(struct loop *loop, struct loop_watch *watch)
{
	control(loop, EPOLL_CTL_DEL, watch, 0);
	/* The owner may be freed after this: forget events of it that this round still holds. */
	for (int i = 0; i < loop->nb_events; i++) {
		if (loop->events[i].data.ptr == watch)
			loop->events[i].data.ptr = NULL;
	}
}

static int
wait_for_events(struct loop *loop, const struct timespec *timeout)
{
	struct pollfd any = { .fd = loop->epoll_fd, .events = POLLIN };
	int ready = epoll_pwait2(loop->epoll_fd, loop->events, EVENTS_PER_WAIT, timeout, NULL);

	if (ready >= 0 || errno != ENOSYS)
		return ready;
	/* Linux before 5.11 does not have it, nor does valgrind 3.19 know it. */
	ready = ppoll(&any, 1, timeout, NULL);
	return ready <= 0 ? ready : epoll_wait(loop->epoll_fd, loop->events, EVENTS_PER_WAIT, 0);
}

int
loop_wait(struct loop *loop, uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	int ready = wait_for_events(loop, timeout_ns == LOOP_FOREVER ? NULL : &timeout);

	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	loop->nb_events = ready;
	for (int i = 0; i < ready; i++) {
		struct loop_watch *watch = loop->events[i].data.ptr;

		if (watch != NULL)
			watch->ready(watch->arg, loop->events[i].events);
	}
	loop->nb_events = 0;
	return ready;
}
