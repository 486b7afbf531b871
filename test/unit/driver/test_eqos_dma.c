/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Bring-up, start and stop of channels: sequences.md §3.1, §4, §6; eqos.md §4, §14. */

#include <errno.h>

#include "mock_io.h"

/* Channel n at 0x1100 + 0x80 n, MTL queue n at 0xd00 + 0x40 n */
#define CH(n, reg)  (0x1100 + 0x80 * (n) + (reg))
#define MTL(n, reg) (0x0d00 + 0x40 * (n) + (reg))

#define SYSBUS	    0x1004
#define DEBUG0	    0x100c
#define DEBUG1	    0x1010
#define DEBUG2	    0x1014
#define SYSBUS_BASE (1u << 24 | 1u << 16 | 7u << 1) /* OSR 2+2, BLEN16/8/4 */
#define EAME	    (1u << 11)

#define TX_CONTROL 0x04
#define RX_CONTROL 0x08
#define ST	   1u
#define SR	   1u
#define OSF	   (1u << 4)
#define PBL(n)	   ((uint32_t)(n) << 16)
#define RPF	   (1u << 31)

static struct mock mock;

/* 8 KiB TX, 16 KiB RX FIFO, 40 bits */
static void
init(unsigned int max_tx, unsigned int max_rx)
{
	mock_init(&mock);
	mock.hw.caps = (struct dwmac_caps){
		.snpsver = 0x52,
		.nb_tx_queues = max_tx,
		.nb_rx_queues = max_rx,
		.addr_bits = 40,
		.tx_fifo_bytes = 8192,
		.rx_fifo_bytes = 16384,
		.mmc = true,
	};
}

static void
bring_up_of_two_queues_of_four(void **state)
{
	(void)state;
	init(4, 4);
	SCRIPT(&mock,
			/* bus, with addresses over 32 bits */
			W(SYSBUS, SYSBUS_BASE | EAME),
			/* channels: PBLx8, no interrupts, old events cleared */
			W(CH(0, 0x00), 1u << 16), W(CH(0, 0x34), 0), W(CH(0, 0x60), 0xffc7),
			W(CH(1, 0x00), 1u << 16), W(CH(1, 0x34), 0), W(CH(1, 0x60), 0xffc7),
			/* MTL: WRR with equal weights, store and forward, half the FIFO each,
			 * queue on (2); what the unused queues held goes back */
			W(0x0c00, 0), W(MTL(0, 0x18), 1), W(MTL(0, 0x00), 15u << 16 | 2u << 2 | 2),
			W(MTL(1, 0x18), 1), W(MTL(1, 0x00), 15u << 16 | 2u << 2 | 2),
			W(MTL(2, 0x00), 0), W(MTL(3, 0x00), 0),
			W(MTL(0, 0x30), 31u << 20 | 1u << 5), W(MTL(1, 0x30), 31u << 20 | 1u << 5),
			W(MTL(2, 0x30), 0), W(MTL(3, 0x30), 0),
			/* queue n to channel n */
			W(0x0c30, 0x00000100),
			/* MAC at rest, its and the MMC's interrupts off, then the RX queues on */
			R(0x0000, 0x8003), W(0x0000, 0x8000), R(0x0000, 0x8000), W(0x00b4, 0),
			W(0x070c, 0x0fffffff), W(0x0710, 0x0fffffff), W(0x0800, 0x3fff3fff),
			W(0x00a0, 2u << 2 | 2u));
	mock.hw.ops->init(&mock.hw, 2, 2);
	mock_done(&mock);
}

/* One queue, 32 bits, no MMC: nothing is written that is not there. */
static void
bring_up_of_the_smallest_core(void **state)
{
	(void)state;
	init(1, 1);
	mock.hw.caps.addr_bits = 32;
	mock.hw.caps.mmc = false;
	SCRIPT(&mock, W(SYSBUS, SYSBUS_BASE), W(CH(0, 0x00), 1u << 16), W(CH(0, 0x34), 0),
			W(CH(0, 0x60), 0xffc7), W(0x0c00, 0), W(MTL(0, 0x18), 1),
			W(MTL(0, 0x00), 31u << 16 | 2u << 2 | 2),
			W(MTL(0, 0x30), 63u << 20 | 1u << 5), W(0x0c30, 0), R(0x0000, 0),
			W(0x00b4, 0), W(0x00a0, 2));
	mock.hw.ops->init(&mock.hw, 1, 1);
	mock_done(&mock);
}

