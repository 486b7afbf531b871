/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

/* An address as the registers hold it: byte 0 of the wire in bits 7:0. */
static uint64_t
as_number(const uint8_t address[6])
{
	uint64_t value = 0;

	for (int i = 5; i >= 0; i--)
		value = value << 8 | address[i];
	return value;
}

/* MBC bit n ignores byte n of the address as stored (bit 0 = ADDRLO[7:0]). */
static uint64_t
mask_of(uint32_t mbc)
{
	uint64_t mask = 0;

	for (int byte = 0; byte < 6; byte++)
		if ((mbc & BIT(byte)) == 0)
			mask |= UINT64_C(0xff) << (8 * byte);
	return mask;
}

/* Keep the enabled address registers at hand; called when a Low register latches a pair. */
void
filter_rebuild(struct device *dev)
{
	dev->mac.addresses = 0;
	for (unsigned int n = 0; n < dev->profile->addresses; n++) {
		uint32_t high = reg_get(dev, MAC_ADDRESS0_HIGH + 8 * n);
		uint32_t low = reg_get(dev, MAC_ADDRESS0_LOW + 8 * n);
		struct address_entry *entry = &dev->mac.address[dev->mac.addresses];

		if ((high & MAC_ADDR_AE) == 0)
			continue;
		entry->mask = mask_of(n == 0 ? 0 : MAC_ADDR_MBC(high));
		entry->address = ((uint64_t)(high & 0xffff) << 32 | low) & entry->mask;
		entry->source = n != 0 && (high & MAC_ADDR_SA) != 0;
		entry->index = (uint8_t)n;
		entry->channel = (uint8_t)MAC_ADDR_DCS(high);
		dev->mac.addresses++;
	}
}

void
mac_write_address_low(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)index;
	(void)old;
	(void)started;
	filter_rebuild(dev);
}

static const struct address_entry *
perfect(const struct device *dev, const uint8_t address[6], bool source)
{
	uint64_t value = as_number(address);

	for (unsigned int i = 0; i < dev->mac.addresses; i++) {
		const struct address_entry *entry = &dev->mac.address[i];

		if (entry->source == source && (value & entry->mask) == entry->address)
			return entry;
	}
	return NULL;
}

bool
filter_is_own_address(const struct device *dev, const uint8_t address[6])
{
	return perfect(dev, address, false) != NULL;
}

static bool
hash_match(const struct device *dev, const uint8_t address[6], uint8_t *bin)
{
	*bin = (uint8_t)crc32_hash(address, dev->profile->hash_bins);
	return (reg_get(dev, MAC_HASH_TABLE_REG0 + 4u * (*bin / 32u)) >> (*bin % 32) & 1) != 0;
}

/* The truth table of eqos.md §6 for one unicast or multicast address. */
static void
filter_da(const struct device *dev, const uint8_t *da, uint32_t pf, struct filter_result *out)
{
	bool use_hash = (pf & (out->multicast ? MAC_PF_HMC : MAC_PF_HUC)) != 0;
	const struct address_entry *entry = NULL;
	bool match = false;
	uint8_t bin;

	if (!use_hash || (pf & MAC_PF_HPF))
		entry = perfect(dev, da, false);
	if (entry != NULL) {
		match = true;
		out->madrm = entry->index;
		out->channel = entry->channel;
	} else if (use_hash && hash_match(dev, da, &bin)) {
		match = true;
		out->hash = true;
		out->madrm = bin;
	}
	if (pf & MAC_PF_DAIF)
		match = !match;
	if (out->multicast && (pf & MAC_PF_PM))
		match = true;
	out->da_fail = !match;
}

static void
filter_sa(const struct device *dev, const uint8_t *sa, uint32_t pf, struct filter_result *out)
{
	bool any = false;

	for (unsigned int i = 0; i < dev->mac.addresses; i++)
		any |= dev->mac.address[i].source;
	if (!any && (pf & MAC_PF_SAF) == 0)
		return;
	out->sa_fail = perfect(dev, sa, true) == NULL;
	if (pf & MAC_PF_SAIF)
		out->sa_fail = !out->sa_fail;
}

/* One tag in MAC_VLAN_Tag_Ctrl[15:0]; VL = 0 matches every tagged packet (eqos.md §7). */
bool
filter_vlan_match(const struct device *dev, const struct parsed *p)
{
	uint32_t vtc = reg_get(dev, MAC_VLAN_TAG_CTRL);
	uint16_t mask = (vtc & MAC_VTC_ETV) ? 0x0fff : 0xffff, tag = p->outer_tag;
	bool match;

	if ((vtc & (MAC_VTC_ERIVLT | MAC_VTC_EDVLP)) == (MAC_VTC_ERIVLT | MAC_VTC_EDVLP))
		tag = p->inner_tag;
	match = (vtc & mask) == 0 || (tag & mask) == (vtc & mask);
	if ((vtc & MAC_VTC_DOVLTC) == 0 &&
			p->outer_type != ((vtc & MAC_VTC_ERSVLM) ? 0x88a8 : 0x8100))
		match = false;
	return match != ((vtc & MAC_VTC_VTIM) != 0);
}

void
filter_frame(const struct device *dev, const uint8_t *data, const struct parsed *p,
		struct filter_result *out)
{
	static const uint8_t all_ones[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	uint32_t pf = reg_get(dev, MAC_PACKET_FILTER);

	memset(out, 0, sizeof(*out));
	out->broadcast = memcmp(data, all_ones, 6) == 0;
	out->multicast = !out->broadcast && (data[0] & 1) != 0;
	if (out->broadcast)
		out->da_fail = (pf & MAC_PF_DBF) != 0;
	else
		filter_da(dev, data, pf, out);
	filter_sa(dev, data + 6, pf, out);
	if (p->vlan_tags != 0)
		out->vlan_fail = !filter_vlan_match(dev, p);
	if (pf & MAC_PF_PR) {
		out->pass = true;
		out->da_fail = out->broadcast ? false : out->da_fail;
	} else {
		out->pass = !out->da_fail && !(out->sa_fail && (pf & MAC_PF_SAF));
	}
	if (out->vlan_fail && (pf & MAC_PF_VTFE))
		out->pass = false;
}
