/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

static void
a_packet_of_three_descriptors_is_one_frame(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t *data = mem_at(b, TX_BUFFERS);

	(void)state;
	make_frame(data, da, 0x88b5, 300);
	bench_give(b, 0, 0, 14, 0, FD | 300);
	bench_give(b, 1, 14, 186, 0, 300);
	bench_give(b, 2, 200, 100, IOC2, LD | 300);
	bench_tail(b, 3);
	/* The intermediate ones close at once, the last when the frame has left. */
	assert_int_equal(tx_desc(b, 0)[3] & OWN, 0);
	assert_int_equal(tx_desc(b, 1)[3] & OWN, 0);
	assert_int_equal(tx_desc(b, 2)[3] & OWN, OWN);
	assert_int_equal(b->nb_sent, 1);
	assert_int_equal(b->sent[0].len, 300);
	assert_memory_equal(b->sent[0].data, data, 300);
	bench_advance(b, 3000);
	assert_int_equal(tx_desc(b, 2)[3], LD);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
two_buffers_are_used_below_40_bit_addressing(void **state)
{
	struct bench *b = bench_running("ehl-pse");
	uint8_t *data = mem_at(b, TX_BUFFERS);
	uint32_t *d = tx_desc(b, 0);

	(void)state;
	make_frame(data, da, 0x88b5, 100);
	d[0] = (uint32_t)TX_BUFFERS;
	d[1] = (uint32_t)TX_BUFFERS + 60;
	d[2] = 40u << 16 | 60;
	d[3] = OWN | FD | LD | 100;
	bench_tail(b, 1);
	assert_int_equal(b->sent[0].len, 100);
	assert_memory_equal(b->sent[0].data, data, 100);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
short_frames_are_padded_unless_cpc_says_otherwise(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[80];

	(void)state;
	make_frame(frame, da, 0x88b5, 80);
	bench_send(b, frame, 20, 0, 0);
	bench_advance(b, 2000);
	bench_send(b, frame, 20, 0, 1u << 26);
	bench_advance(b, 2000);
	assert_int_equal(b->sent[0].len, 60);
	assert_int_equal(b->sent[0].data[20], 0);
	assert_int_equal(b->sent[1].len, 20);
	bench_destroy(b);
}

static void
software_fcs_is_taken_off_and_judged(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[68];

	(void)state;
	make_frame(frame, da, 0x88b5, 68);
	bench_send(b, frame, 68, 0, 2u << 26); /* no such FCS */
	bench_advance(b, 2000);
	bench_send(b, frame, 68, 0, 3u << 26); /* replaced */
	bench_advance(b, 2000);
	assert_int_equal(b->sent[0].len, 64);
	assert_true(b->sent[0].bad_fcs);
	assert_int_equal(b->sent[1].len, 64);
	assert_false(b->sent[1].bad_fcs);
	bench_destroy(b);
}

static void
the_ring_suspends_at_the_tail_and_says_tbu_once(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	assert_int_equal(rd(b, CH(0, 0x60)) & 4, 0);
	memcpy(mem_at(b, TX_BUFFERS), frame, 60);
	bench_give(b, 0, 0, 60, 0, FD | LD | 60);
	bench_give(b, 1, 0, 60, 0, FD | LD | 60); /* owned, but not below the tail */
	bench_tail(b, 1);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 1);
	assert_int_equal(rd(b, CH(0, 0x60)) & 4, 4);
	assert_int_equal(rd(b, 0x100c) >> 12 & 0xf, 6);
	wr(b, CH(0, 0x60), 4);
	bench_advance(b, 10000);
	assert_int_equal(rd(b, CH(0, 0x60)) & 4, 0);
	bench_tail(b, 1); /* equal to the position: does not clear "exhausted" */
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 1);
	bench_tail(b, 2);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 2);
	bench_destroy(b);
}

static void
any_tail_write_retries_a_descriptor_that_was_not_owned(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	bench_tail(b, 8);
	bench_advance(b, 1000);
	bench_give(b, 0, 0, 60, 0, FD | LD | 60);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 0);
	bench_tail(b, 8);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 1);
	bench_destroy(b);
}

