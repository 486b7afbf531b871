/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#define NS_PER_S     UINT32_C(1000000000)
#define BINARY_PER_S UINT32_C(0x80000000)
#define CDC_TICKS    2 /* reference clock edges until a capture is synchronised (ptp.md §9) */

static uint64_t
units_per_s(const struct ptp_span *span)
{
	return span->decimal ? NS_PER_S : BINARY_PER_S;
}

static struct ptp_span *
newest_span(struct device *dev)
{
	return &dev->ptp.span[dev->ptp.newest];
}

/* The counter after `tick` edges, from the span that covers that edge. */
static void
span_at(const struct ptp_span *span, uint64_t tick, struct ptp_span *out)
{
	uint64_t edges = tick > span->start_tick ? tick - span->start_tick : 0;
	uint128 sum, total, unit = (uint128)units_per_s(span) * 256;

	*out = *span;
	out->start_tick = tick;
	if (!span->running || edges == 0)
		return;
	if (span->fine) {
		sum = (uint128)edges * span->addend + span->accumulator;
		out->accumulator = (uint32_t)sum;
		sum >>= 32;
	} else {
		sum = edges;
	}
	total = sum * span->increment + (uint128)span->sub * 256 + span->frac;
	out->seconds = (span->seconds + (uint64_t)(total / unit)) & UINT64_C(0xffffffffffff);
	total %= unit;
	out->sub = (uint32_t)(total >> 8);
	out->frac = (uint32_t)total & 0xff;
}

static const struct ptp_span *
span_of_tick(const struct device *dev, uint64_t tick)
{
	const struct ptp *ptp = &dev->ptp;
	unsigned int i = ptp->newest;

	for (unsigned int back = 0; back < PTP_HISTORY - 1; back++) {
		if (ptp->span[i].start_tick <= tick)
			break;
		i = (i + PTP_HISTORY - 1) % PTP_HISTORY;
	}
	return &ptp->span[i];
}

/* Begin a span at `at_ps`: the caller changes what it wants to change in it. */
static struct ptp_span *
new_span(struct device *dev, uint64_t at_ps)
{
	struct ptp *ptp = &dev->ptp;
	struct ptp_span now;
	uint64_t tick = osc_tick(&dev->osc, at_ps);

	if (tick < newest_span(dev)->start_tick)
		tick = newest_span(dev)->start_tick;
	span_at(newest_span(dev), tick, &now);
	ptp->newest = (ptp->newest + 1) % PTP_HISTORY;
	ptp->span[ptp->newest] = now;
	return &ptp->span[ptp->newest];
}

void
ptp_reset(struct device *dev)
{
	uint32_t update_ns = dev->ptp.update_ns;

	memset(&dev->ptp, 0, sizeof(dev->ptp));
	dev->ptp.update_ns = update_ns;
}

struct ptp_time
ptp_now(const struct device *dev, uint64_t at_ps)
{
	uint64_t tick = osc_tick(&dev->osc, at_ps);
	struct ptp_span now;

	span_at(span_of_tick(dev, tick), tick, &now);
	return (struct ptp_time){ now.seconds, now.sub, now.frac };
}

/*
 * TSUPDT with ADDSUB = 1: the registers hold complements, so both words are added; a carry out
 * of the sub-seconds means "no borrow" (ptp.md §4.3).
 */
static void
apply_update(struct ptp_span *span, const struct ptp_command *command)
{
	uint64_t unit = units_per_s(span), sub = span->sub;
	bool subtract = (command->nanoseconds & BIT(31)) != 0;
	uint32_t low = (uint32_t)span->seconds + command->seconds;
	bool carry;

	sub += command->nanoseconds & BITS(30, 0);
	carry = sub >= unit;
	if (carry)
		sub -= unit;
	if (subtract && !carry)
		low--;
	span->sub = (uint32_t)sub;
	if (subtract) {
		span->seconds = (span->seconds & ~UINT64_C(0xffffffff)) | low;
		return;
	}
	span->seconds = (span->seconds + command->seconds + carry) & UINT64_C(0xffffffffffff);
}

static bool
command_due(struct device *dev, struct ptp_command *command, uint32_t bit, uint64_t now_ps)
{
	uint32_t *control = reg(dev, MAC_TIMESTAMP_CONTROL);

	if (!command->pending || now_ps < command->due_ps || (*control & TSC_TSENA) == 0)
		return false;
	if (fault_holds_bit(dev, MAC_TIMESTAMP_CONTROL, &command->due_ps))
		return false;
	command->pending = false;
	*control &= ~bit;
	return true;
}

