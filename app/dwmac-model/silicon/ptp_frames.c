/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

enum ptp_message {
	PTP_SYNC = 0,
	PTP_DELAY_REQ = 1,
	PTP_PDELAY_REQ = 2,
	PTP_PDELAY_RESP = 3,
	PTP_FOLLOW_UP = 8,
	PTP_DELAY_RESP = 9,
	PTP_PDELAY_RESP_FOLLOW_UP = 10,
};

#define MSG(m)	   (UINT32_C(1) << (m))
#define MSG_E2E	   (MSG(PTP_SYNC) | MSG(PTP_FOLLOW_UP) | MSG(PTP_DELAY_REQ) | MSG(PTP_DELAY_RESP))
#define MSG_PDELAY (MSG(PTP_PDELAY_REQ) | MSG(PTP_PDELAY_RESP))

/* Which messages are stamped, by SNAPTYPSEL, TSMSTRENA, TSEVNTENA (ptp.md §6). */
static const struct {
	uint8_t snaptypsel;
	int8_t master, event; /* -1 = don't care */
	uint32_t messages;
} snapshot_table[] = {
	{ 0, -1, 0, MSG_E2E },
	{ 0, 0, 1, MSG(PTP_SYNC) },
	{ 0, 1, 1, MSG(PTP_DELAY_REQ) },
	{ 1, -1, 0, MSG_E2E | MSG_PDELAY | MSG(PTP_PDELAY_RESP_FOLLOW_UP) },
	{ 1, 0, 1, MSG(PTP_SYNC) | MSG_PDELAY },
	{ 1, 1, 1, MSG(PTP_DELAY_REQ) | MSG_PDELAY },
	{ 2, -1, -1, MSG(PTP_SYNC) | MSG(PTP_DELAY_REQ) },
	{ 3, -1, -1, MSG_PDELAY },
};

static uint32_t
snapshot_messages(uint32_t control)
{
	int master = (control & TSC_TSMSTRENA) != 0, event = (control & TSC_TSEVNTENA) != 0;

	for (unsigned int i = 0; i < sizeof(snapshot_table) / sizeof(snapshot_table[0]); i++) {
		if (snapshot_table[i].snaptypsel == TSC_SNAPTYPSEL(control) &&
				(snapshot_table[i].master < 0 ||
						snapshot_table[i].master == master) &&
				(snapshot_table[i].event < 0 || snapshot_table[i].event == event))
			return snapshot_table[i].messages;
	}
	return 0;
}

/* PTP version 1 has its message kind in the control field, byte 32 of the header. */
static int
message_of(const uint8_t *frame, const struct parsed *p)
{
	static const int8_t v1[] = { PTP_SYNC, PTP_DELAY_REQ, PTP_FOLLOW_UP, PTP_DELAY_RESP };
	uint8_t control;

	if (p->ptp_version >= 2)
		return p->ptp_message;
	control = frame[p->ptp_offset + 32];
	return control < 4 ? v1[control] : -1;
}

static bool
l2_address_ok(const struct device *dev, const uint8_t *frame, uint32_t control)
{
	static const uint8_t general[6] = { 0x01, 0x1b, 0x19, 0, 0, 0 };
	static const uint8_t pdelay[6] = { 0x01, 0x80, 0xc2, 0, 0, 0x0e };

	if (memcmp(frame, general, 6) == 0 || memcmp(frame, pdelay, 6) == 0)
		return true;
	return (control & TSC_TSENMACADDR) == 0 || filter_is_own_address(dev, frame);
}

bool
ptp_wants_stamp(const struct device *dev, const uint8_t *frame, const struct parsed *p)
{
	uint32_t control = reg_get(dev, MAC_TIMESTAMP_CONTROL);
	int message;

	if ((control & TSC_TSENA) == 0)
		return false;
	if (control & TSC_TSENALL)
		return true;
	if (!p->ptp || (p->ptp_version >= 2) != ((control & TSC_TSVER2ENA) != 0))
		return false;
	if (p->ptp_l2 && ((control & TSC_TSIPENA) == 0 || !l2_address_ok(dev, frame, control)))
		return false;
	if (!p->ptp_l2 && (control & TSC_AV8021ASMEN))
		return false;
	if (p->vlan_tags != 0 && (control & TSC_AV8021ASMEN))
		return false;
	if (!p->ptp_l2 && (control & (p->ip_version == 4 ? TSC_TSIPV4ENA : TSC_TSIPV6ENA)) == 0)
		return false;
	message = message_of(frame, p);
	return message >= 0 && (snapshot_messages(control) & MSG(message)) != 0;
}

/* The register route of TX stamps, for queues whose status words are dropped (DTXSTS). */
void
ptp_capture_tx(struct device *dev, uint64_t sfd_ps)
{
	uint32_t seconds, sub, *status = reg(dev, MAC_TIMESTAMP_STATUS);
	bool occupied = (*status & TSS_TXTSSIS) != 0;

	if (!ptp_stamp_tx(dev, sfd_ps, &seconds, &sub))
		return;
	if (occupied) {
		dev->ptp.tx_captures_missed++;
		*reg(dev, MAC_TX_TIMESTAMP_STATUS_NANOSECONDS) |= TXTSS_MIS;
		if ((reg_get(dev, MAC_TIMESTAMP_CONTROL) & TSC_TXTSSTSM) == 0)
			return;
	}
	*reg(dev, MAC_TX_TIMESTAMP_STATUS_NANOSECONDS) =
			(reg_get(dev, MAC_TX_TIMESTAMP_STATUS_NANOSECONDS) & TXTSS_MIS) | sub;
	*reg(dev, MAC_TX_TIMESTAMP_STATUS_SECONDS) = seconds;
	*status |= TSS_TXTSSIS;
}

uint32_t
ptp_read_tx_seconds(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)index;
	if (*reg(dev, MAC_TIMESTAMP_STATUS) & TSS_TXTSSIS) {
		*reg(dev, MAC_TIMESTAMP_STATUS) &= ~TSS_TXTSSIS;
		dev->irq.rearm_common = true;
	}
	return stored;
}

/*
 * The launch time wraps every 256 s; what lies more than 128 s ahead is in the past and goes at
 * once (eqos.md §11). The clock's rate is taken as it is now: a later adjustment is followed
 * because the time is asked for again at every run.
 */
uint64_t
ptp_launch_ps(const struct device *dev, uint8_t seconds, uint32_t ns, uint64_t now_ps)
{
	struct ptp_time now = ptp_now(dev, now_ps);
	int64_t clock_ns = (int64_t)(now.seconds & 0xff) * 1000000000 + now.sub;
	int64_t ahead_ns = (int64_t)seconds * 1000000000 + ns - clock_ns;
	int64_t ignored, wrap_ns = INT64_C(256000000000);
	double rate_ppb;

	if (ahead_ns > wrap_ns / 2)
		ahead_ns -= wrap_ns;
	if (ahead_ns <= -wrap_ns / 2)
		ahead_ns += wrap_ns;
	if (ahead_ns <= 0 || !device_clock(dev, now_ps, &ignored, &rate_ppb))
		return now_ps;
	return now_ps + (uint64_t)((double)ahead_ns * 1000.0 / (1.0 + rate_ppb / 1e9));
}
