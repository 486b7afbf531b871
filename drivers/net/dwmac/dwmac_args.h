/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_ARGS_H
#define DWMAC_ARGS_H

/* Device arguments (doc/guides/nics/dwmac.rst). */

#include <stdbool.h>
#include <stdint.h>

struct rte_devargs;

#define DWMAC_ARG_SOCKET	"socket"
#define DWMAC_ARG_TX_USECS	"tx_usecs"
#define DWMAC_ARG_SWEEP_SERVICE "sweep_service"

/* Long enough that a run of packets shares one sweep, short against any time-out. */
#define DWMAC_TX_USECS_DEFAULT 100
#define DWMAC_TX_USECS_MAX     1000000

struct dwmac_args {
	char socket[108];  /* sun_path; empty on PCI */
	uint32_t tx_usecs; /* 0: sweep by count only */
	bool sweep_service;
};

/* Parse; one log line names what is wrong. -EINVAL: unknown key, bad value, socket missing or
 * not allowed. */
int dwmac_args_parse(struct dwmac_args *args, const struct rte_devargs *devargs, bool wants_socket);

#endif /* DWMAC_ARGS_H */
