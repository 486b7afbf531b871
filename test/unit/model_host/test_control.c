/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* Control commands, the control socket and the command line. */
#include "fake_device.h"
#include "rig.h"
#include "cmocka_all.h"
#include "clock.h"
#include "control.h"
#include "options.h"
#include "unix_socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct rig rig;

static int
setup(void **state)
{
	(void)state;
	rig_open(&rig, "cable:a,b,delay_ns=5");
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	rig_close(&rig);
	assert_int_equal(fake_devices_alive, 0);
	return 0;
}

static json_t *
run(const char *request)
{
	json_t *in = json_loads(request, 0, NULL), *out;

	assert_non_null(in);
	out = control_execute(&rig.host, in);
	assert_non_null(out);
	json_decref(in);
	return out;
}

static void
assert_ok(const char *request)
{
	json_t *reply = run(request);

	if (!json_is_true(json_object_get(reply, "ok")))
		fail_msg("%s: %s", request, json_string_value(json_object_get(reply, "error")));
	json_decref(reply);
}

static void
assert_refused(const char *request, const char *part)
{
	json_t *reply = run(request);
	const char *error = json_string_value(json_object_get(reply, "error"));

	assert_true(json_is_false(json_object_get(reply, "ok")));
	assert_non_null(error);
	if (strstr(error, part) == NULL)
		fail_msg("%s: '%s' lacks '%s'", request, error, part);
	json_decref(reply);
}

