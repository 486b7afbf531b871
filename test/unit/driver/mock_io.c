/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <string.h>

#include "mock_io.h"

/* A step that may repeat is over when something else happens. */
static struct mock_step *
next_step(struct mock *mock, enum mock_kind kind, uint32_t offset)
{
	struct mock_step *step = &mock->script[mock->at];

	if (mock->at < mock->nb_steps && step->kind == MOCK_ALWAYS && mock->nb_always > 0 &&
			(kind == MOCK_WRITE || offset != step->offset)) {
		mock->at++;
		mock->nb_always = 0;
		step++;
	}
	return mock->at < mock->nb_steps ? step : NULL;
}

static uint32_t
mock_read32(void *ctx, uint32_t offset)
{
	struct mock *mock = ctx;
	struct mock_step *step = next_step(mock, MOCK_READ, offset);

	if (step == NULL)
		fail_msg("step %u: read of 0x%04x after the end", mock->at, offset);
	if (step->kind == MOCK_WRITE || step->offset != offset)
		fail_msg("step %u: read of 0x%04x, expected %s 0x%04x", mock->at, offset,
				step->kind == MOCK_WRITE ? "write" : "read", step->offset);
	if (step->kind == MOCK_ALWAYS)
		mock->nb_always++;
	else
		mock->at++;
	return step->value;
}

static void
mock_write32(void *ctx, uint32_t offset, uint32_t value)
{
	struct mock *mock = ctx;
	struct mock_step *step = next_step(mock, MOCK_WRITE, offset);

	if (step == NULL)
		fail_msg("step %u: write of 0x%08x to 0x%04x after the end", mock->at, value,
				offset);
	if (step->kind != MOCK_WRITE || step->offset != offset || step->value != value)
		fail_msg("step %u: write of 0x%08x to 0x%04x, expected %s 0x%04x 0x%08x", mock->at,
				value, offset, step->kind == MOCK_WRITE ? "write" : "read",
				step->offset, step->value);
	mock->at++;
}

static int
mock_post32(void *ctx, uint32_t offset, uint32_t value)
{
	mock_write32(ctx, offset, value);
	return 0;
}

static const struct dwmac_io_ops mock_ops = {
	.read32 = mock_read32,
	.write32 = mock_write32,
	.post32 = mock_post32,
};

void
mock_init(struct mock *mock)
{
	memset(mock, 0, sizeof(*mock));
	mock->device = *dwmac_device_by_pci_id(0x8086, 0x4b30);
	mock->hw.device = &mock->device;
	mock->hw.ops = &dwmac_eqos_ops;
	mock->hw.io.ops = &mock_ops;
	mock->hw.io.ctx = mock;
	mock->hw.io.tsc_hz = MOCK_TSC_HZ;
}

void
mock_script(struct mock *mock, const struct mock_step *steps, unsigned int nb_steps)
{
	assert_true(nb_steps <= RTE_DIM(mock->script));
	memcpy(mock->script, steps, nb_steps * sizeof(*steps));
	mock->nb_steps = nb_steps;
	mock->at = 0;
	mock->nb_always = 0;
}

void
mock_done(struct mock *mock)
{
	if (mock->at < mock->nb_steps && mock->script[mock->at].kind == MOCK_ALWAYS &&
			mock->nb_always > 0)
		mock->at++;
	if (mock->at != mock->nb_steps)
		fail_msg("stopped at step %u of %u: 0x%04x was not touched", mock->at,
				mock->nb_steps, mock->script[mock->at].offset);
}
