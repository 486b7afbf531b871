/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "vfu_cmd.h"

#include <errno.h>
#include <jansson.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <string.h>

typedef int (*command_fn)(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w);

static void
reply_with(struct vfu_reply *reply, const void *data, size_t len)
{
	memcpy(vfu_reply_payload(reply), data, len);
	reply->len = len;
}

/* What we announce, and what it is cut down to by the client's own limits. */
struct limits {
	json_int_t max_msg_fds;
	json_int_t max_data_xfer_size;
};

static void
cut(json_t *capabilities, const char *name, json_int_t *limit)
{
	const json_t *value = json_object_get(capabilities, name);

	if (json_is_integer(value) && json_integer_value(value) > 0 &&
			json_integer_value(value) < *limit)
		*limit = json_integer_value(value);
}

static int
read_version_data(const struct vfu_message *message, struct limits *limits, struct why *w)
{
	const char *text = (const char *)message->payload + sizeof(struct vfu_version);
	const size_t len = message->len - sizeof(struct vfu_version);
	json_t *data, *capabilities;

	if (len == 0)
		return 0;
	if (text[len - 1] != '\0')
		return why(w, -EINVAL, "VERSION: capabilities do not end in NUL");
	data = json_loadb(text, strlen(text), 0, NULL);
	if (data == NULL)
		return why(w, -EINVAL, "VERSION: capabilities are no JSON object");
	/* QEMU calls a limit above its own malformed and hangs up. */
	capabilities = json_object_get(data, "capabilities");
	cut(capabilities, "max_msg_fds", &limits->max_msg_fds);
	cut(capabilities, "max_data_xfer_size", &limits->max_data_xfer_size);
	json_decref(data);
	return 0;
}

/*
 * Our answer's JSON with its NUL, the longest that fits into `room`: QEMU takes no reply longer
 * than its request. write_multiple and twin_socket are left out: neither is served.
 */
static size_t
write_version_data(const struct limits *limits, char *to, size_t room)
{
	char text[128];
	int len = snprintf(text, sizeof(text),
			"{\"capabilities\":{\"max_msg_fds\":%lld,\"max_data_xfer_size\":%lld}}",
			(long long)limits->max_msg_fds, (long long)limits->max_data_xfer_size);

	if ((size_t)len >= room)
		len = snprintf(text, sizeof(text), "{\"capabilities\":{\"max_msg_fds\":%lld}}",
				(long long)limits->max_msg_fds);
	if ((size_t)len >= room)
		return 0;
	memcpy(to, text, (size_t)len + 1);
	return (size_t)len + 1;
}

static int
command_version(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct limits limits = { .max_msg_fds = VFU_FDS_MAX, .max_data_xfer_size = VFU_DATA_MAX };
	struct vfu_version version;
	int ret;

	(void)slot;
	memcpy(&version, message->payload, sizeof(version));
	if (version.major != VFU_VERSION_MAJOR)
		return why(w, -ENOTSUP, "VERSION: vfio-user %u.%u, served is %u.%u", version.major,
				version.minor, VFU_VERSION_MAJOR, VFU_VERSION_MINOR);
	ret = read_version_data(message, &limits, w);
	if (ret != 0)
		return ret;
	version.minor = VFU_VERSION_MINOR;
	reply_with(reply, &version, sizeof(version));
	reply->len += write_version_data(&limits,
			(char *)vfu_reply_payload(reply) + sizeof(version),
			message->len - sizeof(version));
	return 0;
}

static int
command_dma_map(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_dma_map map;

	(void)reply;
	memcpy(&map, message->payload, sizeof(map));
	if (map.argsz < sizeof(map) || (map.flags & ~(VFU_DMA_READABLE | VFU_DMA_WRITABLE)) != 0)
		return why(w, -EINVAL, "DMA_MAP: argsz %u, flags 0x%x", map.argsz, map.flags);
	if (message->nb_fds > 1)
		return why(w, -EINVAL, "DMA_MAP: %u descriptors, at most one is possible",
				message->nb_fds);
	return dma_map(&slot->dma, map.iova, map.size, message->nb_fds == 1 ? message->fds[0] : -1,
			map.offset, map.flags & VFU_DMA_WRITABLE, w);
}

