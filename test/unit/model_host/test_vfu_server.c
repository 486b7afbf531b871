/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* The commands of the vfio-user server, as well-behaved clients use them. */
#include "fake_device.h"
#include "client.h"
#include "cmocka_all.h"

#include <errno.h>
#include <linux/vfio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define BAR0   VFIO_PCI_BAR0_REGION_INDEX
#define CONFIG VFIO_PCI_CONFIG_REGION_INDEX
#define MSI    VFIO_PCI_MSI_IRQ_INDEX
#define INTX   VFIO_PCI_INTX_IRQ_INDEX
#define ARM    (VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)

static struct bench bench;

static int
setup(void **state)
{
	(void)state;
	bench_open(&bench);
	bench_greet(&bench);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	bench_close(&bench);
	assert_int_equal(fake_devices_alive, 0);
	return 0;
}

static void
version_reply_is_no_longer_than_the_request(void **state)
{
	static const char *const requests[] = {
		"",
		"{}",
		"{\"capabilities\":{\"max_msg_fds\":8}}",
		("{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576,"
		 "\"pgsizes\":4096,\"max_dma_maps\":65535,\"write_multiple\":true}}"),
	};

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		const size_t text_len = requests[i][0] != '\0' ? strlen(requests[i]) + 1 : 0;
		uint8_t request[512] = { 0 };
		struct answer answer;

		bench_disconnect(&bench);
		bench_connect(&bench);
		memcpy(request + 4, requests[i], text_len);
		assert_int_equal(bench_call(&bench, VFU_VERSION, request, 4 + text_len, NULL, 0,
						 &answer),
				0);
		assert_true(answer.len >= 4 && answer.len <= 4 + text_len);
		assert_memory_equal(answer.payload, "\0\0\0\0", 4);
		if (answer.len > 4)
			assert_int_equal(answer.payload[answer.len - 1], '\0');
		/* Nor does it announce more than the client can imagine. */
		if (i == 3)
			assert_non_null(strstr((char *)answer.payload + 4, "\"max_msg_fds\":8,"));
	}
}

static void
device_has_config_space_and_one_unmappable_bar(void **state)
{
	struct vfu_device_info device = { .argsz = sizeof(device) };
	struct answer answer;

	(void)state;
	assert_int_equal(bench_call(&bench, VFU_DEVICE_GET_INFO, &device, sizeof(device), NULL, 0,
					 &answer),
			0);
	memcpy(&device, answer.payload, sizeof(device));
	assert_int_equal(device.flags, VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET);
	assert_int_equal(device.nb_regions, 9);
	assert_int_equal(device.nb_irqs, 5);
	for (uint32_t i = 0; i < device.nb_regions; i++) {
		struct vfu_region_info region = { .argsz = 64, .index = i };

		assert_int_equal(bench_call(&bench, VFU_DEVICE_GET_REGION_INFO, &region,
						 sizeof(region), NULL, 0, &answer),
				0);
		assert_int_equal(answer.len, 32);
		memcpy(&region, answer.payload, sizeof(region));
		assert_int_equal(region.argsz, 32);
		assert_int_equal(region.index, i);
		assert_int_equal(region.size, i == BAR0 ? FAKE_BAR_SIZE : i == CONFIG ? 4096 : 0);
		assert_int_equal(region.flags, region.size != 0 ? 3 : 0);
	}
}

static void
interrupts_are_one_intx_and_32_msi(void **state)
{
	static const uint32_t counts[] = { 1, 32, 0, 0, 0 };
	struct answer answer;

	(void)state;
	for (uint32_t i = 0; i < 5; i++) {
		struct vfu_irq_info info = { .argsz = sizeof(info), .index = i };

		assert_int_equal(bench_call(&bench, VFU_DEVICE_GET_IRQ_INFO, &info, sizeof(info),
						 NULL, 0, &answer),
				0);
		memcpy(&info, answer.payload, sizeof(info));
		assert_int_equal(info.count, counts[i]);
		assert_int_equal(info.flags & VFIO_IRQ_INFO_EVENTFD, counts[i] != 0);
	}
}

