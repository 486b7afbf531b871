/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <errno.h>
#include <string.h>

#define FAULT_ANY      UINT64_MAX
#define STUCK_RETRY_PS UINT64_C(1000000000)

static const char *const names[FAULT_COUNT] = {
#define X(id, name, arg) [FAULT_##id] = name,
	FAULTS(X)
#undef X
};

/* The argument of these selects where the fault strikes; of the others it is handed out. */
static bool
arg_selects(enum fault_id id)
{
	return id == FAULT_LOST_INTERRUPT || id == FAULT_STUCK_OWN || id == FAULT_BUS_ERROR ||
	       id == FAULT_STUCK_SELF_CLEAR;
}

int
device_fault(struct device *dev, const char *name, uint64_t arg, int times)
{
	struct fault_state *faults = &dev->faults;

	for (unsigned int i = 0; i < FAULT_COUNT; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		faults->fault[i].arg = arg;
		faults->fault[i].left = times == 0 ? UINT32_MAX : (uint32_t)times;
		if (times >= 0)
			faults->armed |= UINT32_C(1) << i;
		else
			faults->armed &= ~(UINT32_C(1) << i);
		return 0;
	}
	return -ENOENT;
}

/* True if the fault strikes here and now; counts it down. */
bool
fault_take(struct device *dev, enum fault_id id, uint64_t match, uint64_t *arg)
{
	struct fault_state *faults = &dev->faults;

	if ((faults->armed & UINT32_C(1) << id) == 0)
		return false;
	if (arg_selects(id) && faults->fault[id].arg != FAULT_ANY && faults->fault[id].arg != match)
		return false;
	if (arg != NULL)
		*arg = faults->fault[id].arg;
	if (faults->fault[id].left != UINT32_MAX && --faults->fault[id].left == 0)
		faults->armed &= ~(UINT32_C(1) << id);
	return true;
}

/*
 * What keeps such a bit set is a clock that does not run (ptp.md §2). When it comes back, that is
 * when the fault is cleared or used up, the command that waited is carried out.
 */
bool
fault_holds_bit(struct device *dev, uint32_t offset, uint64_t *due_ps)
{
	if (!fault_take(dev, FAULT_STUCK_SELF_CLEAR, offset, NULL))
		return false;
	*due_ps = dev->now_ps + STUCK_RETRY_PS;
	return true;
}
