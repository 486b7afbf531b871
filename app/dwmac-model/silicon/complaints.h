/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_COMPLAINTS_H
#define SILICON_COMPLAINTS_H

#include <stdint.h>

struct device;

/* X(enumerator, stable token, what it means). One row per thing no correct driver does. */
#define COMPLAINT_KINDS(X)                                                                        \
	X(UNKNOWN_OFFSET, "unknown-offset", "access to an offset without a register")             \
	X(BAD_SIZE, "bad-size", "access that is not one aligned 32-bit word")                     \
	X(ABSENT_REGISTER, "absent-register", "non-zero write to a register that is not built")   \
	X(RESERVED_BITS, "reserved-bits", "1 written to a reserved bit")                          \
	X(RO_FIELD, "ro-field", "1 written to a read-only bit that reads 0")                      \
	X(SET_AGAIN, "set-again", "self-clearing bit set while it still reads 1")                 \
	X(RESET_BUSY, "reset-busy", "write while SWR reads 1")                                    \
	X(FTQ_BUSY, "ftq-busy", "write to the TX queue mode while FTQ reads 1")                   \
	X(RING_RUNNING, "ring-running", "list base or length written while the channel runs")     \
	X(RING_CROSSES_4G, "ring-crosses-4g", "descriptor ring crosses a 4 GiB boundary")         \
	X(RING_SHORT, "ring-short", "descriptor ring of two entries or fewer")                    \
	X(TAIL_OUTSIDE, "tail-outside", "tail pointer is no descriptor of the ring")              \
	X(PBL_TOO_BIG, "pbl-too-big", "burst larger than half the queue")                         \
	X(RX_BUFFER_SIZE, "rx-buffer-size", "RX started with RBSZ = 0")                           \
	X(FIFO_OVERSUBSCRIBED, "fifo-oversubscribed", "queue sizes exceed the FIFO")              \
	X(ADDRESS_WIDTH, "address-width", "address above the width of the DMA")                   \
	X(EAME_OFF, "eame-off", "high address bits while EAME = 0")                               \
	X(DMA_UNMAPPED, "dma-unmapped", "DMA to memory the host has not mapped")                  \
	X(DESC_ALL_ONES, "desc-all-ones", "descriptor with all bits set")                         \
	X(DESC_NO_FD, "desc-no-fd", "packet that starts without FD")                              \
	X(DESC_NO_LD, "desc-no-ld", "FD before the LD of the previous packet")                    \
	X(DESC_ZERO_LENGTH, "desc-zero-length", "TX descriptor without data")                     \
	X(DESC_LENGTH_SUM, "desc-length-sum", "FL differs from the sum of the buffers")           \
	X(DESC_TOO_LONG, "desc-too-long", "TX packet longer than the MAC can send")               \
	X(CONTEXT_FD_LD, "context-fd-ld", "context descriptor with FD or LD")                     \
	X(CONTEXT_MID_PACKET, "context-mid-packet", "context descriptor inside a packet")         \
	X(CONTEXT_FEATURE, "context-feature", "context asks for a feature that is not built")     \
	X(TSO_HEADER, "tso-header", "segmentation request the engine cannot follow")              \
	X(CKSUM_THRESHOLD, "cksum-threshold", "checksum insertion without store-and-forward")     \
	X(TX_OVER_FIFO, "tx-over-fifo", "packet to be checksummed is larger than its queue")      \
	X(TXQ_OFF, "txq-off", "packet for a TX queue that is not enabled")                        \
	X(RX_BUFFER_UNALIGNED, "rx-buffer-unaligned", "RX buffer not aligned to the bus")         \
	X(RX_BUFFER_NONE, "rx-buffer-none", "RX descriptor without a valid buffer")               \
	X(RX_CHANNEL_STOPPED, "rx-channel-stopped", "frame for a stopped channel without RPF")    \
	X(RXQ_OFF, "rxq-off", "frame for an RX queue that is not enabled")                        \
	X(SPEED_WHILE_RUNNING, "speed-while-running", "speed or duplex changed with TE or RE on") \
	X(SPEED_MISMATCH, "speed-mismatch", "MAC and PHY disagree on speed or duplex")            \
	X(MDIO_BUSY, "mdio-busy", "MDIO register touched while GB = 1")                           \
	X(MDC_FAST, "mdc-fast", "MDC above 2.5 MHz")                                              \
	X(TS_BUSY, "ts-busy", "PTP registers written while a command is pending")                 \
	X(TS_DISABLED, "ts-disabled", "PTP command while TSENA = 0: it never finishes")

enum complaint_kind {
#define X(id, token, meaning) COMPLAINT_##id,
	COMPLAINT_KINDS(X)
#undef X
			COMPLAINT_COUNT
};

#define COMPLAINT_ENTRIES  128
#define COMPLAINT_TEXT_MAX 160

struct complaint_log {
	struct {
		enum complaint_kind kind;
		uint64_t count;
		char text[COMPLAINT_TEXT_MAX];
	} entry[COMPLAINT_ENTRIES];
	unsigned int used;
	uint64_t total;
};

void complain(struct device *dev, enum complaint_kind kind, const char *format, ...)
		__attribute__((format(printf, 3, 4)));
const char *complaint_token(enum complaint_kind kind);

#endif /* SILICON_COMPLAINTS_H */
