/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef PTP_CLOCK_H
#define PTP_CLOCK_H

/*
 * The IEEE 1588 block of GMAC 4.x/5.x and XGMAC (ptp.md). Offsets are relative to the block's
 * base, which is per-generation data.
 *
 * Every command bit clears itself within a few PTP clocks, 1.6 us at most on the slowest board
 * measured (ptp.md §5). It is waited for by polling at once and without sleeping; the next command
 * waits first only if the last one was given up. Nothing here takes a lock: callers hold the port's
 * control lock.
 */

#include <stdbool.h>
#include <stdint.h>

#include "dwmac_io.h"

/* A device time or a duration: seconds and 0 <= ns < 10^9. */
struct dwmac_time {
	int64_t s;
	uint32_t ns;
};

enum dwmac_ptp_filter {
	DWMAC_PTP_FILTER_NONE,	/* no RX stamps; the clock runs on */
	DWMAC_PTP_FILTER_EVENT, /* PTPv2 over Ethernet, UDP/IPv4, UDP/IPv6 */
	DWMAC_PTP_FILTER_ALL,	/* every received frame */
};

/* Plain data, may live in shared memory. */
struct dwmac_ptp {
	uint32_t base;	  /* of the register block */
	uint32_t clk_hz;  /* clk_ptp_ref_i */
	bool higher_word; /* seconds 47:32 exist */
	bool unfinished;  /* a command was given up: its bit may still be set */
	bool running;	  /* TSENA set and the time initialised */
	uint32_t control; /* MAC_Timestamp_Control without command bits, as last written */
	uint32_t ssinc_ns;
	uint32_t addend;
	int64_t scaled_ppm; /* rate in force, 1/65536 ppm against the nominal one */
	uint64_t commands;  /* issued */
	uint64_t polls;	    /* register reads spent waiting for them */
	uint64_t timeouts;
};

/* Rates beyond this are refused: addend stays inside 32 bits on every clock (ptp.md §2). */
#define DWMAC_PTP_MAX_PPB 62500000

/* How long a command may take before the PTP clock is declared dead. */
#define DWMAC_PTP_TIMEOUT_US 1000

/* ns added per accumulator overflow: 2e9 / clk_hz, at most 255. */
uint32_t dwmac_ptp_ssinc(uint32_t clk_hz);

/* Accumulator step for a rate of (1 + scaled_ppm / 65536e6) with increment ssinc_ns, rounded to
 * nearest. 0 and -ERANGE when it does not fit. */
int dwmac_ptp_addend(uint32_t clk_hz, uint32_t ssinc_ns, int64_t scaled_ppm, uint32_t *addend);

/* Start the clock at `now` in fine mode at its nominal rate. `filter` as given.
 * -EINVAL: the clock frequency is unusable, -ETIMEDOUT: no PTP clock, -ENODEV. */
int dwmac_ptp_start(struct dwmac_ptp *ptp, const struct dwmac_io *io, const struct dwmac_time *now,
		enum dwmac_ptp_filter filter);
/* Change what is stamped; time and rate are untouched. */
int dwmac_ptp_filter(
		struct dwmac_ptp *ptp, const struct dwmac_io *io, enum dwmac_ptp_filter filter);
/* -EIO: the two halves never agreed, -ENODEV. */
int dwmac_ptp_read(const struct dwmac_ptp *ptp, const struct dwmac_io *io, struct dwmac_time *time);
/* -ERANGE: the seconds do not fit the counter. */
int dwmac_ptp_write(
		struct dwmac_ptp *ptp, const struct dwmac_io *io, const struct dwmac_time *time);
/* Step by `delta_ns`, exactly, without reading the time. */
int dwmac_ptp_adjust_time(struct dwmac_ptp *ptp, const struct dwmac_io *io, int64_t delta_ns);
/* Make stamps tell when a frame passed the MII and not when the core noticed. The core names its
 * latencies, which depend on the link's speed: to be called after each change of it. Cores
 * without the option read 0. */
void dwmac_ptp_correct_latency(const struct dwmac_ptp *ptp, const struct dwmac_io *io);
/* Absolute, not cumulative. -ERANGE beyond DWMAC_PTP_MAX_PPB. */
int dwmac_ptp_adjust_freq(struct dwmac_ptp *ptp, const struct dwmac_io *io, int64_t scaled_ppm);

#endif /* PTP_CLOCK_H */
