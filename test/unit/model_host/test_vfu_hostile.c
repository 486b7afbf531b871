/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* Clients that break the rules: the server neither crashes, leaks nor hangs, and serves the next.
 */
#include "fake_device.h"
#include "client.h"
#include "clock.h"
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define BAR0 VFIO_PCI_BAR0_REGION_INDEX
#define ARM  (VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)

static struct bench bench;
static unsigned int open_before;

static int
setup(void **state)
{
	(void)state;
	bench_open(&bench);
	bench_connect(&bench);
	bench_disconnect(&bench);
	open_before = count_open_fds();
	return 0;
}

/* Whatever happened: the next client is served and no descriptor stayed behind. */
static int
teardown(void **state)
{
	uint32_t value;

	(void)state;
	clock_freeze(0);
	if (bench.fd >= 0)
		bench_disconnect(&bench);
	assert_int_equal(count_open_fds(), open_before);
	bench_greet(&bench);
	assert_int_equal(bench_read(&bench, BAR0, 0, 4, &value), 0);
	bench_close(&bench);
	assert_int_equal(fake_devices_alive, 0);
	return 0;
}

static void
assert_thrown_out(void)
{
	uint8_t rest[4096];
	long got;

	bench_turn(&bench);
	while ((got = bench_receive(&bench, rest, sizeof(rest))) > 0)
		;
	assert_true(got == 0 || got == -ECONNRESET);
	assert_false(vfu_busy(bench.device.vfu));
}

static void
too_small_or_too_large_a_message_ends_the_connection(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 15, VFU_MESSAGE_MAX + 1, UINT32_MAX };

	(void)state;
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct vfu_header header = { .command = VFU_REGION_READ, .size = sizes[i] };

		bench_greet(&bench);
		bench_send(&bench, &header, sizeof(header), NULL, 0);
		assert_thrown_out();
		close(bench.fd);
		bench.fd = -1;
	}
}

static void
first_command_must_be_version(void **state)
{
	const struct vfu_region_io io = { .region = BAR0, .count = 4 };
	struct answer answer;

	(void)state;
	bench_connect(&bench);
	assert_int_equal(bench_call(&bench, VFU_REGION_READ, &io, sizeof(io), NULL, 0, &answer),
			EPROTO);
	assert_thrown_out();
}

static void
bad_versions_are_refused(void **state)
{
	static const struct {
		char text[32];
		size_t len;
		int error;
	} cases[] = {
		{ "\1\0\0\0", 4, ENOTSUP },   /* major 1 */
		{ "\0\0", 2, EINVAL },	      /* cut */
		{ "\0\0\0\0{}", 6, EINVAL },  /* no NUL */
		{ "\0\0\0\0{x}", 8, EINVAL }, /* no JSON */
		{ "\0\0\0\0{\"a\":", 10, EINVAL },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer answer;

		bench_connect(&bench);
		assert_int_equal(bench_call(&bench, VFU_VERSION, cases[i].text, cases[i].len, NULL,
						 0, &answer),
				cases[i].error);
		assert_thrown_out();
		close(bench.fd);
		bench.fd = -1;
	}
}

static void
replies_instead_of_commands_end_the_connection(void **state)
{
	uint8_t message[64];

	(void)state;
	bench_greet(&bench);
	bench_send(&bench, message,
			bench_build(&bench, message, VFU_DEVICE_RESET, VFU_FLAG_REPLY, NULL, 0),
			NULL, 0);
	assert_thrown_out();
}

static void
every_command_with_every_short_payload_is_answered(void **state)
{
	uint8_t payload[64];

	(void)state;
	memset(payload, 0xff, sizeof(payload));
	bench_greet(&bench);
	for (uint16_t command = 0; command < 40; command++) {
		for (size_t len = 0; len <= sizeof(payload); len += 4) {
			struct answer answer;
			int ret;

			if (command == VFU_VERSION)
				continue;
			ret = bench_call(&bench, command, payload, len, NULL, 0, &answer);
			/* Answered, and refused unless it has no arguments to be wrong. */
			assert_true(ret >= 0);
			if (command != VFU_DEVICE_RESET && command != VFU_DEVICE_GET_INFO)
				assert_int_not_equal(ret, 0);
		}
	}
}

