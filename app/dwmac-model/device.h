/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_DEVICE_H
#define DWMAC_MODEL_DEVICE_H

/*
 * The seam between the silicon and its surroundings.
 *
 * Below it: registers, DMA channels, MTL, MAC, PTP block, MDIO and PHY of one device. That side
 * does no I/O, starts no thread, reads no clock and never blocks: time comes in as an argument.
 * Above it: the vfio-user server, the wires, the event loop and the control socket.
 * Unit tests stand above it too, with memory and time of their own.
 *
 * All times are "true time": nanoseconds or picoseconds of one clock that no driver can see
 * (CLOCK_MONOTONIC in the program, a variable in a test). What a driver sees is the device's own
 * oscillator, which drifts from true time as configured.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_FRAME_MAX 16384 /* bytes, FCS not included */
#define DEVICE_NEVER	 UINT64_MAX

struct device;

/* A frame on the wire, destination address first, without FCS. */
struct frame {
	const uint8_t *data;
	uint16_t len;
	bool bad_fcs;	 /* the wire damaged it: the receiver's CRC check fails */
	uint64_t sfd_ps; /* true time at which its SFD passed the (G)MII of this device */
};

/* What the device needs from its surroundings. `ctx` is given to device_create(). */
struct device_host {
	/* Host memory [iova, iova + len) as a pointer, or NULL: unmapped, or not permitted in
	 * this direction. The pointer is good until the call into the device returns. */
	void *(*dma)(void *ctx, uint64_t iova, size_t len, bool device_writes);
	/* An interrupt message on `vector`, or the level of the one line when the function has
	 * a single vector (vector 0). The host delivers it only if armed and unmasked. */
	void (*irq)(void *ctx, unsigned int vector);
	/* A frame leaves the MAC. Its SFD passed the MII at frame->sfd_ps. `end_ps`: last bit. */
	void (*transmit)(void *ctx, const struct frame *frame, uint64_t end_ps);
	/* Something no correct driver does. `kind` is a stable token ("reserved-bits"),
	 * `text` the sentence for people. The device has counted it already. */
	void (*complain)(void *ctx, const char *kind, const char *text);
	/* Room on the RX side appeared after device_receive() had refused a frame. */
	void (*rx_room)(void *ctx);
};

struct device_config {
	const char *profile; /* a name of the profile table; NULL = its first */
	uint8_t mac[6];	     /* the address firmware would have put into MAC_Address0 */
	int32_t osc_ppb;     /* error of the PTP reference clock against true time */
	uint32_t osc_wander_ppb;
	uint64_t seed;
	uint32_t ptp_update_ns; /* how long TSINIT/TSUPDT/TSADDREG stay set; UINT32_MAX = 1600 */
	uint32_t an_ms;	     /* how long autonegotiation keeps a link down; UINT32_MAX: profile's */
	bool unlimited_rate; /* wire option rate=off: frames take no time */
};

/* What the PCI side of the host must show for this device. */
struct device_identity {
	uint16_t vendor_id, device_id, subsystem_vendor_id, subsystem_id;
	uint8_t revision;
	uint32_t class_code;  /* 0x020000 */
	uint32_t bar0_size;   /* bytes, a power of two */
	unsigned int vectors; /* MSI vectors offered, a power of two */
	unsigned int dma_bits;
};

/* The profiles there are, the default first. False: no more of them. */
struct device_profile {
	const char *name;
	const char *text; /* the chip, in a line */
};
bool device_profile(unsigned int index, struct device_profile *out);

struct device *device_create(const struct device_config *config, const struct device_host *host,
		void *ctx, uint64_t now_ns);
void device_destroy(struct device *dev);
const struct device_identity *device_identity(const struct device *dev);

/* Register access from the bus. `len` other than 4, misaligned or unknown offsets are complaints:
 * the read gives 0, the write is dropped. */
uint32_t device_read(struct device *dev, uint32_t offset, unsigned int len, uint64_t now_ns);
void device_write(struct device *dev, uint32_t offset, unsigned int len, uint32_t value,
		uint64_t now_ns);

/* Hard reset of the function (FLR, VFIO_DEVICE_RESET): every register and engine, not the wire. */
void device_reset(struct device *dev, uint64_t now_ns);
/* Bus mastering as the PCI command register says; off = every DMA access is a bus error. */
void device_bus_master(struct device *dev, bool on, uint64_t now_ns);
/* The number of vectors the host's driver enabled (0 = none). 1 = everything on vector 0. Lines
 * that are high speak again: also to be called when the host has unmasked the one line. */
void device_vectors(struct device *dev, unsigned int enabled, uint64_t now_ns);

/* A frame arrives. False: no room in the RX FIFO and the frame was not taken; a lossless wire
 * offers it again after rx_room(), any other wire calls device_receive_lost(). */
bool device_receive(struct device *dev, const struct frame *frame, uint64_t now_ns);
void device_receive_lost(struct device *dev, const struct frame *frame, uint64_t now_ns);

/* The MAC takes frames: a driver has enabled its receiver. */
bool device_receiving(const struct device *dev);

/* Do everything due at `now_ns`; returns the true time at which to be called again, or
 * DEVICE_NEVER. To be called after any call above and when that time has come. */
uint64_t device_run(struct device *dev, uint64_t now_ns);

/* The cable. Speed 10/100/1000 (2500 where the profile can), as the partner advertises it. */
void device_link(struct device *dev, bool up, unsigned int mbps, bool full_duplex, uint64_t now_ns);
bool device_link_up(const struct device *dev);		 /* by the PHY */
unsigned int device_link_mbps(const struct device *dev); /* speed in use by the PHY, 0 = down */

/* Truth: the device clock's value at true time `at_ps`, from the oscillator, in ns, and its rate
 * error against true time. False if the clock does not run. */
bool device_clock(const struct device *dev, uint64_t at_ps, int64_t *time_ns, double *rate_ppb);

/* Counters and complaints, for the control socket and for tests. */
struct device_counter {
	const char *name; /* "tx0_packets", "mmc_rx_crc_errors", "complaints" … */
	uint64_t value;
};
/* Writes at most `max` entries, returns how many there are. */
unsigned int device_counters(
		const struct device *dev, struct device_counter *out, unsigned int max);
struct device_complaint {
	const char *kind;
	const char *text; /* of the first one of this kind and text */
	uint64_t count;
};
unsigned int device_complaints(
		const struct device *dev, struct device_complaint *out, unsigned int max);
void device_complaints_clear(struct device *dev);

/* Faults. `name` of the fault table, `arg` as its row says, `times` = how often (0 = until
 * cleared, with times < 0 = clear). -ENOENT: no such fault. */
int device_fault(struct device *dev, const char *name, uint64_t arg, int times);

/* TX buffers as the device saw them: when the last write-back happened (true ns), how many
 * descriptors it still owns, and how long it held one (fetch to write-back). */
struct device_tx_hold {
	uint64_t last_writeback_ns;
	uint32_t owned;
	uint64_t hold_max_ns;
	uint64_t packets;
};
bool device_tx_hold(const struct device *dev, unsigned int channel, struct device_tx_hold *out);

#endif /* DWMAC_MODEL_DEVICE_H */
