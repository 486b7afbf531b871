/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* Cable and loop: stamps and order come from true time, not from when the program ran. */
#include "fake_device.h"
#include "rig.h"
#include "cmocka_all.h"
#include "clock.h"

#include <string.h>

#define START_PS (RIG_START_NS * PS_PER_NS)
#define FRAME_PS (64 * 8000ULL) /* 60 bytes and FCS at 1 Gb/s */

static const uint8_t frame[1500] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xf7 };

static void
frame_arrives_delayed_with_its_stamp_moved(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b,delay_ns=500,delay_back_ns=300");
	fake_transmit(rig_device(&rig, 0), frame, 60, START_PS);
	assert_int_equal(rig_at(&rig, RIG_START_NS + 1), RIG_START_NS + 512 + 500);
	assert_int_equal(rig_at(&rig, RIG_START_NS + 1011), RIG_START_NS + 1012);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 0);
	/* The program wakes up late: the stamp does not know. */
	rig_at(&rig, RIG_START_NS + 70000);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 1);
	assert_int_equal(rig_fake(&rig, 1)->rx[0].sfd_ps, START_PS + 500 * PS_PER_NS);
	assert_int_equal(rig_fake(&rig, 1)->rx[0].len, 60);
	assert_memory_equal(rig_fake(&rig, 1)->rx[0].first, frame, 60);
	fake_transmit(rig_device(&rig, 1), frame, 60, START_PS + 7);
	rig_until(&rig, RIG_START_NS + 100000);
	assert_int_equal(rig_fake(&rig, 0)->rx[0].sfd_ps, START_PS + 7 + 300 * PS_PER_NS);
	rig_close(&rig);
}

static void
loop_brings_frames_back(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "loop:a");
	for (unsigned int i = 0; i < 100; i++)
		fake_transmit(rig_device(&rig, 0), frame, (uint16_t)(60 + i),
				START_PS + i * 20000000);
	rig_until(&rig, RIG_START_NS + 3000000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 100);
	for (unsigned int i = 0; i < 100; i++) {
		assert_int_equal(rig_fake(&rig, 0)->rx[i].len, 60 + i);
		assert_int_equal(rig_fake(&rig, 0)->rx[i].sfd_ps, START_PS + i * 20000000);
	}
	rig_close(&rig);
}

static void
send_many(struct rig *rig, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		uint8_t numbered[60] = { 0 };

		memcpy(numbered + 14, &i, sizeof(i));
		fake_transmit(rig_device(rig, 0), numbered, 60, START_PS + i * 1000000ULL);
	}
	rig_until(rig, RIG_START_NS + 1000ULL * count + 1000000);
}

static unsigned int
number_of(const struct fake_rx *rx)
{
	unsigned int number;

	memcpy(&number, rx->first + 14, sizeof(number));
	return number;
}

static void
jitter_moves_stamps_within_bounds_but_keeps_order(void **state)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b,delay_ns=100,jitter_ns=5000,seed=7");
	send_many(&rig, 500);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 500);
	for (unsigned int i = 0; i < 500; i++) {
		const struct fake_rx *rx = &rig_fake(&rig, 1)->rx[i];
		const uint64_t extra_ps = rx->sfd_ps - START_PS - i * 1000000ULL;

		assert_int_equal(number_of(rx), i);
		least = extra_ps < least ? extra_ps : least;
		most = extra_ps > most ? extra_ps : most;
	}
	assert_in_range(least, 100 * PS_PER_NS, 400 * PS_PER_NS);
	assert_in_range(most, 4800 * PS_PER_NS, 5100 * PS_PER_NS);
	rig_close(&rig);
}

static void
same_seed_gives_the_same_wire(void **state)
{
	uint64_t stamps[2][100];
	struct rig rig;

	(void)state;
	for (unsigned int run = 0; run < 2; run++) {
		rig_open(&rig, "cable:a,b,jitter_ns=50,loss=0.3,seed=42");
		send_many(&rig, 200);
		assert_in_range(rig_fake(&rig, 1)->nb_rx, 110, 170);
		for (unsigned int i = 0; i < 100; i++)
			stamps[run][i] = rig_fake(&rig, 1)->rx[i].sfd_ps;
		rig_close(&rig);
	}
	assert_memory_equal(stamps[0], stamps[1], sizeof(stamps[0]));
}

