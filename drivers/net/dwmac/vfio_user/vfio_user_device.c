/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The device behind the connection: regions, registers, interrupts, reset.
 */

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/vfio.h>
#include <string.h>
#include <sys/socket.h>

#include <rte_branch_prediction.h>

#include "vfio_user_private.h"

static_assert(VFIO_USER_REGION_BAR0 == VFIO_PCI_BAR0_REGION_INDEX, "BAR 0");
static_assert(VFIO_USER_REGION_CONFIG == VFIO_PCI_CONFIG_REGION_INDEX, "configuration space");
static_assert(VFIO_USER_IRQ_MSI == VFIO_PCI_MSI_IRQ_INDEX, "MSI");
static_assert(VFIO_USER_IRQ_MSIX == VFIO_PCI_MSIX_IRQ_INDEX, "MSI-X");
static_assert(offsetof(struct vu_write32, value) + sizeof(uint32_t) == VU_WRITE32_SIZE,
		"a register write has no holes");
static_assert(sizeof(struct vu_header) + sizeof(struct vu_region_access) + VU_REGION_CHUNK <=
				VFIO_USER_MSG_MAX,
		"a region access fits into a message");

int
vfio_user_region_size(struct vfio_user *vu, uint32_t region, uint64_t *size)
{
	/* Without room for capabilities: they describe mappings, which are not used. */
	struct vu_region_info ask = { .argsz = sizeof(ask), .index = region };
	struct vu_region_info info = { .size = 0 };
	const struct vu_request req = {
		.command = VU_DEVICE_GET_REGION_INFO,
		.head = &ask,
		.head_len = sizeof(ask),
		.reply = &info,
		.reply_min = sizeof(info),
		.reply_max = sizeof(info),
	};
	int ret;

	ret = vu_request(vu, &req);
	if (ret < 0)
		return ret;
	if (info.index != region)
		return -EPROTO;
	*size = info.size;
	return 0;
}

struct vu_region_reply {
	struct vu_region_access access;
	uint8_t data[VU_REGION_CHUNK];
};

/* One access of at most VU_REGION_CHUNK bytes; the number of bytes done or a negative errno. */
static int
region_access(struct vfio_user *vu, const struct vu_region_access *access, const void *out,
		void *in)
{
	struct vu_region_reply reply;
	bool is_write = out != NULL;
	size_t data_len;
	const struct vu_request req = {
		.command = is_write ? VU_REGION_WRITE : VU_REGION_READ,
		.head = access,
		.head_len = sizeof(*access),
		.data = out,
		.data_len = is_write ? access->count : 0,
		.reply = &reply,
		.reply_min = sizeof(reply.access),
		.reply_max = sizeof(reply.access) + (is_write ? 0 : access->count),
	};
	int ret;

	reply.access.count = 0; /* the data stays uninitialized: this is the register path */
	ret = vu_request(vu, &req);
	if (ret < 0)
		return ret;
	data_len = (size_t)ret - sizeof(reply.access);
	if (reply.access.count > access->count || (!is_write && reply.access.count != data_len)) {
		VU_LOG(ERR,
				"asked region %u for %u bytes at 0x%" PRIx64
				", the server claims %u and sent %zu",
				access->region, access->count, access->offset, reply.access.count,
				data_len);
		return -EPROTO;
	}
	if (!is_write)
		memcpy(in, reply.data, data_len);
	return (int)reply.access.count;
}

static int
region_access_all(struct vfio_user *vu, uint32_t region, uint64_t offset, size_t len,
		const uint8_t *out, uint8_t *in)
{
	uint32_t chunk_max = RTE_MIN((uint32_t)VU_REGION_CHUNK, vu->max_data_xfer_size);
	struct vu_region_access access = { .region = region };
	size_t done = 0;
	int ret;

	if (len > INT_MAX)
		return -EINVAL;
	while (done < len) {
		access.offset = offset + done;
		access.count = (uint32_t)RTE_MIN(len - done, (size_t)chunk_max);
		ret = region_access(vu, &access, out == NULL ? NULL : out + done,
				in == NULL ? NULL : in + done);
		if (ret < 0)
			return ret;
		done += (size_t)ret;
		if ((uint32_t)ret < access.count)
			break;
	}
	return (int)done;
}

int
vfio_user_region_read(struct vfio_user *vu, uint32_t region, uint64_t offset, size_t len, void *buf)
{
	return region_access_all(vu, region, offset, len, NULL, buf);
}

int
vfio_user_region_write(
		struct vfio_user *vu, uint32_t region, uint64_t offset, size_t len, const void *buf)
{
	return region_access_all(vu, region, offset, len, buf, NULL);
}

