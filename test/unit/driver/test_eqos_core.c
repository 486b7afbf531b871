/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Identification, software reset, MDIO: register sequences against eqos.md and sequences.md.
 * Addresses and bits are written out here, not taken from the driver. */

#include <errno.h>

#include <rte_cycles.h>

#include "mock_io.h"

#define VERSION	  0x0110
#define FEATURE0  0x011c
#define FEATURE1  0x0120
#define FEATURE2  0x0124
#define DMA_MODE  0x1000
#define MDIO_ADDR 0x0200
#define MDIO_DATA 0x0204
#define GPIO	  0x020c /* GPO0..3 in 19:16 */
#define TICS	  0x00dc

static struct mock mock;

static int
identify(uint32_t version, uint32_t f0, uint32_t f1, uint32_t f2)
{
	SCRIPT(&mock, R(VERSION, version), R(FEATURE0, f0), R(FEATURE1, f1), R(FEATURE2, f2));
	return mock.hw.ops->identify(&mock.hw);
}

static void
identify_reads_every_capability(void **state)
{
	const struct dwmac_caps *caps = &mock.hw.caps;

	(void)state;
	mock_init(&mock);
	/* eqos.md §1: 3 more addresses, TSSEL, MMCSEL, SMASEL, GMIISEL; 256 bins, 40 bits, higher
	 * word, 16 KiB TX and 32 KiB RX FIFO; 4 TX and 6 RX channels, 8 and 5 queues. */
	assert_int_equal(identify(0x7652, 3u << 18 | 1u << 12 | 1u << 8 | 1u << 5 | 1u << 1,
					 3u << 24 | 1u << 14 | 1u << 13 | 7u << 6 | 8u,
					 3u << 18 | 5u << 12 | 7u << 6 | 4u),
			0);
	mock_done(&mock);
	assert_int_equal(caps->snpsver, 0x52);
	assert_int_equal(caps->userver, 0x76);
	assert_true(caps->gmii && caps->mdio && caps->mmc && caps->ptp && caps->ptp_higher_word);
	assert_int_equal(caps->nb_mac_addrs, 4);
	assert_int_equal(caps->hash_bins, 256);
	assert_int_equal(caps->tx_fifo_bytes, 16384);
	assert_int_equal(caps->rx_fifo_bytes, 32768);
	assert_int_equal(caps->addr_bits, 40);
	assert_int_equal(caps->nb_tx_queues, 4);
	assert_int_equal(caps->nb_rx_queues, 5);
}

static void
identify_claims_nothing_the_registers_deny(void **state)
{
	const struct dwmac_caps *caps = &mock.hw.caps;

	(void)state;
	mock_init(&mock);
	assert_int_equal(identify(0x40, 0, 0, 0), 0);
	mock_done(&mock);
	assert_false(caps->gmii || caps->mdio || caps->mmc || caps->ptp || caps->ptp_higher_word);
	assert_int_equal(caps->nb_mac_addrs, 1);
	assert_int_equal(caps->hash_bins, 0);
	assert_int_equal(caps->tx_fifo_bytes, 128);
	assert_int_equal(caps->rx_fifo_bytes, 128);
	assert_int_equal(caps->addr_bits, 32);
	assert_int_equal(caps->nb_tx_queues, 1);
	assert_int_equal(caps->nb_rx_queues, 1);
}

/* The bus decides, whatever the core claims (pitfalls.md 24); a code without meaning is 32. */
static void
address_bits_are_the_smaller_of_core_and_bus(void **state)
{
	static const struct {
		uint8_t dma_bits;
		uint32_t addr64;
		uint8_t want;
	} rows[] = { { 40, 0, 32 }, { 40, 1, 40 }, { 40, 2, 40 }, { 40, 3, 32 }, { 48, 2, 48 },
		{ 34, 1, 34 }, { 32, 2, 32 } };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		mock_init(&mock);
		mock.device.dma_bits = rows[i].dma_bits;
		assert_int_equal(identify(0x52, 0, rows[i].addr64 << 14, 0), 0);
		assert_int_equal(mock.hw.caps.addr_bits, rows[i].want);
	}
}

/* Counts of 16 fit the fields, not the driver's arrays. */
static void
queue_counts_stay_within_the_arrays(void **state)
{
	(void)state;
	mock_init(&mock);
	assert_int_equal(identify(0x52, 0, 0, 0xfu << 18 | 0xfu << 12 | 0xfu << 6 | 0xf), 0);
	assert_int_equal(mock.hw.caps.nb_tx_queues, DWMAC_MAX_CHANNELS);
	assert_int_equal(mock.hw.caps.nb_rx_queues, DWMAC_MAX_CHANNELS);
}

