/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * A well-behaved device behind the fake server: memory for registers, and a diary of what the
 * client did. The diary is written by the server's thread; read it after fd_stop() or after a
 * reply, which orders both threads.
 */

#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "fake_server.h"

#define FD_BAR_SIZE    4096
#define FD_CONFIG_SIZE 256
#define FD_NB_MSI      32
#define FD_DIARY_MAX   1024
#define FD_MAPS_MAX    512

struct fd_entry {
	uint16_t command;
	uint32_t flags; /* of the DMA or interrupt structure */
	uint32_t start; /* SET_IRQS */
	uint32_t count;
	uint64_t address; /* DMA_* */
	uint64_t size;
	uint64_t offset;
	size_t nb_fds;
};

struct fd_map {
	uint64_t address;
	uint64_t size;
	void *memory; /* where this "device" sees it */
};

struct fake_device {
	struct fs_server server;
	uint8_t bar[FD_BAR_SIZE];
	uint8_t config[FD_CONFIG_SIZE];
	int msi_fds[FD_NB_MSI];
	struct fd_map maps[FD_MAPS_MAX];
	size_t nb_maps;
	struct fd_entry diary[FD_DIARY_MAX];
	size_t nb_entries;
	uint16_t fail_command; /* answer this command with fail_error … */
	uint32_t fail_error;
	unsigned int fail_after; /* … after so many good ones */
	uint16_t mute_command;	 /* hang up instead of answering this one */
};

/* Zero the device, then start it. Fields above may be set between init and start. */
void fd_init(struct fake_device *dev);
void fd_start(struct fake_device *dev);
void fd_stop(struct fake_device *dev);

/* The device's view of a client address; NULL when it is not mapped. */
void *fd_view(struct fake_device *dev, const void *address);

#endif /* FAKE_DEVICE_H */
