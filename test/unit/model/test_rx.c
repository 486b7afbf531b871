/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
static const uint8_t other[6] = { 2, 0, 0, 0, 0, 7 };
static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static void
regive(struct bench *b, unsigned int i)
{
	uint32_t *d = rx_desc(b, i);

	d[0] = (uint32_t)(RX_BUFFERS + (i % RING_SIZE) * RX_BUFFER_SIZE);
	d[1] = d[2] = 0;
	d[3] = RX_GIVE;
}

static void
rx_tail(struct bench *b, unsigned int i)
{
	wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * i);
}

static void
receive(struct bench *b, const void *data, uint32_t len)
{
	assert_true(bench_receive(b, data, len));
	bench_advance(b, 20000);
}

static uint32_t
crc32(const uint8_t *data, uint32_t len)
{
	uint32_t crc = ~0u;

	while (len-- > 0) {
		crc ^= *data++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void
the_fcs_is_delivered_unless_stripped(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[61];
	uint32_t fcs;

	(void)state;
	for (uint32_t len = 60; len <= 61; len++) {
		unsigned int i = len - 60;

		receive(b, frame, make_frame(frame, da, 0x88b5, len));
		memcpy(&fcs, (uint8_t *)mem_at(b, RX_BUFFERS + i * RX_BUFFER_SIZE) + len, 4);
		assert_int_equal(fcs, crc32(frame, len));
		assert_int_equal(rx_desc(b, i)[3] & 0x7fff, len + 4);
	}
	wr(b, 0, rd(b, 0) | 1 << 21); /* CST */
	receive(b, frame, 60);
	assert_int_equal(rx_desc(b, 2)[3] & 0x7fff, 60);
	make_frame(frame, da, 10, 60);
	wr(b, 0, rd(b, 0) | 1 << 20); /* ACS: 14 + 10 bytes of content */
	receive(b, frame, 60);
	assert_int_equal(rx_desc(b, 3)[3] & 0x7fff, 24);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
a_long_frame_spans_descriptors(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[4500];

	(void)state;
	wr(b, 0xd30, 31 << 20 | 1 << 5); /* 8 KiB */
	wr(b, 0, rd(b, 0) | 1 << 16);
	receive(b, frame, make_frame(frame, da, 0x88b5, 4500));
	bench_advance(b, 50000);
	assert_int_equal(rx_desc(b, 0)[3] & (OWN | FD | LD), FD);
	assert_int_equal(rx_desc(b, 1)[3] & (OWN | FD | LD), 0);
	assert_int_equal(rx_desc(b, 2)[3] & (OWN | FD | LD), LD);
	assert_int_equal(rx_desc(b, 2)[3] & 0x7fff, 4504);
	assert_memory_equal(mem_at(b, RX_BUFFERS), frame, 4500); /* the buffers are neighbours */
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
a_frame_is_delivered_when_its_last_bit_has_arrived(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[996];
	uint64_t next;

	(void)state;
	bench_receive(b, frame, make_frame(frame, da, 0x88b5, 996));
	next = device_run(b->dev, b->now_ns);
	assert_int_equal(next - b->now_ns, 8000);
	bench_advance(b, 7999);
	assert_int_equal(rx_desc(b, 0)[3] & OWN, OWN);
	bench_advance(b, 1);
	assert_int_equal(rx_desc(b, 0)[3] & OWN, 0);
	bench_destroy(b);
}

static void
rbu_is_raised_once_and_a_tail_write_goes_on(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	rx_tail(b, 2);
	for (int i = 0; i < 4; i++)
		receive(b, frame, 60);
	assert_int_equal(counter(b, "rx0_packets"), 2);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x80, 0x80);
	assert_int_equal(rd(b, 0x100c) >> 8 & 0xf, 4);
	wr(b, CH(0, 0x60), 0x4080);
	receive(b, frame, 60);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x80, 0);
	rx_tail(b, 8);
	assert_int_equal(counter(b, "rx0_packets"), 5);
	bench_destroy(b);
}

/* Linux refills everything and writes tail = the entry the DMA stands at (eqos.md §14). */
static void
a_tail_equal_to_the_position_does_not_stop_reception(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * RING_SIZE);
	for (unsigned int i = 0; i < 3 * RING_SIZE; i++) {
		receive(b, frame, 60);
		assert_int_equal(rx_desc(b, i)[3] & OWN, 0);
		regive(b, i);
		rx_tail(b, (i + 1) % RING_SIZE);
	}
	assert_int_equal(counter(b, "rx0_packets"), 3 * RING_SIZE);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

/* NVIDIA's way: the tail stays past the end, OWN alone governs. */
static void
a_constant_tail_past_the_end_leaves_it_to_own(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	rx_tail(b, RING_SIZE);
	for (unsigned int i = 0; i < RING_SIZE + 3; i++)
		receive(b, frame, 60);
	assert_int_equal(counter(b, "rx0_packets"), RING_SIZE);
	for (unsigned int i = 0; i < RING_SIZE; i++)
		regive(b, i);
	rx_tail(b, RING_SIZE);
	assert_int_equal(counter(b, "rx0_packets"), RING_SIZE + 3);
	bench_destroy(b);
}

static void
without_descriptors_frames_pile_up_and_then_are_refused(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[1000];
	struct frame f = { .data = frame, .len = 1000, .sfd_ps = b->now_ns * 1000 };
	int taken = 0;

	(void)state;
	make_frame(frame, da, 0x88b5, 1000);
	wr(b, CH(0, 0x08), rd(b, CH(0, 0x08)) & ~1u);
	wr(b, CH(0, 0x28), (uint32_t)RX_RING);
	wr(b, CH(0, 0x1c), (uint32_t)RX_RING);
	wr(b, CH(0, 0x08), rd(b, CH(0, 0x08)) | 1u);
	while (bench_receive(b, frame, 1000))
		taken++;
	assert_int_equal(taken, 4); /* 4 KiB */
	device_receive_lost(b->dev, &f, b->now_ns);
	assert_int_equal(rd(b, 0xd34), 1);
	assert_int_equal(rd(b, 0xd34), 0);
	assert_int_equal(rd(b, 0x7d4), 1);
	assert_int_equal(rd(b, 0xd2c) >> 16 & 1, 1);
	bench_advance(b, 100000);
	assert_int_equal(b->rooms, 0);
	rx_tail(b, 8);
	assert_int_equal(b->rooms, 1);
	assert_int_equal(counter(b, "rx0_packets"), 4);
	bench_destroy(b);
}

static void
a_stopped_channel_with_rpf_flushes_its_packets(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	wr(b, CH(0, 0x08), (rd(b, CH(0, 0x08)) & ~1u) | 1u << 31);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x100, 0x100);
	receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	assert_int_equal(rd(b, 0xd34) >> 16, 1);
	assert_int_equal(rd(b, CH(0, 0x64)), 1);
	assert_int_equal(rd(b, CH(0, 0x64)), 0);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
the_watchdog_raises_ri_for_packets_without_ioc(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	for (unsigned int i = 0; i < RING_SIZE; i++)
		rx_desc(b, i)[3] = OWN | 0x01000000;
	wr(b, CH(0, 0x38), 0xa0); /* 160 * 256 clocks of 204.8 MHz = 200 us */
	bench_receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	bench_advance(b, 100000);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x40, 0);
	bench_receive(b, frame, 60); /* does not restart it */
	bench_advance(b, 100000);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x40, 0);
	bench_advance(b, 1000);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x40, 0x40);
	bench_destroy(b);
}

