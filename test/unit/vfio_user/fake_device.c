/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_device.h"

#define REGION_BAR0   0
#define REGION_CONFIG 7
#define IRQ_MSI	      1

static struct fd_entry *
write_diary(struct fake_device *dev, const struct fs_message *msg)
{
	struct fd_entry *entry;

	if (dev->nb_entries == FD_DIARY_MAX)
		abort();
	entry = &dev->diary[dev->nb_entries++];
	entry->command = msg->command;
	entry->nb_fds = msg->nb_fds;
	return entry;
}

static uint8_t *
region_at(struct fake_device *dev, const struct fs_message *msg, uint32_t *count)
{
	uint64_t offset = fs_get64(msg, 0);
	uint32_t region = fs_get32(msg, 8);
	uint64_t size = region == REGION_BAR0	  ? FD_BAR_SIZE
			: region == REGION_CONFIG ? FD_CONFIG_SIZE
						  : 0;
	uint8_t *base = region == REGION_BAR0 ? dev->bar : dev->config;

	*count = fs_get32(msg, 12);
	if (offset >= size)
		return NULL;
	if (*count > size - offset)
		*count = (uint32_t)(size - offset);
	return base + offset;
}

static void
access_region(struct fake_device *dev, int fd, struct fs_message *msg)
{
	bool is_read = msg->command == FS_REGION_READ;
	uint8_t reply[FS_PAYLOAD_MAX];
	uint32_t count;
	uint8_t *at = region_at(dev, msg, &count);

	if (at == NULL) {
		if (!(msg->flags & FS_NO_REPLY))
			fs_reply_error(fd, msg, EINVAL);
		return;
	}
	if (!is_read)
		memcpy(at, msg->payload + 16, count);
	if (msg->flags & FS_NO_REPLY)
		return;
	memcpy(reply, msg->payload, 12);
	memcpy(reply + 12, &count, 4);
	if (is_read)
		memcpy(reply + 16, at, count);
	fs_reply(fd, msg, reply, 16 + (is_read ? count : 0));
}

static void
tell_region(int fd, struct fs_message *msg)
{
	uint32_t region = fs_get32(msg, 8);
	uint64_t size = region == REGION_BAR0 ? FD_BAR_SIZE : 0;
	uint8_t reply[32] = { 0 };

	if (region > 8) {
		fs_reply_error(fd, msg, EINVAL);
		return;
	}
	memcpy(reply, &(uint32_t){ sizeof(reply) }, 4);
	memcpy(reply + 8, &region, 4);
	memcpy(reply + 16, &size, 8);
	fs_reply(fd, msg, reply, sizeof(reply));
}

static void
tell_irqs(int fd, struct fs_message *msg)
{
	uint32_t reply[4] = { sizeof(reply), 0, fs_get32(msg, 8), 0 };

	reply[3] = reply[2] == IRQ_MSI ? FD_NB_MSI : 0;
	fs_reply(fd, msg, reply, sizeof(reply));
}

static void
set_irqs(struct fake_device *dev, int fd, struct fs_message *msg)
{
	struct fd_entry *entry = write_diary(dev, msg);
	uint32_t i;

	entry->flags = fs_get32(msg, 4);
	entry->start = fs_get32(msg, 12);
	entry->count = fs_get32(msg, 16);
	if (entry->start + entry->count > FD_NB_MSI) {
		fs_close_fds(msg);
		fs_reply_error(fd, msg, EINVAL);
		return;
	}
	for (i = 0; i < entry->count; i++) {
		if (dev->msi_fds[entry->start + i] >= 0)
			close(dev->msi_fds[entry->start + i]);
		dev->msi_fds[entry->start + i] = i < msg->nb_fds ? msg->fds[i] : -1;
	}
	fs_reply(fd, msg, NULL, 0);
}

