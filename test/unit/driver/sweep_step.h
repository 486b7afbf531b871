/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SWEEP_STEP_H
#define SWEEP_STEP_H

/* Included ahead of the driver's sources in the race test: its seam becomes a delay at random. */
void sweep_step(void);
#define DWMAC_SWEEP_STEP() sweep_step()

#endif /* SWEEP_STEP_H */
