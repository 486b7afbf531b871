/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_OPTIONS_H
#define DWMAC_MODEL_OPTIONS_H

#include "host.h"
#include "why.h"

/* The command line. */
struct options {
	const char *control_path; /* NULL: none */
	int ready_fd;		  /* -1: none */
	bool strict;
	bool help, version;
};

/* Describes devices and wires to `host`; -EINVAL and a sentence on a usage error. */
int options_parse(struct options *options, struct host *host, int argc, char **argv, struct why *w);
void options_help(FILE *out);

#endif /* DWMAC_MODEL_OPTIONS_H */
