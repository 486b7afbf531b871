/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

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
	bench_give(b, 1, 0, 100, 2u << 14, FD | LD | 100);
	bench_give(b, 2, 200, 100, 3u << 14, FD | LD | 100);
	bench_give(b, 3, 200, 100, 1u << 14, FD | LD | 100);
	bench_tail(b, 4);
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
	bench_give(b, 1, 0, 100, 2u << 14, FD | LD | 100);
	bench_give(b, 2, 0, 100, 0, FD | LD | 100); /* the inner action lasts one packet */
	bench_tail(b, 3);
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
	bench_give(b, 0, 0, 100, 0, FD | LD | 2u << 23 | 100);
	memmove(data + 206, data + 12, 88);
	memcpy(data + 200, da, 6);
	bench_give(b, 1, 200, 94, 0, FD | LD | 1u << 23 | 94);
	bench_tail(b, 2);
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
		bench_give(b, 1, 0, header, 0, FD | 1 << 18 | 5 << 19 | payload);
		bench_give(b, 2, header, payload, IOC2, LD);
		bench_tail(b, 3);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checksums_are_inserted_as_cic_says),
		cmocka_unit_test(a_vlan_tag_from_the_context_is_inserted_replaced_and_removed),
		cmocka_unit_test(both_tags_are_inserted_inner_behind_outer),
		cmocka_unit_test(a_source_address_is_inserted_or_replaced),
		cmocka_unit_test(segmentation_makes_whole_packets),
	};

	return cmocka_run_group_tests_name("model TX offloads", tests, NULL, NULL);
}