/* Seconds passed 2^32 since the newest span began: an event, and the span is renewed. */
static void
note_overflow(struct device *dev, uint64_t now_ps)
{
	struct ptp_span *span = newest_span(dev);
	uint64_t seconds;

	if (!span->running)
		return;
	seconds = ptp_now(dev, now_ps).seconds;
	if (seconds >> 32 == span->seconds >> 32)
		return;
	new_span(dev, now_ps);
	*reg(dev, MAC_TIMESTAMP_STATUS) |= TSS_TSSOVF;
}

void
ptp_settle(struct device *dev, uint64_t now_ps)
{
	struct ptp *ptp = &dev->ptp;
	struct ptp_span *span;

	osc_advance(&dev->osc, now_ps);
	if (command_due(dev, &ptp->addend, TSC_TSADDREG, now_ps))
		new_span(dev, ptp->addend.due_ps)->addend = ptp->addend.addend;
	if (command_due(dev, &ptp->init, TSC_TSINIT, now_ps)) {
		span = new_span(dev, ptp->init.due_ps);
		span->seconds = (span->seconds & ~UINT64_C(0xffffffff)) | ptp->init.seconds;
		span->sub = ptp->init.nanoseconds & BITS(30, 0);
		span->frac = 0;
		span->accumulator = 0;
		span->running = true;
	}
	if (command_due(dev, &ptp->update, TSC_TSUPDT, now_ps))
		apply_update(new_span(dev, ptp->update.due_ps), &ptp->update);
	note_overflow(dev, now_ps);
}

uint64_t
ptp_next_ps(const struct device *dev)
{
	const struct ptp *ptp = &dev->ptp;
	uint64_t next = DEVICE_NEVER;

	if ((reg_get(dev, MAC_TIMESTAMP_CONTROL) & TSC_TSENA) == 0)
		return DEVICE_NEVER;
	if (ptp->init.pending && ptp->init.due_ps < next)
		next = ptp->init.due_ps;
	if (ptp->update.pending && ptp->update.due_ps < next)
		next = ptp->update.due_ps;
	if (ptp->addend.pending && ptp->addend.due_ps < next)
		next = ptp->addend.due_ps;
	return next;
}

static void
start_command(struct device *dev, struct ptp_command *command)
{
	command->pending = true;
	command->due_ps = dev->now_ps + (uint64_t)dev->ptp.update_ns * 1000;
	command->seconds = reg_get(dev, MAC_SYSTEM_TIME_SECONDS_UPDATE);
	command->nanoseconds = reg_get(dev, MAC_SYSTEM_TIME_NANOSECONDS_UPDATE);
	command->addend = reg_get(dev, MAC_TIMESTAMP_ADDEND);
}

/* Commands given while stamping was off begin to run when it is switched on. */
static void
stamping_switched_on(struct device *dev)
{
	struct ptp_command *commands[] = { &dev->ptp.init, &dev->ptp.update, &dev->ptp.addend };

	for (unsigned int i = 0; i < 3; i++)
		commands[i]->due_ps = dev->now_ps + (uint64_t)dev->ptp.update_ns * 1000;
}

void
ptp_write_control(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t control = reg_get(dev, MAC_TIMESTAMP_CONTROL);
	struct ptp_span *span;

	(void)index;
	if ((old & TSC_COMMANDS & ~dev->written) != 0)
		complain(dev, COMPLAINT_TS_BUSY,
				"MAC_Timestamp_Control written while 0x%x of it is pending",
				old & TSC_COMMANDS);
	if (started & TSC_TSINIT)
		start_command(dev, &dev->ptp.init);
	if (started & TSC_TSUPDT)
		start_command(dev, &dev->ptp.update);
	if (started & TSC_TSADDREG)
		start_command(dev, &dev->ptp.addend);
	if ((started & TSC_COMMANDS) != 0 && (control & TSC_TSENA) == 0)
		complain(dev, COMPLAINT_TS_DISABLED,
				"command 0x%x in MAC_Timestamp_Control without TSENA",
				started & TSC_COMMANDS);
	span = new_span(dev, dev->now_ps);
	span->fine = (control & TSC_TSCFUPDT) != 0;
	span->decimal = (control & TSC_TSCTRLSSR) != 0;
	if ((control & TSC_TSENA) == 0)
		span->running = false;
	else if ((old & TSC_TSENA) == 0)
		stamping_switched_on(dev);
}

void
ptp_write_increment(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)index;
	(void)old;
	(void)started;
	new_span(dev, dev->now_ps)->increment =
			FIELD(reg_get(dev, MAC_SUB_SECOND_INCREMENT), 23, 8);
}

