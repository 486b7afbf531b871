/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * Just enough JSON to read a number out of the server's capabilities. The text comes from another
 * process: every byte is checked against the end, nesting is bounded.
 */

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "vfio_user_private.h"

#define VU_JSON_DEPTH_MAX 16

struct json {
	const char *at;
	const char *end;
};

static char
peek(struct json *js)
{
	while (js->at < js->end && memchr(" \t\r\n", *js->at, 4) != NULL)
		js->at++;
	return js->at < js->end ? *js->at : '\0';
}

static bool
accept(struct json *js, char c)
{
	if (peek(js) != c || js->at == js->end)
		return false;
	js->at++;
	return true;
}

/* Pass a string; the span between its quotes, escapes untouched. */
static bool
pass_string(struct json *js, const char **str, size_t *len)
{
	if (!accept(js, '"'))
		return false;
	*str = js->at;
	for (; js->at < js->end; js->at++) {
		if (*js->at == '\\') {
			js->at++;
		} else if (*js->at == '"') {
			*len = (size_t)(js->at - *str);
			js->at++;
			return true;
		}
	}
	js->at = js->end; /* an escape may have jumped past it */
	return false;
}

static bool pass_value(struct json *js, unsigned int depth);

/* Pass an object or array, its opening bracket already taken. */
static bool
pass_members(struct json *js, char close, unsigned int depth)
{
	const char *name;
	size_t name_len;

	if (depth >= VU_JSON_DEPTH_MAX)
		return false;
	if (accept(js, close))
		return true;
	do {
		if (close == '}' && !(pass_string(js, &name, &name_len) && accept(js, ':')))
			return false;
		if (!pass_value(js, depth + 1))
			return false;
	} while (accept(js, ','));
	return accept(js, close);
}

static bool
pass_value(struct json *js, unsigned int depth)
{
	const char *start;
	const char *str;
	size_t len;

	switch (peek(js)) {
	case '{':
		js->at++;
		return pass_members(js, '}', depth);
	case '[':
		js->at++;
		return pass_members(js, ']', depth);
	case '"':
		return pass_string(js, &str, &len);
	default:
		start = js->at;
		while (js->at < js->end && *js->at != '\0' &&
				strchr(",:]} \t\r\n\"[{", *js->at) == NULL)
			js->at++;
		return js->at > start;
	}
}

/* Stand before the value of a member of the object that follows. */
static int
find_member(struct json *js, const char *member)
{
	const char *name;
	size_t name_len;

	if (!accept(js, '{'))
		return -EINVAL;
	if (accept(js, '}'))
		return -ENOENT;
	do {
		if (!pass_string(js, &name, &name_len) || !accept(js, ':'))
			return -EINVAL;
		if (name_len == strlen(member) && memcmp(name, member, name_len) == 0)
			return 0;
		if (!pass_value(js, 0))
			return -EINVAL;
	} while (accept(js, ','));
	return accept(js, '}') ? -ENOENT : -EINVAL;
}

static int
parse_uint32(struct json *js, uint32_t *out)
{
	uint64_t value = 0;
	const char *start;
	char c = peek(js);

	for (start = js->at; js->at < js->end && *js->at >= '0' && *js->at <= '9'; js->at++) {
		value = value * 10 + (uint64_t)(*js->at - '0');
		if (value > UINT32_MAX)
			return -EINVAL;
	}
	if (js->at == start || (c == '0' && js->at != start + 1))
		return -EINVAL;
	c = peek(js);
	if (c != ',' && c != '}')
		return -EINVAL;
	*out = (uint32_t)value;
	return 0;
}

int
vu_json_get_uint32(
		const char *text, size_t len, const char *object, const char *member, uint32_t *out)
{
	struct json js = { .at = text, .end = text + strnlen(text, len) };
	int ret;

	ret = find_member(&js, object);
	if (ret == 0)
		ret = find_member(&js, member);
	if (ret == 0)
		ret = parse_uint32(&js, out);
	return ret;
}
