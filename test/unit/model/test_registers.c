/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include "silicon/silicon.h"

static void
no_bit_has_two_access_kinds_and_no_word_two_rows(void **state)
{
	static uint8_t used[REG_WORDS];
	unsigned int i, k;

	(void)state;
	memset(used, 0, sizeof(used));
	for (i = 0; i < reg_rows_count; i++) {
		const struct reg_row *r = &reg_rows[i];
		uint32_t masks[] = { r->rw, r->ro, r->w1c, r->rc, r->sc, r->ign };
		uint32_t seen = 0;

		for (k = 0; k < 6; k++) {
			if ((seen & masks[k]) != 0)
				fail_msg("%s: bits 0x%x twice", r->name, seen & masks[k]);
			seen |= masks[k];
		}
		if ((r->reset & ~seen) != 0)
			fail_msg("%s: resets reserved bits to 1", r->name);
		for (k = 0; k < (r->per == PER_COUNT ? r->count : 1u); k++)
			if (used[(r->offset + k * r->stride) / 4]++ != 0 && r->since == 0)
				fail_msg("%s: 0x%x taken", r->name, r->offset + k * r->stride);
	}
}

static void
what_was_read_may_be_written_back_everywhere(void **state)
{
	struct bench *b = bench_create(NULL);
	unsigned int before;

	(void)state;
	for (uint32_t offset = 0; offset < REG_MAP_BYTES; offset += 4) {
		before = (unsigned int)complaints(b, NULL);
		uint32_t value = rd(b, offset);

		if (complaints(b, NULL) != before)
			continue; /* no register there */
		wr(b, offset, value);
		if (complaints(b, NULL) != before)
			fail_msg("0x%x: 0x%08x read and written back", offset, value);
	}
	bench_destroy(b);
}

static void
reset_values_are_those_of_the_databook(void **state)
{
	static const struct {
		uint32_t offset, value;
	} expected[] = {
		{ 0x000, 0 },
		{ 0x008, 0 },
		{ 0x300, 0x8000ffff },
		{ 0x304, 0xffffffff },
		{ 0x308, 0x0000ffff },
		{ 0xb00, 0x2000 },
		{ 0x0a0, 0 },
		{ 0x1004, 0x01010000 },
		{ 0x113c, 0x7c0 },
		{ 0x70c, 0 },
		{ 0xd00, 0 },
	};
	struct bench *b = bench_running(NULL);

	(void)state;
	bench_reset(b);
	for (unsigned int i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(rd(b, expected[i].offset), expected[i].value);
	bench_destroy(b);
}

static void
features_tell_eight_queues_and_the_width_of_the_profile(void **state)
{
	static const struct {
		const char *profile;
		uint32_t device_id, addr64;
	} profiles[] = { { "ehl-pch", 0x4b30, 1 }, { "ehl-pse", 0x4ba0, 0 } };

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		struct bench *b = bench_create(profiles[i].profile);
		uint32_t counts = rd(b, 0x124), f1 = rd(b, 0x120);

		assert_int_equal(device_identity(b->dev)->device_id, profiles[i].device_id);
		assert_int_equal(counts, 7 | 7 << 6 | 7 << 12 | 7 << 18);
		assert_int_equal(f1 >> 14 & 3, profiles[i].addr64);
		assert_int_equal(f1 >> 6 & 0x1f, 8); /* 32 KiB */
		assert_int_equal(rd(b, 0x11c) & 0x15123, 0x15123);
		bench_destroy(b);
	}
}

static void
every_profile_has_a_name_and_a_line_of_text(void **state)
{
	struct device_profile profile;
	unsigned int n;

	(void)state;
	for (n = 0; device_profile(n, &profile); n++) {
		struct bench *b = bench_create(profile.name);

		assert_true(strlen(profile.text) > 10 && strchr(profile.text, '\n') == NULL);
		bench_destroy(b);
	}
	assert_true(n >= 2);
}

static void
the_receiver_is_on_with_re_and_out_of_reset(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	bench_link(b, 1000);
	assert_false(device_receiving(b->dev));
	wr(b, 0x000, 1 << 1);
	assert_false(device_receiving(b->dev));
	wr(b, 0x000, 1 << 1 | 1);
	assert_true(device_receiving(b->dev));
	wr(b, 0x1000, 1);
	assert_false(device_receiving(b->dev));
	bench_advance(b, 10000);
	assert_false(device_receiving(b->dev));
	bench_destroy(b);
}

