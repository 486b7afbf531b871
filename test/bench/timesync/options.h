/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#define MAX_TIMES 8

struct times {
	double us[MAX_TIMES];
	unsigned int count;
};

struct options {
	struct times hardware;
	struct times registers;
	unsigned int rounds;
	unsigned int slow_rounds; /* with the method that busies the core for 10 ms a call */
	const char *rows;
};

/* 0: go on; else the caller returns `*status` from main(). */
int options_parse(struct options *options, int argc, char **argv, int *status);

#endif /* OPTIONS_H */
