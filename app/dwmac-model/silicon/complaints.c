/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const tokens[COMPLAINT_COUNT] = {
#define X(id, token, meaning) [COMPLAINT_##id] = token,
	COMPLAINT_KINDS(X)
#undef X
};

const char *
complaint_token(enum complaint_kind kind)
{
	return tokens[kind];
}

/* The entry for this kind and text; when the log is full, the last entry of the same kind, so
 * that the count of every kind stays true. */
static int
find_entry(const struct complaint_log *log, enum complaint_kind kind, const char *text)
{
	int same_kind = -1;

	for (unsigned int i = 0; i < log->used; i++) {
		if (log->entry[i].kind != kind)
			continue;
		if (strcmp(log->entry[i].text, text) == 0)
			return (int)i;
		same_kind = (int)i;
	}
	return log->used < COMPLAINT_ENTRIES ? -1 : same_kind;
}

void
complain(struct device *dev, enum complaint_kind kind, const char *format, ...)
{
	struct complaint_log *log = &dev->complaints;
	char text[COMPLAINT_TEXT_MAX];
	va_list ap;
	int i;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);

	log->total++;
	i = find_entry(log, kind, text);
	if (i >= 0) {
		log->entry[i].count++;
		return;
	}
	if (log->used < COMPLAINT_ENTRIES) {
		log->entry[log->used].kind = kind;
		log->entry[log->used].count = 1;
		memcpy(log->entry[log->used].text, text, sizeof(text));
		log->used++;
	}
	if (dev->host.complain != NULL)
		dev->host.complain(dev->host_ctx, tokens[kind], text);
}

unsigned int
device_complaints(const struct device *dev, struct device_complaint *out, unsigned int max)
{
	const struct complaint_log *log = &dev->complaints;

	for (unsigned int i = 0; i < log->used && i < max; i++) {
		out[i].kind = tokens[log->entry[i].kind];
		out[i].text = log->entry[i].text;
		out[i].count = log->entry[i].count;
	}
	return log->used;
}

void
device_complaints_clear(struct device *dev)
{
	memset(&dev->complaints, 0, sizeof(dev->complaints));
}
