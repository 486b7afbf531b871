/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Device arguments as a user writes them (doc/guides/nics/dwmac.rst). */

#include <errno.h>
#include <string.h>

#include <rte_common.h>
#include <rte_devargs.h>

#include "dwmac_args.h"
#include "unit.h"

static struct dwmac_args args;

static int
parse(char *text, bool wants_socket)
{
	const struct rte_devargs devargs = { .args = text };

	memset(&args, 0xa5, sizeof(args));
	return dwmac_args_parse(&args, &devargs, wants_socket);
}

static void
without_arguments_the_defaults_hold(void **state)
{
	(void)state;
	assert_int_equal(parse("", false), 0);
	assert_string_equal(args.socket, "");
	assert_int_equal(args.tx_usecs, 100);
	assert_false(args.sweep_service);
	assert_int_equal(parse(NULL, false), 0);
	assert_int_equal(args.tx_usecs, 100);
	assert_int_equal(dwmac_args_parse(&args, NULL, false), 0);
	assert_int_equal(args.tx_usecs, 100);
}

static void
every_key_sets_its_value(void **state)
{
	static const struct {
		char *text;
		const char *socket;
		uint32_t tx_usecs;
		bool sweep_service;
	} rows[] = {
		{ "socket=/run/a", "/run/a", 100, false },
		{ "socket=/run/a,tx_usecs=0", "/run/a", 0, false },
		{ "tx_usecs=1000000,socket=/run/a", "/run/a", 1000000, false },
		{ "socket=/run/a,tx_usecs=0x10,sweep_service=1", "/run/a", 16, true },
		{ "socket=/run/a,sweep_service=0", "/run/a", 100, false },
		{ "socket=/run/a b", "/run/a b", 100, false },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		assert_int_equal(parse(rows[i].text, true), 0);
		assert_string_equal(args.socket, rows[i].socket);
		assert_int_equal(args.tx_usecs, rows[i].tx_usecs);
		assert_int_equal(args.sweep_service, rows[i].sweep_service);
	}
	assert_int_equal(parse("tx_usecs=7", false), 0);
	assert_int_equal(args.tx_usecs, 7);
}

static void
what_is_no_number_or_out_of_range_is_refused(void **state)
{
	static char *const rows[] = {
		"tx_usecs=",
		"tx_usecs",
		"tx_usecs=ten",
		"tx_usecs=10us",
		"tx_usecs=-1",
		"tx_usecs=1000001",
		"tx_usecs=99999999999999999999",
		"tx_usecs=4294967296",
		"sweep_service=2",
		"sweep_service=on",
		"sweep_service=-0",
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		if (parse(rows[i], false) != -EINVAL)
			fail_msg("\"%s\" was taken", rows[i]);
	}
}

static void
an_unknown_key_is_refused(void **state)
{
	(void)state;
	assert_int_equal(parse("socket=/run/a,tx_usec=1", true), -EINVAL);
	assert_int_equal(parse("colour=red", false), -EINVAL);
}

static void
a_socket_belongs_to_ports_without_a_bus_and_to_each_of_them(void **state)
{
	(void)state;
	assert_int_equal(parse("socket=/run/a", false), -EINVAL);
	assert_int_equal(parse("", true), -EINVAL);
	assert_int_equal(parse("tx_usecs=1", true), -EINVAL);
	assert_int_equal(parse("socket=", true), -EINVAL);
	assert_int_equal(dwmac_args_parse(&args, NULL, true), -EINVAL);
}

/* sun_path has 108 bytes and ends with a NUL. */
static void
a_socket_path_that_does_not_fit_is_refused(void **state)
{
	char text[128] = "socket=";

	(void)state;
	memset(text + 7, 'x', 108);
	assert_int_equal(parse(text, true), -EINVAL);
	text[7 + 107] = '\0';
	assert_int_equal(parse(text, true), 0);
	assert_int_equal(strlen(args.socket), 107);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_arguments_the_defaults_hold),
		cmocka_unit_test(every_key_sets_its_value),
		cmocka_unit_test(what_is_no_number_or_out_of_range_is_refused),
		cmocka_unit_test(an_unknown_key_is_refused),
		cmocka_unit_test(a_socket_belongs_to_ports_without_a_bus_and_to_each_of_them),
		cmocka_unit_test(a_socket_path_that_does_not_fit_is_refused),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
