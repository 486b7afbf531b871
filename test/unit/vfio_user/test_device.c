/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The good path, against a device that behaves. */

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_device.h"
#include "vfio_user.h"

static struct fake_device dev;
static struct vfio_user *vu;
static size_t fds_before;

static int
setup(void **state)
{
	(void)state;
	fds_before = count_open_fds();
	fd_init(&dev);
	fd_start(&dev);
	return vfio_user_connect(dev.server.path, &vu);
}

static int
teardown(void **state)
{
	(void)state;
	vfio_user_disconnect(vu);
	fd_stop(&dev);
	/* Whatever a test did, nothing leaks. */
	return count_open_fds() == fds_before ? 0 : -1;
}

static void
register_reads_return_what_the_device_holds(void **state)
{
	(void)state;
	memcpy(dev.bar + 0x110, &(uint32_t){ 0x12345678 }, 4);
	assert_int_equal(vfio_user_bar_read32(vu, 0x110), 0x12345678);
	assert_int_equal(vfio_user_bar_read32(vu, 0x114), 0);
}

static void
reads_see_all_writes_before_them(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 1; i <= 100; i++) {
		if (i % 2)
			vfio_user_bar_write32(vu, 0x20, i);
		else
			assert_int_equal(vfio_user_bar_post32(vu, 0x20, i), 0);
		assert_int_equal(vfio_user_bar_read32(vu, 0x20), i);
	}
}

static void
register_beyond_the_bar_reads_all_ones(void **state)
{
	(void)state;
	assert_int_equal(vfio_user_bar_read32(vu, FD_BAR_SIZE), UINT32_MAX);
	assert_int_equal(vfio_user_bar_read32(vu, FD_BAR_SIZE - 2), UINT32_MAX);
	vfio_user_bar_write32(vu, FD_BAR_SIZE, 1);
	assert_false(vfio_user_is_dead(vu));
	assert_int_equal(vfio_user_bar_read32(vu, 0), 0);
}

static void
long_accesses_are_split_and_end_with_the_region(void **state)
{
	uint8_t out[FD_BAR_SIZE], in[FD_BAR_SIZE + 100];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(out); i++)
		out[i] = (uint8_t)(i * 7 + i / 256);
	assert_int_equal(vfio_user_region_write(vu, 0, 0, sizeof(out), out), sizeof(out));
	assert_memory_equal(dev.bar, out, sizeof(out));
	assert_int_equal(vfio_user_region_read(vu, 0, 3, sizeof(in), in), sizeof(out) - 3);
	assert_memory_equal(in, out + 3, sizeof(out) - 3);
	assert_int_equal(vfio_user_region_read(vu, 0, 0, 0, in), 0);
	assert_int_equal(vfio_user_region_read(vu, VFIO_USER_REGION_CONFIG, 0, 4096, in),
			FD_CONFIG_SIZE);
	assert_int_equal(vfio_user_region_read(vu, 5, 0, 4, in), -EINVAL);
	assert_int_equal(vfio_user_region_read(vu, 0, 0, (size_t)INT_MAX + 1, in), -EINVAL);
}

static void
sizes_and_counts_come_from_the_device(void **state)
{
	uint64_t size = 1;
	uint32_t count = 1;

	(void)state;
	assert_int_equal(vfio_user_region_size(vu, VFIO_USER_REGION_BAR0, &size), 0);
	assert_int_equal(size, FD_BAR_SIZE);
	assert_int_equal(vfio_user_region_size(vu, 1, &size), 0);
	assert_int_equal(size, 0);
	assert_int_equal(vfio_user_region_size(vu, 99, &size), -EINVAL);
	assert_int_equal(vfio_user_irq_count(vu, VFIO_USER_IRQ_MSI, &count), 0);
	assert_int_equal(count, FD_NB_MSI);
	assert_int_equal(vfio_user_irq_count(vu, VFIO_USER_IRQ_MSIX, &count), 0);
	assert_int_equal(count, 0);
}

static void
interrupts_reach_their_eventfds(void **state)
{
	int fds[FD_NB_MSI];
	uint64_t n;
	int i;

	(void)state;
	for (i = 0; i < FD_NB_MSI; i++)
		fds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	assert_int_equal(vfio_user_irqs_set(vu, VFIO_USER_IRQ_MSI, 0, FD_NB_MSI, fds), 0);
	/* The server takes 8 descriptors per message. */
	assert_int_equal(dev.nb_entries, FD_NB_MSI / 8);
	for (i = 0; i < FD_NB_MSI; i++) {
		assert_int_equal(write(dev.msi_fds[i], &(uint64_t){ 100 + (uint64_t)i }, 8), 8);
		assert_int_equal(read(fds[i], &n, 8), 8);
		assert_int_equal(n, 100 + i);
		close(fds[i]);
	}
}

