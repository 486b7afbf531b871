/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include <errno.h>

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
#define ANY UINT64_MAX

static unsigned int
send(struct bench *b, uint32_t tdes2)
{
	uint8_t frame[60];
	unsigned int i = bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), tdes2, 0);

	bench_advance(b, 2000);
	return i;
}

static void
receive(struct bench *b)
{
	uint8_t frame[60];

	bench_receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	bench_advance(b, 2000);
}

static void
an_unknown_fault_is_refused(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	assert_int_equal(device_fault(b->dev, "no-such-fault", 0, 1), -ENOENT);
	assert_int_equal(device_fault(b->dev, "lost-interrupt", 0, 1), 0);
	bench_destroy(b);
}

static void
lost_interrupt_swallows_as_many_as_asked(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 1, b->now_ns);
	device_fault(b->dev, "lost-interrupt", ANY, 2);
	for (int i = 0; i < 3; i++) {
		send(b, IOC2);
		wr(b, CH(0, 0x60), 0x8001);
	}
	assert_int_equal(b->irqs[0], 1);
	assert_int_equal(counter(b, "irq_lost"), 2);
	device_fault(b->dev, "lost-interrupt", 5, 0); /* another vector */
	send(b, IOC2);
	assert_int_equal(b->irqs[0], 2);
	bench_destroy(b);
}

static void
stuck_own_keeps_a_descriptor(void **state)
{
	struct bench *b = bench_running(NULL);
	unsigned int i;

	(void)state;
	device_fault(b->dev, "stuck-own", 0, 1);
	i = send(b, 0);
	assert_int_equal(tx_desc(b, i)[3] & OWN, OWN);
	assert_int_equal(tx_desc(b, send(b, 0))[3] & OWN, 0);
	device_fault(b->dev, "stuck-own", 256, 1);
	receive(b);
	receive(b);
	assert_int_equal(rx_desc(b, 0)[3] & OWN, OWN);
	assert_int_equal(rx_desc(b, 1)[3] & OWN, 0);
	bench_destroy(b);
}

static void
bad_length_and_missing_ld_lie_in_the_rx_status(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_fault(b->dev, "bad-length", 9000, 1);
	receive(b);
	assert_int_equal(rx_desc(b, 0)[3] & 0x7fff, 9000);
	device_fault(b->dev, "missing-ld", 0, 1);
	receive(b);
	assert_int_equal(rx_desc(b, 1)[3] & (FD | LD), FD);
	receive(b);
	assert_int_equal(rx_desc(b, 2)[3] & (FD | LD | 0x7fff), FD | LD | 64);
	bench_destroy(b);
}

static void
bus_error_strikes_the_next_access_of_the_channel(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_fault(b->dev, "bus-error", 0, 1);
	send(b, 0);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x1002, 0x1002);
	assert_int_equal(b->nb_sent, 0);
	wr(b, CH(0, 0x60), 0xffc7);
	device_fault(b->dev, "bus-error", 256, 1);
	receive(b);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x1100, 0x1100);
	bench_destroy(b);
}

static void
stuck_self_clear_holds_the_bit_of_its_register(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_fault(b->dev, "stuck-self-clear", 0xb00, 0);
	wr(b, 0xb00, 0x2201);
	wr(b, 0xb00, 0x2205);
	bench_advance(b, 100000000);
	assert_int_equal(rd(b, 0xb00) & 4, 4);
	device_fault(b->dev, "stuck-self-clear", 0x200, 0);
	wr(b, 0x200, 1 << 21 | 4 << 8 | 3 << 2 | 1);
	bench_advance(b, 100000000);
	assert_int_equal(rd(b, 0x200) & 1, 1);
	device_fault(b->dev, "stuck-self-clear", 0xd00, 0);
	wr(b, 0xd00, rd(b, 0xd00) | 1);
	bench_advance(b, 100000000);
	assert_int_equal(rd(b, 0xd00) & 1, 1);
	device_fault(b->dev, "stuck-self-clear", ANY, 0);
	wr(b, 0x1000, 1);
	bench_advance(b, 100000000);
	assert_int_equal(rd(b, 0x1000) & 1, 1);
	bench_destroy(b);
}

/* Every millisecond the bit would clear and does not is one of `times`. */
static void
a_pending_command_finishes_when_the_fault_goes(void **state)
{
	static const struct {
		uint32_t reg, set, bit;
	} cases[] = {
		{ 0xb00, 0x2207, 1 << 2 },
		{ 0xb00, 0x220b, 1 << 3 },
		{ 0xb00, 0x2223, 1 << 5 },
		{ 0x200, 1 << 21 | 4 << 8 | 3 << 2 | 1, 1 },
		{ 0xd00, 15 << 16 | 2 << 2 | 2 | 1, 1 },
		{ 0x1000, 1, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int times = 0; times <= 5; times += 5) {
			struct bench *b = bench_running(NULL);

			ptp_start(b, 1000, 0);
			device_fault(b->dev, "stuck-self-clear", cases[i].reg, times);
			wr(b, cases[i].reg, cases[i].set);
			bench_advance(b, times == 0 ? 500000000 : 4900000);
			assert_int_equal(rd(b, cases[i].reg) & cases[i].bit, cases[i].bit);
			if (times == 0)
				device_fault(b->dev, "stuck-self-clear", 0, -1);
			bench_advance(b, 1100000);
			assert_int_equal(rd(b, cases[i].reg) & cases[i].bit, 0);
			assert_int_equal(complaints(b, NULL), 0);
			bench_destroy(b);
		}
	}
}

