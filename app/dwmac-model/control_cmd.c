/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "clock.h"
#include "control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fills `reply` (already {"ok":true}); `device` is NULL for commands that need none. */
typedef int (*control_fn)(struct host *host, struct host_device *device, json_t *request,
		json_t *reply, struct why *w);

#define COUNTERS_MAX 1024u

static json_t *
counters_json(const struct device_counter *list, unsigned int count)
{
	json_t *object = json_object();

	for (unsigned int i = 0; i < count; i++)
		json_object_set_new(object, list[i].name, json_integer((json_int_t)list[i].value));
	return object;
}

static json_t *
bus_json(const struct host_device *device)
{
	const struct vfu_stats *stats = vfu_stats(device->vfu);
	const struct device_counter list[] = {
		{ "clients", stats->clients },
		{ "messages", stats->messages },
		{ "refused", stats->errors },
		{ "dropped_clients", stats->drops },
		{ "connected", vfu_busy(device->vfu) },
		{ "dma_windows", device->slot->dma.nb_windows },
		{ "irqs_enabled", irqs_enabled(&device->slot->irqs) },
		{ "irqs_delivered", device->slot->irqs.delivered },
		{ "irqs_lost", device->slot->irqs.lost },
		{ "truncated_memory", dma_guard_hits() },
	};

	return counters_json(list, sizeof(list) / sizeof(list[0]));
}

static int
do_counters(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	struct device_counter *list = calloc(COUNTERS_MAX, sizeof(*list));
	unsigned int count;

	(void)host;
	(void)request;
	if (list == NULL)
		return why(w, -ENOMEM, "out of memory");
	count = device_counters(device->slot->dev, list, COUNTERS_MAX);
	json_object_set_new(reply, "counters",
			counters_json(list, count < COUNTERS_MAX ? count : COUNTERS_MAX));
	json_object_set_new(reply, "bus", bus_json(device));
	if (device->slot->wire != NULL) {
		count = wire_counters(device->slot->wire, list, COUNTERS_MAX);
		json_object_set_new(reply, "wire", counters_json(list, count));
	}
	free(list);
	return 0;
}

static int
do_complaints(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	const unsigned int count = device_complaints(device->slot->dev, NULL, 0);
	struct device_complaint *list = calloc(count + 1, sizeof(*list));
	json_t *array = json_array();

	(void)host;
	if (list == NULL)
		return why(w, -ENOMEM, "out of memory");
	device_complaints(device->slot->dev, list, count);
	for (unsigned int i = 0; i < count; i++)
		json_array_append_new(array,
				json_pack("{s:s, s:s, s:I}", "kind", list[i].kind, "text",
						list[i].text, "count", (json_int_t)list[i].count));
	free(list);
	json_object_set_new(
			reply, "count", json_integer((json_int_t)slot_complaints(device->slot)));
	json_object_set_new(reply, "complaints", array);
	if (json_is_true(json_object_get(request, "clear"))) {
		device_complaints_clear(device->slot->dev);
		device->slot->printed_complaints = 0;
	}
	return 0;
}

/* Every clock at one and the same instant: differences between devices are exact. */
static int
do_truth(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	const uint64_t now_ns = clock_true_ns();
	json_t *clocks = json_object();

	(void)request;
	(void)w;
	for (unsigned int i = 0; i < host->nb_devices; i++) {
		struct host_device *each = &host->devices[i];
		json_t *clock;
		int64_t time_ns;
		double rate_ppb;

		if (device != NULL && device != each)
			continue;
		if (device_clock(each->slot->dev, now_ns * PS_PER_NS, &time_ns, &rate_ppb))
			clock = json_pack("{s:b, s:I, s:I, s:f}", "running", 1, "device_ns",
					(json_int_t)time_ns, "offset_ns",
					(json_int_t)(time_ns - (int64_t)now_ns), "rate_ppb",
					rate_ppb);
		else
			clock = json_pack("{s:b}", "running", 0);
		json_object_set_new(clocks, each->config.name, clock);
	}
	json_object_set_new(reply, "true_ns", json_integer((json_int_t)now_ns));
	json_object_set_new(reply, "clocks", clocks);
	return 0;
}

static int
change_link(struct slot *slot, json_t *request, struct why *w)
{
	int up = slot->config.link_up, mbps = (int)slot->config.link_mbps;
	int full_duplex = slot->config.link_full_duplex;
	json_error_t error;

	if (json_unpack_ex(request, &error, 0, "{s?b, s?i, s?b}", "up", &up, "mbps", &mbps,
			    "full_duplex", &full_duplex) != 0)
		return why(w, -EINVAL, "link: %s", error.text);
	if (mbps != 10 && mbps != 100 && mbps != 1000 && mbps != 2500)
		return why(w, -EINVAL, "link: mbps is 10, 100, 1000 or 2500");
	slot_set_link(slot, up, (unsigned int)mbps, full_duplex);
	return 0;
}