static json_int_t
number_at(json_t *object, const char *outer, const char *inner)
{
	json_t *value = json_object_get(json_object_get(object, outer), inner);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void
bad_requests_are_refused_with_a_sentence(void **state)
{
	(void)state;
	assert_refused("{}", "cmd");
	assert_refused("[]", "cmd");
	assert_refused("{\"cmd\":5}", "cmd");
	assert_refused("{\"cmd\":\"dance\"}", "dance");
	assert_refused("{\"cmd\":\"counters\"}", "device");
	assert_refused("{\"cmd\":\"counters\",\"device\":\"c\"}", "'c'");
	assert_refused("{\"cmd\":\"link\",\"device\":\"a\",\"mbps\":7}", "mbps");
	assert_refused("{\"cmd\":\"link\",\"device\":\"a\",\"up\":\"yes\"}", "link");
	assert_refused("{\"cmd\":\"fault\",\"device\":\"a\"}", "name");
	assert_refused("{\"cmd\":\"fault\",\"device\":\"a\",\"name\":\"x\"}", "'x'");
	assert_refused("{\"cmd\":\"wire\",\"device\":\"a\",\"action\":\"start\"}", "start");
	assert_refused("{\"cmd\":\"wire\",\"device\":\"a\",\"set\":{\"loss\":3}}", "loss");
}

static void
every_command_of_help_is_known(void **state)
{
	json_t *reply = run("{\"cmd\":\"help\"}"), *text;
	const char *name;

	(void)state;
	json_object_foreach(json_object_get(reply, "commands"), name, text)
	{
		json_t *in = json_pack("{s:s, s:s}", "cmd", name, "device", "a");
		json_t *out = control_execute(&rig.host, in);
		const char *error = json_string_value(json_object_get(out, "error"));

		assert_true(error == NULL || strstr(error, "no command") == NULL);
		json_decref(in);
		json_decref(out);
	}
	assert_true(json_object_size(json_object_get(reply, "commands")) >= 10);
	json_decref(reply);
	assert_true(rig.host.stop); /* «quit» was among them */
}

static void
counters_cover_device_bus_and_wire(void **state)
{
	const uint8_t frame[60] = { 0 };
	json_t *reply;

	(void)state;
	fake_transmit(rig_device(&rig, 1), frame, 60, RIG_START_NS * PS_PER_NS);
	rig_until(&rig, RIG_START_NS + 10000);
	reply = run("{\"cmd\":\"counters\",\"device\":\"a\"}");
	assert_int_equal(number_at(reply, "counters", "fake_rx"), 1);
	assert_int_equal(number_at(reply, "wire", "rx_frames"), 1);
	assert_int_equal(number_at(reply, "bus", "clients"), 0);
	json_decref(reply);
}

static void
truth_is_taken_at_one_instant(void **state)
{
	json_t *reply, *clocks;

	(void)state;
	rig_fake(&rig, 0)->clock_runs = true;
	reply = run("{\"cmd\":\"truth\"}");
	clocks = json_object_get(reply, "clocks");
	assert_int_equal(json_integer_value(json_object_get(reply, "true_ns")), RIG_START_NS);
	assert_int_equal(number_at(clocks, "a", "offset_ns"), 37);
	assert_int_equal(number_at(clocks, "a", "device_ns"), RIG_START_NS + 37);
	assert_true(json_is_false(json_object_get(json_object_get(clocks, "b"), "running")));
	json_decref(reply);
}

static void
link_changes_at_both_ends_of_a_cable(void **state)
{
	(void)state;
	assert_ok("{\"cmd\":\"link\",\"device\":\"a\",\"up\":false}");
	assert_false(rig_fake(&rig, 0)->link_up);
	assert_false(rig_fake(&rig, 1)->link_up);
	assert_ok("{\"cmd\":\"link\",\"device\":\"b\",\"up\":true,\"mbps\":100,"
		  "\"full_duplex\":false}");
	assert_int_equal(rig_fake(&rig, 0)->link_mbps, 100);
	assert_false(rig_fake(&rig, 0)->link_full_duplex);
	assert_ok("{\"cmd\":\"link\",\"device\":\"b\",\"up\":false,\"one_end\":true}");
	assert_true(rig_fake(&rig, 0)->link_up);
	assert_false(rig_fake(&rig, 1)->link_up);
}

static void
complaints_are_listed_and_cleared(void **state)
{
	json_t *reply;

	(void)state;
	rig_fake(&rig, 0)->nb_complaints = 3;
	reply = run("{\"cmd\":\"complaints\",\"device\":\"a\",\"clear\":true}");
	assert_int_equal(json_integer_value(json_object_get(reply, "count")), 3);
	assert_int_equal(json_array_size(json_object_get(reply, "complaints")), 1);
	json_decref(reply);
	reply = run("{\"cmd\":\"complaints\",\"device\":\"a\"}");
	assert_int_equal(json_integer_value(json_object_get(reply, "count")), 0);
	json_decref(reply);
}

static void
faults_wires_hold_and_removal_reach_their_parts(void **state)
{
	json_t *reply;

	(void)state;
	assert_ok("{\"cmd\":\"fault\",\"device\":\"a\",\"name\":\"fake-fault\",\"arg\":4,"
		  "\"times\":2}");
	assert_string_equal(rig_fake(&rig, 0)->fault, "fake-fault 4 2");
	assert_ok("{\"cmd\":\"wire\",\"device\":\"a\",\"set\":{\"loss\":0.5,\"delay_ns\":\"9\"}}");
	reply = run("{\"cmd\":\"hold\",\"device\":\"a\"}");
	assert_int_equal(json_array_size(json_object_get(reply, "channels")), 2);
	json_decref(reply);
	assert_ok("{\"cmd\":\"remove\",\"device\":\"a\"}");
	assert_true(rig.host.devices[0].slot->removed);
	assert_refused("{\"cmd\":\"remove\",\"device\":\"a\"}", "removed");
	assert_ok("{\"cmd\":\"insert\",\"device\":\"a\"}");
	assert_refused("{\"cmd\":\"insert\",\"device\":\"a\"}", "there");
}

/* Everything the socket has to say about `text`. */
static size_t
talk(int fd, const char *text, size_t len, char *reply, size_t size)
{
	size_t got = 0;

	for (size_t sent = 0; sent < len;) {
		const size_t part = len - sent < 1000 ? len - sent : 1000;

		if (send(fd, text + sent, part, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			break;
		sent += part;
		while (loop_wait(rig.host.loop, 0) > 0)
			;
	}
	for (;;) {
		ssize_t n = recv(fd, reply + got, size - 1 - got, MSG_DONTWAIT);

		if (n <= 0)
			break;
		got += (size_t)n;
	}
	reply[got] = '\0';
	return got;
}

static void
control_socket_speaks_lines(void **state)
{
	static char reply[65536], flood[70000];
	char path[64];
	struct control *control;
	struct why w;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "model-test-%d-control.sock", (int)getpid());
	control = control_create(&rig.host, path, &w);
	assert_non_null(control);
	assert_null(control_create(&rig.host, path, &w)); /* in use */
	assert_non_null(strstr(w.text, "in use"));
	while (loop_wait(rig.host.loop, 0) > 0)
		;
	fd = unix_socket_connect(path, &w);
	assert_true(fd >= 0);
	talk(fd, "{\"cmd\":\"devices\"}\n\n{x}\n", 23, reply, sizeof(reply));
	assert_non_null(strstr(reply, "{\"ok\":true,\"devices\":[{\"name\":\"a\""));
	assert_non_null(strstr(reply, "\n{\"ok\":false,\"error\":\"no JSON"));
	/* A line without end is not collected for ever. */
	memset(flood, 'x', sizeof(flood));
	talk(fd, flood, sizeof(flood), reply, sizeof(reply));
	assert_true(recv(fd, reply, 1, MSG_DONTWAIT) <= 0);
	close(fd);
	control_destroy(control);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void
stale_sockets_are_replaced_other_files_are_not(void **state)
{
	struct unix_socket first, second;
	char path[64];
	struct why w;
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "model-test-%d-x.sock", (int)getpid());
	assert_int_equal(unix_socket_listen(&first, path, &w), 0);
	assert_true(unix_socket_listen(&second, path, &w) < 0);
	close(first.fd); /* as a killed process leaves it */
	assert_int_equal(unix_socket_listen(&second, path, &w), 0);
	unix_socket_close(&second);
	assert_int_not_equal(access(path, F_OK), 0);
	file = fopen(path, "w");
	fclose(file);
	assert_true(unix_socket_listen(&second, path, &w) < 0);
	assert_non_null(strstr(w.text, "no socket"));
	unlink(path);
	assert_true(unix_socket_listen(&second, "", &w) < 0);
}

static int
parse(const char *line, struct why *w, struct host *host)
{
	char copy[512], *argv[32] = { "dwmac-model" };
	struct options options;
	char *save = NULL;
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok_r(copy, " ", &save); word != NULL;
			word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	optind = 0; /* glibc: begin anew */
	assert_int_equal(host_init(host, w), 0);
	return options_parse(&options, host, argc, argv, w);
}

static void
command_line_mistakes_get_one_clear_line(void **state)
{
	static const struct {
		const char *line, *part;
	} cases[] = {
		{ "", "--device" },
		{ "--frobnicate", "--frobnicate" },
		{ "--device", "--device" },
		{ "--device name=a", "socket=" },
		{ "--device socket=/x", "name=" },
		{ "--device name=a,socket=/x,colour=red", "colour" },
		{ "--device name=a,socket=/x,link=7", "link=7" },
		{ "--device name=a,socket=/x,mac=1:2", "mac=1:2" },
		{ "--device name=a,socket=/x,osc_ppb=fast", "osc_ppb=fast" },
		{ "--device name=a,socket=/x --device name=a,socket=/y", "two devices" },
		{ "--device name=a,socket=/x --device name=b,socket=/x", "same socket" },
		{ "--device name=a,socket=/x extra", "extra" },
		{ "--device name=a,socket=/x --wire string:a", "string" },
		{ "--device name=a,socket=/x --wire cable:a", "2 device" },
		{ "--device name=a,socket=/x --wire loop:a,b", "too many" },
		{ "--device name=a,socket=/x --wire loop:a,loss=x", "loss=x" },
		{ "--device name=a,socket=/x --wire source:a,len=63", "len=63" },
		{ "--device name=a,socket=/x --ready-fd x", "--ready-fd" },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct why w = { .text = "" };
		struct host host;

		if (parse(cases[i].line, &w, &host) >= 0)
			fail_msg("accepted: %s", cases[i].line);
		if (strstr(w.text, cases[i].part) == NULL || strchr(w.text, '\n') != NULL)
			fail_msg("%s: '%s' lacks '%s'", cases[i].line, w.text, cases[i].part);
		host_fini(&host);
	}
}

static void
command_line_fills_device_and_wire(void **state)
{
	const struct host_device *device;
	struct host host;
	struct why w;

	(void)state;
	assert_int_equal(
			parse("--device name=eth0,socket=/tmp/a,profile=fake,mac=02:00:00:00:00:09,"
			      "osc_ppb=-5000,wander_ppb=3,seed=9,ptp_update_ns=10,link=100,"
			      "an_ms=1500,duplex=half --quiet --wire loop:eth0,rate=off",
					&w, &host),
			0);
	device = &host.devices[0];
	assert_string_equal(device->config.profile, "fake");
	assert_int_equal(device->config.device.mac[5], 9);
	assert_int_equal(device->config.device.osc_ppb, -5000);
	assert_int_equal(device->config.device.osc_wander_ppb, 3);
	assert_int_equal(device->config.device.seed, 9);
	assert_int_equal(device->config.device.ptp_update_ns, 10);
	assert_int_equal(device->config.device.an_ms, 1500);
	assert_int_equal(device->config.link_mbps, 100);
	assert_false(device->config.link_full_duplex);
	assert_true(device->config.quiet);
	assert_true(host.wires[0]->unlimited);
	host_fini(&host);
}

static void
wires_must_fit_devices(void **state)
{
	static const char *const lines[] = {
		"--device name=a,socket=m.sock --wire loop:b",
		"--device name=a,socket=m.sock --wire loop:a --wire sink:a",
		"--device name=a,socket=m.sock --wire cable:a,a",
		"--device name=a,socket=m.sock,profile=unheard-of",
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct host host;
		struct why w;

		assert_int_equal(parse(lines[i], &w, &host), 0);
		assert_true(host_start(&host, &w) < 0);
		host_fini(&host);
		assert_int_not_equal(access("m.sock", F_OK), 0);
	}
}

static void
an_unknown_profile_is_answered_with_the_known_ones(void **state)
{
	struct host host;
	struct why w;

	(void)state;
	assert_int_equal(parse("--device name=a,socket=m.sock,profile=unheard-of", &w, &host), 0);
	assert_true(host_start(&host, &w) < 0);
	assert_string_equal(w.text, "a: no profile 'unheard-of'; there are fake");
	host_fini(&host);

	assert_int_equal(parse("--device name=a,socket=m.sock", &w, &host), 0);
	assert_int_equal(host_start(&host, &w), 0);
	assert_string_equal(host.devices[0].slot->config.profile, "fake");
	host_fini(&host);
}

static void
help_names_every_profile(void **state)
{
	char text[8192];
	FILE *out = fmemopen(text, sizeof(text), "w");

	(void)state;
	options_help(out);
	fclose(out);
	assert_non_null(strstr(text, "\n          fake                       no chip at all\n"));
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(bad_requests_are_refused_with_a_sentence),
		CASE(every_command_of_help_is_known),
		CASE(counters_cover_device_bus_and_wire),
		CASE(truth_is_taken_at_one_instant),
		CASE(link_changes_at_both_ends_of_a_cable),
		CASE(complaints_are_listed_and_cleared),
		CASE(faults_wires_hold_and_removal_reach_their_parts),
		CASE(control_socket_speaks_lines),
		CASE(stale_sockets_are_replaced_other_files_are_not),
		CASE(command_line_mistakes_get_one_clear_line),
		CASE(command_line_fills_device_and_wire),
		CASE(wires_must_fit_devices),
		CASE(an_unknown_profile_is_answered_with_the_known_ones),
		CASE(help_names_every_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