static void
a_stamp_takes_a_descriptor_of_its_own(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	ptp_start(b, 33, 0);
	wr(b, 0xb00, 0x2303); /* TSENALL */
	receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	assert_int_equal(rx_desc(b, 0)[1] & 0xc000, 0x4000);
	assert_int_equal(rx_desc(b, 1)[3], CTXT);
	assert_int_equal(rx_desc(b, 1)[1], 33);
	receive(b, frame, 60);
	assert_int_equal(rx_desc(b, 2)[3] & (OWN | FD | LD), FD | LD);
	bench_destroy(b);
}

static void
without_an_entry_for_it_the_stamp_is_dropped_not_the_frame(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	ptp_start(b, 33, 0);
	wr(b, 0xb00, 0x2303);
	rx_tail(b, 1);
	receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	assert_int_equal(rx_desc(b, 0)[3] & (OWN | FD | LD), FD | LD);
	assert_int_equal(rx_desc(b, 0)[1] & 0xc000, 0x8000);
	assert_int_equal(rx_desc(b, 1)[3] & OWN, OWN);
	assert_int_equal(counter(b, "rx0_stamps_dropped"), 1);
	bench_destroy(b);
}

static uint32_t
status_of(struct bench *b, const void *data, uint32_t len, bool bad_fcs, uint32_t queue_mode)
{
	struct frame f = {
		.data = data, .len = (uint16_t)len, .bad_fcs = bad_fcs, .sfd_ps = b->now_ns * 1000
	};
	uint64_t before = counter(b, "rx0_packets");
	unsigned int i = (unsigned int)before % RING_SIZE;
	uint32_t status;

	wr(b, 0xd30, 31 << 20 | 1 << 5 | queue_mode);
	device_receive(b->dev, &f, b->now_ns);
	bench_advance(b, 200000);
	if (counter(b, "rx0_packets") == before)
		return 0;
	status = rx_desc(b, i)[3];
	regive(b, i);
	rx_tail(b, i);
	return status;
}