uint32_t
vfio_user_bar_read32(struct vfio_user *vu, uint32_t offset)
{
	uint32_t value;
	int ret;

	ret = vfio_user_region_read(vu, VFIO_USER_REGION_BAR0, offset, sizeof(value), &value);
	if (likely(ret == (int)sizeof(value)))
		return value;
	if (!vfio_user_is_dead(vu))
		VU_LOG(ERR, "cannot read register 0x%x: %s", offset,
				ret < 0 ? strerror(-ret) : "it ends beyond the region");
	return UINT32_MAX;
}

static inline struct vu_write32
make_write32(uint32_t offset, uint32_t value)
{
	return (struct vu_write32){
			.header =
					{
							.message_id = VU_POSTED_MESSAGE_ID,
							.command = VU_REGION_WRITE,
							.message_size = VU_WRITE32_SIZE,
							.flags = VU_FLAGS_TYPE_COMMAND |
								 VU_FLAGS_NO_REPLY,
					},
			.access =
					{
							.offset = offset,
							.region = VFIO_USER_REGION_BAR0,
							.count = sizeof(value),
					},
			.value = value,
	};
}

void
vfio_user_bar_write32(struct vfio_user *vu, uint32_t offset, uint32_t value)
{
	struct vu_write32 msg = make_write32(offset, value);

	/* A failure has been logged and the device is gone, as a write to an unplugged one. */
	vu_send_wait(vu, &msg, VU_WRITE32_SIZE);
}

int
vfio_user_bar_post32(struct vfio_user *vu, uint32_t offset, uint32_t value)
{
	struct vu_write32 msg = make_write32(offset, value);

	return vu_send_now(vu, &msg, VU_WRITE32_SIZE);
}

int
vfio_user_irq_count(struct vfio_user *vu, uint32_t index, uint32_t *count)
{
	struct vu_irq_info ask = { .argsz = sizeof(ask), .index = index };
	struct vu_irq_info info = { .count = 0 };
	const struct vu_request req = {
		.command = VU_DEVICE_GET_IRQ_INFO,
		.head = &ask,
		.head_len = sizeof(ask),
		.reply = &info,
		.reply_min = sizeof(info),
		.reply_max = sizeof(info),
	};
	int ret;

	ret = vu_request(vu, &req);
	if (ret < 0)
		return ret;
	if (info.index != index)
		return -EPROTO;
	*count = info.count;
	return 0;
}

static int
irq_set_request(struct vfio_user *vu, const struct vu_irq_set *set, const int *fds, size_t nb_fds)
{
	const struct vu_request req = {
		.command = VU_DEVICE_SET_IRQS,
		.head = set,
		.head_len = sizeof(*set),
		.fds = fds,
		.nb_fds = nb_fds,
	};
	int ret;

	ret = vu_request(vu, &req);
	return ret < 0 ? ret : 0;
}

/* Vectors from the start that can go into one message: all armed or all disarmed, since a socket
 * cannot carry «no descriptor» among descriptors.
 */
static uint32_t
irq_run_length(const int *eventfds, uint32_t count, uint32_t max_fds)
{
	uint32_t n = 1;

	if (eventfds == NULL)
		return count;
	if (eventfds[0] < 0)
		while (n < count && eventfds[n] < 0)
			n++;
	else
		while (n < count && n < max_fds && eventfds[n] >= 0)
			n++;
	return n;
}

int
vfio_user_irqs_set(struct vfio_user *vu, uint32_t index, uint32_t first, uint32_t count,
		const int *eventfds)
{
	uint32_t max_fds = RTE_MIN((uint32_t)VU_MSG_FDS_MAX, vu->max_msg_fds);
	struct vu_irq_set set = {
		.argsz = sizeof(set),
		.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
		.index = index,
		.start = first,
	};
	bool is_armed;
	int ret;

	if (count == 0) {
		if (first != 0 || eventfds != NULL)
			return -EINVAL;
		set.flags = VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER;
		return irq_set_request(vu, &set, NULL, 0);
	}
	while (count > 0) {
		set.count = irq_run_length(eventfds, count, max_fds);
		is_armed = eventfds != NULL && eventfds[0] >= 0;
		ret = irq_set_request(vu, &set, eventfds, is_armed ? set.count : 0);
		if (ret < 0)
			return ret;
		set.start += set.count;
		count -= set.count;
		if (eventfds != NULL)
			eventfds += set.count;
	}
	return 0;
}

int
vfio_user_reset(struct vfio_user *vu)
{
	int ret = vu_request(vu, &(struct vu_request){ .command = VU_DEVICE_RESET });

	return ret < 0 ? ret : 0;
}