static void
identify_refuses_silence_and_strangers(void **state)
{
	/* 0 and all ones: no clock or no device (sequences.md §1); below 4.0 and above 5.x:
	 * another generation. */
	static const uint32_t versions[] = { 0, UINT32_MAX, 0x37, 0x3f, 0x60, 0xffffff60, 0x1000 };
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(versions); i++) {
		mock_init(&mock);
		SCRIPT(&mock, R(VERSION, versions[i]));
		assert_int_equal(dwmac_hw_init(&mock.hw, &mock.device), -ENODEV);
		mock_done(&mock);
	}
}

static void
only_known_functions_have_a_row(void **state)
{
	(void)state;
	assert_non_null(dwmac_device_by_pci_id(0x8086, 0x4b30));
	assert_int_equal(dwmac_device_by_pci_id(0x8086, 0x4b30)->dma_bits, 40);
	assert_int_equal(dwmac_device_by_pci_id(0x8086, 0x4b30)->ptp_clk_hz, 204800000);
	assert_int_equal(dwmac_device_by_pci_id(0x8086, 0x4ba0)->dma_bits, 32);
	assert_int_equal(dwmac_device_by_pci_id(0x8086, 0x4bb0)->ptp_clk_hz, 200000000);
	assert_null(dwmac_device_by_pci_id(0x8086, 0x100e));
	assert_null(dwmac_device_by_pci_id(0x1af4, 0x4b30));
}

/* ---- software reset (sequences.md §2) ---- */

static void
reset_waits_until_the_bit_clears(void **state)
{
	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, W(DMA_MODE, 1), R(DMA_MODE, 1), R(DMA_MODE, 1), R(DMA_MODE, 0),
			R(0x0000, 0x8000), R(GPIO, 0x000f0011), W(GPIO, 0x000e0011), W(TICS, 203));
	assert_int_equal(mock.hw.ops->reset(&mock.hw), 0);
	mock_done(&mock);
	assert_int_equal(mock.hw.mac_configuration, 0x8000);
}

/* The glue around the core (sequences.md §13.1): PSE takes its PTP clock with GPO0 and GPO3; a
 * function without such outputs is left alone. */
static void
reset_sets_the_glue_up_again(void **state)
{
	(void)state;
	mock_init(&mock);
	mock.device = *dwmac_device_by_pci_id(0x8086, 0x4ba0);
	SCRIPT(&mock, W(DMA_MODE, 1), R(DMA_MODE, 0), R(0x0000, 0), R(GPIO, 0x00060000),
			W(GPIO, 0x000f0000), W(TICS, 199));
	assert_int_equal(mock.hw.ops->reset(&mock.hw), 0);
	mock_done(&mock);
	mock.device.gpo_mask = 0;
	mock.device.us_tics = 0;
	SCRIPT(&mock, W(DMA_MODE, 1), R(DMA_MODE, 0), R(0x0000, 0));
	assert_int_equal(mock.hw.ops->reset(&mock.hw), 0);
	mock_done(&mock);
}

static void
reset_gives_up_after_a_second(void **state)
{
	uint64_t start, took;

	(void)state;
	mock_init(&mock);
	mock.hw.io.tsc_hz = 50000000; /* a slow counter makes a short second */
	SCRIPT(&mock, W(DMA_MODE, 1), ALWAYS(DMA_MODE, 1));
	start = rte_rdtsc();
	assert_int_equal(mock.hw.ops->reset(&mock.hw), -ETIMEDOUT);
	took = rte_rdtsc() - start;
	mock_done(&mock);
	/* Not before its time; how late is the scheduler's affair. */
	assert_true(took >= mock.hw.io.tsc_hz);
}

static void
reset_notices_that_the_device_is_gone(void **state)
{
	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, W(DMA_MODE, 1), R(DMA_MODE, 1), R(DMA_MODE, UINT32_MAX));
	assert_int_equal(mock.hw.ops->reset(&mock.hw), -ENODEV);
	mock_done(&mock);
}

/* ---- MDIO, clause 22 (eqos.md §8); CR 5 is Elkhart Lake's ---- */

#define MDIO_CMD(phy, reg, goc) ((uint32_t)(phy) << 21 | (reg) << 16 | 5u << 8 | (goc) << 2 | 1)

