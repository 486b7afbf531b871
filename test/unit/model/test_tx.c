/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t da[6] = {2, 0x11, 0x22, 0x33, 0x44, 0x55};

static void
give(struct bench *b, unsigned int index, uint32_t offset, uint32_t len, uint32_t tdes2,
		uint32_t tdes3)
{
	uint32_t *d = tx_desc(b, index);

	d[0] = (uint32_t)TX_BUFFERS + offset;
	d[1] = 0;
	d[2] = tdes2 | len;
	d[3] = OWN | tdes3;
}

static void
tail(struct bench *b, unsigned int index)
{
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 16 * index);
}

static void
a_packet_of_three_descriptors_is_one_frame(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t *data = mem_at(b, TX_BUFFERS);

	(void)state;
	make_frame(data, da, 0x88b5, 300);
	give(b, 0, 0, 14, 0, FD | 300);
	give(b, 1, 14, 186, 0, 300);
	give(b, 2, 200, 100, IOC2, LD | 300);
	tail(b, 3);
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
	tail(b, 1);
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
	give(b, 0, 0, 60, 0, FD | LD | 60);
	give(b, 1, 0, 60, 0, FD | LD | 60); /* owned, but not below the tail */
	tail(b, 1);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 1);
	assert_int_equal(rd(b, CH(0, 0x60)) & 4, 4);
	assert_int_equal(rd(b, 0x100c) >> 12 & 0xf, 6);
	wr(b, CH(0, 0x60), 4);
	bench_advance(b, 10000);
	assert_int_equal(rd(b, CH(0, 0x60)) & 4, 0);
	tail(b, 1); /* equal to the position: does not clear "exhausted" */
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 1);
	tail(b, 2);
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
	tail(b, 8);
	bench_advance(b, 1000);
	give(b, 0, 0, 60, 0, FD | LD | 60);
	bench_advance(b, 10000);
	assert_int_equal(b->nb_sent, 0);
	tail(b, 8);
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
		give(b, i, 0, 60, 0, FD | LD | 60);
	tail(b, RING_SIZE);
	bench_advance(b, 20000);
	assert_int_equal(b->nb_sent, RING_SIZE);
	give(b, 0, 0, 60, 0, FD | LD | 60);
	tail(b, RING_SIZE);
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
		give(b, i, 0, 60, 0, FD | LD | 60);
	tail(b, RING_SIZE - 1);
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
	give(b, 0, 0, 60, 0, FD | 60);
	tx_desc(b, 0)[3] |= LD;
	give(b, 1, 0, 30, 0, FD | 60);
	give(b, 2, 30, 30, 0, LD | 60);
	tail(b, 3);
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
	give(b, 0, 0, 60, 0, FD | LD | 60);
	tx_desc(b, 0)[0] = 0x1000; /* not mapped */
	tail(b, 1);
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
	give(b, 0, 0, 60, 0, FD | LD | 60);
	tail(b, 1);
	assert_int_equal(b->nb_sent, 1);
	bench_destroy(b);
}

static uint16_t
sum16(const uint8_t *data, uint32_t len, uint32_t sum)
{
	for (uint32_t i = 0; i < len; i++)
		sum += i & 1 ? data[i] : (uint32_t)data[i] << 8;
	while (sum >> 16)
		sum = (sum >> 16) + (sum & 0xffff);
	return (uint16_t)sum;
}

