/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"

#define EXIT_USAGE	2
/* The driver gives a command up after a millisecond: slower hardware only measures that. */
#define MAX_HARDWARE_US 900
#define MAX_REGISTER_US 100
#define MAX_ROUNDS	1000000

static const char help[] = "usage: timesync-bench [OPTION...]\n"
			   "\n"
			   "Times the driver's commands to a PTP clock over a mapped BAR whose "
			   "other side is played\n"
			   "by a thread on a second core.\n"
			   "\n"
			   "  --hardware-us LIST   how long the block takes for a command (default "
			   "0,0.2,1.6,10)\n"
			   "  --register-us LIST   what a register read costs (default 0,1)\n"
			   "  --rounds N           calls per row (default 3000)\n"
			   "  --slow-rounds N      calls per row of fixed_10ms (default 30)\n"
			   "  --quick              same as --rounds 200 --slow-rounds 2\n"
			   "  --rows FILE          append one JSON object per row to FILE\n"
			   "  --help, --version\n";

static bool
parse_times(const char *text, double limit, struct times *times)
{
	char *end;

	times->count = 0;
	do {
		if (times->count == MAX_TIMES)
			return false;
		errno = 0;
		times->us[times->count] = strtod(text, &end);
		if (end == text || errno != 0 || !(times->us[times->count] >= 0) ||
				times->us[times->count] > limit)
			return false;
		times->count++;
		text = end + 1;
	} while (*end == ',');
	return *end == '\0';
}

static bool
parse_count(const char *text, unsigned int *count)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value == 0 ||
			value > MAX_ROUNDS)
		return false;
	*count = value;
	return true;
}

enum {
	OPT_HARDWARE = 256,
	OPT_REGISTER,
	OPT_ROUNDS,
	OPT_SLOW_ROUNDS,
	OPT_QUICK,
	OPT_ROWS,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{ "hardware-us", required_argument, NULL, OPT_HARDWARE },
	{ "register-us", required_argument, NULL, OPT_REGISTER },
	{ "rounds", required_argument, NULL, OPT_ROUNDS },
	{ "slow-rounds", required_argument, NULL, OPT_SLOW_ROUNDS },
	{ "quick", no_argument, NULL, OPT_QUICK },
	{ "rows", required_argument, NULL, OPT_ROWS },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static bool
apply(struct options *options, int option)
{
	switch (option) {
	case OPT_HARDWARE:
		return parse_times(optarg, MAX_HARDWARE_US, &options->hardware);
	case OPT_REGISTER:
		return parse_times(optarg, MAX_REGISTER_US, &options->registers);
	case OPT_ROUNDS:
		return parse_count(optarg, &options->rounds);
	case OPT_SLOW_ROUNDS:
		return parse_count(optarg, &options->slow_rounds);
	case OPT_QUICK:
		options->rounds = 200;
		options->slow_rounds = 2;
		return true;
	case OPT_ROWS:
		options->rows = optarg;
		return true;
	default:
		return false;
	}
}

int
options_parse(struct options *options, int argc, char **argv, int *status)
{
	int option, index = 0;

	*options = (struct options){
		.hardware = { .us = { 0, 0.2, 1.6, 10 }, .count = 4 },
		.registers = { .us = { 0, 1 }, .count = 2 },
		.rounds = 3000,
		.slow_rounds = 30,
	};
	*status = EXIT_USAGE;
	while ((option = getopt_long(argc, argv, "", long_options, &index)) != -1) {
		if (option == OPT_HELP || option == OPT_VERSION) {
			fputs(option == OPT_HELP ? help : "timesync-bench " VERSION "\n", stdout);
			*status = EXIT_SUCCESS;
			return -1;
		}
		if (option == '?')
			return -1;
		if (!apply(options, option)) {
			fprintf(stderr, "timesync-bench: --%s cannot be '%s': see --help\n",
					long_options[index].name, optarg);
			return -1;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "timesync-bench: no argument '%s': see --help\n", argv[optind]);
		return -1;
	}
	if (options->slow_rounds > options->rounds)
		options->slow_rounds = options->rounds;
	return 0;
}