static void
vectors_are_armed_and_disarmed_in_runs(void **state)
{
	int fd = eventfd(0, EFD_CLOEXEC);
	const int fds[] = { -1, -1, fd, fd, -1, fd };
	static const struct {
		uint32_t start, count;
		size_t nb_fds;
	} expected[] = { { 4, 2, 0 }, { 6, 2, 2 }, { 8, 1, 0 }, { 9, 1, 1 } };
	size_t i;

	(void)state;
	assert_int_equal(vfio_user_irqs_set(vu, VFIO_USER_IRQ_MSI, 4, 6, fds), 0);
	assert_int_equal(dev.nb_entries, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(dev.diary[i].flags, 0x24);
		assert_int_equal(dev.diary[i].start, expected[i].start);
		assert_int_equal(dev.diary[i].count, expected[i].count);
		assert_int_equal(dev.diary[i].nb_fds, expected[i].nb_fds);
	}
	assert_int_equal(dev.msi_fds[5], -1);
	assert_true(dev.msi_fds[6] >= 0);
	close(fd);
}

static void
disarming_and_disabling_send_no_descriptor(void **state)
{
	(void)state;
	assert_int_equal(vfio_user_irqs_set(vu, VFIO_USER_IRQ_MSI, 0, FD_NB_MSI, NULL), 0);
	assert_int_equal(dev.nb_entries, 1);
	assert_int_equal(dev.diary[0].flags, 0x24);
	assert_int_equal(dev.diary[0].count, FD_NB_MSI);
	assert_int_equal(dev.diary[0].nb_fds, 0);
	assert_int_equal(vfio_user_irqs_set(vu, VFIO_USER_IRQ_MSI, 0, 0, NULL), 0);
	assert_int_equal(dev.diary[1].flags, 0x21);
	assert_int_equal(dev.diary[1].count, 0);
	assert_int_equal(vfio_user_irqs_set(vu, VFIO_USER_IRQ_MSI, 1, 0, NULL), -EINVAL);
	assert_int_equal(vfio_user_irqs_set(vu, VFIO_USER_IRQ_MSI, FD_NB_MSI, 1, NULL), -EINVAL);
}

static void
reset_reaches_the_device(void **state)
{
	(void)state;
	vfio_user_bar_write32(vu, 0, 5);
	assert_int_equal(vfio_user_reset(vu), 0);
	assert_int_equal(dev.nb_entries, 1);
	assert_int_equal(dev.diary[0].command, FS_RESET);
	assert_int_equal(vfio_user_bar_read32(vu, 0), 0);
}

static void
a_shared_socket_only_posts(void **state)
{
	struct vfio_user *second = NULL;
	uint64_t size;
	uint32_t buf;
	int fds[2];

	(void)state;
	assert_int_equal(vfio_user_attach_fd(dup(vfio_user_fd(vu)), &second), 0);
	assert_int_equal(vfio_user_bar_post32(second, 0x10, 77), 0);
	vfio_user_bar_write32(second, 0x14, 78);
	assert_int_equal(vfio_user_bar_read32(vu, 0x10), 77);
	assert_int_equal(vfio_user_bar_read32(vu, 0x14), 78);
	assert_int_equal(vfio_user_region_read(second, 0, 0x10, 4, &buf), -ENOTSUP);
	assert_int_equal(vfio_user_bar_read32(second, 0x10), UINT32_MAX);
	assert_int_equal(vfio_user_region_size(second, 0, &size), -ENOTSUP);
	assert_int_equal(vfio_user_reset(second), -ENOTSUP);
	assert_int_equal(vfio_user_dma_map_memory(second), -ENOTSUP);
	assert_false(vfio_user_is_dead(second));
	/* One process closing its copy leaves the device to the other. */
	vfio_user_disconnect(second);
	assert_int_equal(vfio_user_bar_read32(vu, 0x14), 78);

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(vfio_user_attach_fd(fds[0], &second), -ENOTSOCK);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(vfio_user_attach_fd(-1, &second), -EBADF);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(register_reads_return_what_the_device_holds),
		TEST(reads_see_all_writes_before_them),
		TEST(register_beyond_the_bar_reads_all_ones),
		TEST(long_accesses_are_split_and_end_with_the_region),
		TEST(sizes_and_counts_come_from_the_device),
		TEST(interrupts_reach_their_eventfds),
		TEST(vectors_are_armed_and_disarmed_in_runs),
		TEST(disarming_and_disabling_send_no_descriptor),
		TEST(reset_reaches_the_device),
		TEST(a_shared_socket_only_posts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