static void
the_ring_wraps_and_a_tail_past_the_end_never_stops_it(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	for (unsigned int i = 0; i < RING_SIZE; i++)
		bench_give(b, i, 0, 60, 0, FD | LD | 60);
	bench_tail(b, RING_SIZE);
	bench_advance(b, 20000);
	assert_int_equal(b->nb_sent, RING_SIZE);
	bench_give(b, 0, 0, 60, 0, FD | LD | 60);
	bench_tail(b, RING_SIZE);
	bench_advance(b, 20000);
	assert_int_equal(b->nb_sent, RING_SIZE + 1);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
frames_keep_the_line_rate_although_the_host_is_late(void **state)
{
	struct bench *b = bench_running(NULL);
	const uint64_t frame_ps = (8 + 64 + 12) * 8000;

	(void)state;
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	for (unsigned int i = 0; i < RING_SIZE - 1; i++)
		bench_give(b, i, 0, 60, 0, FD | LD | 60);
	bench_tail(b, RING_SIZE - 1);
	b->now_ns += 1000000;
	device_run(b->dev, b->now_ns);
	assert_int_equal(b->nb_sent, RING_SIZE - 1);
	for (unsigned int i = 1; i < b->nb_sent; i++)
		assert_int_equal(b->sent[i].sfd_ps - b->sent[i - 1].sfd_ps, frame_ps);
	bench_destroy(b);
}

static void
without_osf_a_frame_waits_for_the_status_of_the_one_before(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) & ~0x10u);
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	bench_give(b, 0, 0, 60, 0, FD | 60);
	tx_desc(b, 0)[3] |= LD;
	bench_give(b, 1, 0, 30, 0, FD | 60);
	bench_give(b, 2, 30, 30, 0, LD | 60);
	bench_tail(b, 3);
	assert_int_equal(tx_desc(b, 1)[3] & OWN, OWN);
	bench_advance(b, 600); /* end of the first frame: 576 ns */
	assert_int_equal(tx_desc(b, 0)[3] & OWN, 0);
	assert_int_equal(tx_desc(b, 1)[3] & OWN, 0);
	bench_destroy(b);
}

static void
frames_wait_in_the_fifo_while_the_link_is_down(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	device_link(b->dev, false, 0, false, b->now_ns);
	bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), 0, 0);
	bench_advance(b, 1000000);
	assert_int_equal(b->nb_sent, 0);
	assert_int_equal(rd(b, 0xd08) >> 16 & 7, 1);
	bench_link(b, 1000);
	assert_int_equal(b->nb_sent, 1);
	bench_destroy(b);
}

static void
flushing_the_queue_closes_its_descriptors_with_ff(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	unsigned int i;

	(void)state;
	device_link(b->dev, false, 0, false, b->now_ns);
	i = bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), 0, 0);
	wr(b, 0xd00, rd(b, 0xd00) | 1);
	assert_int_equal(rd(b, 0xd00) & 1, 0);
	assert_int_equal(tx_desc(b, i)[3], FD | LD | 1 << 15 | 1 << 13);
	assert_int_equal(rd(b, 0xd08), 0);
	bench_link(b, 1000);
	assert_int_equal(b->nb_sent, 0);
	bench_destroy(b);
}

static void
stop_keeps_the_position_and_a_new_list_address_restarts_it(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	uint32_t control = rd(b, CH(0, 0x04));

	(void)state;
	bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), 0, 0);
	bench_advance(b, 2000);
	wr(b, CH(0, 0x04), control & ~1u);
	assert_int_equal(rd(b, CH(0, 0x60)) & 2, 2);
	assert_int_equal(rd(b, 0x100c) >> 12 & 0xf, 0);
	wr(b, CH(0, 0x04), control);
	assert_int_equal(rd(b, CH(0, 0x44)), (uint32_t)TX_RING + 16);
	wr(b, CH(0, 0x04), control & ~1u);
	wr(b, CH(0, 0x14), (uint32_t)TX_RING);
	wr(b, CH(0, 0x20), (uint32_t)TX_RING);
	wr(b, CH(0, 0x04), control);
	assert_int_equal(rd(b, CH(0, 0x44)), (uint32_t)TX_RING);
	b->tx_head = 0;
	bench_send(b, frame, 60, 0, 0);
	assert_int_equal(b->nb_sent, 2);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
