/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef RTE_PMD_DWMAC_H
#define RTE_PMD_DWMAC_H

/**
 * @file
 * Calls of the dwmac driver that ethdev has no operation for.
 */

#include <stdint.h>

#include <rte_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @warning
 * @b EXPERIMENTAL: this API may change without prior notice.
 *
 * Set the rate of a port's clock: rte_eth_timesync_adjust_freq() for DPDK before 24.11.
 *
 * @param port_id
 *   The port identifier of the Ethernet device.
 * @param ppm
 *   Rate against the nominal one, in parts per million with a 16-bit fractional field
 *   (1 ppb = 65.536). Absolute: it replaces what was set before.
 * @return
 *   - 0: Success; the new rate is in force.
 *   - -ENODEV: The port ID is invalid.
 *   - -ENOTSUP: The port is not of this driver.
 *   - -EIO: The device is removed.
 *   - -EINVAL: Timesync was never enabled on the port.
 *   - -ERANGE: More than 62500000 ppb either way.
 *   - -ETIMEDOUT: The hardware did not take it: no PTP reference clock.
 */
__rte_experimental int rte_pmd_dwmac_timesync_adjust_freq(uint16_t port_id, int64_t ppm);

#ifdef __cplusplus
}
#endif

#endif /* RTE_PMD_DWMAC_H */
