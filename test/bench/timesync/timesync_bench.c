/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * What a command to the PTP clock costs its caller: the driver's polled wait against Linux' ways
 * to wait, on one played PTP block, in one run and interleaved call by call, so that whatever
 * disturbs the machine disturbs all of them alike.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_cycles.h>

#include "access.h"
#include "block.h"
#include "ops.h"
#include "options.h"
#include "ptp_clock.h"
#include "rows.h"

/* One row in the making. */
struct cell {
	struct row row;
	struct access access;
	uint64_t hardware_tsc;
};

struct bench {
	struct options options;
	struct block block;
	struct dwmac_ptp ptp;
	uint64_t tsc_hz;
	unsigned int cpu[2];
	/* Over a mapped page nothing tells when the driver gets to its command: learnt before. */
	uint64_t lead_tsc[OP_COUNT];
	/* What reached the other CPU and what came back took some time, so its TSC cannot be
	 * further ahead or behind than this. */
	int64_t ahead_tsc;
	int64_t behind_tsc;
	unsigned int calls; /* so far: varies the arguments */
	struct cell *cells;
	unsigned int cell_count;
};

static volatile sig_atomic_t interrupted;

static void
on_signal(int number)
{
	interrupted = number;
}

static double
to_us(const struct bench *bench, int64_t tsc)
{
	return (double)tsc * 1e6 / (double)bench->tsc_hz;
}

static uint64_t
to_tsc(const struct bench *bench, double us)
{
	return (uint64_t)llround(us * (double)bench->tsc_hz / 1e6);
}

/* Without EAL nobody has measured the TSC. */
static uint64_t
measure_tsc_hz(void)
{
	const struct timespec pause = { .tv_nsec = 100 * 1000 * 1000 };
	struct timespec before, after;
	uint64_t tsc;
	double ns;

	clock_gettime(CLOCK_MONOTONIC_RAW, &before);
	tsc = rte_rdtsc_precise();
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_MONOTONIC_RAW, &after);
	tsc = rte_rdtsc_precise() - tsc;
	ns = (double)(after.tv_sec - before.tv_sec) * 1e9 +
	     (double)(after.tv_nsec - before.tv_nsec);
	return (uint64_t)llround((double)tsc * 1e9 / ns);
}

/* How one call went. */
struct call {
	int ret;
	uint64_t tsc;
	uint64_t start;
	uint32_t polls;
	struct block_command command;
};

static int
run_call(struct bench *bench, enum op op, struct access *access, uint64_t hardware_tsc,
		struct call *call)
{
	const uint64_t commands = bench->ptp.commands;
	const uint64_t polls = bench->ptp.polls;
	int ret;

	bench->calls++;
	call->start = rte_rdtsc_precise();
	block_expect(&bench->block, hardware_tsc, call->start + bench->lead_tsc[op]);
	call->ret = op_run(op, &bench->ptp, &access->io, bench->calls);
	call->tsc = rte_rdtsc_precise() - call->start;
	/* The driver may have given up on a thread that had no CPU; the next command must not be
	 * given before this one is through. */
	ret = block_wait(&bench->block, bench->ptp.commands, &call->command);
	if (ret != 0) {
		fprintf(stderr,
				"timesync-bench: the thread that plays the PTP block got no CPU "
				"for %d ms: is cpu %u free?\n",
				BLOCK_WAKE_LIMIT_MS, bench->cpu[1]);
		return ret;
	}
	if (bench->ptp.commands != commands + 1 || (call->ret != 0 && call->ret != -ETIMEDOUT)) {
		fprintf(stderr, "timesync-bench: %s gave %d after %u commands\n", op_name(op),
				call->ret, (unsigned int)(bench->ptp.commands - commands));
		return -EIO;
	}
	call->polls = (uint32_t)(bench->ptp.polls - polls);
	return 0;
}

/* The lead of each operation, by accesses that tell when it wrote its command. */
static int
learn(struct bench *bench)
{
	const unsigned int rounds = 200;
	struct samples leads;
	struct access access;
	struct call call;
	unsigned int op, round;
	int ret = 0;

	bench->ahead_tsc = bench->behind_tsc = INT64_MAX;
	access_timed(&access, &bench->block, bench->tsc_hz, 0, 0);
	for (op = 0; op < OP_COUNT && ret == 0; op++) {
		if (!samples_init(&leads, rounds))
			return -ENOMEM;
		for (round = 0; round < rounds && ret == 0; round++) {
			ret = run_call(bench, op, &access, 0, &call);
			samples_add(&leads, (double)(access.set - call.start));
			bench->ahead_tsc = RTE_MIN(bench->ahead_tsc,
					(int64_t)(call.command.seen - access.set));
			bench->behind_tsc = RTE_MIN(bench->behind_tsc,
					(int64_t)(call.start + call.tsc - call.command.cleared));
		}
		bench->lead_tsc[op] = (uint64_t)samples_percentile(&leads, 50);
		samples_free(&leads);
	}
	return ret;
}