/* CDE 13 and FBE 12, with their summary AIS 14; nothing else is cleared (eqos.md, 0x1160). */
static void
a_channel_that_stopped_tells_why_once(void **state)
{
	static const struct {
		uint32_t status, cleared, errors;
	} rows[] = {
		{ 0xffff4fc7 & ~0x3000u, 0, 0 },
		{ 1u << 12 | 1u << 14 | 5u << 16 | 1u << 0, 1u << 12 | 1u << 14,
				DWMAC_CH_BUS_ERROR },
		{ 1u << 13, 1u << 13, DWMAC_CH_DESC_ERROR },
		{ 0xffc7, 7u << 12, DWMAC_CH_BUS_ERROR | DWMAC_CH_DESC_ERROR },
		{ UINT32_MAX, 0, 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		init(4, 4);
		if (rows[i].cleared != 0)
			SCRIPT(&mock, R(CH(2, 0x60), rows[i].status),
					W(CH(2, 0x60), rows[i].cleared));
		else
			SCRIPT(&mock, R(CH(2, 0x60), rows[i].status));
		assert_int_equal(mock.hw.ops->channel_errors(&mock.hw, 2), rows[i].errors);
		mock_done(&mock);
	}
}

static uint32_t
written(uint32_t offset)
{
	unsigned int i;

	for (i = 0; i < mock.nb_steps; i++)
		if (mock.script[i].offset == offset)
			return mock.script[i].value;
	fail_msg("0x%04x is not in the script", offset);
	return 0;
}

/* A seam that takes everything, for figures rather than order. */
static uint32_t
zero_read(void *ctx, uint32_t offset)
{
	(void)ctx;
	(void)offset;
	return 0;
}

static void
note_write(void *ctx, uint32_t offset, uint32_t value)
{
	struct mock *m = ctx;

	assert_true(m->nb_steps < RTE_DIM(m->script));
	m->script[m->nb_steps++] = (struct mock_step)W(offset, value);
}

static const struct dwmac_io_ops note_ops = { .read32 = zero_read, .write32 = note_write };

/* sequences.md §4: the shares never exceed the FIFO; every queue finds its own channel. */
static void
fifo_shares_fit_for_any_number_of_queues(void **state)
{
	unsigned int n, q;

	(void)state;
	for (n = 1; n <= 8; n++) {
		uint32_t tx = 0, rx = 0, map;

		init(8, 8);
		mock.hw.io.ops = &note_ops;
		mock.hw.ops->init(&mock.hw, n, n);
		for (q = 0; q < 8; q++) {
			const uint32_t tx_mode = written(MTL(q, 0x00));
			const uint32_t rx_mode = written(MTL(q, 0x30));

			assert_int_equal(tx_mode != 0, q < n);
			tx += ((tx_mode >> 16) + 1) * 256;
			rx += ((rx_mode >> 20) + 1) * 256;
			map = q < n ? q : 0;
			assert_int_equal(written(0x0c30 + q / 4 * 4) >> (8 * (q % 4)) & 0xff, map);
		}
		/* A queue that is off keeps the smallest share, 256 bytes. */
		tx -= (8 - n) * 256;
		rx -= (8 - n) * 256;
		assert_true(tx <= 8192 && tx > 8192 - n * 256);
		assert_true(rx <= 16384 && rx > 16384 - n * 256);
		assert_int_equal(written(0x00a0), 0xaaaau & ((1u << (2 * n)) - 1));
	}
}

static void
tx_start_writes_high_before_low_and_runs_last(void **state)
{
	const struct dwmac_ring ring = { .iova = 0x9812345000, .nb_desc = 256 };
	/* Half of 8 KiB in 16-byte words, counted in eights: 32. */
	const uint32_t control = OSF | PBL(32);

	(void)state;
	init(1, 1);
	mock.hw.nb_tx = 1;
	SCRIPT(&mock, W(CH(0, TX_CONTROL), control), W(CH(0, 0x10), 0x98),
			W(CH(0, 0x14), 0x12345000), W(CH(0, 0x2c), 255), W(CH(0, 0x20), 0x12345000),
			W(CH(0, TX_CONTROL), control | ST));
	mock.hw.ops->tx_start(&mock.hw, 0, &ring);
	mock_done(&mock);
}

static void
rx_start_names_the_first_entry_not_given(void **state)
{
	const struct dwmac_ring ring = { .iova = 0x0812340000, .nb_desc = 1024, .buf_bytes = 2032 };
	const uint32_t control = 2032u << 1 | PBL(16);

	(void)state;
	init(4, 4);
	mock.hw.nb_rx = 4; /* 4 KiB each: 16 */
	SCRIPT(&mock, W(CH(3, RX_CONTROL), control), W(CH(3, 0x18), 0x08),
			W(CH(3, 0x1c), 0x12340000), W(CH(3, 0x30), 1023),
			W(CH(3, 0x28), 0x12340000 + 1023 * 16), W(CH(3, RX_CONTROL), control | SR));
	mock.hw.ops->rx_start(&mock.hw, 3, &ring, 1023);
	mock_done(&mock);
}

/* Without EAME the upper words are ignored and are left alone. */
static void
a_32_bit_bus_has_no_upper_halves(void **state)
{
	const struct dwmac_ring ring = { .iova = 0x12340000, .nb_desc = 64, .buf_bytes = 1536 };

	(void)state;
	init(1, 1);
	mock.hw.caps.addr_bits = 32;
	mock.hw.nb_tx = 1;
	mock.hw.nb_rx = 1;
	SCRIPT(&mock, W(CH(0, TX_CONTROL), OSF | PBL(32)), W(CH(0, 0x14), 0x12340000),
			W(CH(0, 0x2c), 63), W(CH(0, 0x20), 0x12340000),
			W(CH(0, TX_CONTROL), OSF | PBL(32) | ST));
	mock.hw.ops->tx_start(&mock.hw, 0, &ring);
	mock_done(&mock);
	SCRIPT(&mock, W(CH(0, RX_CONTROL), 1536u << 1 | PBL(32)), W(CH(0, 0x1c), 0x12340000),
			W(CH(0, 0x30), 63), W(CH(0, 0x28), 0x12340000 + 63 * 16),
			W(CH(0, RX_CONTROL), 1536u << 1 | PBL(32) | SR));
	mock.hw.ops->rx_start(&mock.hw, 0, &ring, 63);
	mock_done(&mock);
}

/* Channel blocks elsewhere (Qualcomm EMAC v3, eqos.md §14): data, not code. */
static void
base_and_stride_come_from_the_device_row(void **state)
{
	const struct dwmac_ring ring = { .iova = 0x1000, .nb_desc = 64 };

	(void)state;
	init(4, 4);
	mock.device.dma_ch_base = 0x8100;
	mock.device.dma_ch_stride = 0x1000;
	mock.device.mtl_q_base = 0x8000;
	mock.device.mtl_q_stride = 0x1000;
	mock.hw.nb_tx = 1;
	SCRIPT(&mock, W(0xa104, OSF | PBL(32)), W(0xa110, 0), W(0xa114, 0x1000), W(0xa12c, 63),
			W(0xa120, 0x1000), W(0xa104, OSF | PBL(32) | ST));
	mock.hw.ops->tx_start(&mock.hw, 2, &ring);
	mock_done(&mock);
	assert_int_equal(mock.hw.ops->tx_tail_offset(&mock.hw, 3), 0xb120);
	assert_int_equal(mock.hw.ops->rx_tail_offset(&mock.hw, 1), 0x9128);
	SCRIPT(&mock, R(0x9034, 0));
	mock.hw.ops->rx_missed(&mock.hw, 1, &(uint32_t){ 0 }, &(uint32_t){ 0 });
	mock_done(&mock);
}

/* ---- stop ---- */

/* TPS in the upper, RPS in the lower nibble of a channel's byte; the others say «running». */
static uint32_t
debug(unsigned int shift, uint32_t tps, uint32_t rps)
{
	return (0x77777777u & ~(0xffu << shift)) | (tps << 4 | rps) << shift;
}

static void
tx_stop_drains_then_rests(void **state)
{
	(void)state;
	init(1, 1);
	SCRIPT(&mock, R(DEBUG0, debug(8, 3, 7)), R(DEBUG0, debug(8, 6, 7)),
			R(CH(0, TX_CONTROL), OSF | PBL(32) | ST),
			W(CH(0, TX_CONTROL), OSF | PBL(32)), R(MTL(0, 0x08), 1u << 4 | 1u << 1),
			R(MTL(0, 0x08), 2u << 1), R(MTL(0, 0x08), 0), R(DEBUG0, debug(8, 7, 7)),
			R(DEBUG0, debug(8, 0, 7)));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), 0);
	mock_done(&mock);
}

