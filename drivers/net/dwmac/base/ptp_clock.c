/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>

#include <rte_bitops.h>
#include <rte_common.h>
#include <rte_cycles.h>

#include "ptp_clock.h"

/* Registers of the block (ptp.md §1) */
#define TIMESTAMP_CONTROL	  0x00
#define SUB_SECOND_INCREMENT	  0x04
#define SYSTEM_TIME_SECONDS	  0x08
#define SYSTEM_TIME_NANOSECONDS	  0x0c
#define SECONDS_UPDATE		  0x10
#define NANOSECONDS_UPDATE	  0x14
#define NANOSECONDS_UPDATE_ADDSUB RTE_BIT32(31)
#define TIMESTAMP_ADDEND	  0x18
#define HIGHER_WORD_SECONDS	  0x1c
#define INGRESS_CORR_NANOSECOND	  0x58
#define EGRESS_CORR_NANOSECOND	  0x5c
#define INGRESS_CORR_SUBNANOSEC	  0x60
#define EGRESS_CORR_SUBNANOSEC	  0x64
#define CORR_NEGATIVE		  RTE_BIT32(31)
#define INGRESS_LATENCY		  0x68
#define EGRESS_LATENCY		  0x6c

/* MAC_Timestamp_Control (ptp.md §3) */
#define TCR_TSENA	 RTE_BIT32(0)
#define TCR_TSCFUPDT	 RTE_BIT32(1)
#define TCR_TSINIT	 RTE_BIT32(2)
#define TCR_TSUPDT	 RTE_BIT32(3)
#define TCR_TSADDREG	 RTE_BIT32(5)
#define TCR_TSENALL	 RTE_BIT32(8)
#define TCR_TSCTRLSSR	 RTE_BIT32(9)
#define TCR_TSVER2ENA	 RTE_BIT32(10)
#define TCR_TSIPENA	 RTE_BIT32(11)
#define TCR_TSIPV6ENA	 RTE_BIT32(12)
#define TCR_TSIPV4ENA	 RTE_BIT32(13)
#define TCR_SNAPTYPSEL_1 (1u << 16)
#define TCR_TXTSSTSM	 RTE_BIT32(24)
#define TCR_COMMANDS	 (TCR_TSINIT | TCR_TSUPDT | TCR_TSADDREG)

#define SSIR_SSINC_SHIFT 16

/* The four event messages of E2E and P2P: SNAPTYPSEL 01 with TSEVNTENA 0 (ptp.md §6). */
static uint32_t
filter_bits(enum dwmac_ptp_filter filter)
{
	switch (filter) {
	case DWMAC_PTP_FILTER_EVENT:
		return TCR_TSVER2ENA | TCR_TSIPENA | TCR_TSIPV6ENA | TCR_TSIPV4ENA |
		       TCR_SNAPTYPSEL_1;
	case DWMAC_PTP_FILTER_ALL:
		return TCR_TSENALL;
	case DWMAC_PTP_FILTER_NONE:
		break;
	}
	return 0;
}

uint32_t
dwmac_ptp_ssinc(uint32_t clk_hz)
{
	return clk_hz == 0 ? 0 : RTE_MIN(2u * NS_PER_S / clk_hz, 255u);
}

int
dwmac_ptp_addend(uint32_t clk_hz, uint32_t ssinc_ns, int64_t scaled_ppm, uint32_t *addend)
{
	/* 2^32 * 10^9 * (65536e6 + scaled_ppm) / (ssinc * clk * 65536e6), in 128 bits: the inner
	 * floor of the common 64-bit form costs up to 18 ppb (ptp.md §2). */
	const int64_t one = INT64_C(65536) * 1000000;
	unsigned __int128 num, den, result;

	if (scaled_ppm <= -one || scaled_ppm >= one)
		return -ERANGE;
	num = ((unsigned __int128)NS_PER_S << 32) * (uint64_t)(one + scaled_ppm);
	den = (unsigned __int128)clk_hz * ssinc_ns * (uint64_t)one;
	if (den == 0)
		return -ERANGE;
	result = (num + den / 2) / den;
	if (result == 0 || result > UINT32_MAX)
		return -ERANGE;
	*addend = (uint32_t)result;
	return 0;
}

static int
wait_idle(struct dwmac_ptp *ptp, const struct dwmac_io *io)
{
	uint32_t polls;
	int ret = dwmac_poll(io, ptp->base + TIMESTAMP_CONTROL, TCR_COMMANDS, 0,
			DWMAC_PTP_TIMEOUT_US, &polls);

	ptp->polls += polls;
	ptp->unfinished = ret != 0;
	if (ret == -ETIMEDOUT)
		ptp->timeouts++;
	return ret;
}

