/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* pcap and source: what is played into a device, and what is recorded. */
#include "fake_device.h"
#include "rig.h"
#include "cmocka_all.h"
#include "clock.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define START_PS (RIG_START_NS * PS_PER_NS)

static char in_path[64], out_path[64];

static int
setup(void **state)
{
	(void)state;
	snprintf(in_path, sizeof(in_path), "model-test-%d-in.pcap", (int)getpid());
	snprintf(out_path, sizeof(out_path), "model-test-%d-out.pcap", (int)getpid());
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	unlink(in_path);
	unlink(out_path);
	return 0;
}

static void
write_capture(const unsigned int *lens, unsigned int count, int link_type)
{
	pcap_t *dead = pcap_open_dead(link_type, 65535);
	pcap_dumper_t *dumper = pcap_dump_open(dead, in_path);
	static uint8_t data[65535];

	assert_non_null(dumper);
	for (unsigned int i = 0; i < count; i++) {
		const struct pcap_pkthdr header = {
			.ts.tv_sec = i, .caplen = lens[i], .len = lens[i]
		};

		memset(data, (int)i + 1, lens[i]);
		pcap_dump((u_char *)dumper, &header, data);
	}
	pcap_dump_close(dumper);
	pcap_close(dead);
}

static void
open_pcap(struct rig *rig, const char *options)
{
	char spec[256];

	snprintf(spec, sizeof(spec), "pcap:a,in=%s,%s", in_path, options);
	rig_open(rig, spec);
}

static void
real_speed_is_the_links(void **state)
{
	static const unsigned int lens[] = { 60, 1514, 60 };
	const struct fake_rx *rx;
	struct rig rig;

	(void)state;
	write_capture(lens, 3, DLT_EN10MB);
	open_pcap(&rig, "speed=real,wait=none");
	rig_until(&rig, RIG_START_NS + 100000);
	rx = rig_fake(&rig, 0)->rx;
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 3);
	/* preamble and SFD, then frame + FCS + gap + preamble, 8 ns per byte */
	assert_int_equal(rx[0].sfd_ps, START_PS + 8 * 8000);
	assert_int_equal(rx[1].sfd_ps, rx[0].sfd_ps + (60 + 4 + 12 + 8) * 8000);
	assert_int_equal(rx[2].sfd_ps, rx[1].sfd_ps + (1514 + 4 + 12 + 8) * 8000);
	/* Nothing is handed over before its last bit is there. */
	for (unsigned int i = 0; i < 3; i++)
		assert_true(rx[i].now_ns * 1000 >= rx[i].sfd_ps + (lens[i] + 4) * 8000);
	assert_int_equal(rig_counter(&rig, "finished"), 1);
	rig_close(&rig);
}

static void
impossible_frames_are_refused_and_short_ones_padded(void **state)
{
	static const unsigned int lens[] = { 13, 14, 59, 60, 9018, 9019, 65535, 0 };
	struct rig rig;

	(void)state;
	write_capture(lens, 8, DLT_EN10MB);
	open_pcap(&rig, "speed=full,wait=none");
	rig_until(&rig, RIG_START_NS + 10000000);
	assert_int_equal(rig_counter(&rig, "refused"), 4);
	assert_int_equal(rig_counter(&rig, "padded"), 2);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 4);
	assert_int_equal(rig_fake(&rig, 0)->rx[0].len, 60);
	assert_int_equal(rig_fake(&rig, 0)->rx[0].first[13], 2);
	assert_int_equal(rig_fake(&rig, 0)->rx[0].first[14], 0);
	assert_int_equal(rig_fake(&rig, 0)->rx[3].len, 9018);
	rig_close(&rig);
}

