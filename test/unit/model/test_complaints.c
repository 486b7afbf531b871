/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "bench.h"

#include "silicon/complaints.h"

/* Every kind of complaint is provoked here, and nothing but that kind is complained about. */

static const uint8_t da[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };

static void
give(struct bench *b, unsigned int i, uint32_t len, uint32_t tdes2, uint32_t tdes3)
{
	uint32_t *d = tx_desc(b, i);

	make_frame(mem_at(b, TX_BUFFERS), da, 0x88b5, len < 14 ? 14 : len);
	d[0] = (uint32_t)TX_BUFFERS;
	d[1] = 0;
	d[2] = tdes2 | len;
	d[3] = OWN | tdes3;
}

static void
go(struct bench *b, unsigned int tail)
{
	wr(b, CH(0, 0x20), (uint32_t)TX_RING + 16 * tail);
	bench_advance(b, 100000);
}

static void
receive(struct bench *b, uint32_t len)
{
	uint8_t frame[3000];

	bench_receive(b, frame, make_frame(frame, da, 0x88b5, len));
	bench_advance(b, 100000);
}

static void
restart_tx(struct bench *b)
{
	uint32_t control = rd(b, CH(0, 0x04));

	wr(b, CH(0, 0x04), control & ~1u);
	wr(b, CH(0, 0x04), control | 1);
}

static void
unknown_offset(struct bench *b)
{
	rd(b, 0x030);
	wr(b, 0x7ff0, 1);
}

static void
bad_size(struct bench *b)
{
	assert_int_equal(device_read(b->dev, 0x110, 2, b->now_ns), 0);
	device_write(b->dev, 0x302, 4, 1, b->now_ns);
	device_write(b->dev, 0x300, 8, 1, b->now_ns);
}

static void
absent_register(struct bench *b)
{
	wr(b, 0xc50, 1);
}

static void
reserved_bits(struct bench *b)
{
	wr(b, 0x008, 1 << 11);
}

static void
ro_field(struct bench *b)
{
	wr(b, 0xb0c, 5);
}

static void
set_again(struct bench *b)
{
	wr(b, 0xb00, 0x2201);
	wr(b, 0xb00, 0x2205);
	wr(b, 0xb00, 0x2205);
}

static void
reset_busy(struct bench *b)
{
	wr(b, 0x1000, 1);
	wr(b, 0x008, 1);
	assert_int_equal(rd(b, 0x008), 0);
}

static void
ftq_busy(struct bench *b)
{
	device_fault(b->dev, "stuck-self-clear", 0xd00, 1);
	wr(b, 0xd00, rd(b, 0xd00) | 1);
	wr(b, 0xd00, 2);
}

static void
ring_running(struct bench *b)
{
	wr(b, CH(0, 0x14), (uint32_t)TX_RING);
	wr(b, CH(0, 0x1c), (uint32_t)RX_RING);
	wr(b, CH(0, 0x2c), 7);
	wr(b, CH(0, 0x30), 7);
}

static void
ring_crosses_4g(struct bench *b)
{
	wr(b, 0x1004, 1 << 11);
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) & ~1u);
	wr(b, CH(0, 0x10), 1);
	wr(b, CH(0, 0x14), 0xffffff80);
	wr(b, CH(0, 0x20), 0xffffff80);
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) | 1);
}

static void
ring_short(struct bench *b)
{
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) & ~1u);
	wr(b, CH(0, 0x2c), 1);
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) | 1);
}

static void
tail_outside(struct bench *b)
{
	wr(b, CH(0, 0x28), (uint32_t)RX_RING + 16 * (RING_SIZE + 1));
	wr(b, CH(0, 0x28), (uint32_t)RX_RING + 8);
}

static void
pbl_too_big(struct bench *b)
{
	wr(b, 0xd00, 7 << 16 | 2 << 2 | 2); /* 2 KiB */
	restart_tx(b);
}

static void
rx_buffer_size(struct bench *b)
{
	wr(b, CH(0, 0x08), 32 << 16);
	wr(b, CH(0, 0x08), 32 << 16 | 1);
}

static void
fifo_oversubscribed(struct bench *b)
{
	wr(b, 0xd00, 127 << 16 | 2 << 2 | 2);
	wr(b, 0xd40, 0 << 16 | 2 << 2 | 2);
	restart_tx(b);
}