static int
measure(struct bench *bench, struct cell *cell)
{
	struct row *row = &cell->row;
	struct call call;
	double late_us, call_us;
	int ret;

	ret = run_call(bench, row->op, &cell->access, cell->hardware_tsc, &call);
	if (ret != 0)
		return ret;
	call_us = to_us(bench, (int64_t)call.tsc);
	late_us = to_us(bench,
			(int64_t)(call.command.cleared - call.command.set - cell->hardware_tsc));
	samples_add(&row->polls, call.polls);
	samples_add(&row->call_us, call_us);
	samples_add(&row->late_us, late_us);
	samples_add(&row->over_us, call_us - row->hardware_us - late_us);
	if (call.ret == -ETIMEDOUT)
		row->timeouts++;
	return 0;
}

static bool
add_cell(struct bench *bench, enum op op, enum method method, double hardware_us,
		double register_us)
{
	static const double busy_us[METHOD_COUNT] = {
		[METHOD_INTERVAL_5US] = 5,
		[METHOD_FIXED_10MS] = 10000,
	};
	struct cell *cell = &bench->cells[bench->cell_count++];
	const uint64_t read_tsc = to_tsc(bench, register_us);
	const uint64_t busy_tsc = to_tsc(bench, busy_us[method]);

	cell->row.op = op;
	cell->row.method = method;
	cell->row.transport = "mapped";
	cell->row.hardware_us = hardware_us;
	cell->row.register_us = register_us;
	cell->hardware_tsc = to_tsc(bench, hardware_us);
	if (read_tsc == 0 && busy_tsc == 0)
		access_mapped(&cell->access, &bench->block, bench->tsc_hz);
	else
		access_timed(&cell->access, &bench->block, bench->tsc_hz, read_tsc, busy_tsc);
	return row_init(&cell->row, method == METHOD_FIXED_10MS ? bench->options.slow_rounds
								: bench->options.rounds);
}

static int
add_cells(struct bench *bench)
{
	const struct options *options = &bench->options;
	unsigned int op, method, h, r;

	bench->cells = calloc((size_t)OP_COUNT * METHOD_COUNT * options->hardware.count *
					      options->registers.count,
			sizeof(*bench->cells));
	if (bench->cells == NULL)
		return -ENOMEM;
	for (r = 0; r < options->registers.count; r++)
		for (h = 0; h < options->hardware.count; h++)
			for (op = 0; op < OP_COUNT; op++)
				for (method = 0; method < METHOD_COUNT; method++)
					if (!add_cell(bench, op, method, options->hardware.us[h],
							    options->registers.us[r]))
						return -ENOMEM;
	return 0;
}

/* Each round has an order of its own: a scheduler's tick may keep time with the rounds, and would
 * meet the same row again and again. */
static void
shuffle(unsigned int *order, unsigned int count, unsigned int *seed)
{
	unsigned int i, other, swapped;

	for (i = count - 1; i > 0; i--) {
		other = (unsigned int)rand_r(seed) % (i + 1);
		swapped = order[i];
		order[i] = order[other];
		order[other] = swapped;
	}
}

static int
run_round(struct bench *bench, const unsigned int *order, bool slow)
{
	struct cell *cell;
	unsigned int i;
	int ret;

	for (i = 0; i < bench->cell_count; i++) {
		if (interrupted)
			return -EINTR;
		cell = &bench->cells[order[i]];
		if (cell->row.method == METHOD_FIXED_10MS && !slow)
			continue;
		ret = measure(bench, cell);
		if (ret != 0)
			return ret;
	}
	return 0;
}

static int
run_rounds(struct bench *bench)
{
	const uint64_t rounds = bench->options.rounds;
	const uint64_t slow_rounds = bench->options.slow_rounds;
	unsigned int *order = calloc(bench->cell_count, sizeof(*order));
	unsigned int i, seed = 1;
	uint64_t round;
	int ret = 0;

	if (order == NULL)
		return -ENOMEM;
	for (i = 0; i < bench->cell_count; i++)
		order[i] = i;
	for (round = 0; round < rounds && ret == 0; round++) {
		shuffle(order, bench->cell_count, &seed);
		/* The slow ones are spread over the run. */
		ret = run_round(bench, order,
				round * slow_rounds / rounds != (round + 1) * slow_rounds / rounds);
	}
	free(order);
	return ret;
}

