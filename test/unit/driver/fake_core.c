/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <string.h>

#include <dev_driver.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "dwmac_args.h"
#include "fake_core.h"

#define RING 64

/* Clause 22 */
#define BMCR	      0
#define BMCR_AN	      (1u << 12)
#define BMCR_PDOWN    (1u << 11)
#define BMSR	      1
#define BMSR_COMPLETE (1u << 5)
#define BMSR_LINK     (1u << 2)

/* ---- registers ---- */

/* TPS and RPS of channels 0 to 2 in DMA_Debug_Status0, 3 to 6 in the next one. */
static uint32_t
debug_status(const struct fake_core *core, unsigned int first, unsigned int shift, unsigned int nb)
{
	uint32_t value = 0;
	unsigned int i;

	for (i = 0; i < nb; i++) {
		const uint32_t tx_on = core->reg[(0x1104 + 0x80 * (first + i)) / 4] & 1;
		const uint32_t rx_on = core->reg[(0x1108 + 0x80 * (first + i)) / 4] & 1;
		const uint32_t tps = core->tx_busy ? 3 : tx_on ? 6 : 0;
		const uint32_t rps = core->rx_busy ? 5 : rx_on ? 3 : 0;

		value |= (tps << 4 | rps) << (shift + 8 * i);
	}
	return value;
}

static uint32_t
fake_read32(void *ctx, uint32_t offset)
{
	struct fake_core *core = ctx;
	uint32_t value;

	assert_true(offset < sizeof(core->reg) && offset % 4 == 0);
	pthread_mutex_lock(&core->mutex);
	value = core->reg[offset / 4];
	if (core->gone)
		value = UINT32_MAX;
	else if (offset == 0x100c)
		value = debug_status(core, 0, 8, 3);
	else if (offset == 0x1010)
		value = debug_status(core, 3, 0, 4);
	pthread_mutex_unlock(&core->mutex);
	return value;
}

/* Everything to its reset value but what is wired or comes from the firmware. */
static void
reset(struct fake_core *core)
{
	memset(core->reg, 0, sizeof(core->reg));
	core->reg[0x0000 / 4] = 0x8000;
	core->reg[0x0110 / 4] = 0x3052;					/* 5.20 */
	core->reg[0x011c / 4] = 1u << 12 | 1u << 8 | 1u << 5 | 1u << 1; /* TSSEL MMC SMA GMII */
	core->reg[0x0120 / 4] = 2u << 14 | 8u << 6 | 8u; /* 48 bits, FIFOs of 128 << 8 bytes */
	core->reg[0x0124 / 4] = 3u << 18 | 3u << 12 | 3u << 6 | 3u; /* FAKE_QUEUES - 1 */
	core->reg[0x0300 / 4] = 0x80000100;
	core->reg[0x0304 / 4] = 0x00000002;
	core->tx_busy = false;
	core->rx_busy = false;
	core->nb_resets++;
	if (core->pool != NULL)
		core->in_pool_at_reset = checked_pool_count(core->pool);
}

static void
mdio(struct fake_core *core, uint32_t command)
{
	const unsigned int address = command >> 21 & 0x1f;
	const unsigned int reg = command >> 16 & 0x1f;
	uint32_t *data = &core->reg[0x0204 / 4];

	if ((command >> 2 & 3) == 1) {
		if (address == FAKE_PHY && reg != BMSR)
			core->phy[reg] = *data & ~(reg == BMCR ? 1u << 9 : 0);
		return;
	}
	*data = address == FAKE_PHY ? core->phy[reg] : 0xffff;
	if (address == FAKE_PHY && reg == BMSR && core->link && !(core->phy[BMCR] & BMCR_PDOWN))
		*data |= BMSR_LINK | BMSR_COMPLETE;
}

/* Commands of the clock end at once; initialise takes over the update registers. */
static uint32_t
ptp_control(struct fake_core *core, uint32_t value)
{
	if (value & 1u << 2) {
		core->reg[0x0b08 / 4] = core->reg[0x0b10 / 4];
		core->reg[0x0b0c / 4] = core->reg[0x0b14 / 4];
	}
	return value & ~(1u << 2 | 1u << 3 | 1u << 5);
}

