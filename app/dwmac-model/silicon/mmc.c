/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#define HALF UINT32_C(0x80000000)

/* Counters of eqos.md §2. */
const struct mmc_counter mmc_counters[] = {
	{ 0x714, "mmc_tx_octets_good_bad" },
	{ 0x718, "mmc_tx_packets_good_bad" },
	{ 0x71c, "mmc_tx_broadcast_good" },
	{ 0x720, "mmc_tx_multicast_good" },
	{ 0x724, "mmc_tx_64_octets" },
	{ 0x728, "mmc_tx_65_to_127_octets" },
	{ 0x72c, "mmc_tx_128_to_255_octets" },
	{ 0x730, "mmc_tx_256_to_511_octets" },
	{ 0x734, "mmc_tx_512_to_1023_octets" },
	{ 0x738, "mmc_tx_1024_to_max_octets" },
	{ 0x73c, "mmc_tx_unicast_good_bad" },
	{ 0x740, "mmc_tx_multicast_good_bad" },
	{ 0x744, "mmc_tx_broadcast_good_bad" },
	{ 0x748, "mmc_tx_underflow_errors" },
	{ 0x74c, "mmc_tx_single_collision_good" },
	{ 0x750, "mmc_tx_multiple_collision_good" },
	{ 0x754, "mmc_tx_deferred" },
	{ 0x758, "mmc_tx_late_collision" },
	{ 0x75c, "mmc_tx_excessive_collision" },
	{ 0x760, "mmc_tx_carrier_errors" },
	{ 0x764, "mmc_tx_octets_good" },
	{ 0x768, "mmc_tx_packets_good" },
	{ 0x76c, "mmc_tx_excessive_deferral" },
	{ 0x770, "mmc_tx_pause" },
	{ 0x774, "mmc_tx_vlan_good" },
	{ 0x778, "mmc_tx_oversize_good" },
	{ 0x780, "mmc_rx_packets_good_bad" },
	{ 0x784, "mmc_rx_octets_good_bad" },
	{ 0x788, "mmc_rx_octets_good" },
	{ 0x78c, "mmc_rx_broadcast_good" },
	{ 0x790, "mmc_rx_multicast_good" },
	{ 0x794, "mmc_rx_crc_errors" },
	{ 0x798, "mmc_rx_alignment_errors" },
	{ 0x79c, "mmc_rx_runts" },
	{ 0x7a0, "mmc_rx_jabber" },
	{ 0x7a4, "mmc_rx_undersize_good" },
	{ 0x7a8, "mmc_rx_oversize_good" },
	{ 0x7ac, "mmc_rx_64_octets" },
	{ 0x7b0, "mmc_rx_65_to_127_octets" },
	{ 0x7b4, "mmc_rx_128_to_255_octets" },
	{ 0x7b8, "mmc_rx_256_to_511_octets" },
	{ 0x7bc, "mmc_rx_512_to_1023_octets" },
	{ 0x7c0, "mmc_rx_1024_to_max_octets" },
	{ 0x7c4, "mmc_rx_unicast_good" },
	{ 0x7c8, "mmc_rx_length_errors" },
	{ 0x7cc, "mmc_rx_out_of_range" },
	{ 0x7d0, "mmc_rx_pause" },
	{ 0x7d4, "mmc_rx_fifo_overflow" },
	{ 0x7d8, "mmc_rx_vlan" },
	{ 0x7dc, "mmc_rx_watchdog_errors" },
	{ 0x7e0, "mmc_rx_receive_errors" },
	{ 0x7e4, "mmc_rx_control_good" },
	{ 0x7ec, "mmc_tx_lpi_us" },
	{ 0x7f0, "mmc_tx_lpi_transitions" },
	{ 0x7f4, "mmc_rx_lpi_us" },
	{ 0x7f8, "mmc_rx_lpi_transitions" },
	{ 0x810, "mmc_rx_ipv4_good" },
	{ 0x814, "mmc_rx_ipv4_header_error" },
	{ 0x818, "mmc_rx_ipv4_no_payload" },
	{ 0x81c, "mmc_rx_ipv4_fragment" },
	{ 0x820, "mmc_rx_ipv4_udp_unchecked" },
	{ 0x824, "mmc_rx_ipv6_good" },
	{ 0x828, "mmc_rx_ipv6_header_error" },
	{ 0x82c, "mmc_rx_ipv6_no_payload" },
	{ 0x830, "mmc_rx_udp_good" },
	{ 0x834, "mmc_rx_udp_error" },
	{ 0x838, "mmc_rx_tcp_good" },
	{ 0x83c, "mmc_rx_tcp_error" },
	{ 0x840, "mmc_rx_icmp_good" },
	{ 0x844, "mmc_rx_icmp_error" },
	{ 0x850, "mmc_rx_ipv4_good_octets" },
	{ 0x854, "mmc_rx_ipv4_header_error_octets" },
	{ 0x858, "mmc_rx_ipv4_no_payload_octets" },
	{ 0x85c, "mmc_rx_ipv4_fragment_octets" },
	{ 0x860, "mmc_rx_ipv4_udp_unchecked_octets" },
	{ 0x864, "mmc_rx_ipv6_good_octets" },
	{ 0x868, "mmc_rx_ipv6_header_error_octets" },
	{ 0x86c, "mmc_rx_ipv6_no_payload_octets" },
	{ 0x870, "mmc_rx_udp_good_octets" },
	{ 0x874, "mmc_rx_udp_error_octets" },
	{ 0x878, "mmc_rx_tcp_good_octets" },
	{ 0x87c, "mmc_rx_tcp_error_octets" },
	{ 0x880, "mmc_rx_icmp_good_octets" },
	{ 0x884, "mmc_rx_icmp_error_octets" },
};

