/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef ACCESS_H
#define ACCESS_H

/*
 * Ways to reach the played block from the driver's unchanged code, through its own seam for
 * register access: the mapped page itself, or operations that make a read cost what it costs on a
 * board, or pause after a test that found the command unfinished, as Linux' loops do.
 */

#include <stdint.h>

#include "block.h"
#include "dwmac_io.h"

struct access {
	struct dwmac_io io;
	struct block *block;
	uint64_t read_tsc; /* what one register read costs */
	uint64_t busy_tsc; /* pause after a test that saw a command bit */
	uint64_t set;	   /* when the last command was written */
};

/* Plain loads and stores. */
void access_mapped(struct access *access, struct block *block, uint64_t tsc_hz);
/* The same page with costs added; also tells when a command is written. */
void access_timed(struct access *access, struct block *block, uint64_t tsc_hz, uint64_t read_tsc,
		uint64_t busy_tsc);

#endif /* ACCESS_H */