static void
full_speed_loses_nothing(void **state)
{
	unsigned int lens[300];
	struct rig rig;

	(void)state;
	for (unsigned int i = 0; i < 300; i++)
		lens[i] = 60 + i;
	write_capture(lens, 300, DLT_EN10MB);
	open_pcap(&rig, "speed=full,wait=none");
	rig_fake(&rig, 0)->rx_room = 7;
	rig_at(&rig, RIG_START_NS + 1);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 7);
	while (rig_fake(&rig, 0)->nb_rx < 300) {
		fake_make_room(rig_device(&rig, 0), 10);
		rig_at(&rig, rig.now_ns + 10);
	}
	for (unsigned int i = 0; i < 300; i++) {
		const struct fake_rx *rx = &rig_fake(&rig, 0)->rx[i];

		assert_int_equal(rx->len, 60 + i);
		/* Stamped when it met the wire, and no two alike. */
		assert_in_range(rx->sfd_ps, START_PS, rx->now_ns * PS_PER_NS + i);
		assert_true(i == 0 || rx->sfd_ps > rx[-1].sfd_ps);
	}
	assert_true(rig_fake(&rig, 0)->rx[299].sfd_ps > START_PS + 200 * PS_PER_NS);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx_lost, 0);
	assert_int_equal(rig_counter(&rig, "played"), 300);
	rig_close(&rig);
}

static void
real_speed_loses_what_finds_no_room(void **state)
{
	unsigned int lens[20];
	struct rig rig;

	(void)state;
	for (unsigned int i = 0; i < 20; i++)
		lens[i] = 60;
	write_capture(lens, 20, DLT_EN10MB);
	open_pcap(&rig, "wait=none");
	rig_fake(&rig, 0)->rx_room = 5;
	rig_until(&rig, RIG_START_NS + 1000000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 5);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx_lost, 15);
	rig_close(&rig);
}

static void
playing_waits_for_the_receiver(void **state)
{
	static const unsigned int lens[] = { 60, 60 };
	struct rig rig;

	(void)state;
	write_capture(lens, 2, DLT_EN10MB);
	open_pcap(&rig, "wait=client");
	rig_until(&rig, RIG_START_NS + 1000000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 0);
	rig_fake(&rig, 0)->receiving = true;
	rig.host.devices[0].slot->dirty = true;
	rig_until(&rig, RIG_START_NS + 2000000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 2);
	/* The clock of the wire began when the receiver did. */
	assert_int_equal(rig_fake(&rig, 0)->rx[0].sfd_ps,
			(RIG_START_NS + 1000000) * PS_PER_NS + 8 * 8000);
	rig_close(&rig);
}

static void
start_command_plays_and_plays_again(void **state)
{
	static const unsigned int lens[] = { 60, 60 };
	struct rig rig;
	struct why w;

	(void)state;
	write_capture(lens, 2, DLT_EN10MB);
	open_pcap(&rig, "wait=start");
	rig_until(&rig, RIG_START_NS + 1000000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 0);
	for (unsigned int i = 1; i <= 3; i++) {
		assert_int_equal(wire_command(rig.wire, "start", &w), 0);
		rig_until(&rig, rig.now_ns + 1000000);
		assert_int_equal(rig_fake(&rig, 0)->nb_rx, 2 * i);
	}
	assert_true(wire_command(rig.wire, "dance", &w) < 0);
	rig_close(&rig);
}

static void
wrong_files_are_refused_with_a_sentence(void **state)
{
	static const unsigned int lens[] = { 60 };
	char spec[256];
	struct host host;
	struct why w = { .text = "" };
	struct wire *wire;

	(void)state;
	write_capture(lens, 1, DLT_RAW);
	snprintf(spec, sizeof(spec), "pcap:a,in=%s", in_path);
	assert_int_equal(host_init(&host, &w), 0);
	wire = wire_create(spec, &w);
	assert_non_null(wire);
	assert_true(wire_start(wire, host.loop, &w) < 0);
	assert_non_null(strstr(w.text, "Ethernet"));
	wire_destroy(wire);
	wire = wire_create("pcap:a,in=/nonexistent.pcap", &w);
	assert_true(wire_start(wire, host.loop, &w) < 0);
	assert_non_null(strstr(w.text, "/nonexistent.pcap"));
	wire_destroy(wire);
	host_fini(&host);
}