/* sequences.md §6, step 5: stopped or suspended, either is rest. */
static void
a_suspended_tx_channel_is_at_rest(void **state)
{
	(void)state;
	init(1, 1);
	SCRIPT(&mock, R(DEBUG0, debug(8, 6, 7)), R(CH(0, TX_CONTROL), ST), W(CH(0, TX_CONTROL), 0),
			R(MTL(0, 0x08), 0), R(DEBUG0, debug(8, 6, 7)));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), 0);
	mock_done(&mock);
}

/* Link down or paused for ever (pitfalls.md 58): flush. */
static void
tx_stop_flushes_what_never_drains(void **state)
{
	const uint32_t mode = 15u << 16 | 2u << 2 | 2;

	(void)state;
	init(1, 1);
	mock.hw.io.tsc_hz = 10000000;
	SCRIPT(&mock, ALWAYS(DEBUG0, debug(8, 2, 0)), R(CH(0, TX_CONTROL), ST),
			W(CH(0, TX_CONTROL), 0), ALWAYS(MTL(0, 0x08), 1u << 4),
			R(MTL(0, 0x00), mode), W(MTL(0, 0x00), mode | 1), R(MTL(0, 0x00), mode | 1),
			R(MTL(0, 0x00), mode), R(DEBUG0, debug(8, 0, 0)));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), 0);
	mock_done(&mock);
}