static void
address_width(struct bench *b)
{
	wr(b, 0x1004, 1 << 11);
	give(b, 0, 60, 0, FD | LD | 60);
	tx_desc(b, 0)[1] = 0x100; /* 41 bits */
	go(b, 1);
}

static void
eame_off(struct bench *b)
{
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) & ~1u);
	wr(b, CH(0, 0x10), 1);
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) | 1);
}

static void
dma_unmapped(struct bench *b)
{
	device_bus_master(b->dev, false, b->now_ns);
	give(b, 0, 60, 0, FD | LD | 60);
	go(b, 1);
}

static void
desc_all_ones(struct bench *b)
{
	memset(tx_desc(b, 0), 0xff, 16);
	go(b, 1);
	assert_int_equal(tx_desc(b, 0)[3] & (OWN | LD | 1 << 23), LD | 1 << 23);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x2001, 0x2001);
}

static void
desc_no_fd(struct bench *b)
{
	give(b, 0, 60, 0, LD | 60);
	go(b, 1);
	assert_int_equal(b->nb_sent, 0);
}

static void
desc_no_ld(struct bench *b)
{
	give(b, 0, 60, 0, FD | 60);
	give(b, 1, 60, 0, FD | LD | 60);
	go(b, 2);
	assert_int_equal(b->nb_sent, 1);
	assert_int_equal(b->sent[0].len, 60);
}

static void
desc_zero_length(struct bench *b)
{
	give(b, 0, 60, 0, FD | 60);
	give(b, 1, 0, 0, LD | 60);
	go(b, 2);
	assert_int_equal(b->nb_sent, 1);
}

static void
desc_length_sum(struct bench *b)
{
	give(b, 0, 60, 0, FD | LD | 61);
	go(b, 1);
	give(b, 1, 60, 0, FD | LD); /* no length given: fine */
	go(b, 2);
	assert_int_equal(complaints(b, "desc-length-sum"), 1);
}

static void
desc_too_long(struct bench *b)
{
	wr(b, 0, rd(b, 0) | 1 << 17);
	give(b, 0, 12000, 0, FD | 24000);
	give(b, 1, 12000, 0, LD | 24000);
	go(b, 2);
	bench_advance(b, 1000000);
	assert_int_equal(tx_desc(b, 1)[3] >> 14 & 1, 1);
}

static void
context_fd_ld(struct bench *b)
{
	give(b, 0, 0, 0, CTXT | FD);
	go(b, 1);
	assert_int_equal(tx_desc(b, 0)[3] & (OWN | LD | 1 << 23), LD | 1 << 23);
}

static void
context_mid_packet(struct bench *b)
{
	give(b, 0, 60, 0, FD | 100);
	give(b, 1, 0, 0, CTXT);
	go(b, 2);
	assert_int_equal(rd(b, CH(0, 0x60)) & 0x2002, 0x2002);
	wr(b, CH(0, 0x60), 0x2002);
	restart_tx(b); /* only SWR helps */
	give(b, 2, 60, 0, FD | LD | 60);
	go(b, 3);
	assert_int_equal(b->nb_sent, 0);
}

static void
context_feature(struct bench *b)
{
	give(b, 0, 0, 0, CTXT | 1 << 27);
	go(b, 1);
}

static void
tso_header(struct bench *b)
{
	wr(b, CH(0, 0x04), rd(b, CH(0, 0x04)) | 1 << 12);
	wr(b, CH(0, 0x00), 1 << 16 | 1000);
	give(b, 0, 54, 0, FD | 1 << 18 | 5 << 19 | 60); /* no IP packet */
	give(b, 1, 60, 0, LD);
	go(b, 2);
	assert_int_equal(tx_desc(b, 1)[3] & OWN, 0);
	wr(b, CH(0, 0x00), 1 << 16 | 16383); /* segments that no frame can hold */
	give(b, 2, 54, 0, FD | 1 << 18 | 5 << 19 | 60);
	give(b, 3, 60, 0, LD);
	go(b, 4);
	assert_int_equal(tx_desc(b, 3)[3] & OWN, 0);
	assert_int_equal(complaints(b, "tso-header"), 2);
}

static void
cksum_threshold(struct bench *b)
{
	wr(b, 0xd00, 15 << 16 | 2 << 2);
	give(b, 0, 60, 0, FD | LD | 3 << 16 | 60);
	go(b, 1);
}