static void
connection_may_end_at_any_byte(void **state)
{
	struct {
		struct vfu_region_io io;
		uint32_t value;
	} write = { .io = { .region = BAR0, .offset = 8, .count = 4 }, .value = 7 };
	const struct vfu_dma_map map = { .argsz = sizeof(map), .flags = 3, .size = 0x1000 };
	const int memory = memfd_create("test", MFD_CLOEXEC);
	uint8_t bytes[256];
	size_t len;

	(void)state;
	assert_int_equal(ftruncate(memory, 0x1000), 0);
	len = bench_build(&bench, bytes, VFU_REGION_WRITE, VFU_FLAG_NO_REPLY, &write,
			sizeof(write.io) + 4);
	len += bench_build(&bench, bytes + len, VFU_DMA_MAP, 0, &map, sizeof(map));
	for (size_t cut = 1; cut <= len; cut++) {
		bench_greet(&bench);
		bench_send(&bench, bytes, cut, &memory, 1);
		bench_turn(&bench);
		bench_disconnect(&bench);
		assert_false(vfu_busy(bench.device.vfu));
	}
	close(memory);
}

static void
messages_may_arrive_byte_by_byte(void **state)
{
	struct {
		struct vfu_region_io io;
		uint32_t value;
	} write = { .io = { .region = BAR0, .offset = 8, .count = 4 }, .value = 7 };
	uint8_t bytes[64];
	const size_t len = bench_build(
			&bench, bytes, VFU_REGION_WRITE, 0, &write, sizeof(write.io) + 4);
	struct answer answer;

	(void)state;
	bench_greet(&bench);
	((struct vfu_header *)bytes)->id = bench.next_id;
	for (size_t i = 0; i < len; i++) {
		bench_send(&bench, bytes + i, 1, NULL, 0);
		bench_turn(&bench);
	}
	assert_int_equal(bench_answer(&bench, &answer), 0);
	assert_int_equal(bench_fake(&bench)->regs[2], 7);
}

/* Requests sent before earlier replies were read, with descriptors on some of them. */
static void
pipelined_maps_get_their_own_descriptors(void **state)
{
	struct dma *dma = &bench.device.slot->dma;
	uint8_t bytes[128];
	struct answer answer;

	(void)state;
	bench_greet(&bench);
	for (uint32_t i = 0; i < 32; i++) {
		const struct vfu_dma_map map = {
			.argsz = sizeof(map), .flags = 3, .iova = i * 0x1000, .size = 0x1000
		};
		const int fd = i % 3 != 0 ? memfd_create("test", MFD_CLOEXEC) : -1;

		if (fd >= 0) {
			assert_int_equal(ftruncate(fd, 0x1000), 0);
			assert_int_equal(pwrite(fd, &i, 4, 0), 4);
		}
		bench_send(&bench, bytes,
				bench_build(&bench, bytes, VFU_DMA_MAP, 0, &map, sizeof(map)), &fd,
				fd >= 0);
		if (fd >= 0)
			close(fd);
	}
	bench_turn(&bench);
	for (uint32_t i = 0; i < 32; i++) {
		const uint32_t *word = dma_lookup(dma, i * 0x1000, 4, false);

		assert_int_equal(bench_answer(&bench, &answer), 0);
		if (i % 3 == 0)
			assert_null(word);
		else
			assert_int_equal(*word, i);
	}
}

static void
header_and_payload_may_come_apart(void **state)
{
	const struct vfu_dma_map map = { .argsz = sizeof(map), .flags = 3, .size = 0x1000 };
	const int memory = memfd_create("test", MFD_CLOEXEC);
	uint8_t reset[16];
	uint8_t bytes[64];
	const size_t len = bench_build(&bench, bytes, VFU_DMA_MAP, 0, &map, sizeof(map));
	struct answer answer;

	(void)state;
	assert_int_equal(ftruncate(memory, 0x1000), 0);
	bench_greet(&bench);
	/* Behind another message, with which it is read. */
	bench_send(&bench, reset, bench_build(&bench, reset, VFU_DEVICE_RESET, 0, NULL, 0), NULL,
			0);
	bench_send(&bench, bytes, sizeof(struct vfu_header), &memory, 1);
	bench_turn(&bench);
	bench_send(&bench, bytes + sizeof(struct vfu_header), len - sizeof(struct vfu_header), NULL,
			0);
	assert_int_equal(bench_answer(&bench, &answer), 0);
	assert_int_equal(bench_answer(&bench, &answer), 0);
	assert_non_null(dma_lookup(&bench.device.slot->dma, 0, 4, true));
	close(memory);
}