static void
a_clock_set_while_stuck_is_set_when_the_fault_goes(void **state)
{
	struct bench *b = bench_running(NULL);
	uint64_t ns;

	(void)state;
	ptp_start(b, 1000, 0);
	device_fault(b->dev, "stuck-self-clear", 0xb00, 0);
	wr(b, 0xb10, 5);
	wr(b, 0xb14, 0);
	wr(b, 0xb00, 0x2207);
	bench_advance(b, 2000000000);
	assert_in_range(ptp_read_ns(b), 1002000000000, 1003000000000); /* it went on */
	device_fault(b->dev, "stuck-self-clear", 0, -1);
	bench_advance(b, 10000000);
	ns = ptp_read_ns(b) - 5000000000;
	assert_in_range(ns, 9000000, 10000000);
	bench_destroy(b);
}

static void
stamps_can_be_missing_corrupt_or_late(void **state)
{
	struct bench *b = bench_running(NULL);
	unsigned int i;

	(void)state;
	ptp_start(b, 3, 0);
	wr(b, 0xb00, 0x2303);
	device_fault(b->dev, "missing-tx-stamp", 0, 1);
	i = send(b, TTSE);
	assert_int_equal(tx_desc(b, i)[3], FD | LD);

	device_fault(b->dev, "missing-rx-stamp", 0, 1);
	receive(b);
	assert_int_equal(rx_desc(b, 0)[1] & 0xc000, 0x8000);
	device_fault(b->dev, "missing-rx-stamp", 1, 1);
	receive(b);
	assert_int_equal(rx_desc(b, 1)[1] & 0xc000, 0x4000);
	assert_int_equal(rx_desc(b, 2)[3], CTXT);
	assert_int_equal(rx_desc(b, 2)[0] & rx_desc(b, 2)[1], 0xffffffff);
	device_fault(b->dev, "missing-rx-stamp", 2, 1);
	receive(b);
	assert_int_equal(rx_desc(b, 3)[1] & 0xc000, 0x4000);
	assert_int_equal(rx_desc(b, 4)[3], RX_GIVE);
	device_fault(b->dev, "late-rx-stamp", 50000, 1);
	receive(b);
	assert_int_equal(rx_desc(b, 4)[3] & (OWN | LD), LD);
	assert_int_equal(rx_desc(b, 5)[3], RX_GIVE);
	receive(b); /* waits behind the context */
	assert_int_equal(rx_desc(b, 6)[3], RX_GIVE);
	bench_advance(b, 50000);
	assert_int_equal(rx_desc(b, 5)[3], CTXT);
	assert_int_equal(rx_desc(b, 6)[3] & (OWN | LD), LD);
	bench_destroy(b);
}

static void
all_ones_is_what_a_dead_bus_reads(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_fault(b->dev, "all-ones", 0, 0);
	assert_int_equal(rd(b, 0x110), 0xffffffff);
	assert_int_equal(rd(b, 0x1000), 0xffffffff);
	device_fault(b->dev, "all-ones", 0, -1);
	assert_int_equal(rd(b, 0x110), 0x5152);
	bench_destroy(b);
}

static void
rx_overflow_loses_a_frame_and_counts_it(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_fault(b->dev, "rx-overflow", 0, 1);
	receive(b);
	receive(b);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	assert_int_equal(rd(b, 0xd34), 1);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_fault_is_refused),
		cmocka_unit_test(lost_interrupt_swallows_as_many_as_asked),
		cmocka_unit_test(stuck_own_keeps_a_descriptor),
		cmocka_unit_test(bad_length_and_missing_ld_lie_in_the_rx_status),
		cmocka_unit_test(bus_error_strikes_the_next_access_of_the_channel),
		cmocka_unit_test(stuck_self_clear_holds_the_bit_of_its_register),
		cmocka_unit_test(a_pending_command_finishes_when_the_fault_goes),
		cmocka_unit_test(a_clock_set_while_stuck_is_set_when_the_fault_goes),
		cmocka_unit_test(stamps_can_be_missing_corrupt_or_late),
		cmocka_unit_test(all_ones_is_what_a_dead_bus_reads),
		cmocka_unit_test(rx_overflow_loses_a_frame_and_counts_it),
	};

	return cmocka_run_group_tests_name("model faults", tests, NULL, NULL);
}