static void
firmware_address_survives_a_function_reset_but_not_swr(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	assert_int_equal(rd(b, 0x304), 0x33221102);
	assert_int_equal(rd(b, 0x300), 0x80005544);
	bench_link(b, 1000);
	bench_reset(b);
	assert_int_equal(rd(b, 0x304), 0xffffffff);
	device_reset(b->dev, b->now_ns);
	assert_int_equal(rd(b, 0x304), 0x33221102);
	bench_destroy(b);
}

static void
swr_waits_for_the_rx_clock_of_the_phy(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	phy_wr(b, 1, 0, 0x1800);
	wr(b, 0x1000, 1);
	bench_advance(b, 1000000000);
	assert_int_equal(rd(b, 0x1000), 1);
	bench_destroy(b);
}

static void
clear_on_read_becomes_write_1_to_clear_with_rcwe(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	phy_rd(b, 1, 0);
	assert_int_equal(rd(b, 0xb0) & 1u << 18, 1u << 18);
	assert_int_equal(rd(b, 0xb0) & 1u << 18, 0);
	wr(b, 0x230, 1);
	phy_rd(b, 1, 0);
	assert_int_equal(rd(b, 0xb0) & 1u << 18, 1u << 18);
	assert_int_equal(rd(b, 0xb0) & 1u << 18, 1u << 18);
	wr(b, 0xb0, 1u << 18);
	assert_int_equal(rd(b, 0xb0) & 1u << 18, 0);
	bench_destroy(b);
}

static void
write_1_to_clear_leaves_the_other_events(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

	(void)state;
	bench_receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	bench_send(b, frame, 60, IOC2, 0);
	bench_advance(b, 5000);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x8041, 0x8041);
	wr(b, CH(0, 0x60), 0x40);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x8041, 0x8001);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
registers_not_built_read_zero_in_silence(void **state)
{
	struct bench *b = bench_create(NULL);

	(void)state;
	assert_int_equal(rd(b, 0xc50), 0);
	wr(b, 0xd0, 0);
	assert_int_equal(complaints(b, NULL), 0);
	wr(b, 0xc50, 1);
	assert_int_equal(complaints(b, "absent-register"), 1);
	bench_destroy(b);
}

static void
a_register_of_newer_cores_is_absent_from_older_ones(void **state)
{
	struct bench *b = bench_create(NULL);
	struct profile older = *b->dev->profile;

	(void)state;
	assert_int_equal(rd(b, 0x238), 0);
	wr(b, 0x238, 0x01000100); /* as Linux does on every ifup */
	assert_int_equal(rd(b, 0x238), 0x01000100);
	assert_int_equal(complaints(b, NULL), 0);
	wr(b, 0x238, 0x0400);
	assert_int_equal(complaints(b, "reserved-bits"), 1);

	older.snpsver = 0x51;
	b->dev->profile = &older;
	regfile_build(b->dev);
	device_reset(b->dev, b->now_ns);
	wr(b, 0x238, 0x01000100);
	assert_int_equal(rd(b, 0x238), 0);
	assert_int_equal(complaints(b, "absent-register"), 1);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_bit_has_two_access_kinds_and_no_word_two_rows),
		cmocka_unit_test(what_was_read_may_be_written_back_everywhere),
		cmocka_unit_test(reset_values_are_those_of_the_databook),
		cmocka_unit_test(features_tell_eight_queues_and_the_width_of_the_profile),
		cmocka_unit_test(every_profile_has_a_name_and_a_line_of_text),
		cmocka_unit_test(the_receiver_is_on_with_re_and_out_of_reset),
		cmocka_unit_test(firmware_address_survives_a_function_reset_but_not_swr),
		cmocka_unit_test(swr_waits_for_the_rx_clock_of_the_phy),
		cmocka_unit_test(clear_on_read_becomes_write_1_to_clear_with_rcwe),
		cmocka_unit_test(write_1_to_clear_leaves_the_other_events),
		cmocka_unit_test(registers_not_built_read_zero_in_silence),
		cmocka_unit_test(a_register_of_newer_cores_is_absent_from_older_ones),
	};

	return cmocka_run_group_tests_name("model registers", tests, NULL, NULL);
}