/* Every command is waited for, so only one that was given up can still be under way: no register
 * read, a microsecond on PCIe, is spent to ask. */
static int
finish_previous(struct dwmac_ptp *ptp, const struct dwmac_io *io)
{
	return ptp->unfinished ? wait_idle(ptp, io) : 0;
}

/* Set one command bit and wait for it. The control word is written from memory: reading it back
 * while a bit is still set would issue that command again. */
static int
command(struct dwmac_ptp *ptp, const struct dwmac_io *io, uint32_t bit)
{
	dwmac_write32(io, ptp->base + TIMESTAMP_CONTROL, ptp->control | bit);
	ptp->commands++;
	return wait_idle(ptp, io);
}

static int
load_addend(struct dwmac_ptp *ptp, const struct dwmac_io *io, uint32_t addend)
{
	dwmac_write32(io, ptp->base + TIMESTAMP_ADDEND, addend);
	return command(ptp, io, TCR_TSADDREG);
}

static int
load_time(struct dwmac_ptp *ptp, const struct dwmac_io *io, const struct dwmac_time *time)
{
	const int64_t limit = ptp->higher_word ? INT64_C(1) << 48 : INT64_C(1) << 32;

	if (time->s < 0 || time->s >= limit || time->ns >= NS_PER_S)
		return -ERANGE;
	if (ptp->higher_word)
		dwmac_write32(io, ptp->base + HIGHER_WORD_SECONDS, (uint32_t)(time->s >> 32));
	dwmac_write32(io, ptp->base + SECONDS_UPDATE, (uint32_t)time->s);
	dwmac_write32(io, ptp->base + NANOSECONDS_UPDATE, time->ns);
	return command(ptp, io, TCR_TSINIT);
}

/* ptp.md §4.1. TSENA comes first and does not start the counter; TSINIT does. */
int
dwmac_ptp_start(struct dwmac_ptp *ptp, const struct dwmac_io *io, const struct dwmac_time *now,
		enum dwmac_ptp_filter filter)
{
	int ret;

	ptp->ssinc_ns = dwmac_ptp_ssinc(ptp->clk_hz);
	if (ptp->ssinc_ns == 0 ||
			dwmac_ptp_addend(ptp->clk_hz, ptp->ssinc_ns, 0, &ptp->addend) != 0)
		return -EINVAL;
	ptp->running = false;
	ptp->scaled_ppm = 0;
	ret = finish_previous(ptp, io);
	if (ret != 0)
		return ret;

	ptp->control = TCR_TSENA | TCR_TSCTRLSSR | TCR_TXTSSTSM | filter_bits(filter);
	dwmac_write32(io, ptp->base + TIMESTAMP_CONTROL, ptp->control);
	dwmac_write32(io, ptp->base + SUB_SECOND_INCREMENT, ptp->ssinc_ns << SSIR_SSINC_SHIFT);
	ret = load_addend(ptp, io, ptp->addend);
	if (ret != 0)
		return ret;
	ptp->control |= TCR_TSCFUPDT;
	dwmac_write32(io, ptp->base + TIMESTAMP_CONTROL, ptp->control);
	ret = load_time(ptp, io, now);
	if (ret == 0)
		ptp->running = true;
	return ret;
}

int
dwmac_ptp_filter(struct dwmac_ptp *ptp, const struct dwmac_io *io, enum dwmac_ptp_filter filter)
{
	int ret = finish_previous(ptp, io);

	if (ret != 0)
		return ret;
	ptp->control = (ptp->control & (TCR_TSENA | TCR_TSCFUPDT | TCR_TSCTRLSSR | TCR_TXTSSTSM)) |
		       filter_bits(filter);
	dwmac_write32(io, ptp->base + TIMESTAMP_CONTROL, ptp->control);
	return 0;
}

/* Two registers, no latch: seconds, ns, seconds until both seconds agree (ptp.md §4.4). They can
 * differ once a second only, so a device where they keep differing is broken. */
int
dwmac_ptp_read(const struct dwmac_ptp *ptp, const struct dwmac_io *io, struct dwmac_time *time)
{
	const uint32_t seconds = ptp->base + SYSTEM_TIME_SECONDS;
	const uint32_t nanoseconds = ptp->base + SYSTEM_TIME_NANOSECONDS;
	uint32_t s, again, ns;
	unsigned int tries;

	again = dwmac_read32(io, seconds);
	for (tries = 0; tries < 4; tries++) {
		s = again;
		ns = dwmac_read32(io, nanoseconds);
		again = dwmac_read32(io, seconds);
		/* Never a valid ns value: the device is gone. */
		if (ns == DWMAC_ALL_ONES)
			return -ENODEV;
		if (s == again && ns < NS_PER_S) {
			time->s = s;
			time->ns = ns;
			if (ptp->higher_word)
				time->s |= (int64_t)(dwmac_read32(io,
								     ptp->base + HIGHER_WORD_SECONDS) &
							   0xffff)
					   << 32;
			return 0;
		}
	}
	return -EIO;
}

