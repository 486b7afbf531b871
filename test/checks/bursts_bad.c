/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 *
 * What indirect_calls.sh must refuse: BAD chooses a call or a tail jump through a pointer.
 */
#include <stdint.h>

struct queue {
	uint16_t (*fill)(void *queue, void **out, uint16_t n);
};

uint16_t dwmac_test_rx_burst(void *queue, void **out, uint16_t n);
uint16_t dwmac_test_tx_burst(void *queue, void **in, uint16_t n);

uint16_t
dwmac_test_rx_burst(void *queue, void **out, uint16_t n)
{
	const struct queue *q = queue;

#if BAD == 1
	return q->fill(queue, out, n) + 1;
#elif BAD == 2
	return q->fill(queue, out, n);
#else
	(void)out;
	return q->fill != 0 ? n : 0;
#endif
}

uint16_t
dwmac_test_tx_burst(void *queue, void **in, uint16_t n)
{
	uint16_t (*fill)(void *queue, void **in, uint16_t n) = ((const struct queue *)queue)->fill;

	if (BAD == 3 && n > 1)
		return fill(in, in, n);
	return n;
}
