/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef MOCK_IO_H
#define MOCK_IO_H

/*
 * A register seam that knows what must happen next.
 *
 * A script names every access in order: W(offset, value) must be written, R(offset, value) must
 * be read and gives that value, ALWAYS(offset, value) may be read any number of times, at least
 * once, until another register or a write comes. Whatever differs fails the test there and then.
 */

#include <stdbool.h>

#include <rte_common.h>

#include "base/dwmac_core.h"
#include "unit.h"

#define MOCK_TSC_HZ UINT64_C(1000000000)

enum mock_kind { MOCK_READ, MOCK_WRITE, MOCK_ALWAYS };

struct mock_step {
	enum mock_kind kind;
	uint32_t offset;
	uint32_t value;
};

#define R(offset, value)                 \
	{                                \
		MOCK_READ, offset, value \
	}
#define W(offset, value)                  \
	{                                 \
		MOCK_WRITE, offset, value \
	}
#define ALWAYS(offset, value)              \
	{                                  \
		MOCK_ALWAYS, offset, value \
	}

struct mock {
	struct dwmac_hw hw;
	struct dwmac_device device;
	struct mock_step script[256];
	unsigned int nb_steps;
	unsigned int at;
	uint64_t nb_always; /* reads the present ALWAYS step has served */
};

/* An Elkhart Lake PCH port with an empty script and a device that identified itself already. */
void mock_init(struct mock *mock);
void mock_script(struct mock *mock, const struct mock_step *steps, unsigned int nb_steps);
/* Every step was taken. */
void mock_done(struct mock *mock);

#define SCRIPT(mock, ...)                                          \
	do {                                                       \
		const struct mock_step steps_[] = { __VA_ARGS__ }; \
		mock_script(mock, steps_, RTE_DIM(steps_));        \
	} while (0)

#endif /* MOCK_IO_H */