static void
checksums_are_inserted_as_cic_says(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t frame[200];
	uint32_t len = make_udp(frame, 9, 51);
	const uint8_t *out;

	(void)state;
	for (uint32_t cic = 0; cic <= 3; cic++) {
		bench_send(b, frame, len, 0, cic << 16);
		bench_advance(b, 3000);
		out = b->sent[cic].data;
		assert_int_equal(sum16(out + 14, 20, 0) == 0xffff, cic != 0);
		/* Pseudo header: addresses, protocol, length. */
		if (cic == 3)
			assert_int_equal(sum16(out + 34, 8 + 51, sum16(out + 26, 8, 17 + 59)),
					0xffff);
		else if (cic < 2)
			assert_int_equal(out[40] | out[41], 0);
	}
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
context(struct bench *b, unsigned int index, uint32_t word2, uint32_t word3)
{
	uint32_t *d = tx_desc(b, index);

	d[0] = d[1] = 0;
	d[2] = word2;
	d[3] = OWN | CTXT | word3;
}

static void
a_vlan_tag_from_the_context_is_inserted_replaced_and_removed(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t *data = mem_at(b, TX_BUFFERS);

	(void)state;
	wr(b, 0x60, 1 << 20);
	make_frame(data, da, 0x88b5, 100);
	make_frame(data + 200, da, 0x8100, 100);
	context(b, 0, 0, 1 << 16 | 0x2064);
	give(b, 1, 0, 100, 2u << 14, FD | LD | 100);
	give(b, 2, 200, 100, 3u << 14, FD | LD | 100);
	give(b, 3, 200, 100, 1u << 14, FD | LD | 100);
	tail(b, 4);
	bench_advance(b, 10000);
	assert_int_equal(tx_desc(b, 0)[3] & OWN, 0);
	assert_int_equal(b->nb_sent, 3);
	assert_int_equal(b->sent[0].len, 104);
	assert_memory_equal(b->sent[0].data + 12, "\x81\x00\x20\x64\x88\xb5", 6);
	assert_memory_equal(b->sent[0].data, data, 12);
	assert_int_equal(b->sent[1].len, 100);
	assert_memory_equal(b->sent[1].data + 12, "\x81\x00\x20\x64", 4);
	assert_int_equal(b->sent[2].len, 96);
	assert_memory_equal(b->sent[2].data + 12, data + 216, 80);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

static void
both_tags_are_inserted_inner_behind_outer(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t *data = mem_at(b, TX_BUFFERS);

	(void)state;
	wr(b, 0x60, 1 << 20 | 1 << 19);
	wr(b, 0x64, 1 << 20);
	make_frame(data, da, 0x88b5, 100);
	context(b, 0, 0x0123u << 16, 2u << 18 | 1 << 17 | 1 << 16 | 0x0456);
	give(b, 1, 0, 100, 2u << 14, FD | LD | 100);
	give(b, 2, 0, 100, 0, FD | LD | 100); /* the inner action lasts one packet */
	tail(b, 3);
	bench_advance(b, 10000);
	assert_int_equal(b->sent[0].len, 108);
	assert_memory_equal(b->sent[0].data + 12, "\x88\xa8\x04\x56\x81\x00\x01\x23\x88\xb5", 10);
	assert_int_equal(b->sent[1].len, 100);
	bench_destroy(b);
}

static void
a_source_address_is_inserted_or_replaced(void **state)
{
	struct bench *b = bench_running(NULL);
	uint8_t *data = mem_at(b, TX_BUFFERS);

	(void)state;
	make_frame(data, da, 0x88b5, 100);
	give(b, 0, 0, 100, 0, FD | LD | 2u << 23 | 100);
	memmove(data + 206, data + 12, 88);
	memcpy(data + 200, da, 6);
	give(b, 1, 200, 94, 0, FD | LD | 1u << 23 | 94);
	tail(b, 2);
	bench_advance(b, 10000);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(b->sent[i].len, 100);
		assert_memory_equal(b->sent[i].data + 6, da, 6);
		assert_memory_equal(b->sent[i].data + 12, data + 12, 88);
	}
	bench_destroy(b);
}

static void
make_tcp(uint8_t *frame, uint32_t payload, bool v6)
{
	uint32_t l3 = v6 ? 40 : 20, tcp = 14 + l3;

	make_frame(frame, da, v6 ? 0x86dd : 0x0800, tcp + 20 + payload);
	memset(frame + 14, 0, l3 + 20);
	if (v6) {
		frame[14] = 0x60;
		frame[20] = 6;
		frame[21] = 64;
		frame[37] = 1;
		frame[53] = 2;
	} else {
		memcpy(frame + 14, "\x45\x00\x00\x00\x12\x34\x40\x00\x40\x06", 10);
		memcpy(frame + 26, "\x0a\x00\x00\x01\x0a\x00\x00\x02", 8);
	}
	memcpy(frame + tcp, "\x10\x00\x20\x00\x00\x01\x00\x00", 8);
	frame[tcp + 12] = 0x50;
	frame[tcp + 13] = 0x99; /* CWR ACK PSH FIN */
}

static void
segmentation_makes_whole_packets(void **state)
{
	(void)state;
	for (int v6 = 0; v6 < 2; v6++) {
		struct bench *b = bench_running(NULL);
		uint8_t *data = mem_at(b, TX_BUFFERS);
		uint32_t header = v6 ? 74 : 54, tcp = header - 20;
		const uint32_t payload = 3000, mss = 1400;

		wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) | 1 << 12);
		make_tcp(data, payload, v6);
		context(b, 0, mss, 1 << 26);
		give(b, 1, 0, header, 0, FD | 1 << 18 | 5 << 19 | payload);
		give(b, 2, header, payload, IOC2, LD);
		tail(b, 3);
		bench_advance(b, 100000);
		assert_int_equal(b->nb_sent, 3);
		for (unsigned int i = 0; i < 3; i++) {
			const uint8_t *s = b->sent[i].data;
			uint32_t part = i < 2 ? mss : payload - 2 * mss;

			assert_int_equal(b->sent[i].len, header + part);
			assert_memory_equal(s + header, data + header + i * mss, part);
			assert_int_equal(s[tcp + 6] << 8 | s[tcp + 7], i * mss);
			assert_int_equal(
					s[tcp + 13], (i == 0 ? 0x80 : 0) | 0x10 | (i == 2 ? 9 : 0));
			if (v6) {
				assert_int_equal(s[18] << 8 | s[19], 20 + part);
				assert_int_equal(sum16(s + tcp, 20 + part,
								 sum16(s + 22, 32, 6 + 20 + part)),
						0xffff);
			} else {
				assert_int_equal(s[16] << 8 | s[17], 40 + part);
				assert_int_equal(s[18] << 8 | s[19], 0x1234 + i);
				assert_int_equal(sum16(s + 14, 20, 0), 0xffff);
				assert_int_equal(sum16(s + tcp, 20 + part,
								 sum16(s + 26, 8, 6 + 20 + part)),
						0xffff);
			}
		}
		assert_int_equal(tx_desc(b, 2)[3], LD);
		assert_int_equal(rd(b, CH(0, 0x60)) & 1, 1);
		assert_int_equal(complaints(b, NULL), 0);
		bench_destroy(b);
	}
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
		give(b, i, 0, 60, 0, FD | LD | 60);
	for (unsigned int i = 0; i < 4; i++) {
		ring[4 * i] = (uint32_t)TX_BUFFERS + 64;
		ring[4 * i + 1] = 0;
		ring[4 * i + 2] = 60;
		ring[4 * i + 3] = OWN | FD | LD | 60;
	}
	tail(b, 4); /* the first of these is on the line at once */
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
	static const uint8_t pause[6] = {1, 0x80, 0xc2, 0, 0, 1};
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
			cmocka_unit_test(
					without_osf_a_frame_waits_for_the_status_of_the_one_before),
			cmocka_unit_test(frames_wait_in_the_fifo_while_the_link_is_down),
			cmocka_unit_test(flushing_the_queue_closes_its_descriptors_with_ff),
			cmocka_unit_test(
					stop_keeps_the_position_and_a_new_list_address_restarts_it),
			cmocka_unit_test(a_bus_error_stops_the_channel_and_a_restart_heals_it),
			cmocka_unit_test(checksums_are_inserted_as_cic_says),
			cmocka_unit_test(
					a_vlan_tag_from_the_context_is_inserted_replaced_and_removed),
			cmocka_unit_test(both_tags_are_inserted_inner_behind_outer),
			cmocka_unit_test(a_source_address_is_inserted_or_replaced),
			cmocka_unit_test(segmentation_makes_whole_packets),
			cmocka_unit_test(enhanced_descriptors_launch_at_their_time),
			cmocka_unit_test(strict_priority_sends_the_highest_queue_first),
			cmocka_unit_test(received_pause_holds_the_transmitter),
			cmocka_unit_test(fcb_sends_one_pause_frame),
			cmocka_unit_test(hold_times_are_told),
	};

	return cmocka_run_group_tests_name("model TX", tests, NULL, NULL);
}
