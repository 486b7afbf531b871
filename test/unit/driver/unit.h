/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef UNIT_H
#define UNIT_H

/* What every test file here includes: cmocka wants these four first. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One line per case on stdout, as test/count_results.py counts them. */
#define RUN_TESTS(tests, setup, teardown) \
	(cmocka_set_message_output(CM_OUTPUT_TAP), cmocka_run_group_tests(tests, setup, teardown))

#endif /* UNIT_H */
