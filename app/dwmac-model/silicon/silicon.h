/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_SILICON_H
#define SILICON_SILICON_H

/* One device, below the seam of device.h. */

#include <stdbool.h>
#include <stdint.h>

#include "../device.h"
#include "complaints.h"
#include "dma.h"
#include "eqos_regs.h"
#include "faults.h"
#include "mac.h"
#include "mtl.h"
#include "oscillator.h"
#include "phy.h"
#include "profiles.h"
#include "ptp.h"
#include "regfile.h"

#define CHANNELS DMA_CHANNELS_MAX

/* The lines that leave the core (eqos.md §17). */
struct irq_state {
	unsigned int vectors; /* enabled by the host's driver */
	bool common;
	uint32_t tx_lines, rx_lines;   /* bitmaps by channel */
	uint32_t tx_pulses, rx_pulses; /* INTM = 0: events since the last delivery */
	bool single;
	/* Software cleared something on this line: if it is still high it speaks again. */
	uint32_t rearm_tx, rearm_rx;
	bool rearm_common;
	uint64_t messages, lost;
};

struct device {
	struct device_host host;
	void *host_ctx;
	struct device_config config;
	const struct profile *profile;
	uint64_t now_ps;
	uint64_t epoch;	    /* one per call from above: host pointers live that long */
	unsigned int depth; /* calls from above that are nested (a loop wire) */
	bool bus_master;
	bool in_reset; /* SWR reads 1 */
	uint64_t reset_due_ps;
	uint32_t written; /* the value of the write being carried out */
	uint32_t reading; /* the offset of the read being carried out */

	struct regfile regs;
	struct complaint_log complaints;
	struct fault_state faults;
	struct irq_state irq;
	struct oscillator osc;
	struct ptp ptp;
	struct mdio mdio;
	struct phy phy;
	struct mac mac;
	uint32_t txq_pending;  /* bitmap of TX queues with packets */
	uint32_t txq_flushing; /* ... and of those whose FTQ reads 1 */
	uint64_t flush_due_ps;
	bool rx_refused;      /* a frame was not taken: tell when there is room */
	struct tx_queue *txq; /* [CHANNELS] */
	struct rx_queue *rxq;
	struct tx_channel tx[CHANNELS];
	struct rx_channel rx[CHANNELS];
};

static inline uint32_t *
reg(struct device *dev, uint32_t offset)
{
	return &dev->regs.value[offset / 4];
}

static inline uint32_t
reg_get(const struct device *dev, uint32_t offset)
{
	return dev->regs.value[offset / 4];
}

static inline uint32_t
ch_reg(const struct device *dev, int channel, uint32_t offset)
{
	return reg_get(dev, (uint32_t)DMA_CH(channel, (int)offset));
}

void irq_reset(struct device *dev);
void irq_update(struct device *dev);
void device_soft_reset(struct device *dev);

/* Hooks of the register table (eqos_map.c). */
#define READ_HOOK(name) uint32_t name(struct device *dev, unsigned int index, uint32_t stored)
#define WRITE_HOOK(name) \
	void name(struct device *dev, unsigned int index, uint32_t old, uint32_t started)

READ_HOOK(ptp_read_seconds);
READ_HOOK(ptp_read_nanoseconds);
READ_HOOK(ptp_read_higher);
READ_HOOK(ptp_read_latency);
READ_HOOK(ptp_read_tx_seconds);
WRITE_HOOK(ptp_write_control);
WRITE_HOOK(ptp_write_increment);
WRITE_HOOK(ptp_write_operand);
WRITE_HOOK(ptp_write_higher);
READ_HOOK(mac_read_interrupt_status);
READ_HOOK(mac_read_debug);
READ_HOOK(mac_read_phyif);
WRITE_HOOK(mac_write_configuration);
WRITE_HOOK(mac_write_address_low);
WRITE_HOOK(mac_write_tx_flow);
WRITE_HOOK(mac_write_gpio);
READ_HOOK(mdio_read_data);
WRITE_HOOK(mdio_write_address);
WRITE_HOOK(mdio_write_data);
READ_HOOK(mmc_read_counter);
WRITE_HOOK(mmc_write_control);
WRITE_HOOK(mtl_write_mode);
WRITE_HOOK(mtl_write_txq_mode);
WRITE_HOOK(mtl_write_rxq_mode);
READ_HOOK(mtl_read_interrupt_status);
READ_HOOK(mtl_read_txq_debug);
READ_HOOK(mtl_read_rxq_debug);
WRITE_HOOK(irq_write_status);
WRITE_HOOK(dma_write_mode);
READ_HOOK(dma_read_interrupt_status);
READ_HOOK(dma_read_debug_status);
WRITE_HOOK(dma_write_tx_control);
WRITE_HOOK(dma_write_rx_control);
WRITE_HOOK(dma_write_tx_list);
WRITE_HOOK(dma_write_rx_list);
WRITE_HOOK(dma_write_tx_length);
WRITE_HOOK(dma_write_rx_length);
WRITE_HOOK(dma_write_tx_tail);
WRITE_HOOK(dma_write_rx_tail);
READ_HOOK(dma_read_current_tx);
READ_HOOK(dma_read_current_tx_high);
READ_HOOK(dma_read_current_rx);
READ_HOOK(dma_read_current_rx_high);
WRITE_HOOK(dma_write_status);

#endif /* SILICON_SILICON_H */
