/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_PTP_H
#define SILICON_PTP_H

#include <stdbool.h>
#include <stdint.h>

#include "parse.h"

#define PTP_HISTORY 32

struct device;

/*
 * The system time counter (ptp.md §2). Between two register writes it is a pure function of the
 * number of reference clock edges; every change begins a new span. Old spans are kept because a
 * frame's stamp may be asked for a little later than it passed.
 */
struct ptp_span {
	uint64_t start_tick;
	uint64_t seconds; /* 48 bits: higher word and seconds */
	uint32_t sub;	  /* ns, or 2^-31 s with TSCTRLSSR = 0 */
	uint32_t frac;	  /* 1/256 of that */
	uint32_t accumulator, addend;
	uint32_t increment; /* SSINC.SNSINC in 1/256 */
	bool fine, decimal, running;
};

struct ptp_command {
	bool pending;
	uint64_t due_ps;
	uint32_t seconds, nanoseconds, addend;
};

struct ptp_time {
	uint64_t seconds;
	uint32_t sub, frac;
};

struct ptp {
	unsigned int newest;
	struct ptp_span span[PTP_HISTORY];
	struct ptp_command init, update, addend;
	uint32_t update_ns;
	uint64_t tx_captures_missed;
};

void ptp_reset(struct device *dev);
void ptp_settle(struct device *dev, uint64_t now_ps);
uint64_t ptp_next_ps(const struct device *dev);
struct ptp_time ptp_now(const struct device *dev, uint64_t at_ps);

/* Stamps as the hardware puts them into descriptors. False: no time stamping. */
bool ptp_stamp_tx(const struct device *dev, uint64_t sfd_ps, uint32_t *seconds, uint32_t *sub);
bool ptp_stamp_rx(const struct device *dev, uint64_t sfd_ps, uint32_t *seconds, uint32_t *sub);
bool ptp_wants_stamp(const struct device *dev, const uint8_t *frame, const struct parsed *p);
void ptp_capture_tx(struct device *dev, uint64_t sfd_ps);
/* True time at which the clock shows a launch time (8 bits of seconds, ns/256). */
uint64_t ptp_launch_ps(const struct device *dev, uint8_t seconds, uint32_t ns, uint64_t now_ps);

#endif /* SILICON_PTP_H */