static void
registers_are_read_and_written(void **state)
{
	uint32_t value = 0x12345678, pair[2] = { 1, 2 };
	uint8_t all[256];

	(void)state;
	assert_int_equal(bench_write(&bench, BAR0, 0x100, 4, &value), 0);
	assert_int_equal(bench_fake(&bench)->regs[0x40], 0x12345678);
	value = 0;
	assert_int_equal(bench_read(&bench, BAR0, 0x100, 4, &value), 0);
	assert_int_equal(value, 0x12345678);
	/* 8 bytes are two registers; 2 bytes reach the device as they are. */
	assert_int_equal(bench_write(&bench, BAR0, 0x200, 8, pair), 0);
	assert_int_equal(bench_fake(&bench)->regs[0x81], 2);
	assert_int_equal(bench_fake(&bench)->odd_accesses, 0);
	assert_int_equal(bench_read(&bench, BAR0, 0x200, 2, &value), 0);
	assert_int_equal(bench_fake(&bench)->odd_accesses, 1);
	/* The end of the region cuts a long access. */
	assert_int_equal(bench_read(&bench, BAR0, FAKE_BAR_SIZE - 8, 256, all), 0);
	assert_int_equal(bench_read(&bench, BAR0, FAKE_BAR_SIZE, 4, all), EINVAL);
	assert_int_equal(bench_read(&bench, 3, 0, 4, all), EINVAL);
	assert_int_equal(bench_read(&bench, 77, 0, 4, all), EINVAL);
}

static void
posted_writes_are_not_answered(void **state)
{
	struct {
		struct vfu_region_io io;
		uint32_t value;
	} request = { .io = { .region = BAR0, .count = 4 } };
	uint8_t burst[2000 * 64];
	size_t len = 0;
	uint32_t value;

	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		request.io.offset = (i % 1000) * 4;
		request.value = i;
		len += bench_build(&bench, burst + len, VFU_REGION_WRITE, VFU_FLAG_NO_REPLY,
				&request, sizeof(request.io) + 4);
	}
	/* One that fails is not answered either. */
	request.io.offset = UINT64_MAX - 2;
	len += bench_build(&bench, burst + len, VFU_REGION_WRITE, VFU_FLAG_NO_REPLY, &request,
			sizeof(request.io) + 4);
	bench_send(&bench, burst, len, NULL, 0);
	bench_turn(&bench);
	assert_int_equal(bench_receive(&bench, burst, sizeof(burst)), -EAGAIN);
	assert_int_equal(bench_fake(&bench)->writes, 2000);
	assert_int_equal(bench_fake(&bench)->regs[999], 1999);
	assert_int_equal(vfu_stats(bench.device.vfu)->errors, 1);
	/* Read in several pieces of some 64 KiB, not one run of the device per write. */
	assert_true(bench_fake(&bench)->runs < 50);
	assert_int_equal(bench_read(&bench, BAR0, 999 * 4, 4, &value), 0);
	assert_int_equal(value, 1999);
}