static void
tx_stop_reports_a_flush_that_never_ends(void **state)
{
	(void)state;
	init(1, 1);
	mock.hw.io.tsc_hz = 10000000;
	SCRIPT(&mock, R(DEBUG0, debug(8, 6, 0)), R(CH(0, TX_CONTROL), ST), W(CH(0, TX_CONTROL), 0),
			ALWAYS(MTL(0, 0x08), 1u << 4), R(MTL(0, 0x00), 2), W(MTL(0, 0x00), 3),
			ALWAYS(MTL(0, 0x00), 3));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), -ETIMEDOUT);
	mock_done(&mock);
}

static void
tx_stop_reports_a_channel_that_runs_on(void **state)
{
	(void)state;
	init(1, 1);
	mock.hw.io.tsc_hz = 10000000;
	SCRIPT(&mock, R(DEBUG0, debug(8, 6, 0)), R(CH(0, TX_CONTROL), ST), W(CH(0, TX_CONTROL), 0),
			R(MTL(0, 0x08), 0), ALWAYS(DEBUG0, debug(8, 3, 0)));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), -ETIMEDOUT);
	mock_done(&mock);
}

/* Channels 0-2 in the first register, 3-6 in the second, 7 in the third. */
static void
every_channel_has_its_own_state(void **state)
{
	static const struct {
		uint32_t reg;
		unsigned int shift;
	} at[8] = { { DEBUG0, 8 }, { DEBUG0, 16 }, { DEBUG0, 24 }, { DEBUG1, 0 }, { DEBUG1, 8 },
		{ DEBUG1, 16 }, { DEBUG1, 24 }, { DEBUG2, 0 } };
	unsigned int ch;

	(void)state;
	for (ch = 0; ch < 8; ch++) {
		init(8, 8);
		SCRIPT(&mock, R(at[ch].reg, debug(at[ch].shift, 0, 7)), R(CH(ch, TX_CONTROL), 0x11),
				W(CH(ch, TX_CONTROL), 0x10), R(MTL(ch, 0x08), 0),
				R(at[ch].reg, debug(at[ch].shift, 0, 7)));
		assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, ch), 0);
		mock_done(&mock);
		SCRIPT(&mock, R(CH(ch, RX_CONTROL), 0x0fe1), W(CH(ch, RX_CONTROL), 0x0fe0),
				R(at[ch].reg, debug(at[ch].shift, 7, 7)),
				R(at[ch].reg, debug(at[ch].shift, 7, 0)),
				R(CH(ch, RX_CONTROL), 0x0fe0), W(CH(ch, RX_CONTROL), RPF | 0x0fe0));
		assert_int_equal(mock.hw.ops->rx_stop(&mock.hw, ch), 0);
		mock_done(&mock);
	}
}