static void
descriptors_nobody_wants_are_closed(void **state)
{
	const struct vfu_region_io io = { .region = BAR0, .count = 4 };
	int fds[40];
	uint8_t bytes[64];
	struct answer answer;

	(void)state;
	for (unsigned int i = 0; i < 40; i++)
		fds[i] = eventfd(0, 0);
	bench_greet(&bench);
	for (unsigned int i = 0; i < 100; i++)
		assert_int_equal(bench_call(&bench, VFU_REGION_READ, &io, sizeof(io), fds, 32,
						 &answer),
				0);
	/* More than announced: the kernel cuts, the server ends it. */
	bench_send(&bench, bytes, bench_build(&bench, bytes, VFU_DEVICE_RESET, 0, NULL, 0), fds,
			40);
	assert_thrown_out();
	for (unsigned int i = 0; i < 40; i++)
		close(fds[i]);
}

static void
unusable_memory_is_refused(void **state)
{
	const int memory = memfd_create("test", MFD_CLOEXEC);
	const int null = open("/dev/null", O_RDWR), event = eventfd(0, 0);

	(void)state;
	assert_int_equal(ftruncate(memory, 0x3000), 0);
	bench_greet(&bench);
	assert_int_equal(bench_map(&bench, 0, 0x4000, memory, 0, 3), EINVAL); /* too short */
	assert_int_equal(bench_map(&bench, 0, 0x1000, memory, 0x3000, 3), EINVAL);
	assert_int_equal(bench_map(&bench, 0, 0x1000, memory, UINT64_MAX, 3), EINVAL);
	assert_int_equal(bench_map(&bench, 0, 0, memory, 0, 3), EINVAL);
	assert_int_equal(bench_map(&bench, UINT64_MAX - 10, 0x1000, memory, 0, 3), EINVAL);
	assert_int_equal(bench_map(&bench, 0, UINT64_MAX, memory, 0, 3), EINVAL);
	assert_int_equal(bench_map(&bench, 0, 0x1000, null, 0, 3), EINVAL);
	assert_int_equal(bench_map(&bench, 0, 0x1000, event, 0, 3), EINVAL);
	assert_int_equal(bench_map(&bench, 0, 0x1000, memory, 0, 0xff), EINVAL);
	assert_int_equal(bench.device.slot->dma.nb_windows, 0);
	/* Offsets need not be page aligned. */
	assert_int_equal(bench_map(&bench, 0x10010, 0x1000, memory, 0x1010, 3), 0);
	close(memory);
	close(null);
	close(event);
}

static void
truncated_memory_reads_zero_instead_of_killing_us(void **state)
{
	const int memory = memfd_create("test", MFD_CLOEXEC);
	volatile uint32_t *word;

	(void)state;
	dma_guard_install();
	assert_int_equal(ftruncate(memory, 0x4000), 0);
	bench_greet(&bench);
	assert_int_equal(bench_map(&bench, 0, 0x4000, memory, 0, 3), 0);
	word = dma_lookup(&bench.device.slot->dma, 0x2000, 4, true);
	*word = 5;
	assert_int_equal(ftruncate(memory, 0), 0);
	assert_int_equal(*word, 0);
	*word = 6;
	assert_int_equal(*word, 6);
	assert_true(dma_guard_hits() >= 1);
	close(memory);
}

static void
full_eventfd_does_not_block_the_device(void **state)
{
	const uint64_t full = UINT64_MAX - 1;
	const uint16_t bus_master = 4;
	const int fd = eventfd(0, 0); /* blocking */
	uint64_t count;

	(void)state;
	bench_greet(&bench);
	assert_int_equal(bench_write(&bench, VFIO_PCI_CONFIG_REGION_INDEX, 4, 2, &bus_master), 0);
	assert_int_equal(bench_set_irqs(&bench, ARM, VFIO_PCI_MSI_IRQ_INDEX, 0, 1, &fd, 1), 0);
	assert_int_equal(write(fd, &full, sizeof(full)), sizeof(full));
	bench_fake(&bench)->host->irq(bench_fake(&bench)->ctx, 0);
	assert_int_equal(read(fd, &count, sizeof(count)), sizeof(count));
	assert_true(count == full);
	close(fd);
}