static void
recording_has_nanosecond_stamps_of_the_sfd(void **state)
{
	struct pcap_pkthdr *header;
	const u_char *data;
	char spec[256], text[PCAP_ERRBUF_SIZE];
	uint8_t frame[100];
	struct rig rig;
	struct why w;
	pcap_t *in;

	(void)state;
	memset(frame, 0xab, sizeof(frame));
	snprintf(spec, sizeof(spec), "pcap:a,out=%s", out_path);
	rig_open(&rig, spec);
	fake_transmit(rig_device(&rig, 0), frame, 100, 5 * PS_PER_S + 123456789 * PS_PER_NS + 500);
	assert_int_equal(wire_command(rig.wire, "flush", &w), 0);
	in = pcap_open_offline_with_tstamp_precision(out_path, PCAP_TSTAMP_PRECISION_NANO, text);
	assert_non_null(in);
	assert_int_equal(pcap_next_ex(in, &header, &data), 1);
	assert_int_equal(header->ts.tv_sec, 5);
	assert_int_equal(header->ts.tv_usec, 123456789);
	assert_int_equal(header->caplen, 100);
	assert_memory_equal(data, frame, 100);
	pcap_close(in);
	rig_close(&rig);
}

static void
source_numbers_its_frames_with_right_checksums(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "source:a,len=64,count=5,pps=1000000,flows=2,wait=none");
	rig_until(&rig, RIG_START_NS + 1000000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 5);
	for (unsigned int i = 0; i < 5; i++) {
		const struct fake_rx *rx = &rig_fake(&rig, 0)->rx[i];
		/* pseudo header: addresses (8 bytes from 26), protocol, UDP length */
		uint32_t udp = 17 + 26, ip = 0;

		for (unsigned int at = 14; at < 34; at += 2)
			ip += (uint32_t)(rx->first[at] << 8 | rx->first[at + 1]);
		for (unsigned int at = 26; at < 60; at += 2)
			udp += (uint32_t)(rx->first[at] << 8 | rx->first[at + 1]);
		assert_int_equal((ip & 0xffff) + (ip >> 16), 0xffff);
		assert_int_equal((udp & 0xffff) + (udp >> 16), 0xffff);
		assert_int_equal(rx->len, 60);
		assert_int_equal(rx->first[49], i);
		assert_int_equal(rx->first[34] << 8 | rx->first[35], 49152 + i % 2);
		assert_int_equal(rx->sfd_ps, START_PS + i * 1000000 + 64000);
	}
	assert_int_equal(rig_counter(&rig, "finished"), 1);
	rig_close(&rig);
}

static void
source_fills_the_link_but_no_more(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "source:a,wait=none");
	rig_until(&rig, RIG_START_NS + 1000000);
	/* 1 ms at 1 Gb/s: 64 bytes + preamble + gap = 672 ns, the famous 1.488 Mpps */
	assert_in_range(rig_fake(&rig, 0)->nb_rx, 1487, 1489);
	slot_set_link(rig.host.devices[0].slot, true, 100, true);
	rig_until(&rig, RIG_START_NS + 2000000);
	assert_in_range(rig_fake(&rig, 0)->nb_rx, 1487 + 148, 1489 + 150);
	rig_close(&rig);
}

static void
unlimited_source_goes_by_room(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "source:a,rate=off,count=1000,wait=none");
	rig_fake(&rig, 0)->rx_room = 100;
	rig_at(&rig, RIG_START_NS + 1);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 100);
	for (unsigned int i = 0; i < 100 && rig_fake(&rig, 0)->nb_rx < 1000; i++) {
		fake_make_room(rig_device(&rig, 0), 100);
		rig_at(&rig, rig.now_ns + 1);
	}
	assert_int_equal(rig_fake(&rig, 0)->nb_rx, 1000);
	assert_int_equal(rig_fake(&rig, 0)->nb_rx_lost, 0);
	rig_close(&rig);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(real_speed_is_the_links),
		CASE(impossible_frames_are_refused_and_short_ones_padded),
		CASE(full_speed_loses_nothing),
		CASE(real_speed_loses_what_finds_no_room),
		CASE(playing_waits_for_the_receiver),
		CASE(start_command_plays_and_plays_again),
		CASE(wrong_files_are_refused_with_a_sentence),
		CASE(recording_has_nanosecond_stamps_of_the_sfd),
		CASE(source_numbers_its_frames_with_right_checksums),
		CASE(source_fills_the_link_but_no_more),
		CASE(unlimited_source_goes_by_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