/* Pulling or changing a cable is seen at both of its ends, unless "one_end" says otherwise. */
static int
do_link(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	const bool one_end = json_is_true(json_object_get(request, "one_end"));
	const struct wire *wire = device->slot->wire;
	int ret = change_link(device->slot, request, w);

	(void)host;
	for (unsigned int i = 0; ret == 0 && wire != NULL && !one_end && i < WIRE_PORTS_MAX; i++) {
		if (wire->slots[i] != NULL && wire->slots[i] != device->slot)
			ret = change_link(wire->slots[i], request, w);
	}
	json_object_set_new(reply, "up", json_boolean(device_link_up(device->slot->dev)));
	json_object_set_new(reply, "mbps", json_integer(device_link_mbps(device->slot->dev)));
	return ret;
}

static int
do_fault(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	const char *name;
	json_int_t arg = 0;
	int times = 1, ret;
	json_error_t error;

	(void)host;
	(void)reply;
	if (json_unpack_ex(request, &error, 0, "{s:s, s?I, s?i}", "name", &name, "arg", &arg,
			    "times", &times) != 0)
		return why(w, -EINVAL, "fault: %s", error.text);
	ret = device_fault(device->slot->dev, name, (uint64_t)arg, times);
	device->slot->dirty = true;
	if (ret == -ENOENT)
		return why(w, ret, "no fault '%s'", name);
	return ret == 0 ? 0 : why(w, ret, "fault %s: %s", name, strerror(-ret));
}

static int
do_hold(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	json_t *channels = json_array();
	struct device_tx_hold hold;

	(void)host;
	(void)request;
	(void)w;
	for (unsigned int i = 0; device_tx_hold(device->slot->dev, i, &hold); i++)
		json_array_append_new(channels,
				json_pack("{s:I, s:I, s:I, s:I}", "last_writeback_ns",
						(json_int_t)hold.last_writeback_ns, "owned",
						(json_int_t)hold.owned, "hold_max_ns",
						(json_int_t)hold.hold_max_ns, "packets",
						(json_int_t)hold.packets));
	json_object_set_new(reply, "true_ns", json_integer((json_int_t)clock_true_ns()));
	json_object_set_new(reply, "channels", channels);
	return 0;
}

/* "set": {"delay_ns": 5, "loss": 0.01}: the options of --wire. */
static int
wire_set(struct wire *wire, json_t *options, struct why *w)
{
	const char *key;
	json_t *value;
	int ret = 0;

	json_object_foreach(options, key, value)
	{
		char *text = json_is_string(value) ? strdup(json_string_value(value))
						   : json_dumps(value, JSON_ENCODE_ANY);

		if (text == NULL)
			return why(w, -ENOMEM, "out of memory");
		ret = wire_option(wire, key, text, w);
		free(text);
		if (ret != 0)
			break;
	}
	return ret;
}

static int
do_wire(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	struct device_counter list[32];
	const char *action = NULL;
	json_t *options = NULL;
	json_error_t error;
	unsigned int count;
	int ret = 0;

	(void)host;
	if (device->slot->wire == NULL)
		return why(w, -ENODEV, "%s has no wire", device->config.name);
	if (json_unpack_ex(request, &error, 0, "{s?s, s?o}", "action", &action, "set", &options) !=
			0)
		return why(w, -EINVAL, "wire: %s", error.text);
	if (options != NULL)
		ret = wire_set(device->slot->wire, options, w);
	if (ret == 0 && action != NULL)
		ret = wire_command(device->slot->wire, action, w);
	count = wire_counters(device->slot->wire, list, sizeof(list) / sizeof(list[0]));
	json_object_set_new(reply, "wire", json_string(device->slot->wire->name));
	json_object_set_new(reply, "counters", counters_json(list, count));
	return ret;
}

static int
do_remove(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	(void)host;
	(void)request;
	(void)reply;
	if (device->slot->removed)
		return why(w, -ENODEV, "%s is removed already", device->config.name);
	slot_remove(device->slot);
	return 0;
}

static int
do_insert(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	(void)host;
	(void)request;
	(void)reply;
	if (!device->slot->removed)
		return why(w, -EEXIST, "%s is there", device->config.name);
	slot_insert(device->slot);
	return 0;
}