static int
command_dma_unmap(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_dma_unmap unmap;
	bool all;

	memcpy(&unmap, message->payload, sizeof(unmap));
	all = unmap.flags & VFU_DMA_UNMAP_ALL;
	if (unmap.argsz < sizeof(unmap) || (unmap.flags & ~VFU_DMA_UNMAP_ALL) != 0)
		return why(w, -EINVAL, "DMA_UNMAP: argsz %u, flags 0x%x", unmap.argsz, unmap.flags);
	if (all ? unmap.iova != 0 || unmap.size != 0
		: unmap.size == 0 || unmap.iova + (unmap.size - 1) < unmap.iova)
		return why(w, -EINVAL, "DMA_UNMAP: range 0x%llx + 0x%llx is empty or wraps",
				(unsigned long long)unmap.iova, (unsigned long long)unmap.size);
	dma_unmap(&slot->dma, unmap.iova, unmap.size);
	reply_with(reply, &unmap, sizeof(unmap));
	return 0;
}

static int
command_get_info(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_device_info info;

	(void)slot;
	memcpy(&info, message->payload, sizeof(info));
	if (info.argsz < sizeof(info))
		return why(w, -EINVAL, "GET_INFO: argsz %u", info.argsz);
	info.argsz = sizeof(info);
	info.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	info.nb_regions = VFIO_PCI_NUM_REGIONS;
	info.nb_irqs = VFIO_PCI_NUM_IRQS;
	reply_with(reply, &info, sizeof(info));
	return 0;
}

static uint64_t
region_size(const struct slot *slot, uint32_t region)
{
	if (region == VFIO_PCI_BAR0_REGION_INDEX)
		return device_identity(slot->dev)->bar0_size;
	return region == VFIO_PCI_CONFIG_REGION_INDEX ? PCI_CONFIG_SIZE : 0;
}

static int
command_get_region_info(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_region_info info;

	memcpy(&info, message->payload, sizeof(info));
	if (info.argsz < sizeof(info) || info.index >= VFIO_PCI_NUM_REGIONS)
		return why(w, -EINVAL, "GET_REGION_INFO: argsz %u, region %u", info.argsz,
				info.index);
	info.argsz = sizeof(info);
	info.size = region_size(slot, info.index);
	/* Never mappable: a register access must reach the model, and QEMU posts writes only to
	 * devices without a mappable region. */
	info.flags = info.size != 0 ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0;
	info.cap_offset = 0;
	info.offset = 0;
	reply_with(reply, &info, sizeof(info));
	return 0;
}

static int
command_get_irq_info(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_irq_info info;

	memcpy(&info, message->payload, sizeof(info));
	if (info.argsz < sizeof(info) || info.index >= IRQS_INDICES)
		return why(w, -EINVAL, "GET_IRQ_INFO: argsz %u, index %u", info.argsz, info.index);
	info.argsz = sizeof(info);
	info.flags = irqs_flags(&slot->irqs, info.index);
	info.count = irqs_count(&slot->irqs, info.index);
	reply_with(reply, &info, sizeof(info));
	return 0;
}

static int
command_set_irqs(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_irq_set set;
	struct irqs_request request;

	(void)reply;
	memcpy(&set, message->payload, sizeof(set));
	if (set.argsz < sizeof(set))
		return why(w, -EINVAL, "SET_IRQS: argsz %u", set.argsz);
	if ((set.flags & VFIO_IRQ_SET_DATA_BOOL) && message->len - sizeof(set) < set.count)
		return why(w, -EINVAL, "SET_IRQS: %zu booleans for %u interrupts",
				message->len - sizeof(set), set.count);
	request = (struct irqs_request){ .flags = set.flags,
		.index = set.index,
		.start = set.start,
		.count = set.count,
		.bools = set.flags & VFIO_IRQ_SET_DATA_BOOL ? message->payload + sizeof(set) : NULL,
		.fds = message->fds,
		.nb_fds = message->nb_fds };
	return slot_set_irqs(slot, &request, w);
}

