/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef RIG_H
#define RIG_H

#include "host.h"

/* Fake devices "a" (and "b") on one wire, with true time in the test's hand. */

#define RIG_START_NS 1000000000ULL

struct rig {
	struct host host;
	struct wire *wire;
	uint64_t now_ns;
};

void rig_open(struct rig *rig, const char *wire_spec);
void rig_close(struct rig *rig);
struct device *rig_device(const struct rig *rig, unsigned int i);
struct fake_device *rig_fake(const struct rig *rig, unsigned int i);
/* Sets the clock and runs what is due; returns when something is due next. */
uint64_t rig_at(struct rig *rig, uint64_t now_ns);
/* Jumps from due time to due time until nothing is due before `end_ns`. */
void rig_until(struct rig *rig, uint64_t end_ns);
uint64_t rig_counter(const struct rig *rig, const char *name);

#endif /* RIG_H */