a_bus_error_stops_the_channel_and_a_restart_heals_it(void **state)
{
	struct bench *b = bench_running(NULL);
	uint32_t control = rd(b, CH(0, 0x04)), status;

	(void)state;
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	bench_give(b, 0, 0, 60, 0, FD | LD | 60);
	tx_desc(b, 0)[0] = 0x1000; /* not mapped */
	bench_tail(b, 1);
	status = rd(b, CH(0, 0x60));
	assert_int_equal(status & 0x5002, 0x5002); /* AIS, FBE, TPS */
	assert_int_equal(status >> 16 & 7, 5);	   /* data buffer, read */
	assert_int_equal(tx_desc(b, 0)[3] & (OWN | 1 << 23), 1 << 23);
	assert_int_equal(complaints(b, "dma-unmapped"), 1);
	wr(b, CH(0, 0x60), 0x5002);
	wr(b, CH(0, 0x04), control & ~1u);
	wr(b, CH(0, 0x14), (uint32_t)TX_RING);
	wr(b, CH(0, 0x20), (uint32_t)TX_RING);
	wr(b, CH(0, 0x04), control);
	bench_give(b, 0, 0, 60, 0, FD | LD | 60);
	bench_tail(b, 1);
	assert_int_equal(b->nb_sent, 1);
	bench_destroy(b);
}

static void
enhanced_descriptors_launch_at_their_time(void **state)
{
	struct bench *b = bench_running(NULL);
	uint32_t control = rd(b, CH(0, 0x04)), *d = mem_at(b, TX_RING),
		 launch_ns = 2000000 & ~0xffu;
	uint64_t at;

	(void)state;
	ptp_start(b, 10, 0);
	wr(b, CH(0, 0x04), control & ~1u);
	wr(b, CH(0, 0x14), (uint32_t)TX_RING);
	wr(b, CH(0, 0x20), (uint32_t)TX_RING);
	wr(b, CH(0, 0x04), control | 1u << 28);
	assert_int_equal(rd(b, CH(0, 0x04)) >> 28, 1);
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	memset(d, 0, 64);
	d[0] = 0x80000000u | 10;
	d[1] = launch_ns;
	d[4] = (uint32_t)TX_BUFFERS;
	d[6] = TTSE | 60;
	d[7] = OWN | FD | LD | 60;
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 32);
	bench_advance(b, 3000000);
	assert_int_equal(b->nb_sent, 1);
	assert_int_equal(d[7], FD | LD | 1 << 17);
	assert_int_equal(d[5], 10);
	assert_in_range(d[4], launch_ns + 20, launch_ns + 150);
	/* A launch time in the past goes at once. */
	d[8] = 0x80000000u | 9;
	d[9] = 0;
	d[12] = (uint32_t)TX_BUFFERS;
	d[14] = 60;
	d[15] = OWN | FD | LD | 60;
	at = b->now_ns;
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 64);
	assert_int_equal(b->nb_sent, 2);
	assert_in_range(b->sent[1].sfd_ps, at * 1000, at * 1000 + 100000);
	bench_destroy(b);
}

static void
strict_priority_sends_the_highest_queue_first(void **state)
{
	struct bench *b = bench_running(NULL);
	uint32_t *ring = mem_at(b, TX_RING + 0x2000);

	(void)state;
	wr(b, 0xc00, 3 << 5);
	wr(b, CH(3, 0x00), 1 << 16);
	wr(b, CH(3, 0x14), (uint32_t)TX_RING + 0x2000);
	wr(b, CH(3, 0x2c), RING_SIZE - 1);
	wr(b, CH(3, 0x20), (uint32_t)TX_RING + 0x2000);
	wr(b, 0xdc0, 15 << 16 | 2 << 2 | 2);
	wr(b, CH(3, 0x04), 32 << 16 | 0x11);
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	make_frame(mem_at(b, TX_BUFFERS + 64), da, 0x88b6, 60);
	for (unsigned int i = 0; i < 4; i++)
		bench_give(b, i, 0, 60, 0, FD | LD | 60);
	for (unsigned int i = 0; i < 4; i++) {
		ring[4 * i] = (uint32_t)TX_BUFFERS + 64;
		ring[4 * i + 1] = 0;
		ring[4 * i + 2] = 60;
		ring[4 * i + 3] = OWN | FD | LD | 60;
	}
	bench_tail(b, 4); /* the first of these is on the line at once */
	wr(b, CH(3, 0x20), (uint32_t)TX_RING + 0x2000 + 64);
	bench_advance(b, 20000);
	assert_int_equal(b->nb_sent, 8);
	assert_int_equal(b->sent[0].data[13], 0xb5);
	for (unsigned int i = 1; i < 5; i++)
		assert_int_equal(b->sent[i].data[13], 0xb6);
	assert_int_equal(counter(b, "tx3_packets"), 4);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
received_pause_holds_the_transmitter(void **state)
{
	struct bench *b = bench_running(NULL);
	static const uint8_t pause[6] = { 1, 0x80, 0xc2, 0, 0, 1 };
	uint8_t frame[60];
	uint64_t end_ps;

	(void)state;
	wr(b, 0x90, 1);
	make_frame(frame, pause, 0x8808, 60);
	memcpy(frame + 14, "\x00\x01\x00\x10", 4);
	end_ps = b->now_ns * 1000 + 64 * 8000;
	bench_receive(b, frame, 60);
	bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), 0, 0);
	bench_advance(b, 100000);
	assert_int_equal(b->sent[0].sfd_ps, end_ps + 16 * 512 * 1000 + 64000);
	bench_destroy(b);
}