static void
lost_and_damaged_frames_are_counted(void **state)
{
	unsigned int bad = 0;
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b,loss=0.25,corrupt=0.5");
	send_many(&rig, 400);
	assert_in_range(rig_counter(&rig, "wire_lost"), 70, 130);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 400 - rig_counter(&rig, "wire_lost"));
	for (unsigned int i = 0; i < rig_fake(&rig, 1)->nb_rx; i++)
		bad += rig_fake(&rig, 1)->rx[i].bad_fcs;
	assert_int_equal(bad, rig_counter(&rig, "corrupted"));
	assert_in_range(bad, 110, 190);
	rig_close(&rig);
}

static void
reordered_frames_are_overtaken(void **state)
{
	unsigned int late = 0;
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b,reorder=0.1,reorder_ns=20000");
	send_many(&rig, 400);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 400);
	for (unsigned int i = 1; i < 400; i++)
		late += number_of(&rig_fake(&rig, 1)->rx[i]) <
			number_of(&rig_fake(&rig, 1)->rx[i - 1]);
	assert_in_range(late, 15, rig_counter(&rig, "reordered"));
	rig_close(&rig);
}

static void
full_receiver_loses_at_line_rate(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b");
	rig_fake(&rig, 1)->rx_room = 10;
	send_many(&rig, 50);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 10);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx_lost, 40);
	assert_int_equal(rig_counter(&rig, "rx_lost"), 40);
	rig_close(&rig);
}

/* Frames that are due in one wake-up must not meet a FIFO that nobody had a chance to empty. */
static void
device_runs_between_frames_of_one_wake_up(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b");
	rig_fake(&rig, 1)->rx_room = 2;
	rig_fake(&rig, 1)->room_per_run = 2;
	for (unsigned int i = 0; i < 50; i++)
		fake_transmit(rig_device(&rig, 0), frame, 60, START_PS + i * 1000000ULL);
	rig_at(&rig, RIG_START_NS + 1000000);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 50);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx_lost, 0);
	assert_true(rig_fake(&rig, 1)->ran_since_rx); /* and after the last of them */
	rig_close(&rig);
}

static void
full_receiver_waits_when_the_rate_is_off(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b,rate=off");
	assert_true(rig_fake(&rig, 0)->config.unlimited_rate);
	rig_fake(&rig, 1)->rx_room = 10;
	send_many(&rig, 50);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 10);
	assert_int_equal(rig_counter(&rig, "under_way"), 40);
	fake_make_room(rig_device(&rig, 1), 15);
	rig_at(&rig, rig.now_ns + 1);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 25);
	fake_make_room(rig_device(&rig, 1), 100);
	rig_at(&rig, rig.now_ns + 1);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 50);
	assert_int_equal(number_of(&rig_fake(&rig, 1)->rx[49]), 49);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx_lost, 0);
	rig_close(&rig);
}

static void
link_down_swallows_frames(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "cable:a,b");
	slot_set_link(rig.host.devices[1].slot, false, 1000, true);
	send_many(&rig, 5);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 0);
	assert_int_equal(rig_counter(&rig, "rx_lost"), 5);
	rig_close(&rig);
}

static void
options_change_while_running(void **state)
{
	struct rig rig;
	struct why w;

	(void)state;
	rig_open(&rig, "cable:a,b");
	assert_int_equal(wire_option(rig.wire, "loss", "1", &w), 0);
	send_many(&rig, 5);
	assert_int_equal(rig_fake(&rig, 1)->nb_rx, 0);
	assert_true(wire_option(rig.wire, "loss", "2", &w) < 0);
	assert_true(wire_option(rig.wire, "delay_ns", "-1", &w) < 0);
	assert_true(wire_option(rig.wire, "rate", "off", &w) < 0);
	assert_true(wire_option(rig.wire, "length", "3", &w) < 0);
	rig_close(&rig);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_arrives_delayed_with_its_stamp_moved),
		cmocka_unit_test(loop_brings_frames_back),
		cmocka_unit_test(jitter_moves_stamps_within_bounds_but_keeps_order),
		cmocka_unit_test(same_seed_gives_the_same_wire),
		cmocka_unit_test(lost_and_damaged_frames_are_counted),
		cmocka_unit_test(reordered_frames_are_overtaken),
		cmocka_unit_test(full_receiver_loses_at_line_rate),
		cmocka_unit_test(device_runs_between_frames_of_one_wake_up),
		cmocka_unit_test(full_receiver_waits_when_the_rate_is_off),
		cmocka_unit_test(link_down_swallows_frames),
		cmocka_unit_test(options_change_while_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
