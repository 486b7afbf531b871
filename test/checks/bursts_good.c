/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 *
 * What indirect_calls.sh must accept: the slow path of a mempool, inlined into a burst, a jump
 * table, and an indirect call outside any burst.
 */
#include <stdint.h>

struct ops {
	int (*dequeue)(void *pool, void **out, unsigned int n);
};

extern struct ops table[16];
extern int direct(void *arg);

uint16_t dwmac_test_rx_burst(void *queue, void **out, uint16_t n);
uint16_t dwmac_test_tx_burst(void *queue, void **in, uint16_t n);
int dwmac_test_configure(int (*apply)(void *arg), void *arg);

/* as if it came from DPDK's header: the check goes by the file of the line */
#line 1 "rte_mempool.h"
static inline int
rte_mempool_ops_dequeue_bulk(unsigned int index, void **out, unsigned int n)
{
	return table[index].dequeue(table, out, n);
}

#line 33 "bursts_good.c"
uint16_t
dwmac_test_rx_burst(void *queue, void **out, uint16_t n)
{
	return rte_mempool_ops_dequeue_bulk(*(const unsigned int *)queue & 15, out, n) == 0 ? n : 0;
}

uint16_t
dwmac_test_tx_burst(void *queue, void **in, uint16_t n)
{
	switch (n) {
	case 0:
		return direct(queue);
	case 1:
		return direct(in[0]);
	case 2:
		return direct(in[1]) + 5;
	case 3:
		return direct(in) + 3;
	case 4:
		return direct(in[3]) + 9;
	case 5:
		return direct(in + 4) + 6;
	default:
		return n;
	}
}

int
dwmac_test_configure(int (*apply)(void *arg), void *arg)
{
	return apply(arg) + 1;
}
