/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef CHECKED_POOL_H
#define CHECKED_POOL_H

/*
 * A mempool that knows where every one of its objects is: freeing twice, freeing what is not its
 * own and taking more than there is are noticed at once. No cache, one mutex, and all of it
 * compiled here, so that a thread sanitizer sees how objects change hands.
 */

#include <rte_mbuf.h>

/* n mbufs with room for data_room bytes, headroom included; flags of rte_mempool. */
struct rte_mempool *checked_pool(
		const char *name, unsigned int n, uint16_t data_room, unsigned int flags);
/* All pools made here. */
void checked_pools_free(void);
/* Objects in the pool now. */
unsigned int checked_pool_count(const struct rte_mempool *pool);
/* Frees of objects that were in the pool already, or never came from it. */
unsigned int checked_pool_faults(const struct rte_mempool *pool);
/* Bulk gets that were refused. */
unsigned int checked_pool_refusals(const struct rte_mempool *pool);

#endif /* CHECKED_POOL_H */
