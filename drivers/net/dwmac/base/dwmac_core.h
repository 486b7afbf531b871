/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_CORE_H
#define DWMAC_CORE_H

/*
 * One generation of the core, seen from the control path. The rest of the driver speaks to the
 * hardware through these operations and never includes a generation's own headers.
 */

#include <stdbool.h>
#include <stdint.h>

#include "dwmac_io.h"

#define DWMAC_MAX_CHANNELS 8

struct dwmac_hw;

enum dwmac_generation {
	DWMAC_GEN_EQOS, /* GMAC 4.x and 5.x */
};

/* What the glue around the core decides and no register tells (sequences.md §13, §14). */
struct dwmac_device {
	const char *name;
	uint16_t vendor_id;
	uint16_t device_id;
	enum dwmac_generation generation;
	uint8_t dma_bits;    /* addresses the bus really carries: the core may claim more */
	uint8_t mdio_cr;     /* MAC_MDIO_Address.CR for this CSR clock */
	uint32_t mdio_skip;  /* bitmap of MDIO addresses that are not PHYs */
	uint32_t ptp_clk_hz; /* clk_ptp_ref_i */
	uint32_t dma_ch_base;
	uint32_t dma_ch_stride;
	uint32_t mtl_q_base;
	uint32_t mtl_q_stride;
	uint32_t gpo_mask;  /* outputs of the core that select the PTP clock … */
	uint32_t gpo_value; /* … and the setting that gives ptp_clk_hz */
	uint16_t us_tics;   /* clocks per microsecond, 0 = leave MAC_OneUS_Tic_Counter alone */
};

/* What the registers tell. */
struct dwmac_caps {
	uint8_t snpsver; /* BCD: 0x52 = 5.20 */
	uint8_t userver;
	uint8_t nb_tx_queues;
	uint8_t nb_rx_queues;
	uint8_t addr_bits; /* min(core, bus) */
	uint8_t nb_mac_addrs;
	uint16_t hash_bins;
	uint32_t tx_fifo_bytes;
	uint32_t rx_fifo_bytes;
	bool gmii;
	bool mdio;
	bool mmc;
	bool ptp;
	bool ptp_higher_word;
};

struct dwmac_ring {
	uint64_t iova; /* of entry 0; the ring does not cross 4 GiB */
	uint16_t nb_desc;
	uint16_t buf_bytes; /* RX: size of every buffer, a multiple of 16 */
};

struct dwmac_link_mode {
	uint32_t mbps; /* 0 = link down */
	bool full_duplex;
};

/* One MMC counter: its register and the name DPDK users see in xstats. */
struct dwmac_mmc_counter {
	uint16_t offset;
	const char *name;
};

#define DWMAC_CH_BUS_ERROR  0x1u /* a transfer failed: unmapped memory, most likely */
#define DWMAC_CH_DESC_ERROR 0x2u /* a descriptor it could not take */

struct dwmac_core_ops {
	/* Fill hw->caps. -ENODEV: nothing answers, or another generation does. */
	int (*identify)(struct dwmac_hw *hw);
	/* Software reset; every register returns to its reset value, the PTP time is lost.
	 * -ETIMEDOUT when a clock domain has no clock, usually the PHY's RX clock. */
	int (*reset)(struct dwmac_hw *hw);
	/* Bus, MTL queues, interrupt masks for this many queues. Channels are stopped. */
	void (*init)(struct dwmac_hw *hw, unsigned int nb_tx, unsigned int nb_rx);

	/* The descriptor list is always rewritten: that is what discards prefetched
	 * descriptors of an earlier run (pitfalls.md 43c). */
	void (*tx_start)(struct dwmac_hw *hw, unsigned int ch, const struct dwmac_ring *ring);
	void (*rx_start)(struct dwmac_hw *hw, unsigned int ch, const struct dwmac_ring *ring,
			uint16_t tail);
	/* Bounded; -ETIMEDOUT when the channel does not stop. */
	int (*tx_stop)(struct dwmac_hw *hw, unsigned int ch);
	int (*rx_stop)(struct dwmac_hw *hw, unsigned int ch);
	uint32_t (*tx_tail_offset)(const struct dwmac_hw *hw, unsigned int ch);
	uint32_t (*rx_tail_offset)(const struct dwmac_hw *hw, unsigned int ch);
	/* What made channel `ch` stop by itself since the last call: DWMAC_CH_*; clears it. */
	uint32_t (*channel_errors)(struct dwmac_hw *hw, unsigned int ch);
	/* Packets the hardware dropped since the last call: these counters clear on read. */
	void (*rx_missed)(struct dwmac_hw *hw, unsigned int queue, uint32_t *fifo_overflow,
			uint32_t *no_buffer);

	/* Largest frame without FCS that counts as good, 1514 and more. Receiver off. */
	void (*max_frame)(struct dwmac_hw *hw, uint32_t bytes);
	void (*speed)(struct dwmac_hw *hw, const struct dwmac_link_mode *mode);
	void (*loopback)(struct dwmac_hw *hw, bool on);
	void (*enable)(struct dwmac_hw *hw, bool tx, bool rx);
	void (*mac_addr)(struct dwmac_hw *hw, unsigned int index, const uint8_t *addr);
	void (*get_mac_addr)(struct dwmac_hw *hw, uint8_t *addr);
	void (*filter)(struct dwmac_hw *hw, bool promiscuous, bool all_multicast);

	/* Clause 22. 0 or the register value; -ETIMEDOUT, -ENODEV. */
	int (*mdio_read)(struct dwmac_hw *hw, uint8_t phy, uint8_t reg);
	int (*mdio_write)(struct dwmac_hw *hw, uint8_t phy, uint8_t reg, uint16_t value);

	const struct dwmac_mmc_counter *mmc;
	unsigned int nb_mmc;
	uint16_t mmc_rx_overflow; /* offset of the counter of frames lost in the RX FIFO */
	uint32_t ptp_base;
};

/* One device as one process sees it. Never in shared memory: it points to const tables and to a
 * mapping. A secondary process builds its own from (generation, device row, caps). */
struct dwmac_hw {
	struct dwmac_io io;
	const struct dwmac_core_ops *ops;
	const struct dwmac_device *device;
	struct dwmac_caps caps;
	uint32_t mac_configuration; /* what was written last: an unchanged value is not written
				     * again, a second write too soon is lost (pitfalls.md 8) */
	unsigned int nb_tx;
	unsigned int nb_rx;
};

extern const struct dwmac_core_ops dwmac_eqos_ops;

/* The row of a PCI function, or NULL. */
const struct dwmac_device *dwmac_device_by_pci_id(uint16_t vendor_id, uint16_t device_id);

/* Bind a device row to an open register seam and identify the core.
 * -ENODEV: registers read 0 or all ones, or the version is unknown. */
int dwmac_hw_init(struct dwmac_hw *hw, const struct dwmac_device *device);

#endif /* DWMAC_CORE_H */