static void
tx_over_fifo(struct bench *b)
{
	uint32_t len = make_udp(mem_at(b, TX_BUFFERS + 0x4000), 9, 5000);

	wr(b, 0, rd(b, 0) | 1 << 17);
	give(b, 0, 60, 0, 0);
	tx_desc(b, 0)[0] = (uint32_t)TX_BUFFERS + 0x4000;
	tx_desc(b, 0)[2] = len;
	tx_desc(b, 0)[3] = OWN | FD | LD | 3 << 16 | len;
	go(b, 1);
	assert_int_equal(b->sent[0].len, len); /* it does not hang */
	assert_int_equal(tx_desc(b, 0)[3] & 0x9000, 0x9000);
}

static void
txq_off(struct bench *b)
{
	wr(b, 0xd00, 15 << 16 | 2);
	give(b, 0, 60, 0, FD | LD | 60);
	go(b, 1);
	assert_int_equal(b->nb_sent, 0);
}

static void
rx_buffer_unaligned(struct bench *b)
{
	rx_desc(b, 0)[0] += 2;
	receive(b, 60);
	assert_int_equal(((uint8_t *)mem_at(b, RX_BUFFERS))[2], 2);
}

static void
rx_buffer_none(struct bench *b)
{
	rx_desc(b, 0)[3] = OWN;
	receive(b, 60);
}

static void
rx_channel_stopped(struct bench *b)
{
	wr(b, CH(0, 0x08), rd(b, CH(0, 0x08)) & ~1u);
	assert_int_equal(complaints(b, NULL), 0);
	receive(b, 60);
}

static void
rxq_off(struct bench *b)
{
	wr(b, 0xa0, 0);
	receive(b, 60);
}

static void
speed_while_running(struct bench *b)
{
	wr(b, 0, 3 << 14 | 3);
}

static void
speed_mismatch(struct bench *b)
{
	wr(b, 0, 0);
	wr(b, 0, 3 << 14 | 1 << 13);
	wr(b, 0, 3 << 14 | 1 << 13 | 3);
	receive(b, 60); /* so shortly after the link came up no driver can know */
	assert_int_equal(complaints(b, NULL), 0);
	bench_advance(b, 3000000000);
	give(b, 0, 60, 0, FD | LD | 60);
	go(b, 1);
	receive(b, 60);
	assert_int_equal(b->nb_sent, 0);
	assert_int_equal(counter(b, "rx0_packets"), 0);
	assert_int_equal(complaints(b, "speed-mismatch"), 2);
}

static void
mdio_busy(struct bench *b)
{
	wr(b, 0x200, 1 << 21 | 4 << 8 | 3 << 2 | 1);
	rd(b, 0x204);
	wr(b, 0x204, 5);
	wr(b, 0x200, 2 << 21 | 4 << 8 | 3 << 2);
	assert_int_equal(complaints(b, "mdio-busy"), 3);
}

static void
mdc_fast(struct bench *b)
{
	wr(b, 0x200, 1 << 21 | 8 << 8 | 3 << 2 | 1);
}

static void
ts_busy(struct bench *b)
{
	wr(b, 0xb00, 0x2201);
	wr(b, 0xb00, 0x2205);
	wr(b, 0xb10, 5);
	wr(b, 0xb00, 0x2301); /* would drop TSINIT */
	assert_int_equal(rd(b, 0xb00), 0x2305);
	assert_int_equal(complaints(b, "ts-busy"), 2);
}

static void
ts_disabled(struct bench *b)
{
	wr(b, 0xb00, 0x2204);
}