static void
memory_is_mapped_and_unmapped_by_range(void **state)
{
	struct dma *dma = &bench.device.slot->dma;
	struct vfu_dma_unmap unmap = { .argsz = sizeof(unmap), .iova = 0x100000, .size = 0x200000 };
	const int fd = memfd_create("test", MFD_CLOEXEC);
	struct answer answer;
	uint32_t *word;

	(void)state;
	assert_int_equal(ftruncate(fd, 0x10000), 0);
	assert_int_equal(pwrite(fd, "test", 4, 0x3000), 4);
	assert_int_equal(bench_map(&bench, 0x100000, 0x2000, fd, 0x3000, 3), 0);
	assert_int_equal(bench_map(&bench, 0x102000, 0x1000, fd, 0x6000, 1), 0);
	assert_int_equal(bench_map(&bench, 0x300000, 0x1000, -1, 0, 3), 0);
	word = dma_lookup(dma, 0x100000, 4, true);
	assert_non_null(word);
	assert_memory_equal(word, "test", 4);
	assert_non_null(dma_lookup(dma, 0x102ffc, 4, false));
	assert_null(dma_lookup(dma, 0x102ffc, 4, true));      /* read only */
	assert_non_null(dma_lookup(dma, 0x101ffe, 4, false)); /* neighbours: contiguous */
	assert_null(dma_lookup(dma, 0x101ffe, 4, true));      /* but one is read only */
	assert_null(dma_lookup(dma, 0x102ffe, 4, false));     /* beyond the last */
	assert_null(dma_lookup(dma, 0x300000, 4, false));     /* no descriptor */
	assert_null(dma_lookup(dma, 0xfffff, 4, false));
	assert_int_equal(bench_map(&bench, 0x101000, 0x10000, fd, 0, 3), EEXIST);
	assert_int_equal(bench_map(&bench, 0xff000, 0x1001, fd, 0, 3), EEXIST);
	assert_int_equal(bench_call(&bench, VFU_DMA_UNMAP, &unmap, sizeof(unmap), NULL, 0, &answer),
			0);
	assert_memory_equal(answer.payload, &unmap, sizeof(unmap));
	assert_null(dma_lookup(dma, 0x100000, 4, true));
	assert_int_equal(dma->nb_windows, 1);
	/* Again: nothing matches, and that is fine. */
	assert_int_equal(bench_call(&bench, VFU_DMA_UNMAP, &unmap, sizeof(unmap), NULL, 0, &answer),
			0);
	unmap = (struct vfu_dma_unmap){ .argsz = sizeof(unmap), .flags = 2 };
	assert_int_equal(bench_call(&bench, VFU_DMA_UNMAP, &unmap, sizeof(unmap), NULL, 0, &answer),
			0);
	assert_int_equal(dma->nb_windows, 0);
	close(fd);
}

/* What an IOMMU does: pages of a file in any order become one buffer of the device. */
static void
scattered_pages_are_one_buffer_to_the_device(void **state)
{
	static const unsigned int order[] = { 5, 2, 7, 0 };
	struct dma *dma = &bench.device.slot->dma;
	struct vfu_dma_unmap unmap = { .argsz = sizeof(unmap), .iova = 0xfefc5000, .size = 0x1000 };
	const int fd = memfd_create("test", MFD_CLOEXEC);
	struct answer answer;
	uint8_t *bytes, expected[0x4000], got[0x1000];

	(void)state;
	assert_int_equal(ftruncate(fd, 0x8000), 0);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(bench_map(&bench, 0xfefc4000 + i * 0x1000, 0x1000, fd,
						 order[i] * 0x1000, 3),
				0);
	for (unsigned int i = 0; i < sizeof(expected); i++)
		expected[i] = (uint8_t)(i * 7 + i / 256);
	bytes = dma_lookup(dma, 0xfefc4000, 0x4000, true);
	assert_non_null(bytes);
	memcpy(bytes, expected, sizeof(expected));
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(pread(fd, got, sizeof(got), order[i] * 0x1000), sizeof(got));
		assert_memory_equal(got, expected + i * 0x1000, sizeof(got));
	}
	assert_null(dma_lookup(dma, 0xfefc3fff, 2, false));
	assert_null(dma_lookup(dma, 0xfefc7fff, 2, false));
	assert_int_equal(bench_call(&bench, VFU_DMA_UNMAP, &unmap, sizeof(unmap), NULL, 0, &answer),
			0);
	assert_null(dma_lookup(dma, 0xfefc4000, 0x4000, false));
	assert_non_null(dma_lookup(dma, 0xfefc6000, 0x2000, false));
	/* The hole can be filled again, and windows beyond the arena work by themselves. */
	assert_int_equal(bench_map(&bench, 0xfefc5000, 0x1000, fd, 0x1000, 3), 0);
	assert_non_null(dma_lookup(dma, 0xfefc4000, 0x4000, true));
	assert_int_equal(bench_map(&bench, DMA_ARENA_SIZE - 0x1000, 0x2000, fd, 0, 3), 0);
	assert_int_equal(bench_map(&bench, DMA_ARENA_SIZE + 0x1000, 0x1000, fd, 0, 3), 0);
	assert_non_null(dma_lookup(dma, DMA_ARENA_SIZE - 0x1000, 0x2000, true));
	assert_null(dma_lookup(dma, DMA_ARENA_SIZE, 0x2000, true));
	close(fd);
}