static void
fcb_sends_one_pause_frame(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	wr(b, 0x70, 0x1234u << 16 | 2);
	wr(b, 0x70, 0x1234u << 16 | 2 | 1);
	assert_int_equal(rd(b, 0x70) & 1, 1);
	bench_advance(b, 10000);
	assert_int_equal(rd(b, 0x70) & 1, 0);
	assert_int_equal(b->nb_sent, 1);
	assert_memory_equal(b->sent[0].data,
			"\x01\x80\xc2\x00\x00\x01\x02\x11\x22\x33\x44\x55"
			"\x88\x08\x00\x01\x12\x34",
			18);
	bench_destroy(b);
}

static void
hold_times_are_told(void **state)
{
	struct bench *b = bench_running(NULL);
	struct device_tx_hold hold;
	uint8_t frame[60];

	(void)state;
	bench_send(b, frame, make_frame(frame, da, 0x88b5, 60), 0, 0);
	assert_true(device_tx_hold(b->dev, 0, &hold));
	assert_int_equal(hold.owned, 1);
	bench_advance(b, 5000);
	device_tx_hold(b->dev, 0, &hold);
	assert_int_equal(hold.owned, 0);
	assert_int_equal(hold.packets, 1);
	assert_int_equal(hold.hold_max_ns, 576); /* preamble and 64 bytes at 1 Gbit/s */
	assert_false(device_tx_hold(b->dev, 8, &hold));
	bench_destroy(b);
}

/* A late wake-up carries out the past: the frames after the first were fetched in it, too. */
static void
hold_times_are_right_although_the_host_is_late(void **state)
{
	struct bench *b = bench_running(NULL);
	struct device_tx_hold hold;

	(void)state;
	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, 60);
	for (unsigned int i = 0; i < 10; i++)
		bench_give(b, i, 0, 60, 0, FD | LD | 60);
	bench_tail(b, 10);
	b->now_ns += 1000000;
	device_run(b->dev, b->now_ns);
	assert_true(device_tx_hold(b->dev, 0, &hold));
	assert_int_equal(hold.packets, 10);
	assert_int_equal(hold.owned, 0);
	/* With OSF one is fetched while the one before still has its turn on the line. */
	assert_int_equal(hold.hold_max_ns, 2 * 672);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_of_three_descriptors_is_one_frame),
		cmocka_unit_test(two_buffers_are_used_below_40_bit_addressing),
		cmocka_unit_test(short_frames_are_padded_unless_cpc_says_otherwise),
		cmocka_unit_test(software_fcs_is_taken_off_and_judged),
		cmocka_unit_test(the_ring_suspends_at_the_tail_and_says_tbu_once),
		cmocka_unit_test(any_tail_write_retries_a_descriptor_that_was_not_owned),
		cmocka_unit_test(the_ring_wraps_and_a_tail_past_the_end_never_stops_it),
		cmocka_unit_test(frames_keep_the_line_rate_although_the_host_is_late),
		cmocka_unit_test(without_osf_a_frame_waits_for_the_status_of_the_one_before),
		cmocka_unit_test(frames_wait_in_the_fifo_while_the_link_is_down),
		cmocka_unit_test(flushing_the_queue_closes_its_descriptors_with_ff),
		cmocka_unit_test(stop_keeps_the_position_and_a_new_list_address_restarts_it),
		cmocka_unit_test(a_bus_error_stops_the_channel_and_a_restart_heals_it),
		cmocka_unit_test(enhanced_descriptors_launch_at_their_time),
		cmocka_unit_test(strict_priority_sends_the_highest_queue_first),
		cmocka_unit_test(received_pause_holds_the_transmitter),
		cmocka_unit_test(fcb_sends_one_pause_frame),
		cmocka_unit_test(hold_times_are_told),
		cmocka_unit_test(hold_times_are_right_although_the_host_is_late),
	};

	return cmocka_run_group_tests_name("model TX", tests, NULL, NULL);
}