const unsigned int mmc_counters_count = sizeof(mmc_counters) / sizeof(mmc_counters[0]);

/* The interrupt register a counter reports to, and its bit there. */
struct interrupt {
	uint32_t offset, bit;
};

static struct interrupt
interrupt_of(uint32_t counter)
{
	if (counter <= 0x778)
		return (struct interrupt){ MMC_TX_INTERRUPT, BIT((counter - 0x714) / 4) };
	if (counter <= 0x7e4)
		return (struct interrupt){ MMC_RX_INTERRUPT, BIT((counter - 0x780) / 4) };
	if (counter <= 0x7f0)
		return (struct interrupt){ MMC_TX_INTERRUPT, BIT(26 + (counter - 0x7ec) / 4) };
	if (counter <= 0x7f8)
		return (struct interrupt){ MMC_RX_INTERRUPT, BIT(26 + (counter - 0x7f4) / 4) };
	if (counter < 0x850)
		return (struct interrupt){ MMC_IPC_RX_INTERRUPT, BIT((counter - 0x810) / 4) };
	return (struct interrupt){ MMC_IPC_RX_INTERRUPT, BIT(16 + (counter - 0x850) / 4) };
}

void
mmc_add(struct device *dev, uint32_t offset, uint32_t n)
{
	uint32_t *value = reg(dev, offset), old = *value, control = reg_get(dev, MMC_CONTROL);
	struct interrupt interrupt;

	if (control & MMC_CNTFREEZ)
		return;
	*value = old + n;
	if (*value < old && (control & MMC_CNTSTOPRO))
		*value = UINT32_MAX;
	/* At half of the range, and again at the end. */
	if ((old < HALF && *value >= HALF) || *value < old ||
			(*value == UINT32_MAX && old != UINT32_MAX)) {
		interrupt = interrupt_of(offset);
		*reg(dev, interrupt.offset) |= interrupt.bit;
	}
}

uint32_t
mmc_read_counter(struct device *dev, unsigned int index, uint32_t stored)
{
	struct interrupt interrupt = interrupt_of(dev->reading);

	(void)index;
	/* Reading the counter clears what it raised. */
	if (*reg(dev, interrupt.offset) & interrupt.bit) {
		*reg(dev, interrupt.offset) &= ~interrupt.bit;
		dev->irq.rearm_common = true;
	}
	if (reg_get(dev, MMC_CONTROL) & MMC_RSTONRD)
		*reg(dev, dev->reading) = 0;
	return stored;
}

static void
preset(struct device *dev, uint32_t level)
{
	for (unsigned int i = 0; i < mmc_counters_count; i++) {
		uint32_t offset = mmc_counters[i].offset;
		bool octets = offset == 0x714 || offset == 0x764 || offset == 0x784 ||
			      offset == 0x788 || offset >= 0x850;

		*reg(dev, offset) = (level & 0x80000000) | (octets ? 0x7ffff800 : 0x7ffffff0);
	}
}

/* CNTRST wins over CNTPRST; both are done at once. */
void
mmc_write_control(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)index;
	(void)old;
	*reg(dev, MMC_CONTROL) &= ~(MMC_CNTRST | MMC_CNTPRST);
	if (started & MMC_CNTRST) {
		for (unsigned int i = 0; i < mmc_counters_count; i++)
			*reg(dev, mmc_counters[i].offset) = 0;
		return;
	}
	if (started & MMC_CNTPRST)
		preset(dev, reg_get(dev, MMC_CONTROL) & MMC_CNTPRSTLVL ? 0x80000000 : 0);
}

static uint32_t
size_class(uint32_t len)
{
	static const uint16_t upper[] = { 64, 127, 255, 511, 1023 };
	uint32_t i = 0;

	while (i < 5 && len > upper[i])
		i++;
	return i * 4;
}