static void
fake_write32(void *ctx, uint32_t offset, uint32_t value)
{
	struct fake_core *core = ctx;
	uint32_t *reg = &core->reg[offset / 4];

	assert_true(offset < sizeof(core->reg) && offset % 4 == 0);
	pthread_mutex_lock(&core->mutex);
	if (offset == 0x1000 && (value & 1) && !core->reset_hangs)
		reset(core);
	else if (offset >= 0x1100 && (offset & 0x7f) == 0x60)
		*reg &= ~value;
	else if (offset >= 0x0d00 && offset < 0x0f00 && (offset & 0x3f) == 0)
		*reg = value & ~1u; /* FTQ */
	else if (offset == 0x0b00)
		*reg = ptp_control(core, value);
	else
		*reg = value;
	if (offset == 0x0200 && (value & 1)) {
		mdio(core, value);
		*reg &= ~1u;
	}
	pthread_mutex_unlock(&core->mutex);
}

static int
fake_post32(void *ctx, uint32_t offset, uint32_t value)
{
	fake_write32(ctx, offset, value);
	return 0;
}

static const struct dwmac_io_ops fake_ops = {
	.read32 = fake_read32,
	.write32 = fake_write32,
	.post32 = fake_post32,
};

uint32_t
fake_peek(struct fake_core *core, uint32_t offset)
{
	return fake_read32(core, offset);
}

void
fake_poke(struct fake_core *core, uint32_t offset, uint32_t value)
{
	pthread_mutex_lock(&core->mutex);
	core->reg[offset / 4] = value;
	pthread_mutex_unlock(&core->mutex);
}

/* ---- the port ---- */

void
fake_open(struct fake_core *core, const char *name)
{
	static const struct rte_driver driver = { .name = "fake" };
	const struct dwmac_args args = { .tx_usecs = DWMAC_TX_USECS_DEFAULT };
	struct dwmac_process *process = rte_zmalloc("dwmac_process", sizeof(*process), 0);
	struct rte_eth_dev *dev = rte_eth_dev_allocate(name);

	assert_non_null(process);
	assert_non_null(dev);
	memset(core, 0, sizeof(*core));
	pthread_mutex_init(&core->mutex, NULL);
	reset(core);
	core->nb_resets = 0;
	core->link = true;
	core->phy[BMCR] = BMCR_AN;
	core->phy[BMSR] = 1u << 8; /* has registers for 1000 Mb/s */
	core->phy[2] = 0x0141;
	core->phy[3] = 0x0dd1;
	core->phy[5] = 0x01e1;
	core->phy[10] = 1u << 11; /* the partner can do 1000BASE-T full duplex */
	core->row = *dwmac_device_by_pci_id(0x8086, 0x4b30);
	core->row.dma_bits = 64;
	core->device.name = name;
	core->device.driver = &driver;
	core->port_id = dev->data->port_id;

	process->hw.io.ops = &fake_ops;
	process->hw.io.ctx = core;
	dev->process_private = process;
	dev->device = &core->device;
	dev->data->dev_private = rte_zmalloc("dwmac_port", sizeof(struct dwmac_port), 0);
	assert_non_null(dev->data->dev_private);
	assert_int_equal(dwmac_ethdev_init(dev, &core->row, &args), 0);
	rte_eth_dev_probing_finish(dev);
}

void
fake_close(struct fake_core *core)
{
	rte_eth_dev_stop(core->port_id);
	assert_int_equal(rte_eth_dev_close(core->port_id), 0);
	pthread_mutex_destroy(&core->mutex);
}

void
fake_configure(struct fake_core *core, uint16_t nb, const struct rte_eth_conf *conf,
		struct rte_mempool *pool)
{
	uint16_t q;

	core->pool = pool;
	assert_int_equal(rte_eth_dev_configure(core->port_id, nb, nb, conf), 0);
	for (q = 0; q < nb; q++) {
		assert_int_equal(rte_eth_rx_queue_setup(
						 core->port_id, q, RING, SOCKET_ID_ANY, NULL, pool),
				0);
		assert_int_equal(
				rte_eth_tx_queue_setup(core->port_id, q, RING, SOCKET_ID_ANY, NULL),
				0);
	}
}

struct dwmac_port *
fake_dwmac_port(const struct fake_core *core)
{
	return dwmac_port(&rte_eth_devices[core->port_id]);
}

void
fake_hurry(struct fake_core *core)
{
	dwmac_hw(&rte_eth_devices[core->port_id])->io.tsc_hz = rte_get_tsc_hz() / 100;
}

uint64_t
fake_xstat(const struct fake_core *core, const char *name)
{
	uint64_t id, value;

	assert_int_equal(rte_eth_xstats_get_id_by_name(core->port_id, name, &id), 0);
	assert_int_equal(rte_eth_xstats_get_by_id(core->port_id, &id, &value, 1), 1);
	return value;
}
