/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_REGFILE_H
#define SILICON_REGFILE_H

#include <stdbool.h>
#include <stdint.h>

#define REG_MAP_BYTES 0x1500
#define REG_WORDS     (REG_MAP_BYTES / 4)

struct device;

/* What a row is repeated for. */
enum reg_per { PER_ONE, PER_COUNT, PER_CHANNEL, PER_ADDRESS, PER_HASH };

/*
 * One register, or `count` of them `stride` bytes apart. A bit that is in none of the masks is
 * reserved. Access kinds as in eqos.md: rw; ro; w1c; rc = clears on read (write 1 to clear while
 * MAC_CSR_SW_Ctrl.RCWE = 1); sc = write 1 starts, hardware clears; ign = takes any value in
 * silence (drivers write ones there on purpose).
 */
struct reg_row {
	uint16_t offset, stride;
	uint16_t count; /* with PER_COUNT; the others are counted by the profile */
	uint8_t per;
	uint8_t since; /* MAC_Version.SNPSVER from which on it exists, 0 = always */
	bool absent;   /* known to the databook, not built into this model */
	const char *name;
	uint32_t rw, ro, w1c, rc, sc, ign;
	uint32_t reset;
	/* The value read, from the stored one; may have the side effects of reading. */
	uint32_t (*read)(struct device *dev, unsigned int index, uint32_t stored);
	/* Consequences of a write; the register already holds the new value. `started`: sc bits
	 * that went from 0 to 1. */
	void (*write)(struct device *dev, unsigned int index, uint32_t old, uint32_t started);
};

extern const struct reg_row reg_rows[];
extern const unsigned int reg_rows_count;

struct regfile {
	uint32_t value[REG_WORDS];
	uint32_t last_read[REG_WORDS]; /* what a read-modify-write may write back */
	const struct reg_row *row[REG_WORDS];
	uint8_t index[REG_WORDS];
};

void regfile_build(struct device *dev);
void regfile_reset(struct device *dev);
uint32_t regfile_read(struct device *dev, uint32_t offset);
void regfile_write(struct device *dev, uint32_t offset, uint32_t value);

#endif /* SILICON_REGFILE_H */
