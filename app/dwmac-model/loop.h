/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_LOOP_H
#define DWMAC_MODEL_LOOP_H

#include <stdint.h>

/* The one place where the program sleeps: epoll with a nanosecond timeout. */

#define LOOP_FOREVER UINT64_MAX

struct loop;

/* One watched file descriptor; embedded in its owner, which fills fd, ready and arg. */
struct loop_watch {
	int fd;
	void (*ready)(void *arg, uint32_t events);
	void *arg;
};

struct loop *loop_create(void);
void loop_destroy(struct loop *loop);

/* `events` as for epoll. All return 0 or a negative errno. */
int loop_watch(struct loop *loop, struct loop_watch *watch, uint32_t events);
int loop_rewatch(struct loop *loop, struct loop_watch *watch, uint32_t events);
/* Safe from within any handler: the watch gets no further call, not even one already due. */
void loop_unwatch(struct loop *loop, struct loop_watch *watch);

/* Sleeps at most `timeout_ns`, calls the handlers of what is ready, returns how many. */
int loop_wait(struct loop *loop, uint64_t timeout_ns);

#endif /* DWMAC_MODEL_LOOP_H */
