/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include "silicon/complaints.h"
#include "silicon/regfile.h"

/*
 * A driver that does everything wrong, seeded. Whatever it writes, the device neither leaves its
 * memory (the sanitizers look) nor fails to come back. Both rings lie in the same memory as the
 * buffers, so the device also reads descriptors that it wrote itself as data.
 */

#define SEEDS 60
#define STEPS 3000

static uint64_t random_state;

static uint32_t
next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

static uint32_t
address(void)
{
	return (uint32_t)MEM_IOVA + (next() % (MEM_BYTES + 0x1000) & ~7u);
}

/* Mostly near what a driver would write, so that the engines run. */
static void
write_register(struct bench *b)
{
	static const uint16_t favourites[] = { 0x000, 0x008, 0x0a0, 0x0a4, 0x0a8, 0xc00, 0xc30,
		0xd00, 0xd30, 0xb00, 0xb04, 0xb18, 0x060, 0x064, 0x050, 0x070, 0x200, 0x1004 };
	uint32_t channel = next() % 8, value = next();

	switch (next() % 16) {
	case 0:
		wr(b, next() % REG_MAP_BYTES & ~3u, value);
		break;
	case 1:
		wr(b, favourites[next() % 18], value);
		break;
	case 2:
		wr(b, CH(channel, 0x04), (value & 0x7f7ff01f) | 1);
		wr(b, CH(channel, 0x08), (value & 0x8f7f7ff1) | 1);
		break;
	case 3:
		wr(b, CH(channel, 0x04), 0);
		wr(b, CH(channel, 0x08), 0);
		wr(b, CH(channel, next() % 2 ? 0x14 : 0x1c), address());
		wr(b, CH(channel, next() % 2 ? 0x2c : 0x30), value & 0x3ff);
		break;
	case 4:
		wr(b, 0x000, 1 << 13 | 3 | (value & 0x0ff00000));
		break;
	case 5:
		wr(b, 0xd00 + 0x40 * channel, (value & 0x7f0072) | 8);
		wr(b, 0xd30 + 0x40 * channel, value & 0x7fffffb);
		break;
	case 6:
		wr(b, CH(channel, next() % 2 ? 0x20 : 0x28), address());
		break;
	default:
		wr(b, CH(0, 0x20), (uint32_t)TX_RING + next() % 17 * 16);
		wr(b, CH(0, 0x28), (uint32_t)RX_RING + next() % 17 * 16);
		break;
	}
}

static void
write_descriptors(struct bench *b)
{
	static const uint64_t rings[] = { TX_RING, RX_RING };
	uint64_t anywhere = MEM_IOVA + next() % (MEM_BYTES - 1024) / 16 * 16;
	uint32_t *word = mem_at(b, next() % 4 ? rings[next() % 2] : anywhere);
	uint32_t flags = next();

	for (int i = 0; i < 16; i++, word += 4) {
		word[0] = address();
		word[1] = next() % 16 ? 0 : next();
		word[2] = next() % 12 ? next() & 0xc5ff : next();
		word[3] = OWN |
			  (next() % 12 ? FD | LD | 0x01000000 | (flags & 0x00070000) : next());
	}
}

static void
receive(struct bench *b)
{
	static uint8_t frame[DEVICE_FRAME_MAX];
	uint32_t len = next() % 4 ? 14 + next() % 1600 : next() % DEVICE_FRAME_MAX;
	static const uint8_t types[][2] = { { 8, 0 }, { 0x86, 0xdd }, { 0x81, 0 }, { 0x88, 0xa8 },
		{ 0x88, 0x08 }, { 0x88, 0xf7 }, { 0, 40 } };
	struct frame f = { .data = frame,
		.len = (uint16_t)len,
		.bad_fcs = next() % 16 == 0,
		.sfd_ps = b->now_ns * 1000 };

	for (uint32_t i = 0; i < 64; i++)
		frame[i] = (uint8_t)next();
	memcpy(frame + 12, types[next() % 7], 2);
	if (next() % 2)
		frame[14] = next() % 2 ? 0x45 : 0x60;
	if (!device_receive(b->dev, &f, b->now_ns))
		device_receive_lost(b->dev, &f, b->now_ns);
}

static void
step(struct bench *b)
{
	static const char *const faults[] = { "lost-interrupt", "stuck-own", "bad-length",
		"missing-ld", "bus-error", "late-rx-stamp", "missing-rx-stamp", "rx-overflow" };

	switch (next() % 16) {
	case 0:
		device_link(b->dev, next() % 16 != 0, next() % 2 ? 1000 : 100, next() % 4 != 0,
				b->now_ns);
		break;
	case 1:
		device_fault(b->dev, faults[next() % 8], next(), (int)(next() % 5) - 1);
		break;
	case 2:
		device_vectors(b->dev, next() % 33, b->now_ns);
		break;
	case 3:
	case 4:
	case 5:
		receive(b);
		break;
	case 6:
	case 7:
	case 8:
		write_descriptors(b);
		break;
	case 9:
		rd(b, next() % REG_MAP_BYTES & ~3u);
		break;
	case 10:
		b->now_ns += next() % 1000000;
		break;
	default:
		write_register(b);
		break;
	}
	for (int rounds = 0; rounds < 4; rounds++)
		if (device_run(b->dev, b->now_ns) > b->now_ns)
			break;
}

/* A proper bring-up now and then, for the engines to run from. */
static void
revive(struct bench *b)
{
	device_reset(b->dev, b->now_ns);
	device_link(b->dev, true, 1000, true, b->now_ns);
	bench_advance(b, 25000000);
	wr(b, 0x008, 0x80000001);
	bench_fill_rx(b);
	bench_start(b, 0);
	wr(b, 0x000, 1 << 13);
	wr(b, 0x000, 1 << 13 | 1 << 27 | 3);
	wr(b, 0xb00, 0x2303);
}

static void
nothing_a_driver_does_brings_the_device_down(void **state)
{
	uint64_t seen = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct device_config config = { .ptp_update_ns = 1600,
			.an_ms = UINT32_MAX,
			.unlimited_rate = seed % 2,
			.profile = seed % 3 ? "ehl-pch" : "ehl-pse" };
		struct bench *b = bench_create_with(&config);

		random_state = seed * 0x9e3779b97f4a7c15;
		device_link(b->dev, true, 1000, true, b->now_ns);
		bench_advance(b, 50000000);
		for (int i = 0; i < STEPS; i++) {
			seen += i % 100 == 99 ? counter(b, "mac_tx_frames") +
								counter(b, "rx0_packets")
					      : 0;
			if (i % 100 == 0)
				revive(b);
			step(b);
		}
		/* And after a reset it is as good as new. */
		device_reset(b->dev, b->now_ns);
		for (unsigned int i = 0; i < 8; i++)
			device_fault(b->dev, "stuck-own", 0, -1);
		assert_int_equal(rd(b, 0x110), 0x5152);
		bench_destroy(b);
	}
	/* The engines must have run, or nothing was tested. */
	print_message("# %llu frames\n", (unsigned long long)seen);
	assert_true(seen > SEEDS * 50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_a_driver_does_brings_the_device_down),
	};

	return cmocka_run_group_tests_name("model against a hostile driver", tests, NULL, NULL);
}
