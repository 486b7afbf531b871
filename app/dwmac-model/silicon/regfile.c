/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

static unsigned int
row_count(const struct device *dev, const struct reg_row *row)
{
	switch (row->per) {
	case PER_COUNT:
		return row->count;
	case PER_CHANNEL:
		return dev->profile->channels;
	case PER_ADDRESS:
		return dev->profile->addresses - 1u; /* address 0 has a row of its own */
	case PER_HASH:
		return dev->profile->hash_bins / 32u;
	default:
		return 1;
	}
}

void
regfile_build(struct device *dev)
{
	for (unsigned int r = 0; r < reg_rows_count; r++) {
		const struct reg_row *row = &reg_rows[r];
		unsigned int count = row_count(dev, row);

		if (row->since > dev->profile->snpsver)
			continue;
		for (unsigned int i = 0; i < count; i++) {
			unsigned int word = (row->offset + i * row->stride) / 4u;

			dev->regs.row[word] = row;
			dev->regs.index[word] = (uint8_t)i;
		}
	}
}

void
regfile_reset(struct device *dev)
{
	uint32_t feature[4];

	for (unsigned int word = 0; word < REG_WORDS; word++) {
		const struct reg_row *row = dev->regs.row[word];

		dev->regs.value[word] = row != NULL ? row->reset : 0;
		dev->regs.last_read[word] = 0;
	}
	profile_features(dev->profile, feature);
	for (unsigned int i = 0; i < 4; i++)
		*reg(dev, MAC_HW_FEATURE0 + 4 * i) = feature[i];
	*reg(dev, MAC_VERSION) = (uint32_t)dev->profile->userver << 8 | dev->profile->snpsver;
}

static const struct reg_row *
find_row(struct device *dev, uint32_t offset, const char *what)
{
	const struct reg_row *row = NULL;

	if (offset < REG_MAP_BYTES)
		row = dev->regs.row[offset / 4];
	if (row == NULL)
		complain(dev, COMPLAINT_UNKNOWN_OFFSET, "%s at 0x%x: no register there", what,
				offset);
	return row;
}

uint32_t
regfile_read(struct device *dev, uint32_t offset)
{
	const struct reg_row *row = find_row(dev, offset, "read");
	uint32_t *stored, value;

	if (row == NULL || row->absent)
		return 0;
	stored = reg(dev, offset);
	value = *stored;
	dev->reading = offset;
	if (row->read != NULL)
		value = row->read(dev, dev->regs.index[offset / 4], value);
	if ((*stored & row->rc) != 0 && (reg_get(dev, MAC_CSR_SW_CTRL) & MAC_CSR_RCWE) == 0) {
		*stored &= ~row->rc;
		dev->irq.rearm_common = true;
	}
	dev->regs.last_read[offset / 4] = value;
	return value;
}

/* Ones where none belong. What the last read returned may always be written back. */
static void
check_write(struct device *dev, const struct reg_row *row, uint32_t offset, uint32_t value)
{
	uint32_t known = row->rw | row->ro | row->w1c | row->rc | row->sc | row->ign;
	uint32_t fresh = value & ~dev->regs.last_read[offset / 4];
	uint32_t stored = reg_get(dev, offset);

	if ((fresh & ~known) != 0)
		complain(dev, COMPLAINT_RESERVED_BITS, "%s (0x%x): reserved bits 0x%x written 1",
				row->name, offset, fresh & ~known);
	if ((fresh & row->ro & ~stored) != 0)
		complain(dev, COMPLAINT_RO_FIELD, "%s (0x%x): read-only bits 0x%x written 1",
				row->name, offset, fresh & row->ro & ~stored);
	if ((fresh & row->sc & stored) != 0)
		complain(dev, COMPLAINT_SET_AGAIN,
				"%s (0x%x): 0x%x set again while it still reads 1", row->name,
				offset, fresh & row->sc & stored);
}

void
regfile_write(struct device *dev, uint32_t offset, uint32_t value)
{
	const struct reg_row *row = find_row(dev, offset, "write");
	uint32_t *stored, old, next, clear;

	if (row == NULL)
		return;
	if (row->absent) {
		if (value != 0)
			complain(dev, COMPLAINT_ABSENT_REGISTER,
					"%s (0x%x): not built, 0x%x written", row->name, offset,
					value);
		return;
	}
	check_write(dev, row, offset, value);
	stored = reg(dev, offset);
	old = *stored;
	clear = value & row->w1c;
	if (reg_get(dev, MAC_CSR_SW_CTRL) & MAC_CSR_RCWE)
		clear |= value & row->rc;
	next = (old & ~row->rw) | (value & row->rw);
	next = (next & ~clear) | (value & row->sc);
	*stored = next;
	dev->written = value;
	if (row->write != NULL)
		row->write(dev, dev->regs.index[offset / 4], old, next & ~old & row->sc);
}
