/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vfio_user_private.h"

#define UNTOUCHED 4711

static const struct {
	const char *text;
	int ret;
	uint32_t value;
} cases[] = {
	{ "{\"capabilities\":{\"n\":8}}", 0, 8 },
	{ " { \"capabilities\" :\t{ \"n\" : 0 , \"m\":1 } }\n", 0, 0 },
	{ "{\"capabilities\":{\"n\":4294967295}}", 0, 4294967295u },
	{ "{\"x\":[1,{\"n\":2},[]],\"capabilities\":{\"m\":{\"n\":5},\"n\":6}}", 0, 6 },
	{ "{\"x\":\"a\\\"}{\",\"capabilities\":{\"s\":\"\\\\\",\"n\":7}}", 0, 7 },
	{ "{\"x\":{},\"y\":[],\"z\":true,\"capabilities\":{\"n\":1}}", 0, 1 },
	{ "{}", -ENOENT, 0 },
	{ "{\"capabilities\":{}}", -ENOENT, 0 },
	{ "{\"capabilities\":{\"nn\":1,\"m\":null}}", -ENOENT, 0 },
	{ "{\"n\":1}", -ENOENT, 0 },
	{ "{\"capabilities\":{\"n\":4294967296}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":99999999999999999999999}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":-1}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":1.5}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":08}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":\"8\"}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":}}", -EINVAL, 0 },
	{ "{\"capabilities\":{\"n\":8", -EINVAL, 0 },
	{ "{\"capabilities\":8}", -EINVAL, 0 },
	{ "{\"capabilities\"}", -EINVAL, 0 },
	{ "{\"x\":1 \"capabilities\":{\"n\":8}}", -EINVAL, 0 },
	{ "{\"x\":[1},\"capabilities\":{\"n\":8}}", -EINVAL, 0 },
	{ "[]", -EINVAL, 0 },
	{ "", -EINVAL, 0 },
	{ "{", -EINVAL, 0 },
	{ "{\"", -EINVAL, 0 },
	{ "{\"\\", -EINVAL, 0 },
	{ "garbage", -EINVAL, 0 },
};

/* From a buffer of exactly that size, so that a sanitizer sees every step beyond the end. */
static int
get(const char *text, size_t len, uint32_t *value)
{
	char *copy = malloc(len + 1);
	char *exact;
	int ret;

	assert_non_null(copy);
	exact = copy + 1;
	memcpy(exact, text, len);
	ret = vu_json_get_uint32(exact, len, "capabilities", "n", value);
	free(copy);
	return ret;
}

static void
numbers_are_found_and_nonsense_refused(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t value = UNTOUCHED;
		int ret = get(cases[i].text, strlen(cases[i].text), &value);

		if (ret != cases[i].ret)
			print_error("%s\n", cases[i].text);
		assert_int_equal(ret, cases[i].ret);
		assert_int_equal(value, ret == 0 ? cases[i].value : UNTOUCHED);
	}
}

static void
text_ends_at_nul_or_length(void **state)
{
	static const char text[] = "{\"capabilities\":{\"n\":8}}\0,{{{";
	uint32_t value = UNTOUCHED;
	size_t len;

	(void)state;
	assert_int_equal(get(text, sizeof(text), &value), 0);
	assert_int_equal(value, 8);
	/* Cut anywhere before the number is complete: never a number, never beyond the end. */
	for (len = 0; len < strlen("{\"capabilities\":{\"n\":8}"); len++)
		assert_int_not_equal(get(text, len, &value), 0);
}

static void
deep_nesting_is_refused(void **state)
{
	enum { DEPTH = 100000 };
	static char text[DEPTH + 64];
	uint32_t value;
	int n;

	(void)state;
	n = sprintf(text, "{\"x\":");
	memset(text + n, '[', DEPTH);
	assert_int_equal(get(text, strlen(text), &value), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_found_and_nonsense_refused),
		cmocka_unit_test(text_ends_at_nul_or_length),
		cmocka_unit_test(deep_nesting_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