static void
error_frames_and_runts_pass_only_with_fep_and_fup(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	assert_int_equal(status_of(b, frame, 60, true, 0), 0);
	assert_int_equal(status_of(b, frame, 60, true, 1 << 4) & 0x01008000, 0x01008000);
	assert_int_equal(status_of(b, frame, 40, false, 0), 0);
	assert_int_equal(status_of(b, frame, 40, false, 1 << 3) & 0x7fff, 44);
	assert_int_equal(rd(b, 0x794), 2);
	assert_int_equal(rd(b, 0x7a4), 2);
	bench_destroy(b);
}

static void
long_frames_are_giant_or_cut_as_the_configuration_says(void **state)
{
	static const struct {
		uint32_t configuration, len, giant, cut;
	} cases[] = {
		{ 0, 1514, 0, 0 },
		{ 0, 1515, 1, 0 },
		{ 1 << 22, 1996, 0, 0 },
		{ 1 << 22, 1997, 1, 0 },
		{ 1 << 16, 2500, 0, 0 },
		{ 0, 2045, 1, 1 },
		{ 1 << 19, 2045, 1, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = bench_running(NULL);
		uint8_t frame[2600];
		uint32_t status, parts;

		wr(b, 0, rd(b, 0) | cases[i].configuration);
		make_frame(frame, da, 0x88b5, cases[i].len);
		status_of(b, frame, cases[i].len, false, 1 << 4);
		parts = cases[i].len + 4 > RX_BUFFER_SIZE && !cases[i].cut ? 1 : 0;
		/* status_of() gave the first entry back: look at the last one */
		status = parts ? rx_desc(b, 1)[3] : 0;
		if (!parts) {
			status = status_of(b, frame, cases[i].len, false, 1 << 4);
			assert_int_equal(status & 0x7fff, cases[i].cut ? 2048 : cases[i].len + 4);
		}
		assert_int_equal(status >> 23 & 1, cases[i].giant);
		assert_int_equal(status >> 22 & 1, cases[i].cut);
		bench_destroy(b);
	}
}

static void
the_checksum_engine_judges_headers_and_payload(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[200];
	uint32_t len = make_udp(frame, 9, 51), sum = 0;

	(void)state;
	wr(b, 0, rd(b, 0) | 1 << 27);
	for (int i = 14; i < 34; i += 2)
		sum += (uint32_t)(frame[i] << 8 | frame[i + 1]);
	sum = (sum >> 16) + (sum & 0xffff);
	frame[24] = (uint8_t)(~sum >> 8);
	frame[25] = (uint8_t)~sum;
	receive(b, frame, len); /* UDP without a checksum is fine */
	assert_int_equal(rx_desc(b, 0)[1] & 0xff, 0x11);
	frame[40] = 0x12;
	receive(b, frame, len); /* wrong: dropped */
	assert_int_equal(counter(b, "rx0_packets"), 1);
	wr(b, 0xd30, rd(b, 0xd30) | 1 << 6);
	receive(b, frame, len); /* kept with DIS_TCP_EF, and ES stays clear */
	assert_int_equal(rx_desc(b, 1)[1] & 0xff, 0x91);
	assert_int_equal(rx_desc(b, 1)[3] & 0x8000, 0);
	frame[25] ^= 1;
	receive(b, frame, len);
	assert_int_equal(rx_desc(b, 2)[1] & 0xff, 0x18);
	assert_int_equal(counter(b, "mmc_rx_ipv4_udp_unchecked"), 1);
	assert_int_equal(counter(b, "mmc_rx_udp_good"), 1);
	assert_int_equal(counter(b, "mmc_rx_udp_error"), 2);
	assert_int_equal(counter(b, "mmc_rx_ipv4_header_error"), 1);
	bench_destroy(b);
}

static void
tags_are_stripped_and_reported(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[100];

	(void)state;
	make_frame(frame, da, 0x8100, 100);
	memcpy(frame + 14, "\x20\x64\x88\xb5", 4);
	receive(b, frame, 100);
	assert_int_equal(rx_desc(b, 0)[3] & 0x02077fff, 4 << 16 | 104);
	wr(b, 0x50, 1 << 24 | 3 << 21);
	receive(b, frame, 100);
	assert_int_equal(rx_desc(b, 1)[3] & 0x02007fff, 0x02000000 | 100);
	assert_int_equal(rx_desc(b, 1)[0], 0x2064);
	assert_memory_equal(mem_at(b, RX_BUFFERS + RX_BUFFER_SIZE), frame, 12);
	assert_memory_equal((uint8_t *)mem_at(b, RX_BUFFERS + RX_BUFFER_SIZE) + 12, frame + 16, 84);
	bench_destroy(b);
}

static void
mac_loopback_brings_frames_back_and_none_to_the_wire(void **state)
{
	struct bench *b = bench_create(NULL);
	uint8_t frame[100];

	(void)state;
	bench_reset(b);
	wr(b, 0x8, 1);
	bench_fill_rx(b);
	bench_start(b, 0);
	wr(b, 0, 1 << 13 | 1 << 12);
	wr(b, 0, 1 << 13 | 1 << 12 | 3);
	bench_send(b, frame, make_frame(frame, da, 0x88b5, 100), 0, 0);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 0);
	assert_int_equal(rx_desc(b, 0)[3] & 0x7fff, 104);
	assert_memory_equal(mem_at(b, RX_BUFFERS), frame, 100);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
frames_go_to_the_queue_and_channel_they_are_routed_to(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	uint32_t *ring = mem_at(b, RX_RING + 0x1000);

	(void)state;
	wr(b, CH(5, 0x00), 1 << 16);
	wr(b, CH(5, 0x08), 32 << 16 | RX_BUFFER_SIZE << 1);
	wr(b, CH(5, 0x1c), (uint32_t)RX_RING + 0x1000);
	wr(b, CH(5, 0x30), RING_SIZE - 1);
	wr(b, CH(5, 0x28), (uint32_t)RX_RING + 0x1000 + 16 * RING_SIZE);
	for (unsigned int i = 0; i < RING_SIZE; i++) {
		ring[4 * i] = (uint32_t)RX_BUFFERS + 0x10000 + i * RX_BUFFER_SIZE;
		ring[4 * i + 3] = RX_GIVE;
	}
	wr(b, CH(5, 0x08), 32 << 16 | RX_BUFFER_SIZE << 1 | 1);
	wr(b, 0xd30 + 0x80, 15 << 20 | 1 << 5);
	wr(b, 0xa0, rd(b, 0xa0) | 2 << 4);
	wr(b, 0xa4, 1 << 20 | 2 << 16); /* broadcasts to queue 2 */
	wr(b, 0xc30, 5 << 16);		/* queue 2 to channel 5 */
	receive(b, frame, make_frame(frame, all, 0x88b5, 60));
	assert_int_equal(counter(b, "rx5_packets"), 1);
	wr(b, 0xc30, 5 << 16 | 1 << 4); /* queue 0: channel by DCS */
	wr(b, 0x300, 0x80055544);
	wr(b, 0x304, 0x33221102);
	receive(b, frame, make_frame(frame, da, 0x88b5, 60));
	assert_int_equal(counter(b, "rx5_packets"), 2);
	assert_int_equal(counter(b, "rx0_packets"), 0);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
foreign_addresses_are_filtered_unless_promiscuous(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];

	(void)state;
	make_frame(frame, other, 0x88b5, 60);
	receive(b, frame, 60);
	assert_int_equal(counter(b, "rx0_packets"), 0);
	wr(b, 8, 1);
	receive(b, frame, 60);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	assert_int_equal(counter(b, "mac_filtered"), 1);
	bench_destroy(b);
}

static void
a_bus_error_drops_the_packet_and_a_restart_goes_on(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[60];
	uint32_t control = rd(b, CH(0, 0x08)), status;

	(void)state;
	make_frame(frame, da, 0x88b5, 60);
	rx_desc(b, 0)[0] = 0x1000;
	receive(b, frame, 60);
	status = rd(b, CH(0, 0x60));
	assert_int_equal(status & 0x5100, 0x5100);
	assert_int_equal(status >> 19 & 7, 4); /* data, write */
	wr(b, CH(0, 0x60), status);
	assert_int_equal(rd(b, CH(0, 0x60)) >> 16, 0);
	wr(b, CH(0, 0x08), control & ~1u);
	bench_fill_rx(b);
	wr(b, CH(0, 0x1c), (uint32_t)RX_RING);
	wr(b, CH(0, 0x08), control);
	receive(b, frame, 60);
	assert_int_equal(counter(b, "rx0_packets"), 1);
	bench_destroy(b);
}

/* RFA 1 = 1.5 KiB below full, RFD 3 = 2.5 KiB below full, of 4 KiB (eqos.md §10). */
static void
a_full_queue_pauses_the_peer_and_a_drained_one_releases_it(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[1000];

	(void)state;
	make_frame(frame, da, 0x88b5, 1000);
	wr(b, 0x70, 0x100u << 16 | 2);
	wr(b, 0xd30, 15 << 20 | 1 << 5 | 1 << 7 | 1 << 8 | 3 << 14);
	rx_tail(b, 1); /* one entry, then none */
	receive(b, frame, 1000);
	receive(b, frame, 1000);
	receive(b, frame, 1000);
	assert_int_equal(b->nb_sent, 0);
	receive(b, frame, 1000);
	assert_int_equal(b->nb_sent, 1);
	assert_memory_equal(b->sent[0].data + 12, "\x88\x08\x00\x01\x01\x00", 6);
	rx_tail(b, 8);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 2);
	assert_memory_equal(b->sent[1].data + 12, "\x88\x08\x00\x01\x00\x00", 6);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fcs_is_delivered_unless_stripped),
		cmocka_unit_test(a_long_frame_spans_descriptors),
		cmocka_unit_test(a_frame_is_delivered_when_its_last_bit_has_arrived),
		cmocka_unit_test(rbu_is_raised_once_and_a_tail_write_goes_on),
		cmocka_unit_test(a_tail_equal_to_the_position_does_not_stop_reception),
		cmocka_unit_test(a_constant_tail_past_the_end_leaves_it_to_own),
		cmocka_unit_test(without_descriptors_frames_pile_up_and_then_are_refused),
		cmocka_unit_test(a_stopped_channel_with_rpf_flushes_its_packets),
		cmocka_unit_test(the_watchdog_raises_ri_for_packets_without_ioc),
		cmocka_unit_test(a_stamp_takes_a_descriptor_of_its_own),
		cmocka_unit_test(without_an_entry_for_it_the_stamp_is_dropped_not_the_frame),
		cmocka_unit_test(error_frames_and_runts_pass_only_with_fep_and_fup),
		cmocka_unit_test(long_frames_are_giant_or_cut_as_the_configuration_says),
		cmocka_unit_test(the_checksum_engine_judges_headers_and_payload),
		cmocka_unit_test(tags_are_stripped_and_reported),
		cmocka_unit_test(mac_loopback_brings_frames_back_and_none_to_the_wire),
		cmocka_unit_test(frames_go_to_the_queue_and_channel_they_are_routed_to),
		cmocka_unit_test(foreign_addresses_are_filtered_unless_promiscuous),
		cmocka_unit_test(a_bus_error_drops_the_packet_and_a_restart_goes_on),
		cmocka_unit_test(a_full_queue_pauses_the_peer_and_a_drained_one_releases_it),
	};

	return cmocka_run_group_tests_name("model RX", tests, NULL, NULL);
}
