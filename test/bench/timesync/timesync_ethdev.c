/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The same commands as an application gives them: rte_eth_timesync_*() on a port whose device is
 * a vfio-user server, where every register read is a round trip between two processes.
 */

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include "ops.h"
#include "rows.h"
#include "rte_pmd_dwmac.h"

#define EXIT_USAGE  2
#define DESCRIPTORS 64
#define MBUFS	    512
#define MAX_ROUNDS  100000

struct options {
	const char *socket;
	const char *rows;
	double hardware_us;
	unsigned int rounds;
};

static const char help[] =
		"usage: timesync-ethdev --socket PATH [OPTION...]\n"
		"\n"
		"Times rte_eth_timesync calls on the device behind a vfio-user socket.\n"
		"\n"
		"  --hardware-us X   how long that device takes for a command, if known\n"
		"  --rounds N        calls per row (default 200)\n"
		"  --rows FILE       append one JSON object per row to FILE\n"
		"  --help, --version\n";

static const struct option long_options[] = {
	{ "socket", required_argument, NULL, 's' },
	{ "hardware-us", required_argument, NULL, 'u' },
	{ "rounds", required_argument, NULL, 'n' },
	{ "rows", required_argument, NULL, 'r' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static bool
apply(struct options *options, int option)
{
	char *end = NULL;

	switch (option) {
	case 's':
		options->socket = optarg;
		/* It becomes part of devargs. */
		return optarg[0] != '\0' && strchr(optarg, ',') == NULL;
	case 'u':
		options->hardware_us = strtod(optarg, &end);
		return end != optarg && *end == '\0' && options->hardware_us >= 0;
	case 'n':
		options->rounds = strtoul(optarg, &end, 10);
		return optarg[0] >= '0' && optarg[0] <= '9' && *end == '\0' &&
		       options->rounds >= 1 && options->rounds <= MAX_ROUNDS;
	case 'r':
		options->rows = optarg;
		return true;
	default:
		return false;
	}
}

/* True: go on; else the program ends with `*status`. */
static bool
parse(struct options *options, int argc, char **argv, int *status)
{
	int option, index = 0;

	*options = (struct options){ .hardware_us = NAN, .rounds = 200 };
	*status = EXIT_USAGE;
	while ((option = getopt_long(argc, argv, "", long_options, &index)) != -1) {
		if (option == 'h' || option == 'v') {
			fputs(option == 'h' ? help : "timesync-ethdev " VERSION "\n", stdout);
			*status = EXIT_SUCCESS;
			return false;
		}
		if (option == '?')
			return false;
		if (!apply(options, option)) {
			fprintf(stderr, "timesync-ethdev: --%s cannot be '%s': see --help\n",
					long_options[index].name, optarg);
			return false;
		}
	}
	if (options->socket == NULL || optind < argc) {
		fprintf(stderr, "timesync-ethdev: %s: see --help\n",
				optind < argc ? "takes options only" : "--socket is missing");
		return false;
	}
	return true;
}

static int
complain(const char *what, int ret)
{
	fprintf(stderr, "timesync-ethdev: %s: %s\n", what, strerror(-ret));
	return ret;
}

static int
start_eal(const char *program, const char *socket)
{
	char vdev[4096];
	char *arguments[] = { (char *)(uintptr_t)program, "--no-huge", "-m", "64", "--no-pci",
		"--no-shconf", "--no-telemetry", "--log-level=*:error", "--vdev", vdev };

	if (snprintf(vdev, sizeof(vdev), "net_dwmac0,socket=%s", socket) >= (int)sizeof(vdev))
		return complain("--socket", -ENAMETOOLONG);
	if (rte_eal_init(RTE_DIM(arguments), arguments) < 0)
		return complain("EAL does not start", -rte_errno);
	if (rte_eth_dev_count_avail() != 1)
		return complain(socket, -ENODEV);
	return 0;
}

static int
start_port(uint16_t port)
{
	const struct rte_eth_conf conf = { 0 };
	struct rte_mempool *pool;
	int ret;

	pool = rte_pktmbuf_pool_create(
			"timesync", MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, rte_socket_id());
	if (pool == NULL)
		return complain("no pool", -rte_errno);
	ret = rte_eth_dev_configure(port, 1, 1, &conf);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port, 0, DESCRIPTORS, SOCKET_ID_ANY, NULL);
	if (ret == 0)
		ret = rte_eth_dev_start(port);
	if (ret == 0)
		ret = rte_eth_timesync_enable(port);
	return ret == 0 ? 0 : complain("the port does not start", ret);
}

static int
call_op(uint16_t port, enum op op, unsigned int n)
{
	const struct dwmac_time time = op_time(n);
	const struct timespec ts = { .tv_sec = time.s, .tv_nsec = time.ns };

	switch (op) {
	case OP_ADJUST_FREQ:
		return rte_pmd_dwmac_timesync_adjust_freq(port, op_scaled_ppm(n));
	case OP_ADJUST_TIME:
		return rte_eth_timesync_adjust_time(port, op_delta_ns(n));
	default:
		return rte_eth_timesync_write_time(port, &ts);
	}
}

static int
read_polls(uint16_t port, uint64_t *polls)
{
	uint64_t id;
	int ret;

	ret = rte_eth_xstats_get_id_by_name(port, "ptp_polls", &id);
	if (ret == 0 && rte_eth_xstats_get_by_id(port, &id, polls, 1) != 1)
		ret = -EIO;
	return ret == 0 ? 0 : complain("no xstat ptp_polls", ret);
}

static int
measure(uint16_t port, struct row *row, unsigned int n)
{
	uint64_t before, after, tsc;
	int ret;

	ret = read_polls(port, &before);
	if (ret != 0)
		return ret;
	tsc = rte_rdtsc_precise();
	ret = call_op(port, row->op, n);
	tsc = rte_rdtsc_precise() - tsc;
	if (ret == -ETIMEDOUT)
		row->timeouts++;
	else if (ret != 0)
		return complain(op_name(row->op), ret);
	ret = read_polls(port, &after);
	if (ret != 0)
		return ret;
	samples_add(&row->polls, (double)(after - before));
	samples_add(&row->call_us, (double)tsc * 1e6 / (double)rte_get_tsc_hz());
	return 0;
}

static int
report(const struct options *options, struct row *rows)
{
	FILE *out = NULL;
	unsigned int op;

	if (options->rows != NULL) {
		out = fopen(options->rows, "a");
		if (out == NULL)
			return complain(options->rows, -errno);
	}
	row_print_header(stdout);
	for (op = 0; op < OP_COUNT; op++) {
		row_print(&rows[op], stdout);
		if (out != NULL)
			row_write(&rows[op], out);
	}
	if (out != NULL && fclose(out) != 0)
		return complain(options->rows, -errno);
	return 0;
}

static int
run(const struct options *options, uint16_t port)
{
	struct row rows[OP_COUNT] = { 0 };
	unsigned int op, round;
	int ret = 0;

	for (op = 0; op < OP_COUNT && ret == 0; op++) {
		rows[op] = (struct row){
			.op = op,
			.method = METHOD_POLLED,
			.transport = "socket",
			.hardware_us = options->hardware_us,
			.register_us = NAN,
		};
		ret = row_init(&rows[op], options->rounds) ? 0 : -ENOMEM;
	}
	for (round = 0; round < options->rounds && ret == 0; round++)
		for (op = 0; op < OP_COUNT && ret == 0; op++)
			ret = measure(port, &rows[op], round);
	if (ret == 0)
		ret = report(options, rows);
	for (op = 0; op < OP_COUNT; op++)
		row_free(&rows[op]);
	return ret;
}

int
main(int argc, char **argv)
{
	struct options options;
	uint16_t port;
	int status, ret;

	if (!parse(&options, argc, argv, &status))
		return status;
	ret = start_eal(argv[0], options.socket);
	if (ret != 0)
		return EXIT_FAILURE;
	port = rte_eth_find_next(0);
	ret = start_port(port);
	if (ret == 0)
		ret = run(&options, port);
	rte_eth_dev_stop(port);
	rte_eth_dev_close(port);
	rte_eal_cleanup();
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
