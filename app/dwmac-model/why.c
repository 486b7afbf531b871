/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "why.h"

#include <stdarg.h>
#include <stdio.h>

int
why(struct why *w, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(w->text, sizeof(w->text), format, args);
	va_end(args);
	return error;
}