static void
client_that_does_not_read_is_thrown_out_in_time(void **state)
{
	const struct vfu_region_io io = { .region = BAR0, .count = 0x8000 };
	uint8_t bytes[64];
	uint64_t now_ns = clock_true_ns();

	(void)state;
	clock_freeze(now_ns);
	bench_greet(&bench);
	for (unsigned int i = 0; i < 200; i++)
		bench_send(&bench, bytes,
				bench_build(&bench, bytes, VFU_REGION_READ, 0, &io, sizeof(io)),
				NULL, 0);
	bench_turn(&bench);
	assert_true(vfu_busy(bench.device.vfu));
	/* It stopped reading ahead: not all of the requests have been executed. */
	assert_true(vfu_stats(bench.device.vfu)->messages < 200);
	clock_freeze(now_ns + 4 * NS_PER_S);
	bench_turn(&bench);
	assert_true(vfu_busy(bench.device.vfu));
	clock_freeze(now_ns + 6 * NS_PER_S);
	bench_turn(&bench);
	assert_false(vfu_busy(bench.device.vfu));
}

static void
slow_reader_gets_every_reply(void **state)
{
	struct vfu_region_io io = { .region = BAR0, .count = 0x8000 };
	uint8_t bytes[64];
	struct answer answer;

	(void)state;
	bench_greet(&bench);
	for (unsigned int i = 0; i < 100; i++) {
		size_t len;

		io.count = 0x8000 - i;
		len = bench_build(&bench, bytes, VFU_REGION_READ, 0, &io, sizeof(io));
		bench_send(&bench, bytes, len, NULL, 0);
	}
	bench_turn(&bench);
	for (unsigned int i = 0; i < 100; i++) {
		assert_int_equal(bench_answer(&bench, &answer), 0);
		assert_int_equal(answer.len, sizeof(io) + 0x8000 - i);
	}
}

/* Random bytes with a plausible header: whatever it does, it must stay alive and tidy. */
static void
random_messages_do_no_harm(void **state)
{
	unsigned int seed = 1;

	(void)state;
	for (unsigned int round = 0; round < 3000; round++) {
		const int fd = eventfd(0, EFD_NONBLOCK);
		uint8_t message[96], payload[80];
		const size_t len = (size_t)rand_r(&seed) % sizeof(payload);
		const uint16_t command = (uint16_t)(1 + rand_r(&seed) % 18);

		for (size_t i = 0; i < len; i++)
			payload[i] = (uint8_t)(rand_r(&seed) % 3 != 0 ? 0 : rand_r(&seed));
		if (bench.fd < 0)
			bench_greet(&bench);
		bench_send(&bench, message,
				bench_build(&bench, message, command,
						rand_r(&seed) % 2 ? VFU_FLAG_NO_REPLY : 0, payload,
						len),
				&fd, (unsigned int)rand_r(&seed) % 2);
		bench_turn(&bench);
		while (bench_receive(&bench, message, sizeof(message)) > 0)
			;
		if (!vfu_busy(bench.device.vfu) || round % 100 == 99)
			bench_disconnect(&bench);
		close(fd);
	}
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(too_small_or_too_large_a_message_ends_the_connection),
		CASE(first_command_must_be_version),
		CASE(bad_versions_are_refused),
		CASE(replies_instead_of_commands_end_the_connection),
		CASE(every_command_with_every_short_payload_is_answered),
		CASE(connection_may_end_at_any_byte),
		CASE(messages_may_arrive_byte_by_byte),
		CASE(pipelined_maps_get_their_own_descriptors),
		CASE(header_and_payload_may_come_apart),
		CASE(descriptors_nobody_wants_are_closed),
		CASE(unusable_memory_is_refused),
		CASE(truncated_memory_reads_zero_instead_of_killing_us),
		CASE(full_eventfd_does_not_block_the_device),
		CASE(client_that_does_not_read_is_thrown_out_in_time),
		CASE(slow_reader_gets_every_reply),
		CASE(random_messages_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