static uint64_t
signalled(int fd)
{
	uint64_t count = 0;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

static void
raise_vector(unsigned int vector)
{
	bench_fake(&bench)->host->irq(bench_fake(&bench)->ctx, vector);
}

static void
msi_vectors_are_armed_disarmed_and_disabled(void **state)
{
	const uint16_t bus_master = 4;
	int fds[32];

	(void)state;
	for (unsigned int i = 0; i < 32; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 0, 8, fds, 8), 0);
	assert_int_equal(bench_fake(&bench)->vectors, 8);
	raise_vector(3); /* without bus mastering there is no message */
	assert_int_equal(signalled(fds[3]), 0);
	assert_int_equal(bench_write(&bench, CONFIG, 4, 2, &bus_master), 0);
	assert_true(bench_fake(&bench)->bus_master);
	raise_vector(3);
	raise_vector(3);
	assert_int_equal(signalled(fds[3]), 2);
	/* A client that may send few descriptors at once arms in steps. */
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 8, 24, fds + 8, 24), 0);
	assert_int_equal(bench_fake(&bench)->vectors, 32);
	raise_vector(29);
	assert_int_equal(signalled(fds[29]), 1);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 29, 1, NULL, 0), 0);
	raise_vector(29);
	assert_int_equal(signalled(fds[29]), 0);
	assert_int_equal(bench_fake(&bench)->vectors, 32);
	assert_int_equal(bench_set_irqs(&bench, 0x21, MSI, 0, 0, NULL, 0), 0);
	assert_int_equal(bench_fake(&bench)->vectors, 0);
	raise_vector(3);
	assert_int_equal(signalled(fds[3]), 0);
	for (unsigned int i = 0; i < 32; i++)
		close(fds[i]);
}

static void
software_trigger_reaches_the_eventfd(void **state)
{
	struct {
		struct vfu_irq_set set;
		uint8_t bools[4];
	} request = { .set = { .argsz = 24,
				      .flags = VFIO_IRQ_SET_DATA_BOOL | VFIO_IRQ_SET_ACTION_TRIGGER,
				      .index = MSI,
				      .start = 0,
				      .count = 4 },
		.bools = { 0, 1, 0, 1 } };
	struct answer answer;
	int fds[4];

	(void)state;
	for (unsigned int i = 0; i < 4; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 0, 4, fds, 4), 0);
	assert_int_equal(
			bench_call(&bench, VFU_DEVICE_SET_IRQS, &request, 24, NULL, 0, &answer), 0);
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(signalled(fds[i]), i & 1);
		close(fds[i]);
	}
}

static void
intx_is_masked_until_the_client_unmasks(void **state)
{
	const uint32_t unmask = VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_UNMASK;
	const uint32_t mask = VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_MASK;
	const uint16_t intx_disable = 0x400, none = 0;
	int fd = eventfd(0, EFD_NONBLOCK);

	(void)state;
	assert_int_equal(bench_set_irqs(&bench, ARM, INTX, 0, 1, &fd, 1), 0);
	assert_int_equal(bench_fake(&bench)->vectors, 1);
	bench_fake(&bench)->line = true;
	raise_vector(0);
	raise_vector(0);
	assert_int_equal(signalled(fd), 1);
	assert_int_equal(bench_set_irqs(&bench, unmask, INTX, 0, 1, NULL, 0), 0);
	assert_int_equal(signalled(fd), 1); /* the line is high still */
	bench_fake(&bench)->line = false;
	assert_int_equal(bench_set_irqs(&bench, unmask, INTX, 0, 1, NULL, 0), 0);
	assert_int_equal(signalled(fd), 0);
	assert_int_equal(bench_set_irqs(&bench, mask, INTX, 0, 1, NULL, 0), 0);
	bench_fake(&bench)->line = true;
	raise_vector(0);
	assert_int_equal(signalled(fd), 0);
	assert_int_equal(bench_set_irqs(&bench, unmask, INTX, 0, 1, NULL, 0), 0);
	assert_int_equal(signalled(fd), 1);
	bench_fake(&bench)->line = false;
	assert_int_equal(bench_set_irqs(&bench, unmask, INTX, 0, 1, NULL, 0), 0);
	assert_int_equal(bench_write(&bench, CONFIG, 4, 2, &intx_disable), 0);
	bench_fake(&bench)->line = true;
	raise_vector(0);
	assert_int_equal(signalled(fd), 0);
	assert_int_equal(bench_write(&bench, CONFIG, 4, 2, &none), 0);
	assert_int_equal(signalled(fd), 1);
	close(fd);
}

