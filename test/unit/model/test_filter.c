/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include "silicon/parse.h"

static const uint8_t own[6] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 };
static const uint8_t foreign[6] = { 0x02, 0, 0, 0, 0, 7 };
static const uint8_t group[6] = { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01 };
static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

#define PR   0x1u
#define HUC  0x2u
#define HMC  0x4u
#define DAIF 0x8u
#define PM   0x10u
#define DBF  0x20u
#define HPF  0x400u
#define RA   0x80000000u

static uint32_t last_rdes2;

static bool
passes(struct bench *b, const uint8_t da[6])
{
	uint64_t before = counter(b, "rx0_packets");
	unsigned int i = (unsigned int)before % RING_SIZE;
	uint8_t frame[60];

	bench_receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	bench_advance(b, 2000);
	if (counter(b, "rx0_packets") == before)
		return false;
	last_rdes2 = rx_desc(b, i)[2];
	rx_desc(b, i)[0] = (uint32_t)(RX_BUFFERS + i * RX_BUFFER_SIZE);
	rx_desc(b, i)[1] = rx_desc(b, i)[2] = 0;
	rx_desc(b, i)[3] = RX_GIVE;
	wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * i);
	return true;
}

/* The vectors of eqos.md §6. */
static void
hash_bins_are_those_of_the_databook(void **state)
{
	static const struct {
		uint8_t address[6];
		uint8_t bin[3]; /* of 64, 128, 256 */
	} vectors[] = {
		{ { 0x01, 0x00, 0x5e, 0, 0, 0x01 }, { 32, 64, 128 } },
		{ { 0x01, 0x80, 0xc2, 0, 0, 0x0e }, { 30, 60, 120 } },
		{ { 0x01, 0x1b, 0x19, 0, 0, 0 }, { 0, 0, 1 } },
		{ { 0x33, 0x33, 0, 0, 0, 0x01 }, { 1, 3, 6 } },
	};
	static const uint8_t uni1[6] = { 0x1f, 0x52, 0x41, 0x9c, 0xb6, 0xaf };
	static const uint8_t uni2[6] = { 0xa0, 0x0a, 0x98, 0, 0, 0x45 };

	(void)state;
	assert_int_equal(crc32_hash(uni1, 64), 0x2c);
	assert_int_equal(crc32_hash(uni2, 64), 0x07);
	for (unsigned int i = 0; i < 4; i++)
		for (unsigned int size = 0; size < 3; size++)
			assert_int_equal(crc32_hash(vectors[i].address, 64u << size),
					vectors[i].bin[size]);
}

/* Truth table of eqos.md §6. The hash table holds `group` (bin 32) and `foreign`. */
static void
the_truth_table_holds(void **state)
{
	static const struct {
		uint32_t filter;
		bool own, foreign, group, other_group, broadcast;
	} rows[] = {
		{ 0, 1, 0, 0, 0, 1 },
		{ PR, 1, 1, 1, 1, 1 },
		{ DBF, 1, 0, 0, 0, 0 },
		{ PR | DBF, 1, 1, 1, 1, 1 },
		{ DAIF, 0, 1, 1, 1, 1 },
		{ HUC, 0, 1, 0, 0, 1 },
		{ HUC | HPF, 1, 1, 0, 0, 1 },
		{ HUC | DAIF, 1, 0, 1, 1, 1 },
		{ HUC | HPF | DAIF, 0, 0, 1, 1, 1 },
		{ PM, 1, 0, 1, 1, 1 },
		{ HMC, 1, 0, 1, 0, 1 },
		{ HMC | HPF, 1, 0, 1, 0, 1 },
		{ HMC | DAIF, 0, 1, 0, 1, 1 },
		{ RA, 1, 1, 1, 1, 1 },
	};
	static const uint8_t other_group[6] = { 0x01, 0x80, 0xc2, 0, 0, 0x0e };

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *b = bench_running(NULL);
		unsigned int bin = crc32_hash(foreign, 64);

		wr(b, 0x14, 1);
		wr(b, 0x10 + 4 * (bin / 32), rd(b, 0x10 + 4 * (bin / 32)) | 1u << (bin % 32));
		wr(b, 0x8, rows[i].filter);
		if (passes(b, own) != rows[i].own || passes(b, foreign) != rows[i].foreign ||
				passes(b, group) != rows[i].group ||
				passes(b, other_group) != rows[i].other_group ||
				passes(b, all) != rows[i].broadcast)
			fail_msg("row %u, MAC_Packet_Filter 0x%08x", i, rows[i].filter);
		assert_int_equal(complaints(b, NULL), 0);
		bench_destroy(b);
	}
}