/* The two CPUs of this process that the played block and the driver get. */
static int
pin(struct bench *bench)
{
	unsigned int cpu, found = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return -errno;
	for (cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++)
		if (CPU_ISSET(cpu, &set))
			bench->cpu[found++] = cpu;
	if (found < 2) {
		fprintf(stderr, "timesync-bench: two CPUs are needed, one for the driver and one "
				"for the device: allow this process another (taskset)\n");
		return -ENODEV;
	}
	CPU_ZERO(&set);
	CPU_SET(bench->cpu[0], &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0 ? 0 : -errno;
}

static int
start_clock(struct bench *bench)
{
	const struct dwmac_time now = { .s = 1 };
	struct access access;
	int ret;

	bench->ptp.base = BLOCK_BASE;
	bench->ptp.clk_hz = BLOCK_CLOCK_HZ;
	access_mapped(&access, &bench->block, bench->tsc_hz);
	block_expect(&bench->block, 0, rte_rdtsc_precise());
	/* A start needs several commands and the thread may still be waking up. */
	do {
		ret = dwmac_ptp_start(&bench->ptp, &access.io, &now, DWMAC_PTP_FILTER_NONE);
		if (block_wait(&bench->block, bench->ptp.commands, NULL) != 0)
			break;
	} while (ret == -ETIMEDOUT && !interrupted);
	if (ret != 0)
		fprintf(stderr, "timesync-bench: the clock does not start: %s\n", strerror(-ret));
	return ret;
}

static void
print_summary(struct bench *bench)
{
	double worst_us = 0;
	unsigned int i, timeouts = 0;
	struct row *row;

	for (i = 0; i < bench->cell_count; i++) {
		row = &bench->cells[i].row;
		timeouts += row->timeouts;
		if (row->method == METHOD_POLLED && row->register_us == 0)
			worst_us = RTE_MAX(worst_us,
					samples_percentile(&row->call_us, 50) - row->hardware_us);
	}
	printf("\nhw_us, reg_us: what the played block and a register read take. polls: reads "
	       "after the command.\nlate_*: how much later than it says the block finished. "
	       "over_*: a call beyond hw_us and that lateness.\n");
	if (timeouts != 0)
		printf("timed out: the thread that plays the block was off its CPU for more than "
		       "the %u us the driver waits.\n",
				DWMAC_PTP_TIMEOUT_US);
	printf("TSC of cpu %u against that of cpu %u: at most %.2f us ahead, %.2f us behind\n",
			bench->cpu[1], bench->cpu[0], to_us(bench, bench->ahead_tsc),
			to_us(bench, bench->behind_tsc));
	printf("polled, free reads: medians exceed the hardware's time by at most %.2f us\n",
			worst_us);
}

static int
report(struct bench *bench)
{
	FILE *rows = NULL;
	unsigned int i;
	int ret = 0;

	if (bench->options.rows != NULL) {
		rows = fopen(bench->options.rows, "a");
		if (rows == NULL) {
			fprintf(stderr, "timesync-bench: cannot write %s: %s\n",
					bench->options.rows, strerror(errno));
			return -EIO;
		}
	}
	row_print_header(stdout);
	for (i = 0; i < bench->cell_count; i++) {
		row_print(&bench->cells[i].row, stdout);
		if (rows != NULL)
			row_write(&bench->cells[i].row, rows);
	}
	print_summary(bench);
	if (rows != NULL && fclose(rows) != 0) {
		fprintf(stderr, "timesync-bench: cannot write %s: %s\n", bench->options.rows,
				strerror(errno));
		ret = -EIO;
	}
	return ret;
}

static int
run(struct bench *bench)
{
	int ret;

	ret = pin(bench);
	if (ret != 0)
		return ret;
	bench->tsc_hz = measure_tsc_hz();
	ret = block_start(&bench->block, bench->cpu[1]);
	if (ret != 0) {
		fprintf(stderr, "timesync-bench: no thread on cpu %u: %s\n", bench->cpu[1],
				strerror(-ret));
		return ret;
	}
	ret = start_clock(bench);
	if (ret == 0)
		ret = learn(bench);
	if (ret == 0)
		ret = add_cells(bench);
	if (ret == 0)
		ret = run_rounds(bench);
	block_stop(&bench->block);
	return ret == 0 ? report(bench) : ret;
}

int
main(int argc, char **argv)
{
	const struct sigaction action = { .sa_handler = on_signal };
	static struct bench bench;
	unsigned int i;
	int status, ret;

	if (options_parse(&bench.options, argc, argv, &status) != 0)
		return status;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	ret = run(&bench);
	for (i = 0; i < bench.cell_count; i++)
		row_free(&bench.cells[i].row);
	free(bench.cells);
	if (interrupted)
		return 128 + interrupted;
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
