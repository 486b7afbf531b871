/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef OPS_H
#define OPS_H

/* What is measured: the driver's operations on its clock, each of which takes one command. */

#include <stdint.h>

#include "ptp_clock.h"
#include "rows.h"

/* The arguments of the n-th call: every call changes something. */
int64_t op_scaled_ppm(unsigned int n);
int64_t op_delta_ns(unsigned int n);
struct dwmac_time op_time(unsigned int n);

int op_run(enum op op, struct dwmac_ptp *ptp, const struct dwmac_io *io, unsigned int n);

#endif /* OPS_H */