static void
further_addresses_match_with_their_byte_masks(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	assert_false(passes(b, foreign));
	wr(b, 0x300 + 8 * 5, 0x80000700);
	wr(b, 0x304 + 8 * 5, 0x00000002);
	assert_true(passes(b, foreign));
	assert_int_equal(last_rdes2 >> 19 & 0xff, 5);
	wr(b, 0x300 + 8 * 5, 0x80000000 | 0x20u << 24); /* ignore byte 5 */
	wr(b, 0x304 + 8 * 5, 0x00000002);
	assert_true(passes(b, foreign));
	wr(b, 0x300 + 8 * 5, 0);
	wr(b, 0x304 + 8 * 5, 0);
	assert_false(passes(b, foreign));
	bench_destroy(b);
}

static void
the_low_word_latches_an_address(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	wr(b, 0x300, 0x80000700);
	assert_true(passes(b, own));
	wr(b, 0x304, 0x00000002);
	assert_false(passes(b, own));
	assert_true(passes(b, foreign));
	bench_destroy(b);
}

static void
ra_reports_what_the_filter_thought(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	wr(b, 0x8, RA);
	assert_true(passes(b, foreign));
	assert_int_equal(last_rdes2 >> 17 & 1, 1);
	assert_true(passes(b, own));
	assert_int_equal(last_rdes2 >> 17 & 1, 0);
	bench_destroy(b);
}

static void
the_source_filter_drops_with_saf(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	wr(b, 0x308, 0xc0009900); /* SA = 02:00:00:00:00:99, as make_frame() sends */
	wr(b, 0x30c, 0x00000002);
	wr(b, 0x8, 1 << 9);
	assert_true(passes(b, own));
	wr(b, 0x8, 1 << 9 | 1 << 8);
	assert_false(passes(b, own));
	wr(b, 0x8, 1 << 8);
	assert_true(passes(b, own));
	assert_int_equal(last_rdes2 >> 16 & 1, 1);
	bench_destroy(b);
}

static void
the_vlan_filter_drops_with_vtfe(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, own, 0x8100, 60);
	memcpy(frame + 14, "\x20\x64\x88\xb5", 4);
	wr(b, 0x50, 1 << 16 | 100);
	wr(b, 0x8, 1 << 16);
	bench_receive(b, frame, 60);
	bench_advance(b, 2000);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	assert_int_equal(rx_desc(b, 0)[2] & 0x8000, 0x8000);
	frame[15] = 101;
	bench_receive(b, frame, 60);
	bench_advance(b, 2000);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	wr(b, 0x50, 101 | 1 << 20); /* 16 bits: the priority counts */
	bench_receive(b, frame, 60);
	bench_advance(b, 2000);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	assert_true(passes(b, own)); /* untagged frames are not concerned */
	bench_destroy(b);
}

static void
control_frames_pass_as_pcf_says(void **state)
{
	static const uint8_t pause[6] = { 1, 0x80, 0xc2, 0, 0, 1 };
	static const bool pause_passes[4] = { false, false, true, false };
	static const bool own_passes[4] = { false, true, true, true };
	uint8_t frame[60];

	(void)state;
	for (uint32_t pcf = 0; pcf < 4; pcf++) {
		struct bench *b = bench_running(NULL);

		wr(b, 0x8, pcf << 6);
		make_frame(frame, pause, 0x8808, 60);
		memcpy(frame + 14, "\x00\x01\x00\x00", 4);
		bench_receive(b, frame, 60);
		bench_advance(b, 2000);
		assert_int_equal(counter(b, "rx0_packets"), pause_passes[pcf]);
		make_frame(frame, own, 0x8808, 60);
		memcpy(frame + 14, "\x01\x01\x00\x00", 4);
		bench_receive(b, frame, 60);
		bench_advance(b, 2000);
		assert_int_equal(counter(b, "rx0_packets"), pause_passes[pcf] + own_passes[pcf]);
		bench_destroy(b);
	}
}

