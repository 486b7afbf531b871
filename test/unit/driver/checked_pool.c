/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include <rte_errno.h>
#include <rte_mempool.h>

#include "checked_pool.h"

struct checked {
	pthread_mutex_t mutex;
	void **objects; /* a stack of those that are in */
	unsigned int nb;
	unsigned int size;
	unsigned int faults;
	unsigned int refusals;
	/* Every object there is and whether it is in: open addressing, learnt while populating. */
	struct known {
		const void *object;
		bool in;
	} * known;
	unsigned int nb_known;
};

static unsigned int
nb_buckets(const struct checked *checked)
{
	return checked->size * 2 + 1;
}

/* Its entry, or an empty one. */
static struct known *
find(const struct checked *checked, const void *object)
{
	unsigned int i = ((uintptr_t)object >> 6) % nb_buckets(checked);

	while (checked->known[i].object != NULL && checked->known[i].object != object)
		i = (i + 1) % nb_buckets(checked);
	return &checked->known[i];
}

static int
pool_alloc(struct rte_mempool *pool)
{
	struct checked *checked = calloc(1, sizeof(*checked));

	checked->size = pool->size;
	checked->objects = calloc(checked->size, sizeof(*checked->objects));
	checked->known = calloc(nb_buckets(checked), sizeof(*checked->known));
	pthread_mutex_init(&checked->mutex, NULL);
	pool->pool_data = checked;
	return 0;
}

static void
pool_free(struct rte_mempool *pool)
{
	struct checked *checked = pool->pool_data;

	free(checked->known);
	free(checked->objects);
	pthread_mutex_destroy(&checked->mutex);
	free(checked);
}

static int
pool_enqueue(struct rte_mempool *pool, void *const *objects, unsigned int n)
{
	struct checked *checked = pool->pool_data;
	unsigned int i;

	pthread_mutex_lock(&checked->mutex);
	for (i = 0; i < n; i++) {
		struct known *known = find(checked, objects[i]);

		if (known->object == NULL && checked->nb_known < checked->size) {
			known->object = objects[i];
			checked->nb_known++;
		}
		if (known->object == NULL || known->in) {
			checked->faults++;
			continue;
		}
		known->in = true;
		checked->objects[checked->nb++] = objects[i];
	}
	pthread_mutex_unlock(&checked->mutex);
	return 0;
}

static int
pool_dequeue(struct rte_mempool *pool, void **objects, unsigned int n)
{
	struct checked *checked = pool->pool_data;
	unsigned int i;
	int ret = 0;

	pthread_mutex_lock(&checked->mutex);
	if (n > checked->nb) {
		checked->refusals++;
		ret = -ENOBUFS;
		/* As a ring-based pool with a cache does: what it writes before failing stays. */
		for (i = 0; i < checked->nb; i++)
			objects[i] = checked->objects[i];
	} else {
		for (i = 0; i < n; i++) {
			objects[i] = checked->objects[--checked->nb];
			find(checked, objects[i])->in = false;
		}
	}
	pthread_mutex_unlock(&checked->mutex);
	return ret;
}

static unsigned int
pool_count(const struct rte_mempool *pool)
{
	struct checked *checked = pool->pool_data;
	unsigned int nb;

	pthread_mutex_lock(&checked->mutex);
	nb = checked->nb;
	pthread_mutex_unlock(&checked->mutex);
	return nb;
}

static const struct rte_mempool_ops checked_ops = {
	.name = "checked",
	.alloc = pool_alloc,
	.free = pool_free,
	.enqueue = pool_enqueue,
	.dequeue = pool_dequeue,
	.get_count = pool_count,
};
RTE_MEMPOOL_REGISTER_OPS(checked_ops);

static struct rte_mempool *pools[8];

void
checked_pools_free(void)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(pools); i++) {
		rte_mempool_free(pools[i]);
		pools[i] = NULL;
	}
}

static bool
remember(struct rte_mempool *pool)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(pools) && pools[i] != NULL; i++)
		;
	if (i == RTE_DIM(pools))
		return false;
	pools[i] = pool;
	return true;
}

struct rte_mempool *
checked_pool(const char *name, unsigned int n, uint16_t data_room, unsigned int flags)
{
	struct rte_pktmbuf_pool_private private = { .mbuf_data_room_size = data_room };
	struct rte_mempool *pool;

	pool = rte_mempool_create_empty(name, n, sizeof(struct rte_mbuf) + data_room, 0,
			sizeof(private), SOCKET_ID_ANY, flags);
	if (pool == NULL)
		return NULL;
	rte_mempool_set_ops_byname(pool, "checked", NULL);
	rte_pktmbuf_pool_init(pool, &private);
	if (rte_mempool_populate_default(pool) < 0 || !remember(pool)) {
		rte_mempool_free(pool);
		return NULL;
	}
	rte_mempool_obj_iter(pool, rte_pktmbuf_init, NULL);
	return pool;
}

unsigned int
checked_pool_count(const struct rte_mempool *pool)
{
	return pool_count(pool);
}

unsigned int
checked_pool_faults(const struct rte_mempool *pool)
{
	return ((struct checked *)pool->pool_data)->faults;
}

unsigned int
checked_pool_refusals(const struct rte_mempool *pool)
{
	return ((struct checked *)pool->pool_data)->refusals;
}
