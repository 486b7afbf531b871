/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* DPDK's memory given to the device, with a real EAL whose memory is static (--no-huge). */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_memory.h>

#include "fake_device.h"
#include "vfio_user.h"

#define MEMORY_SIZE (16ul << 20) /* -m 16 */

static struct fake_device dev;
static struct vfio_user *vu;

static void
begin(void)
{
	fd_start(&dev);
	assert_int_equal(vfio_user_connect(dev.server.path, &vu), 0);
}

static size_t
count_entries(uint16_t command)
{
	size_t i, n = 0;

	for (i = 0; i < dev.nb_entries; i++)
		n += dev.diary[i].command == command;
	return n;
}

static void
all_memory_goes_in_one_piece(void **state)
{
	char *mine;
	char *theirs;

	(void)state;
	fd_init(&dev);
	begin();
	mine = rte_zmalloc(NULL, 5000, 4096);
	assert_non_null(mine);
	assert_false(vfio_user_dma_is_mapped(vu, mine, 5000));
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);

	/* Thousands of 4 KiB segments of one file: coalesced. */
	assert_int_equal(count_entries(FS_DMA_MAP), 1);
	assert_int_equal(dev.diary[0].size, MEMORY_SIZE);
	assert_int_equal(dev.diary[0].flags, 3);
	assert_int_equal(dev.diary[0].nb_fds, 1);

	/* IOVA = VA, and both see the same bytes. */
	theirs = fd_view(&dev, mine);
	assert_non_null(theirs);
	assert_ptr_not_equal(theirs, mine);
	strcpy(mine + 4990, "from here");
	assert_string_equal(theirs + 4990, "from here");
	strcpy(theirs, "from there");
	assert_string_equal(mine, "from there");

	assert_true(vfio_user_dma_is_mapped(vu, mine, 5000));
	assert_true(vfio_user_dma_is_mapped(vu, mine, 0));
	assert_false(vfio_user_dma_is_mapped(vu, &dev, 1)); /* not DPDK's */
	assert_false(vfio_user_dma_is_mapped(vu, mine, MEMORY_SIZE));
	assert_false(vfio_user_dma_is_mapped(vu, mine, SIZE_MAX));
	assert_int_equal(vfio_user_dma_map_memory(vu), -EALREADY);

	vfio_user_disconnect(vu);
	fd_stop(&dev);
	assert_int_equal(count_entries(FS_DMA_UNMAP), 1);
	assert_int_equal(dev.diary[1].address, dev.diary[0].address);
	assert_int_equal(dev.diary[1].size, dev.diary[0].size);
	assert_int_equal(dev.nb_maps, 0);
	rte_free(mine);
}

static void
two_devices_share_the_memory(void **state)
{
	static struct fake_device other;
	struct vfio_user *vu_other = NULL;
	char *mine;

	(void)state;
	fd_init(&dev);
	fd_init(&other);
	begin();
	fd_start(&other);
	assert_int_equal(vfio_user_connect(other.server.path, &vu_other), 0);
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	assert_int_equal(vfio_user_dma_map_memory(vu_other), 0);
	mine = rte_malloc(NULL, 64, 64);
	assert_non_null(mine);
	strcpy(fd_view(&dev, mine), "hello");
	assert_string_equal(fd_view(&other, mine), "hello");
	vfio_user_disconnect(vu);
	fd_stop(&dev);
	assert_true(vfio_user_dma_is_mapped(vu_other, mine, 64));
	assert_int_equal(vfio_user_reset(vu_other), 0);
	vfio_user_disconnect(vu_other);
	fd_stop(&other);
	rte_free(mine);
}

static void
a_refused_mapping_is_reported(void **state)
{
	(void)state;
	fd_init(&dev);
	dev.fail_command = FS_DMA_MAP;
	dev.fail_error = ENOSPC;
	begin();
	assert_int_equal(vfio_user_dma_map_memory(vu), -ENOSPC);
	assert_false(vfio_user_is_dead(vu));
	/* Once more, as nothing is left of the first attempt. */
	dev.fail_command = 0;
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	vfio_user_disconnect(vu);
	fd_stop(&dev);
	assert_int_equal(dev.nb_maps, 0);
}

static void
death_while_mapping_or_unmapping_is_survived(void **state)
{
	static const uint16_t commands[] = { FS_DMA_MAP, FS_DMA_UNMAP };
	size_t fds_before = count_open_fds();
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		fd_init(&dev);
		dev.mute_command = commands[i];
		begin();
		assert_int_equal(vfio_user_dma_map_memory(vu), i == 0 ? -ENODEV : 0);
		vfio_user_disconnect(vu);
		fd_stop(&dev);
	}
	assert_int_equal(count_open_fds(), fds_before);
}

static void
external_memory_is_not_claimed(void **state)
{
	const size_t size = 4 * 4096;
	char *memory;

	(void)state;
	fd_init(&dev);
	memory = aligned_alloc(4096, size);
	assert_non_null(memory);
	assert_int_equal(rte_extmem_register(memory, size, NULL, 0, 4096), 0);
	begin();
	assert_int_equal(vfio_user_dma_map_memory(vu), 0);
	assert_false(vfio_user_dma_is_mapped(vu, memory, 64));
	assert_int_equal(count_entries(FS_DMA_MAP), 1);
	vfio_user_disconnect(vu);
	fd_stop(&dev);
	assert_int_equal(rte_extmem_unregister(memory, size), 0);
	free(memory);
}

static int
start_eal(void **state)
{
	char prefix[32];
	char *argv[] = { "test_dma", "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry",
		"--iova-mode=va", "-m", "16", "-l", "0", "--file-prefix", prefix, NULL };

	(void)state;
	snprintf(prefix, sizeof(prefix), "vu_test_%d", (int)getpid());
	return rte_eal_init((int)(sizeof(argv) / sizeof(argv[0])) - 1, argv) < 0 ? -1 : 0;
}

static int
stop_eal(void **state)
{
	(void)state;
	/* EAL leaves its runtime folder behind, empty without telemetry and shared files. */
	rmdir(rte_eal_get_runtime_dir());
	return rte_eal_cleanup();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_memory_goes_in_one_piece),
		cmocka_unit_test(two_devices_share_the_memory),
		cmocka_unit_test(a_refused_mapping_is_reported),
		cmocka_unit_test(death_while_mapping_or_unmapping_is_survived),
		cmocka_unit_test(external_memory_is_not_claimed),
	};

	return cmocka_run_group_tests(tests, start_eal, stop_eal);
}