static void
mdio_read_takes_the_low_half(void **state)
{
	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, R(MDIO_ADDR, 1), R(MDIO_ADDR, 0), W(MDIO_ADDR, MDIO_CMD(31, 17, 3)),
			R(MDIO_ADDR, MDIO_CMD(31, 17, 3)), R(MDIO_ADDR, MDIO_CMD(31, 17, 3) & ~1u),
			R(MDIO_DATA, 0xdead8123));
	assert_int_equal(mock.hw.ops->mdio_read(&mock.hw, 31, 17), 0x8123);
	mock_done(&mock);
}

static void
mdio_write_puts_data_before_the_command(void **state)
{
	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, R(MDIO_ADDR, 0), W(MDIO_DATA, 0xbeef), W(MDIO_ADDR, MDIO_CMD(1, 4, 1)),
			R(MDIO_ADDR, 1), R(MDIO_ADDR, 0));
	assert_int_equal(mock.hw.ops->mdio_write(&mock.hw, 1, 4, 0xbeef), 0);
	mock_done(&mock);
}

/* Neither register may be touched while GB is set. */
static void
mdio_leaves_a_busy_bus_alone(void **state)
{
	(void)state;
	mock_init(&mock);
	mock.hw.io.tsc_hz = 10000000;
	SCRIPT(&mock, ALWAYS(MDIO_ADDR, 1));
	assert_int_equal(mock.hw.ops->mdio_read(&mock.hw, 1, 1), -ETIMEDOUT);
	mock_done(&mock);
	SCRIPT(&mock, ALWAYS(MDIO_ADDR, 1));
	assert_int_equal(mock.hw.ops->mdio_write(&mock.hw, 1, 1, 0), -ETIMEDOUT);
	mock_done(&mock);
}

static void
mdio_reports_a_command_that_never_ends(void **state)
{
	(void)state;
	mock_init(&mock);
	mock.hw.io.tsc_hz = 10000000;
	SCRIPT(&mock, R(MDIO_ADDR, 0), W(MDIO_ADDR, MDIO_CMD(1, 1, 3)), ALWAYS(MDIO_ADDR, 1));
	assert_int_equal(mock.hw.ops->mdio_read(&mock.hw, 1, 1), -ETIMEDOUT);
	mock_done(&mock);
	SCRIPT(&mock, R(MDIO_ADDR, 0), W(MDIO_DATA, 7), W(MDIO_ADDR, MDIO_CMD(1, 1, 1)),
			ALWAYS(MDIO_ADDR, 1));
	assert_int_equal(mock.hw.ops->mdio_write(&mock.hw, 1, 1, 7), -ETIMEDOUT);
	mock_done(&mock);
}

static void
mdio_notices_that_the_device_is_gone(void **state)
{
	(void)state;
	mock_init(&mock);
	SCRIPT(&mock, R(MDIO_ADDR, UINT32_MAX));
	assert_int_equal(mock.hw.ops->mdio_read(&mock.hw, 1, 1), -ENODEV);
	mock_done(&mock);
	SCRIPT(&mock, R(MDIO_ADDR, 0), W(MDIO_ADDR, MDIO_CMD(1, 1, 3)), R(MDIO_ADDR, UINT32_MAX));
	assert_int_equal(mock.hw.ops->mdio_read(&mock.hw, 1, 1), -ENODEV);
	mock_done(&mock);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identify_reads_every_capability),
		cmocka_unit_test(identify_claims_nothing_the_registers_deny),
		cmocka_unit_test(address_bits_are_the_smaller_of_core_and_bus),
		cmocka_unit_test(queue_counts_stay_within_the_arrays),
		cmocka_unit_test(identify_refuses_silence_and_strangers),
		cmocka_unit_test(only_known_functions_have_a_row),
		cmocka_unit_test(reset_waits_until_the_bit_clears),
		cmocka_unit_test(reset_sets_the_glue_up_again),
		cmocka_unit_test(reset_gives_up_after_a_second),
		cmocka_unit_test(reset_notices_that_the_device_is_gone),
		cmocka_unit_test(mdio_read_takes_the_low_half),
		cmocka_unit_test(mdio_write_puts_data_before_the_command),
		cmocka_unit_test(mdio_leaves_a_busy_bus_alone),
		cmocka_unit_test(mdio_reports_a_command_that_never_ends),
		cmocka_unit_test(mdio_notices_that_the_device_is_gone),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