/* Update and addend registers are latched by the command: writing them meanwhile is a race. */
void
ptp_write_operand(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t pending = reg_get(dev, MAC_TIMESTAMP_CONTROL) & TSC_COMMANDS;

	(void)index;
	(void)old;
	(void)started;
	if (pending != 0)
		complain(dev, COMPLAINT_TS_BUSY,
				"PTP operand written while command 0x%x is pending", pending);
}

uint32_t
ptp_read_seconds(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	(void)stored;
	return (uint32_t)ptp_now(dev, dev->now_ps).seconds;
}

uint32_t
ptp_read_nanoseconds(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	(void)stored;
	return ptp_now(dev, dev->now_ps).sub;
}

uint32_t
ptp_read_higher(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	(void)stored;
	return (uint32_t)(ptp_now(dev, dev->now_ps).seconds >> 32);
}

void
ptp_write_higher(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint64_t high = reg_get(dev, MAC_SYSTEM_TIME_HIGHER_WORD_SECONDS);
	struct ptp_span *span = new_span(dev, dev->now_ps);

	(void)index;
	(void)old;
	(void)started;
	span->seconds = (span->seconds & 0xffffffff) | high << 32;
}

/* Latency registers: MII clocks between the wire side and the capture point, in ns. */
uint32_t
ptp_read_latency(struct device *dev, unsigned int index, uint32_t stored)
{
	unsigned int clocks =
			index == 0 ? dev->profile->ingress_clocks : dev->profile->egress_clocks;

	(void)stored;
	return (uint32_t)(clocks * mac_mii_clock_ps(dev) / 1000) << 16;
}

static bool
stamp(const struct device *dev, uint64_t at_ps, uint32_t corr_ns, uint32_t corr_sub,
		uint32_t *seconds, uint32_t *sub)
{
	uint64_t tick = osc_tick(&dev->osc, at_ps) + CDC_TICKS;
	const struct ptp_span *span = span_of_tick(dev, tick);
	struct ptp_span at;
	int64_t unit = (int64_t)units_per_s(span), value;

	if ((reg_get(dev, MAC_TIMESTAMP_CONTROL) & TSC_TSENA) == 0)
		return false;
	span_at(span, tick, &at);
	/* Negative corrections are complements with bit 31 set (ptp.md §9). */
	value = (int64_t)at.sub + (corr_ns & BITS(30, 0)) +
		(at.frac + FIELD(corr_sub, 15, 8)) / 256;
	if (corr_ns & BIT(31))
		value -= unit;
	*seconds = (uint32_t)at.seconds;
	if (value < 0) {
		value += unit;
		--*seconds;
	} else if (value >= unit) {
		value -= unit;
		++*seconds;
	}
	*sub = (uint32_t)value;
	return true;
}

bool
ptp_stamp_tx(const struct device *dev, uint64_t sfd_ps, uint32_t *seconds, uint32_t *sub)
{
	uint64_t latency = dev->profile->egress_clocks * mac_mii_clock_ps(dev);

	return stamp(dev, sfd_ps > latency ? sfd_ps - latency : 0,
			reg_get(dev, MAC_TIMESTAMP_EGRESS_CORR_NANOSECOND),
			reg_get(dev, MAC_TIMESTAMP_EGRESS_CORR_SUBNANOSEC), seconds, sub);
}

bool
ptp_stamp_rx(const struct device *dev, uint64_t sfd_ps, uint32_t *seconds, uint32_t *sub)
{
	return stamp(dev, sfd_ps + dev->profile->ingress_clocks * mac_mii_clock_ps(dev),
			reg_get(dev, MAC_TIMESTAMP_INGRESS_CORR_NANOSECOND),
			reg_get(dev, MAC_TIMESTAMP_INGRESS_CORR_SUBNANOSEC), seconds, sub);
}

bool
device_clock(const struct device *dev, uint64_t at_ps, int64_t *time_ns, double *rate_ppb)
{
	uint64_t tick = osc_tick(&dev->osc, at_ps);
	const struct ptp_span *span = span_of_tick(dev, tick);
	struct ptp_span at;
	double hz;

	if (!span->running)
		return false;
	span_at(span, tick, &at);
	*time_ns = (int64_t)at.seconds * NS_PER_S +
		   (span->decimal ? at.sub : (int64_t)((uint64_t)at.sub * NS_PER_S >> 31));
	hz = osc_hz(&dev->osc, at_ps) * span->increment / 256.0 / (double)units_per_s(span);
	if (span->fine)
		hz *= span->addend / 4294967296.0;
	*rate_ppb = (hz - 1.0) * 1e9;
	return true;
}