static const struct {
	enum complaint_kind kind;
	void (*provoke)(struct bench *b);
} cases[] = {
	{ COMPLAINT_UNKNOWN_OFFSET, unknown_offset },
	{ COMPLAINT_BAD_SIZE, bad_size },
	{ COMPLAINT_ABSENT_REGISTER, absent_register },
	{ COMPLAINT_RESERVED_BITS, reserved_bits },
	{ COMPLAINT_RO_FIELD, ro_field },
	{ COMPLAINT_SET_AGAIN, set_again },
	{ COMPLAINT_RESET_BUSY, reset_busy },
	{ COMPLAINT_FTQ_BUSY, ftq_busy },
	{ COMPLAINT_RING_RUNNING, ring_running },
	{ COMPLAINT_RING_CROSSES_4G, ring_crosses_4g },
	{ COMPLAINT_RING_SHORT, ring_short },
	{ COMPLAINT_TAIL_OUTSIDE, tail_outside },
	{ COMPLAINT_PBL_TOO_BIG, pbl_too_big },
	{ COMPLAINT_RX_BUFFER_SIZE, rx_buffer_size },
	{ COMPLAINT_FIFO_OVERSUBSCRIBED, fifo_oversubscribed },
	{ COMPLAINT_ADDRESS_WIDTH, address_width },
	{ COMPLAINT_EAME_OFF, eame_off },
	{ COMPLAINT_DMA_UNMAPPED, dma_unmapped },
	{ COMPLAINT_DESC_ALL_ONES, desc_all_ones },
	{ COMPLAINT_DESC_NO_FD, desc_no_fd },
	{ COMPLAINT_DESC_NO_LD, desc_no_ld },
	{ COMPLAINT_DESC_ZERO_LENGTH, desc_zero_length },
	{ COMPLAINT_DESC_LENGTH_SUM, desc_length_sum },
	{ COMPLAINT_DESC_TOO_LONG, desc_too_long },
	{ COMPLAINT_CONTEXT_FD_LD, context_fd_ld },
	{ COMPLAINT_CONTEXT_MID_PACKET, context_mid_packet },
	{ COMPLAINT_CONTEXT_FEATURE, context_feature },
	{ COMPLAINT_TSO_HEADER, tso_header },
	{ COMPLAINT_CKSUM_THRESHOLD, cksum_threshold },
	{ COMPLAINT_TX_OVER_FIFO, tx_over_fifo },
	{ COMPLAINT_TXQ_OFF, txq_off },
	{ COMPLAINT_RX_BUFFER_UNALIGNED, rx_buffer_unaligned },
	{ COMPLAINT_RX_BUFFER_NONE, rx_buffer_none },
	{ COMPLAINT_RX_CHANNEL_STOPPED, rx_channel_stopped },
	{ COMPLAINT_RXQ_OFF, rxq_off },
	{ COMPLAINT_SPEED_WHILE_RUNNING, speed_while_running },
	{ COMPLAINT_SPEED_MISMATCH, speed_mismatch },
	{ COMPLAINT_MDIO_BUSY, mdio_busy },
	{ COMPLAINT_MDC_FAST, mdc_fast },
	{ COMPLAINT_TS_BUSY, ts_busy },
	{ COMPLAINT_TS_DISABLED, ts_disabled },
};

static void
every_kind_is_provoked_alone(void **state)
{
	unsigned int provoked[COMPLAINT_COUNT] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = bench_running(NULL);
		const char *token = complaint_token(cases[i].kind);
		uint64_t of_kind;

		assert_int_equal(complaints(b, NULL), 0);
		cases[i].provoke(b);
		of_kind = complaints(b, token);
		if (of_kind == 0)
			fail_msg("%s was not complained about", token);
		if (complaints(b, NULL) != of_kind)
			fail_msg("%s: other complaints as well", token);
		assert_int_equal(counter(b, "complaints"), complaints(b, NULL));
		device_complaints_clear(b->dev);
		assert_int_equal(complaints(b, NULL), 0);
		provoked[cases[i].kind]++;
		bench_destroy(b);
	}
	for (unsigned int kind = 0; kind < COMPLAINT_COUNT; kind++)
		if (provoked[kind] == 0)
			fail_msg("%s is not tested", complaint_token(kind));
}

static void
the_log_keeps_counting_when_it_is_full(void **state)
{
	struct bench *b = bench_running(NULL);
	struct device_complaint list[200];

	(void)state;
	for (uint32_t offset = 0x2000; offset < 0x2000 + 4 * 200; offset += 4)
		rd(b, offset);
	assert_int_equal(device_complaints(b->dev, list, 200), 128);
	assert_int_equal(complaints(b, "unknown-offset"), 200);
	assert_int_equal(counter(b, "complaints"), 200);
	bench_destroy(b);
}

static void
a_read_modify_write_across_a_pending_command_is_no_complaint(void **state)
{
	struct bench *b = bench_running(NULL);

	(void)state;
	wr(b, 0xb00, 0x2201);
	wr(b, 0xb00, 0x2205);
	wr(b, 0xb00, rd(b, 0xb00) | 0x100);
	assert_int_equal(complaints(b, NULL), 0);
	bench_destroy(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_provoked_alone),
		cmocka_unit_test(the_log_keeps_counting_when_it_is_full),
		cmocka_unit_test(a_read_modify_write_across_a_pending_command_is_no_complaint),
	};

	return cmocka_run_group_tests_name("model complaints", tests, NULL, NULL);
}