static void
map_memory(struct fake_device *dev, int fd, struct fs_message *msg)
{
	struct fd_entry *entry = write_diary(dev, msg);
	struct fd_map *map = &dev->maps[dev->nb_maps];

	entry->flags = fs_get32(msg, 4);
	entry->offset = fs_get64(msg, 8);
	entry->address = map->address = fs_get64(msg, 16);
	entry->size = map->size = fs_get64(msg, 24);
	if (msg->nb_fds != 1 || dev->nb_maps == FD_MAPS_MAX) {
		fs_close_fds(msg);
		fs_reply_error(fd, msg, EINVAL);
		return;
	}
	map->memory = mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_SHARED, msg->fds[0],
			(off_t)entry->offset);
	fs_close_fds(msg);
	if (map->memory == MAP_FAILED) {
		fs_reply_error(fd, msg, (uint32_t)errno);
		return;
	}
	dev->nb_maps++;
	fs_reply(fd, msg, NULL, 0);
}

static void
unmap_memory(struct fake_device *dev, int fd, struct fs_message *msg)
{
	struct fd_entry *entry = write_diary(dev, msg);
	size_t i;

	entry->address = fs_get64(msg, 8);
	entry->size = fs_get64(msg, 16);
	for (i = 0; i < dev->nb_maps; i++) {
		/* The protocol: exactly what was mapped. */
		if (dev->maps[i].address != entry->address || dev->maps[i].size != entry->size)
			continue;
		munmap(dev->maps[i].memory, dev->maps[i].size);
		dev->maps[i] = dev->maps[--dev->nb_maps];
		fs_reply(fd, msg, msg->payload, 24);
		return;
	}
	fs_reply_error(fd, msg, ENOENT);
}

static void
answer(struct fake_device *dev, int fd, struct fs_message *msg)
{
	switch (msg->command) {
	case FS_REGION_READ:
	case FS_REGION_WRITE:
		access_region(dev, fd, msg);
		break;
	case FS_REGION_INFO:
		tell_region(fd, msg);
		break;
	case FS_IRQ_INFO:
		tell_irqs(fd, msg);
		break;
	case FS_SET_IRQS:
		set_irqs(dev, fd, msg);
		break;
	case FS_DMA_MAP:
		map_memory(dev, fd, msg);
		break;
	case FS_DMA_UNMAP:
		unmap_memory(dev, fd, msg);
		break;
	case FS_RESET:
		write_diary(dev, msg);
		memset(dev->bar, 0, sizeof(dev->bar));
		fs_reply(fd, msg, NULL, 0);
		break;
	default:
		fs_reply_error(fd, msg, ENOSYS);
	}
}

static void
serve(struct fs_server *server, int fd)
{
	struct fake_device *dev = server->arg;
	static __thread struct fs_message msg;

	fs_handshake(fd);
	while (fs_receive(fd, &msg)) {
		if (msg.command == dev->mute_command)
			break;
		if (msg.command == dev->fail_command && dev->fail_after-- == 0) {
			dev->fail_after = 0;
			fs_close_fds(&msg);
			fs_reply_error(fd, &msg, dev->fail_error);
			continue;
		}
		answer(dev, fd, &msg);
	}
	fs_close_fds(&msg);
}

void
fd_init(struct fake_device *dev)
{
	int i;

	memset(dev, 0, sizeof(*dev));
	for (i = 0; i < FD_NB_MSI; i++)
		dev->msi_fds[i] = -1;
}

void
fd_start(struct fake_device *dev)
{
	fs_start(&dev->server, serve, dev);
}

void
fd_stop(struct fake_device *dev)
{
	size_t i;

	fs_stop(&dev->server);
	for (i = 0; i < dev->nb_maps; i++)
		munmap(dev->maps[i].memory, dev->maps[i].size);
	for (i = 0; i < FD_NB_MSI; i++)
		if (dev->msi_fds[i] >= 0)
			close(dev->msi_fds[i]);
}

void *
fd_view(struct fake_device *dev, const void *address)
{
	uint64_t at = (uint64_t)(uintptr_t)address;
	size_t i;

	for (i = 0; i < dev->nb_maps; i++)
		if (at >= dev->maps[i].address && at - dev->maps[i].address < dev->maps[i].size)
			return (char *)dev->maps[i].memory + (at - dev->maps[i].address);
	return NULL;
}