/* The table of ptp.md §6: a bit per message type. */
static void
messages_are_stamped_as_the_snapshot_table_says(void **state)
{
	static const struct {
		uint8_t snap, master, event;
		uint16_t types;
	} rows[] = {
		{ 0, 0, 0, 0x0303 },
		{ 0, 1, 0, 0x0303 },
		{ 0, 0, 1, 0x0001 },
		{ 0, 1, 1, 0x0002 },
		{ 1, 0, 0, 0x070f },
		{ 1, 1, 0, 0x070f },
		{ 1, 0, 1, 0x000d },
		{ 1, 1, 1, 0x000e },
		{ 2, 0, 0, 0x0003 },
		{ 2, 1, 1, 0x0003 },
		{ 3, 0, 0, 0x000c },
		{ 3, 1, 1, 0x000c },
	};
	struct bench *b = bench_running(NULL);
	static const uint8_t da[6] = { 0x01, 0x1b, 0x19, 0, 0, 0 };
	uint8_t frame[80];

	(void)state;
	ptp_start(b, 1, 0);
	wr(b, 0x8, PM);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (unsigned int type = 0; type < 14; type++) {
			unsigned int at;
			bool stamped;

			bench_fill_rx(b);
			wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * RING_SIZE);
			wr(b, 0xb00,
					0x0e03 | (uint32_t)rows[i].snap << 16 |
							(uint32_t)rows[i].master << 15 |
							(uint32_t)rows[i].event << 14);
			make_frame(frame, da, 0x88f7, 80);
			frame[14] = (uint8_t)type;
			frame[15] = 2;
			at = (rd(b, CH(0, 0x4c)) - (uint32_t)RX_RING) / 16;
			bench_receive(b, frame, 80);
			bench_advance(b, 2000);
			stamped = (rx_desc(b, at)[1] >> 14 & 1) != 0;
			if (stamped != (rows[i].types >> type & 1))
				fail_msg("row %u, message %u: stamped %d", i, type, stamped);
		}
	}
	bench_destroy(b);
}

static bool
stamped(struct bench *b, const uint8_t *frame, uint32_t len, uint32_t control)
{
	unsigned int at;

	bench_fill_rx(b);
	wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * RING_SIZE);
	wr(b, 0xb00, control);
	at = (rd(b, CH(0, 0x4c)) - (uint32_t)RX_RING) / 16;
	bench_receive(b, frame, len);
	bench_advance(b, 3000);
	assert_int_equal(rx_desc(b, at)[3] & OWN, 0);
	return (rx_desc(b, at)[1] >> 14 & 1) != 0;
}

static void
transports_and_versions_have_their_enables(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[120], tagged[120];
	uint32_t len = make_udp(frame, 319, 44);

	(void)state;
	ptp_start(b, 1, 0);
	memset(frame + 42, 0, 44);
	frame[43] = 2;
	assert_true(stamped(b, frame, len, 0x2603));	  /* IPv4, version 2 */
	assert_false(stamped(b, frame, len, 0x1e03));	  /* IPv6 and Ethernet only */
	assert_false(stamped(b, frame, len, 0x2203));	  /* version 1 only */
	assert_false(stamped(b, frame, len, 0x10002e03)); /* 802.1AS */
	assert_true(stamped(b, frame, len, 0x2303));	  /* everything */
	assert_false(stamped(b, frame, len, 0x2602));	  /* TSENA = 0 */
	frame[37] = 0x45;
	assert_false(stamped(b, frame, len, 0x2603)); /* another port */
	ptp_start(b, 1, 0);
	make_frame(tagged, own, 0x8100, 100);
	memcpy(tagged + 14, "\x00\x05\x88\xf7\x00\x02", 6);
	assert_true(stamped(b, tagged, 100, 0x0e03));
	assert_false(stamped(b, tagged, 100, 0x10000e03)); /* untagged only */
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_bins_are_those_of_the_databook),
		cmocka_unit_test(the_truth_table_holds),
		cmocka_unit_test(further_addresses_match_with_their_byte_masks),
		cmocka_unit_test(the_low_word_latches_an_address),
		cmocka_unit_test(ra_reports_what_the_filter_thought),
		cmocka_unit_test(the_source_filter_drops_with_saf),
		cmocka_unit_test(the_vlan_filter_drops_with_vtfe),
		cmocka_unit_test(control_frames_pass_as_pcf_says),
		cmocka_unit_test(messages_are_stamped_as_the_snapshot_table_says),
		cmocka_unit_test(transports_and_versions_have_their_enables),
	};

	return cmocka_run_group_tests_name("model filters", tests, NULL, NULL);
}
