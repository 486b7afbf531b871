/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_VFU_PROTO_H
#define DWMAC_MODEL_VFU_PROTO_H

#include <stdint.h>

/*
 * vfio-user messages as they lie on the socket, host byte order. Only what a server of a PCI
 * function needs. Flag values of the payloads are those of <linux/vfio.h>.
 */

#define VFU_VERSION_MAJOR 0
#define VFU_VERSION_MINOR 0

enum vfu_command {
	VFU_VERSION = 1,
	VFU_DMA_MAP = 2,
	VFU_DMA_UNMAP = 3,
	VFU_DEVICE_GET_INFO = 4,
	VFU_DEVICE_GET_REGION_INFO = 5,
	VFU_DEVICE_GET_REGION_IO_FDS = 6,
	VFU_DEVICE_GET_IRQ_INFO = 7,
	VFU_DEVICE_SET_IRQS = 8,
	VFU_REGION_READ = 9,
	VFU_REGION_WRITE = 10,
	VFU_DEVICE_RESET = 13,
};

#define VFU_FLAG_TYPE_MASK 0x0fu
#define VFU_FLAG_REPLY	   0x01u
#define VFU_FLAG_NO_REPLY  0x10u
#define VFU_FLAG_ERROR	   0x20u

struct vfu_header {
	uint16_t id;
	uint16_t command;
	uint32_t size; /* of the whole message, this header included */
	uint32_t flags;
	uint32_t error;
};

struct vfu_version {
	uint16_t major;
	uint16_t minor;
};

#define VFU_DMA_READABLE 0x1u
#define VFU_DMA_WRITABLE 0x2u

struct vfu_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset;
	uint64_t iova;
	uint64_t size;
};

#define VFU_DMA_UNMAP_ALL 0x2u /* as VFIO_DMA_UNMAP_FLAG_ALL: size and address are 0 */

struct vfu_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t iova;
	uint64_t size;
};

struct vfu_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t nb_regions;
	uint32_t nb_irqs;
};

struct vfu_region_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t cap_offset;
	uint64_t size;
	uint64_t offset;
};

struct vfu_irq_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t count;
};

struct vfu_irq_set {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t start;
	uint32_t count;
	/* count booleans follow when the flags say VFIO_IRQ_SET_DATA_BOOL */
};

struct vfu_region_io {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
	/* count bytes follow in a write and in the reply to a read */
};

/* What we accept and announce. A message has at most this many bytes and descriptors. */
#define VFU_DATA_MAX	65536u
#define VFU_FDS_MAX	32u
#define VFU_MESSAGE_MAX (sizeof(struct vfu_header) + sizeof(struct vfu_region_io) + VFU_DATA_MAX)

#endif /* DWMAC_MODEL_VFU_PROTO_H */