static int
do_devices(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	json_t *array = json_array();

	(void)device;
	(void)request;
	(void)w;
	for (unsigned int i = 0; i < host->nb_devices; i++) {
		const struct host_device *each = &host->devices[i];
		const struct device_identity *id = device_identity(each->slot->dev);

		json_array_append_new(array,
				json_pack("{s:s, s:s, s:i, s:i, s:i, s:s?, s:b, s:b, s:b, s:i}",
						"name", each->config.name, "socket",
						each->socket_path, "vendor_id", id->vendor_id,
						"device_id", id->device_id, "dma_bits",
						(int)id->dma_bits, "wire",
						each->slot->wire != NULL ? each->slot->wire->name
									 : NULL,
						"connected", vfu_busy(each->vfu), "removed",
						each->slot->removed, "link_up",
						slot_link_up(each->slot), "link_mbps",
						(int)slot_link_mbps(each->slot)));
	}
	json_object_set_new(reply, "devices", array);
	return 0;
}

static int
do_quit(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	(void)device;
	(void)request;
	(void)reply;
	(void)w;
	host->stop = true;
	return 0;
}

static int do_help(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w);

enum needs { NEEDS_NOTHING, MAY_NAME_DEVICE, NEEDS_DEVICE };

static const struct {
	const char *name;
	enum needs needs;
	control_fn run;
	const char *help;
} commands[] = {
	{ "help", NEEDS_NOTHING, do_help, "this list" },
	{ "devices", NEEDS_NOTHING, do_devices, "names, sockets, wires, link" },
	{ "counters", NEEDS_DEVICE, do_counters, "of the device, its bus and its wire" },
	{ "complaints", NEEDS_DEVICE, do_complaints,
			"what no correct driver does; clear=true forgets them afterwards" },
	{ "truth", MAY_NAME_DEVICE, do_truth,
			"device clocks against true time, all at one instant" },
	{ "link", NEEDS_DEVICE, do_link,
			"up=true|false, mbps=N, full_duplex=true|false, "
			"one_end=true" },
	{ "fault", NEEDS_DEVICE, do_fault,
			"name=…, arg=N, times=N (0: until cleared, -1: "
			"clear)" },
	{ "hold", NEEDS_DEVICE, do_hold, "per TX channel: how long buffers were held" },
	{ "wire", NEEDS_DEVICE, do_wire, "action=start|stop|flush, set={option: value}; counters" },
	{ "remove", NEEDS_DEVICE, do_remove, "surprise removal: the client is cut off" },
	{ "insert", NEEDS_DEVICE, do_insert, "the way back" },
	{ "quit", NEEDS_NOTHING, do_quit, "end the program" },
};
#define NB_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int
do_help(struct host *host, struct host_device *device, json_t *request, json_t *reply,
		struct why *w)
{
	json_t *object = json_object();

	(void)host;
	(void)device;
	(void)request;
	(void)w;
	for (size_t i = 0; i < NB_COMMANDS; i++)
		json_object_set_new(object, commands[i].name, json_string(commands[i].help));
	json_object_set_new(reply, "commands", object);
	return 0;
}

static int
dispatch(struct host *host, json_t *request, json_t *reply, struct why *w)
{
	const char *name = json_string_value(json_object_get(request, "cmd"));
	const char *device_name = json_string_value(json_object_get(request, "device"));
	struct host_device *device = NULL;
	size_t i;

	if (name == NULL)
		return why(w, -EINVAL,
				"a JSON object with \"cmd\" is needed (\"help\" lists them)");
	for (i = 0; i < NB_COMMANDS && strcmp(commands[i].name, name) != 0; i++)
		;
	if (i == NB_COMMANDS)
		return why(w, -EINVAL, "no command '%s' (\"help\" lists them)", name);
	if (device_name != NULL && commands[i].needs != NEEDS_NOTHING) {
		device = host_find(host, device_name);
		if (device == NULL)
			return why(w, -ENODEV, "no device '%s'", device_name);
	}
	/* With a single device there is nothing to choose. */
	if (device == NULL && commands[i].needs == NEEDS_DEVICE && host->nb_devices == 1)
		device = &host->devices[0];
	if (device == NULL && commands[i].needs == NEEDS_DEVICE)
		return why(w, -EINVAL, "%s needs \"device\"", name);
	return commands[i].run(host, device, request, reply, w);
}

json_t *
control_execute(struct host *host, json_t *request)
{
	json_t *reply = json_pack("{s:b}", "ok", 1);
	struct why reason;

	if (dispatch(host, request, reply, &reason) != 0) {
		json_decref(reply);
		reply = json_pack("{s:b, s:s}", "ok", 0, "error", reason.text);
	}
	return reply;
}
