/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

static void
send(struct bench *b)
{
	uint8_t frame[60];

	bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), IOC2, 0);
	bench_advance(b, 2000);
}

static void
receive(struct bench *b)
{
	uint8_t frame[60];

	bench_receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	bench_advance(b, 2000);
}

static void
one_vector_speaks_on_the_rising_edge_of_the_common_line(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 1, b->now_ns);
	send(b);
	assert_int_equal(b->irqs[0], 1);
	assert_int_equal(rd(b, 0x1008), 1);
	send(b); /* still high */
	assert_int_equal(b->irqs[0], 1);
	wr(b, CH(0, 0x60), 0x8001);
	assert_int_equal(b->irqs[0], 1);
	assert_int_equal(rd(b, 0x1008), 0);
	send(b);
	assert_int_equal(b->irqs[0], 2);
	bench_destroy(b);
}

static void
a_line_that_stays_high_after_a_clear_speaks_again(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 1, b->now_ns);
	send(b);
	receive(b);
	assert_int_equal(b->irqs[0], 1);
	wr(b, CH(0, 0x60), 0x0001); /* NIS and RI are left */
	assert_int_equal(b->irqs[0], 2);
	bench_destroy(b);
}

/* A driver that clears the summary with the one event it saw must hear of the other. */
static void
a_summary_stays_while_an_event_is_left(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 1, b->now_ns);
	send(b);
	receive(b);
	wr(b, CH(0, 0x60), 0x8001);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x8041, 0x8040);
	assert_int_equal(rd(b, 0x1008), 1);
	assert_int_equal(b->irqs[0], 2);
	wr(b, CH(0, 0x60), 0x8040);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x8041, 0);
	assert_int_equal(rd(b, 0x1008), 0);
	assert_int_equal(b->irqs[0], 2);
	bench_destroy(b);
}

#define CAUSE_TX   1u
#define CAUSE_RX   2u
#define CAUSE_MDIO 4u
#define CAUSE_MMC  8u

static void
provoke(struct bench *b, unsigned int causes)
{
	uint8_t frame[1200];

	if (causes & CAUSE_TX)
		send(b);
	if (causes & CAUSE_RX)
		receive(b);
	if (causes & CAUSE_MDIO)
		phy_rd(b, 1, 1);
	if (causes & CAUSE_MMC) { /* RX octets pass half of the range */
		wr(b, 0x700, 1 << 4);
		for (int i = 0; i < 2; i++) {
			bench_receive(b, frame, make_frame(frame, da, 0x88b5, 1200));
			bench_advance(b, 20000);
		}
	}
}

/* Clears one cause as a driver does it: DMA events by a write, those of the MAC by reading. */
static void
handle_one_cause(struct bench *b, bool mac_first)
{
	uint32_t top = rd(b, 0x1008), status = rd(b, CH(0, 0x60));

	if ((top & 1) != 0 && !(mac_first && (top & 1 << 17) != 0)) {
		wr(b, CH(0, 0x60), 0x8000 | (status & 0x40 ? 0x40u : status & 1));
		return;
	}
	if (rd(b, 0xb0) & 1 << 18)
		return;
	if (rd(b, 0xb0) & 1 << 9)
		rd(b, 0x784);
}

static void
one_cause_per_interrupt_is_enough_on_one_vector(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 32; i++) {
		struct bench *b = bench_running(NULL);
		unsigned int handled = 0;

		wr(b, 0x70c, ~2u); /* MMC interrupts: RX octets only */
		wr(b, 0x710, ~0u);
		wr(b, 0x800, ~0u);
		wr(b, 0xb4, 1 << 18);
		rd(b, 0xb0);
		device_vectors(b->dev, 1, b->now_ns);
		provoke(b, i / 2);
		assert_int_equal(rd(b, 0x1008) != 0, i / 2 != 0);
		while (handled < b->irqs[0]) {
			handled = b->irqs[0];
			handle_one_cause(b, i % 2 != 0);
		}
		if (rd(b, 0x1008) != 0 || (rd(b, CH(0, 0x60)) & 0x41) != 0)
			fail_msg("causes 0x%x: 0x%x, status 0x%x, and nobody is told", i / 2,
					rd(b, 0x1008), rd(b, CH(0, 0x60)));
		bench_destroy(b);
	}
}

static void
without_vectors_nothing_is_sent_and_enabling_one_tells_the_level(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	send(b);
	assert_int_equal(b->irqs[0], 0);
	device_vectors(b->dev, 1, b->now_ns);
	assert_int_equal(b->irqs[0], 1);
	bench_destroy(b);
}