int
dwmac_ptp_write(struct dwmac_ptp *ptp, const struct dwmac_io *io, const struct dwmac_time *time)
{
	int ret = finish_previous(ptp, io);

	return ret == 0 ? load_time(ptp, io, time) : ret;
}

/* A latency register in its finest unit, 1/256 ns: ns in 27:16, the fraction in 15:8. */
static uint32_t
latency_256(const struct dwmac_io *io, uint32_t offset)
{
	const uint32_t value = dwmac_read32(io, offset);

	return value == DWMAC_ALL_ONES ? 0 : (value >> 8) & 0xfffff;
}

/* What comes in was noticed too late: its correction is negative, -x as 10^9 - x. What goes out was
 * noticed too early (ptp.md §9). */
void
dwmac_ptp_correct_latency(const struct dwmac_ptp *ptp, const struct dwmac_io *io)
{
	const uint32_t in = latency_256(io, ptp->base + INGRESS_LATENCY);
	const uint32_t out = latency_256(io, ptp->base + EGRESS_LATENCY);
	const uint32_t back = (uint32_t)((NS_PER_S * UINT64_C(256) - in) >> 8);

	dwmac_write32(io, ptp->base + INGRESS_CORR_NANOSECOND, in == 0 ? 0 : CORR_NEGATIVE | back);
	dwmac_write32(io, ptp->base + INGRESS_CORR_SUBNANOSEC, (-in & 0xff) << 8);
	dwmac_write32(io, ptp->base + EGRESS_CORR_NANOSECOND, out >> 8);
	dwmac_write32(io, ptp->base + EGRESS_CORR_SUBNANOSEC, (out & 0xff) << 8);
}

/* One TSUPDT command. Subtracting complements both words; its ns part must not be 0, as 10^9 - 0
 * lies outside the documented range of the field (ptp.md §4.3). */
static int
step(struct dwmac_ptp *ptp, const struct dwmac_io *io, bool subtract, uint32_t s, uint32_t ns)
{
	dwmac_write32(io, ptp->base + SECONDS_UPDATE, subtract ? 0u - s : s);
	dwmac_write32(io, ptp->base + NANOSECONDS_UPDATE,
			subtract ? NANOSECONDS_UPDATE_ADDSUB | (NS_PER_S - ns) : ns);
	return command(ptp, io, TCR_TSUPDT);
}

int
dwmac_ptp_adjust_time(struct dwmac_ptp *ptp, const struct dwmac_io *io, int64_t delta_ns)
{
	const bool subtract = delta_ns < 0;
	const uint64_t magnitude = subtract ? 0 - (uint64_t)delta_ns : (uint64_t)delta_ns;
	const uint64_t s = magnitude / NS_PER_S;
	const uint32_t ns = magnitude % NS_PER_S;
	int ret;

	if (s > UINT32_MAX)
		return -ERANGE;
	if (magnitude == 0)
		return 0;
	ret = finish_previous(ptp, io);
	if (ret != 0)
		return ret;
	if (!subtract || ns != 0)
		return step(ptp, io, subtract, (uint32_t)s, ns);
	/* Whole seconds back: all but one nanosecond, then that one. */
	ret = step(ptp, io, true, (uint32_t)s - 1, NS_PER_S - 1);
	return ret == 0 ? step(ptp, io, true, 0, 1) : ret;
}

int
dwmac_ptp_adjust_freq(struct dwmac_ptp *ptp, const struct dwmac_io *io, int64_t scaled_ppm)
{
	/* ppb = scaled_ppm * 1000 / 65536 */
	const int64_t limit = (int64_t)DWMAC_PTP_MAX_PPB * 65536 / 1000;
	uint32_t addend;
	int ret;

	if (scaled_ppm < -limit || scaled_ppm > limit)
		return -ERANGE;
	ret = dwmac_ptp_addend(ptp->clk_hz, ptp->ssinc_ns, scaled_ppm, &addend);
	if (ret != 0)
		return ret;
	ret = finish_previous(ptp, io);
	if (ret != 0)
		return ret;
	ret = load_addend(ptp, io, addend);
	if (ret == 0) {
		ptp->addend = addend;
		ptp->scaled_ppm = scaled_ppm;
	}
	return ret;
}
