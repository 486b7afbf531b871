/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * What goes over the wire, vfio-user protocol 0.0 (the version QEMU speaks; later minor versions
 * only add messages). Host byte order. Numbers that the kernel's VFIO interface defines come from
 * <linux/vfio.h>; the structures are given here without its trailing members.
 */

#ifndef VFIO_USER_PROTO_H
#define VFIO_USER_PROTO_H

#include <stdint.h>

#define VU_VERSION_MAJOR 0
#define VU_VERSION_MINOR 0

/* What the server must be assumed to take when it names no limit. */
#define VU_DEFAULT_MAX_MSG_FDS	      1
#define VU_DEFAULT_MAX_DATA_XFER_SIZE 1048576

enum vu_command {
	VU_VERSION = 1,
	VU_DMA_MAP = 2,
	VU_DMA_UNMAP = 3,
	VU_DEVICE_GET_INFO = 4,
	VU_DEVICE_GET_REGION_INFO = 5,
	VU_DEVICE_GET_IRQ_INFO = 7,
	VU_DEVICE_SET_IRQS = 8,
	VU_REGION_READ = 9,
	VU_REGION_WRITE = 10,
	VU_DMA_READ = 11,
	VU_DMA_WRITE = 12,
	VU_DEVICE_RESET = 13,
};

#define VU_FLAGS_TYPE_MASK    0xfu
#define VU_FLAGS_TYPE_COMMAND 0x0u
#define VU_FLAGS_TYPE_REPLY   0x1u
#define VU_FLAGS_NO_REPLY     0x10u
#define VU_FLAGS_ERROR	      0x20u

struct vu_header {
	uint16_t message_id;
	uint16_t command;
	uint32_t message_size; /* with this header */
	uint32_t flags;
	uint32_t error; /* errno; valid with VU_FLAGS_ERROR, and may be 0 even then */
};

struct vu_version {
	uint16_t major;
	uint16_t minor;
	char data[]; /* JSON text, ends in NUL; may be absent */
};

#define VU_DMA_READABLE	 0x1u
#define VU_DMA_WRITEABLE 0x2u

struct vu_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset; /* in the file */
	uint64_t address;
	uint64_t size;
};

struct vu_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t address;
	uint64_t size;
};

struct vu_region_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t cap_offset;
	uint64_t size;
	uint64_t offset;
};

struct vu_irq_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t count;
};

struct vu_irq_set {
	uint32_t argsz;
	uint32_t flags;
	uint32_t index;
	uint32_t start;
	uint32_t count;
};

struct vu_region_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
};

/* A whole register write; nothing in it needs padding (36 bytes). */
struct vu_write32 {
	struct vu_header header;
	struct vu_region_access access;
	uint32_t value;
} __attribute__((packed, aligned(8)));

#define VU_WRITE32_SIZE 36

#endif /* VFIO_USER_PROTO_H */