/* Checks an access and clamps its count to the end of the region. */
static int
check_io(const struct slot *slot, struct vfu_region_io *io, const char *what, struct why *w)
{
	const uint64_t size = io->region < VFIO_PCI_NUM_REGIONS ? region_size(slot, io->region) : 0;

	if (io->count > VFU_DATA_MAX)
		return why(w, -EINVAL, "%s: count %u is beyond the announced %u", what, io->count,
				VFU_DATA_MAX);
	if (io->offset >= size)
		return why(w, -EINVAL, "%s: offset 0x%llx of region %u, which has 0x%llx bytes",
				what, (unsigned long long)io->offset, io->region,
				(unsigned long long)size);
	if (io->count > size - io->offset)
		io->count = (uint32_t)(size - io->offset);
	return 0;
}

static int
command_region_read(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_region_io io;
	uint8_t *data = vfu_reply_payload(reply) + sizeof(io);
	int ret;

	memcpy(&io, message->payload, sizeof(io));
	ret = check_io(slot, &io, "REGION_READ", w);
	if (ret != 0)
		return ret;
	reply_with(reply, &io, sizeof(io));
	if (io.region == VFIO_PCI_BAR0_REGION_INDEX)
		slot_bar_read(slot, (uint32_t)io.offset, io.count, data);
	else
		slot_config_read(slot, (uint32_t)io.offset, io.count, data);
	reply->len += io.count;
	return 0;
}

static int
command_region_write(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	struct vfu_region_io io;
	const uint8_t *data = message->payload + sizeof(io);
	int ret;

	memcpy(&io, message->payload, sizeof(io));
	if (message->len - sizeof(io) != io.count)
		return why(w, -EINVAL, "REGION_WRITE: count %u with %zu bytes of data", io.count,
				message->len - sizeof(io));
	ret = check_io(slot, &io, "REGION_WRITE", w);
	if (ret != 0)
		return ret;
	if (io.region == VFIO_PCI_BAR0_REGION_INDEX)
		slot_bar_write(slot, (uint32_t)io.offset, io.count, data);
	else
		slot_config_write(slot, (uint32_t)io.offset, io.count, data);
	reply_with(reply, &io, sizeof(io));
	return 0;
}

static int
command_reset(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply,
		struct why *w)
{
	(void)message;
	(void)reply;
	(void)w;
	slot_reset(slot);
	return 0;
}

static const struct {
	command_fn run;
	size_t min_len; /* of the payload */
} commands[] = {
	[VFU_VERSION] = { command_version, sizeof(struct vfu_version) },
	[VFU_DMA_MAP] = { command_dma_map, sizeof(struct vfu_dma_map) },
	[VFU_DMA_UNMAP] = { command_dma_unmap, sizeof(struct vfu_dma_unmap) },
	[VFU_DEVICE_GET_INFO] = { command_get_info, sizeof(struct vfu_device_info) },
	[VFU_DEVICE_GET_REGION_INFO] = { command_get_region_info, sizeof(struct vfu_region_info) },
	[VFU_DEVICE_GET_IRQ_INFO] = { command_get_irq_info, sizeof(struct vfu_irq_info) },
	[VFU_DEVICE_SET_IRQS] = { command_set_irqs, sizeof(struct vfu_irq_set) },
	[VFU_REGION_READ] = { command_region_read, sizeof(struct vfu_region_io) },
	[VFU_REGION_WRITE] = { command_region_write, sizeof(struct vfu_region_io) },
	[VFU_DEVICE_RESET] = { command_reset, 0 },
};

int
vfu_execute(struct slot *slot, struct vfu_message *message, struct vfu_reply *reply, struct why *w)
{
	const uint16_t command = message->header.command;

	reply->len = 0;
	if (command >= sizeof(commands) / sizeof(commands[0]) || commands[command].run == NULL)
		return why(w, -ENOTSUP, "command %u is not served", command);
	if (message->len < commands[command].min_len)
		return why(w, -EINVAL, "command %u with %zu bytes, %zu are needed", command,
				message->len, commands[command].min_len);
	return commands[command].run(slot, message, reply, w);
}
