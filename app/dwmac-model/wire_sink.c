/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* sink: takes whatever the device sends and counts it. */
#include "wire.h"

static void
sink_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	(void)wire;
	(void)port;
	(void)frame;
	(void)end_ps;
}

const struct wire_ops wire_sink_ops = {
	.kind = "sink",
	.help = "  sink:DEV                           takes what DEV sends, counts it\n",
	.nb_ports = 1,
	.size = sizeof(struct wire),
	.transmit = sink_transmit,
};
