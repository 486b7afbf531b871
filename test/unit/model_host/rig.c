/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "fake_device.h"
#include "rig.h"
#include "clock.h"
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
rig_open(struct rig *rig, const char *wire_spec)
{
	struct why w;

	memset(rig, 0, sizeof(*rig));
	rig->now_ns = RIG_START_NS;
	clock_freeze(rig->now_ns);
	assert_int_equal(host_init(&rig->host, &w), 0);
	rig->host.quiet = true;
	rig->wire = wire_create(wire_spec, &w);
	assert_non_null(rig->wire);
	assert_int_equal(host_add_wire(&rig->host, rig->wire, &w), 0);
	for (unsigned int i = 0; i < rig->wire->ops->nb_ports; i++) {
		struct host_device device = {
			.config.link_up = true,
			.config.link_mbps = 1000,
			.config.quiet = true,
			.config.device.mac = { 2, 0, 0, 0, 0, (uint8_t)i },
		};

		snprintf(device.config.name, sizeof(device.config.name), "%c", 'a' + i);
		snprintf(device.socket_path, sizeof(device.socket_path), "model-test-%d-%u.sock",
				(int)getpid(), i);
		assert_int_equal(host_add_device(&rig->host, &device, &w), 0);
	}
	if (host_start(&rig->host, &w) != 0)
		fail_msg("%s", w.text);
}

void
rig_close(struct rig *rig)
{
	host_fini(&rig->host);
	clock_freeze(0);
}

struct device *
rig_device(const struct rig *rig, unsigned int i)
{
	return rig->host.devices[i].slot->dev;
}

struct fake_device *
rig_fake(const struct rig *rig, unsigned int i)
{
	return fake(rig_device(rig, i));
}

uint64_t
rig_at(struct rig *rig, uint64_t now_ns)
{
	rig->now_ns = now_ns;
	clock_freeze(now_ns);
	loop_wait(rig->host.loop, 0);
	return host_run_due(&rig->host);
}

void
rig_until(struct rig *rig, uint64_t end_ns)
{
	uint64_t next_ns = rig->now_ns;

	while (next_ns <= end_ns) {
		const uint64_t due_ns = rig_at(rig, next_ns);

		next_ns = due_ns > next_ns ? due_ns : next_ns;
	}
	rig_at(rig, end_ns);
}

uint64_t
rig_counter(const struct rig *rig, const char *name)
{
	struct device_counter list[32];
	const unsigned int count = wire_counters(rig->wire, list, 32);

	for (unsigned int i = 0; i < count; i++) {
		if (strcmp(list[i].name, name) == 0)
			return list[i].value;
	}
	fail_msg("no counter %s", name);
	return 0;
}
