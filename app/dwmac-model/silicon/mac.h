/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_MAC_H
#define SILICON_MAC_H

#include <stdbool.h>
#include <stdint.h>

#include "parse.h"

struct device;
struct frame;

/* An address register as the filter compares it: 48 bits, wire order from the top. */
struct address_entry {
	uint64_t address, mask;
	bool source;
	uint8_t index, channel;
};

struct filter_result {
	bool pass; /* both filters; decides unless RA */
	bool da_fail, sa_fail, vlan_fail, hash;
	bool broadcast, multicast;
	uint8_t madrm;	 /* matching address register or hash bin */
	uint8_t channel; /* DCS of the lowest-numbered match */
};

struct mac {
	struct address_entry address[128];
	unsigned int addresses;
	/* Transmitter */
	bool sending;
	int sending_queue; /* -1: a pause frame of the MAC's own */
	uint64_t sending_end_ps;
	uint64_t line_free_ps;
	uint64_t paused_until_ps;
	bool pause_due;
	bool pause_off;	 /* ... with zero quanta: the queue has drained */
	bool pause_held; /* the peer was told to wait because of a full queue */
	uint64_t tx_frames, rx_frames, filtered, mismatched;
};

void filter_rebuild(struct device *dev);
bool filter_is_own_address(const struct device *dev, const uint8_t address[6]);
void filter_frame(const struct device *dev, const uint8_t *data, const struct parsed *p,
		struct filter_result *out);
bool filter_vlan_match(const struct device *dev, const struct parsed *p);

extern const uint8_t pause_address[6];
/* Address register `index` in wire order. */
void mac_address(const struct device *dev, unsigned int index, uint8_t out[6]);
void mac_reset(struct device *dev);
void flow_control(struct device *dev, int queue);
uint64_t mac_byte_ps(const struct device *dev);
uint64_t mac_mii_clock_ps(const struct device *dev);
bool mac_speed_matches(const struct device *dev);
void mac_mismatched(struct device *dev, const char *what);
bool mac_tx_run(struct device *dev, uint64_t now_ps);
uint64_t mac_tx_next_ps(struct device *dev, uint64_t now_ps);
enum receive_mode {
	RECEIVE_OFFER, /* may be refused for want of room */
	RECEIVE_NOW,   /* is lost for want of room */
	RECEIVE_LOST,  /* was refused and is lost */
};
bool mac_receive(struct device *dev, const struct frame *frame, enum receive_mode mode);

/* VLAN and source address actions on a TX frame that has FRAME_HEADROOM before it. */
struct tx_packet;
uint8_t *vlan_transmit(
		struct device *dev, const struct tx_packet *packet, uint8_t *data, uint32_t *len);
uint32_t vlan_receive(struct device *dev, const struct parsed *p, uint8_t *data, uint32_t *len,
		uint32_t *rdes0);

/* MMC: `n` is the register's offset. */
void mmc_add(struct device *dev, uint32_t offset, uint32_t n);
void mmc_count_tx(struct device *dev, const uint8_t *data, uint32_t len, bool oversize);
struct mmc_rx_info {
	uint32_t len; /* with FCS */
	bool crc_error, giant, watchdog, undersize, jabber;
	bool length_error, out_of_range;
	const struct filter_result *filter;
	const struct parsed *parsed;
};
void mmc_count_rx(struct device *dev, const struct mmc_rx_info *info);
void mmc_count_ipc(struct device *dev, const struct parsed *p, bool ip_error, bool l4_error,
		bool udp_unchecked);
uint32_t mmc_interrupts(const struct device *dev);
struct mmc_counter {
	uint16_t offset;
	const char *name;
};
extern const struct mmc_counter mmc_counters[];
extern const unsigned int mmc_counters_count;

#endif /* SILICON_MAC_H */