void
mmc_count_tx(struct device *dev, const uint8_t *data, uint32_t len, bool jabber)
{
	bool broadcast = (data[0] & data[1] & data[2] & data[3] & data[4] & data[5]) == 0xff;
	bool multicast = !broadcast && (data[0] & 1) != 0;

	len += 4;
	mmc_add(dev, 0x714, len);
	mmc_add(dev, 0x718, 1);
	mmc_add(dev, 0x724 + size_class(len), 1);
	mmc_add(dev, broadcast ? 0x744 : multicast ? 0x740 : 0x73c, 1);
	if (jabber)
		return;
	mmc_add(dev, 0x764, len);
	mmc_add(dev, 0x768, 1);
	if (broadcast)
		mmc_add(dev, 0x71c, 1);
	if (multicast)
		mmc_add(dev, 0x720, 1);
	if (get16(data + 12) == 0x8100)
		mmc_add(dev, 0x774, 1);
	if (len > 1518 + (get16(data + 12) == 0x8100 ? 4u : 0u))
		mmc_add(dev, 0x778, 1);
}

static void
count_rx_good(struct device *dev, const struct mmc_rx_info *info)
{
	mmc_add(dev, 0x788, info->len);
	mmc_add(dev, info->filter->broadcast ? 0x78c : info->filter->multicast ? 0x790 : 0x7c4, 1);
	if (info->undersize)
		mmc_add(dev, 0x7a4, 1);
	if (info->giant)
		mmc_add(dev, 0x7a8, 1);
	if (info->length_error)
		mmc_add(dev, 0x7c8, 1);
	if (info->out_of_range)
		mmc_add(dev, 0x7cc, 1);
	if (info->parsed->ether_type == 0x8808)
		mmc_add(dev, 0x7e4, 1);
}

void
mmc_count_rx(struct device *dev, const struct mmc_rx_info *info)
{
	bool dropped_broadcast = info->filter->broadcast && info->filter->da_fail;

	if (dropped_broadcast && (reg_get(dev, MMC_CONTROL) & MMC_UCDBC) == 0)
		return;
	mmc_add(dev, 0x780, 1);
	mmc_add(dev, 0x784, info->len);
	if (info->len >= 64)
		mmc_add(dev, 0x7ac + size_class(info->len), 1);
	if (info->parsed->vlan_tags != 0)
		mmc_add(dev, 0x7d8, 1);
	if (info->watchdog)
		mmc_add(dev, 0x7dc, 1);
	if (info->crc_error) {
		mmc_add(dev, 0x794, 1);
		if (info->undersize)
			mmc_add(dev, 0x79c, 1);
		if (info->giant)
			mmc_add(dev, 0x7a0, 1);
	} else if (!info->watchdog) {
		count_rx_good(dev, info);
	}
}

static void
count_ipc(struct device *dev, uint32_t packets_offset, uint32_t octets)
{
	mmc_add(dev, packets_offset, 1);
	mmc_add(dev, packets_offset + 0x40, octets);
}

/* IP counters by header, payload counters by protocol. Octets: payload of the IP header. */
void
mmc_count_ipc(struct device *dev, const struct parsed *p, bool ip_error, bool l4_error,
		bool unchecked)
{
	uint32_t base = p->ip_version == 4 ? 0x810 : 0x824, octets = p->l4_len;

	if (ip_error) {
		count_ipc(dev, base + 4, octets);
		return;
	}
	if (p->fragment && p->ip_version == 4)
		count_ipc(dev, 0x81c, octets);
	else if (p->l4 == L4_NONE || p->l4 == L4_IGMP)
		count_ipc(dev, base + 8, octets);
	else if (unchecked)
		count_ipc(dev, 0x820, octets);
	else
		count_ipc(dev, base, octets);
	if (p->fragment || p->l4 == L4_NONE || p->l4 == L4_IGMP)
		return;
	base = p->l4 == L4_UDP ? 0x830 : p->l4 == L4_TCP ? 0x838 : 0x840;
	count_ipc(dev, base + (l4_error ? 4 : 0), octets);
}

/* The MMC bits of MAC_Interrupt_Status. */
uint32_t
mmc_interrupts(const struct device *dev)
{
	uint32_t value = 0;

	if (reg_get(dev, MMC_RX_INTERRUPT) & ~reg_get(dev, MMC_RX_INTERRUPT_MASK))
		value |= MAC_IS_MMCRXIS;
	if (reg_get(dev, MMC_TX_INTERRUPT) & ~reg_get(dev, MMC_TX_INTERRUPT_MASK))
		value |= MAC_IS_MMCTXIS;
	if (reg_get(dev, MMC_IPC_RX_INTERRUPT) & ~reg_get(dev, MMC_IPC_RX_INTERRUPT_MASK))
		value |= MAC_IS_MMCRXIPIS;
	return value != 0 ? value | MAC_IS_MMCIS : 0;
}