static void
set_irqs_refuses_nonsense(void **state)
{
	const int fd = eventfd(0, EFD_NONBLOCK);
	int pipe_fds[2], two[2] = { fd, fd };

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 0, 1, pipe_fds + 1, 1), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 0, 3, two, 2), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 32, 1, &fd, 1), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, UINT32_MAX, 2, two, 2), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 1, UINT32_MAX, two, 2), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, ARM, 2, 0, 1, &fd, 1), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, ARM, 99, 0, 1, &fd, 1), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, 0x3f, MSI, 0, 1, &fd, 1), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, 0, MSI, 0, 1, NULL, 0), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, 0x22, MSI, 0, 8, NULL, 0), EINVAL);
	assert_int_equal(bench_set_irqs(&bench, 0x09, MSI, 0, 8, NULL, 0), ENOTSUP);
	assert_int_equal(bench_set_irqs(&bench, 0x09, INTX, 0, 0, NULL, 0), EINVAL);
	assert_int_equal(bench_fake(&bench)->vectors, 0);
	close(fd);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

static void
flr_resets_device_and_config_space(void **state)
{
	const uint16_t command = 0x0006, flr = 0x8000;
	uint8_t header[64], cap;
	uint16_t value;

	(void)state;
	assert_int_equal(bench_read(&bench, CONFIG, 0, 64, header), 0);
	assert_memory_equal(header, "\x86\x80\x30\x4b", 4);
	assert_int_equal(bench_write(&bench, CONFIG, 4, 2, &command), 0);
	cap = header[0x34];
	for (uint8_t entry[2]; cap != 0; cap = entry[1]) {
		assert_int_equal(bench_read(&bench, CONFIG, cap, 2, entry), 0);
		if (entry[0] == 0x10)
			break;
	}
	assert_int_not_equal(cap, 0);
	bench_fake(&bench)->regs[5] = 1;
	assert_int_equal(bench_write(&bench, CONFIG, cap + 8, 2, &flr), 0);
	assert_int_equal(bench_fake(&bench)->resets, 1);
	assert_false(bench_fake(&bench)->bus_master);
	assert_int_equal(bench_read(&bench, CONFIG, 4, 2, &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(bench_read(&bench, CONFIG, cap + 8, 2, &value), 0);
	assert_int_equal(value & 0x8000, 0);
}

static void
device_reset_keeps_config_space(void **state)
{
	const uint16_t command = 0x0004;
	uint16_t value;
	struct answer answer;

	(void)state;
	assert_int_equal(bench_write(&bench, CONFIG, 4, 2, &command), 0);
	assert_int_equal(bench_call(&bench, VFU_DEVICE_RESET, NULL, 0, NULL, 0, &answer), 0);
	assert_int_equal(bench_fake(&bench)->resets, 1);
	assert_true(bench_fake(&bench)->bus_master);
	assert_int_equal(bench_read(&bench, CONFIG, 4, 2, &value), 0);
	assert_int_equal(value, 4);
}

static void
bar_size_is_found_as_software_does(void **state)
{
	const uint32_t ones[2] = { 0xffffffff, 0xffffffff };
	uint32_t bar[2];

	(void)state;
	assert_int_equal(bench_write(&bench, CONFIG, 0x10, 8, ones), 0);
	assert_int_equal(bench_read(&bench, CONFIG, 0x10, 8, bar), 0);
	assert_int_equal(bar[0], ~(FAKE_BAR_SIZE - 1) | 4); /* 64-bit memory */
	assert_int_equal(bar[1], 0xffffffff);
}

static void
powered_down_device_reads_all_ones(void **state)
{
	const uint16_t d3 = 3, d0 = 0;
	uint32_t value = 0;

	(void)state;
	assert_int_equal(bench_write(&bench, CONFIG, 0x44, 2, &d3), 0);
	assert_int_equal(bench_read(&bench, BAR0, 0, 4, &value), 0);
	assert_int_equal(value, 0xffffffff);
	assert_int_equal(bench_write(&bench, CONFIG, 0x44, 2, &d0), 0);
	assert_int_equal(bench_read(&bench, BAR0, 0, 4, &value), 0);
	assert_int_equal(value, 0);
}

static void
leaving_client_returns_everything(void **state)
{
	const unsigned int before = count_open_fds();
	const int memory = memfd_create("test", MFD_CLOEXEC);
	const uint16_t command = 0x0004;
	int fds[4];
	uint32_t value = 1;

	(void)state;
	assert_int_equal(ftruncate(memory, 0x10000), 0);
	for (unsigned int i = 0; i < 4; i++)
		fds[i] = eventfd(0, EFD_NONBLOCK);
	assert_int_equal(bench_map(&bench, 0, 0x10000, memory, 0, 3), 0);
	assert_int_equal(bench_set_irqs(&bench, ARM, MSI, 0, 4, fds, 4), 0);
	assert_int_equal(bench_write(&bench, CONFIG, 4, 2, &command), 0);
	assert_int_equal(bench_write(&bench, BAR0, 4, 4, &value), 0);
	bench_disconnect(&bench);
	assert_false(bench_fake(&bench)->bus_master);
	assert_int_equal(bench_fake(&bench)->vectors, 0);
	assert_int_equal(bench_fake(&bench)->resets, 1);
	assert_int_equal(bench.device.slot->dma.nb_windows, 0);
	close(memory);
	for (unsigned int i = 0; i < 4; i++)
		close(fds[i]);
	/* The next client is served, by a device in power-on state. */
	bench_greet(&bench);
	assert_int_equal(count_open_fds(), before);
	assert_int_equal(bench_read(&bench, BAR0, 4, 4, &value), 0);
	assert_int_equal(value, 0);
}

static void
removed_device_cuts_its_client_off(void **state)
{
	uint8_t byte;

	(void)state;
	slot_remove(bench.device.slot);
	assert_int_equal(bench_receive(&bench, &byte, 1), 0);
	assert_false(vfu_busy(bench.device.vfu));
	assert_false(slot_link_up(bench.device.slot));
	close(bench.fd);
	slot_insert(bench.device.slot);
	bench_greet(&bench);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(version_reply_is_no_longer_than_the_request),
		CASE(device_has_config_space_and_one_unmappable_bar),
		CASE(interrupts_are_one_intx_and_32_msi),
		CASE(registers_are_read_and_written),
		CASE(posted_writes_are_not_answered),
		CASE(memory_is_mapped_and_unmapped_by_range),
		CASE(scattered_pages_are_one_buffer_to_the_device),
		CASE(msi_vectors_are_armed_disarmed_and_disabled),
		CASE(software_trigger_reaches_the_eventfd),
		CASE(intx_is_masked_until_the_client_unmasks),
		CASE(set_irqs_refuses_nonsense),
		CASE(flr_resets_device_and_config_space),
		CASE(device_reset_keeps_config_space),
		CASE(bar_size_is_found_as_software_does),
		CASE(powered_down_device_reads_all_ones),
		CASE(leaving_client_returns_everything),
		CASE(removed_device_cuts_its_client_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
