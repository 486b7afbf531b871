/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_PROFILES_H
#define SILICON_PROFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "../device.h"

#define PTP_CLOCK_CHOICES 3

/* One synthesised and integrated core. Everything a driver can find out about the build stands
 * here; the code asks the row, never its name. */
struct profile {
	const char *name, *text;
	struct device_identity identity;
	uint8_t snpsver, userver;
	uint8_t channels; /* DMA channels = MTL queues, both ways */
	uint8_t bus_bytes;
	uint8_t addresses; /* MAC address registers, address 0 included */
	uint16_t hash_bins;
	uint32_t tx_fifo_bytes, rx_fifo_bytes;
	bool half_duplex;
	unsigned int max_mbps;
	uint64_t csr_hz, app_hz;
	/* GPIO outputs (MAC_GPIO_Status[19:16]) that select the PTP reference clock. */
	struct {
		uint8_t mask, value;
		uint32_t hz;
	} ptp_clock[PTP_CLOCK_CHOICES];
	/* MII clocks between the MII and the place where the stamp is taken. */
	uint8_t ingress_clocks, egress_clocks;
	uint8_t phy_address;
	uint32_t phy_id;
	uint32_t phy_an_ms, phy_reset_us;
};

const struct profile *profile_find(const char *name);
uint32_t profile_ptp_hz(const struct profile *profile, uint32_t gpio_status);
void profile_features(const struct profile *profile, uint32_t feature[4]);

#endif /* SILICON_PROFILES_H */
