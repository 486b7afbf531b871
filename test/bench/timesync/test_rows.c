/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rows.h"

static void
percentiles_are_samples(void **state)
{
	struct samples samples;
	unsigned int i;

	(void)state;
	assert_true(samples_init(&samples, 200));
	/* 200 down to 1: the value equals its rank */
	for (i = 0; i < 200; i++)
		assert_true(samples_add(&samples, 200 - i));
	assert_false(samples_add(&samples, 0));
	assert_true(samples_percentile(&samples, 50) == 100);
	assert_true(samples_percentile(&samples, 99) == 198);
	assert_true(samples_percentile(&samples, 100) == 200);
	assert_true(samples_percentile(&samples, 0.1) == 1);
	samples_free(&samples);
}

static void
one_sample_is_every_percentile(void **state)
{
	struct samples samples;

	(void)state;
	assert_true(samples_init(&samples, 1));
	assert_true(isnan(samples_percentile(&samples, 50)));
	assert_true(samples_add(&samples, 7));
	assert_true(samples_percentile(&samples, 1) == 7);
	assert_true(samples_percentile(&samples, 100) == 7);
	samples_free(&samples);
}

static char *
written(struct row *row)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	row_write(row, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void
row_has_the_keys_of_the_contract(void **state)
{
	struct row row = {
		.op = OP_WRITE_TIME,
		.method = METHOD_INTERVAL_5US,
		.transport = "mapped",
		.hardware_us = 0.2,
		.register_us = 1,
	};
	unsigned int i;
	char *text;

	(void)state;
	assert_true(row_init(&row, 3));
	for (i = 1; i <= 3; i++) {
		samples_add(&row.polls, i);
		samples_add(&row.call_us, 1.5 * i);
	}
	text = written(&row);
	assert_string_equal(text, "{\"op\": \"write_time\", \"method\": \"interval_5us\", "
				  "\"transport\": \"mapped\", \"hardware_us\": 0.2, "
				  "\"register_us\": 1, \"calls\": 3, \"timeouts\": 0, "
				  "\"polls\": 2, \"call_us_p50\": 3.000, \"call_us_p99\": 4.500, "
				  "\"call_us_max\": 4.500}\n");
	free(text);
	row_free(&row);
}

static void
unknown_figures_are_null(void **state)
{
	struct row row = { .transport = "socket", .hardware_us = NAN, .register_us = NAN };
	char *text;

	(void)state;
	assert_true(row_init(&row, 1));
	samples_add(&row.call_us, 60);
	text = written(&row);
	assert_non_null(strstr(text, "\"hardware_us\": null, \"register_us\": null"));
	assert_non_null(strstr(text, "\"polls\": null"));
	assert_null(strstr(text, "nan"));
	free(text);
	row_free(&row);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_are_samples),
		cmocka_unit_test(one_sample_is_every_percentile),
		cmocka_unit_test(row_has_the_keys_of_the_contract),
		cmocka_unit_test(unknown_figures_are_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