static void
rx_stop_reports_a_channel_that_runs_on(void **state)
{
	(void)state;
	init(1, 1);
	mock.hw.io.tsc_hz = 10000000;
	SCRIPT(&mock, R(CH(0, RX_CONTROL), 1), W(CH(0, RX_CONTROL), 0),
			ALWAYS(DEBUG0, debug(8, 0, 7)));
	assert_int_equal(mock.hw.ops->rx_stop(&mock.hw, 0), -ETIMEDOUT);
	mock_done(&mock);
}

/* Nothing is written to a device that is gone but what was on its way. */
static void
stop_notices_that_the_device_is_gone(void **state)
{
	(void)state;
	init(1, 1);
	SCRIPT(&mock, R(DEBUG0, UINT32_MAX));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), -ENODEV);
	mock_done(&mock);
	SCRIPT(&mock, R(DEBUG0, debug(8, 6, 0)), R(CH(0, TX_CONTROL), ST), W(CH(0, TX_CONTROL), 0),
			R(MTL(0, 0x08), UINT32_MAX));
	assert_int_equal(mock.hw.ops->tx_stop(&mock.hw, 0), -ENODEV);
	mock_done(&mock);
	SCRIPT(&mock, R(CH(0, RX_CONTROL), SR), W(CH(0, RX_CONTROL), 0), R(DEBUG0, UINT32_MAX));
	assert_int_equal(mock.hw.ops->rx_stop(&mock.hw, 0), -ENODEV);
	mock_done(&mock);
}

/* One read, as it clears both counters; a device that is gone has dropped nothing. */
static void
missed_packets_are_read_once(void **state)
{
	uint32_t overflow = 1, no_buffer = 1;

	(void)state;
	init(4, 4);
	SCRIPT(&mock, R(MTL(2, 0x34), 1u << 27 | 0x123u << 16 | 1u << 11 | 0x456));
	mock.hw.ops->rx_missed(&mock.hw, 2, &overflow, &no_buffer);
	mock_done(&mock);
	assert_int_equal(overflow, 0x456);
	assert_int_equal(no_buffer, 0x123);
	SCRIPT(&mock, R(MTL(0, 0x34), UINT32_MAX));
	mock.hw.ops->rx_missed(&mock.hw, 0, &overflow, &no_buffer);
	assert_int_equal(overflow, 0);
	assert_int_equal(no_buffer, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bring_up_of_two_queues_of_four),
		cmocka_unit_test(bring_up_of_the_smallest_core),
		cmocka_unit_test(a_channel_that_stopped_tells_why_once),
		cmocka_unit_test(fifo_shares_fit_for_any_number_of_queues),
		cmocka_unit_test(tx_start_writes_high_before_low_and_runs_last),
		cmocka_unit_test(rx_start_names_the_first_entry_not_given),
		cmocka_unit_test(a_32_bit_bus_has_no_upper_halves),
		cmocka_unit_test(base_and_stride_come_from_the_device_row),
		cmocka_unit_test(tx_stop_drains_then_rests),
		cmocka_unit_test(a_suspended_tx_channel_is_at_rest),
		cmocka_unit_test(tx_stop_flushes_what_never_drains),
		cmocka_unit_test(tx_stop_reports_a_flush_that_never_ends),
		cmocka_unit_test(tx_stop_reports_a_channel_that_runs_on),
		cmocka_unit_test(every_channel_has_its_own_state),
		cmocka_unit_test(rx_stop_reports_a_channel_that_runs_on),
		cmocka_unit_test(stop_notices_that_the_device_is_gone),
		cmocka_unit_test(missed_packets_are_read_once),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