static void
disabled_events_are_seen_in_the_status_only(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 1, b->now_ns);
	wr(b, CH(0, 0x34), 0);
	send(b);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x8001, 1);
	assert_int_equal(b->irqs[0], 0);
	wr(b, CH(0, 0x34), 0x8001); /* NIS comes up with the enable */
	assert_int_equal(b->irqs[0], 1);
	bench_destroy(b);
}

static void
level_mode_has_a_vector_per_channel_and_direction(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 32, b->now_ns);
	wr(b, 0x1000, 1 << 16);
	send(b);
	assert_int_equal(b->irqs[1], 1);
	receive(b);
	assert_int_equal(b->irqs[0], 1);
	assert_int_equal(b->irqs[29], 0);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x8041, 0x41); /* no NIS */
	assert_int_equal(rd(b, 0x1008), 0);
	wr(b, CH(0, 0x60), 1);
	send(b);
	assert_int_equal(b->irqs[1], 2);
	assert_int_equal(b->irqs[0], 1);
	bench_destroy(b);
}

static void
level_mode_raises_a_bus_error_on_the_common_vector(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 32, b->now_ns);
	wr(b, 0x1000, 1 << 16);
	b->mem_gone = true;
	receive(b);
	assert_int_equal(b->irqs[29], 1);
	assert_int_equal(rd(b, 0x1008), 1);
	bench_destroy(b);
}

static void
pulse_mode_sends_every_event_and_the_common_line(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 32, b->now_ns);
	send(b);
	send(b);
	assert_int_equal(b->irqs[1], 2);
	assert_int_equal(b->irqs[29], 1);
	bench_destroy(b);
}

static void
queued_mode_brings_every_event_up_again(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 32, b->now_ns);
	wr(b, 0x1000, 2 << 16);
	receive(b);
	receive(b);
	receive(b);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rd(b, CH(0, 0x60)) & 0x40, 0x40);
		assert_int_equal(b->irqs[0], i + 1);
		wr(b, CH(0, 0x60), 0x40);
	}
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x40, 0);
	bench_destroy(b);
}

static void
the_mac_has_its_own_vector(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 32, b->now_ns);
	wr(b, 0x1000, 1 << 16);
	wr(b, 0xb4, 1 << 18);
	phy_rd(b, 1, 1);
	assert_int_equal(b->irqs[29], 1);
	assert_int_equal(rd(b, 0x1008), 1 << 17);
	assert_int_equal(rd(b, 0xb0) & 1 << 18, 1 << 18);
	assert_int_equal(rd(b, 0x1008), 0);
	bench_destroy(b);
}

static void
fewer_vectors_fold(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	device_vectors(b->dev, 4, b->now_ns);
	wr(b, 0x1000, 1 << 16);
	wr(b, 0xb4, 1 << 18);
	phy_rd(b, 1, 1);
	assert_int_equal(b->irqs[1], 1); /* 29 modulo 4 */
	bench_destroy(b);
}

static void
a_queue_overflow_reaches_the_mtl_line_when_enabled(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	struct frame f = { .data = frame, .len = 60, .sfd_ps = b->now_ns * 1000 };

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	device_vectors(b->dev, 1, b->now_ns);
	device_receive_lost(b->dev, &f, b->now_ns);
	device_run(b->dev, b->now_ns);
	assert_int_equal(rd(b, 0xc20), 0);
	wr(b, 0xd2c, 1 << 24);
	assert_int_equal(rd(b, 0xc20), 1);
	assert_int_equal(rd(b, 0x1008), 1 << 16);
	assert_int_equal(b->irqs[0], 1);
	wr(b, 0xd2c, 1 << 24 | 1 << 16);
	assert_int_equal(rd(b, 0x1008), 0);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_vector_speaks_on_the_rising_edge_of_the_common_line),
		cmocka_unit_test(a_line_that_stays_high_after_a_clear_speaks_again),
		cmocka_unit_test(a_summary_stays_while_an_event_is_left),
		cmocka_unit_test(one_cause_per_interrupt_is_enough_on_one_vector),
		cmocka_unit_test(without_vectors_nothing_is_sent_and_enabling_one_tells_the_level),
		cmocka_unit_test(disabled_events_are_seen_in_the_status_only),
		cmocka_unit_test(level_mode_has_a_vector_per_channel_and_direction),
		cmocka_unit_test(level_mode_raises_a_bus_error_on_the_common_vector),
		cmocka_unit_test(pulse_mode_sends_every_event_and_the_common_line),
		cmocka_unit_test(queued_mode_brings_every_event_up_again),
		cmocka_unit_test(the_mac_has_its_own_vector),
		cmocka_unit_test(fewer_vectors_fold),
		cmocka_unit_test(a_queue_overflow_reaches_the_mtl_line_when_enabled),
	};

	return cmocka_run_group_tests_name("model interrupts", tests, NULL, NULL);
}
