/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <math.h>
#include <stdlib.h>

#include "rows.h"

const char *
op_name(enum op op)
{
	static const char *const names[OP_COUNT] = {
		[OP_ADJUST_FREQ] = "adjust_freq",
		[OP_ADJUST_TIME] = "adjust_time",
		[OP_WRITE_TIME] = "write_time",
	};

	return names[op];
}

const char *
method_name(enum method method)
{
	static const char *const names[METHOD_COUNT] = {
		[METHOD_POLLED] = "polled",
		[METHOD_INTERVAL_5US] = "interval_5us",
		[METHOD_FIXED_10MS] = "fixed_10ms",
	};

	return names[method];
}

bool
samples_init(struct samples *samples, unsigned int room)
{
	samples->values = calloc(room, sizeof(*samples->values));
	samples->count = 0;
	samples->room = samples->values == NULL ? 0 : room;
	return samples->values != NULL;
}

bool
samples_add(struct samples *samples, double value)
{
	if (samples->count == samples->room)
		return false;
	samples->values[samples->count++] = value;
	return true;
}

void
samples_free(struct samples *samples)
{
	free(samples->values);
	samples->values = NULL;
	samples->count = samples->room = 0;
}

static int
compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double
samples_percentile(struct samples *samples, double percent)
{
	double rank;

	if (samples->count == 0)
		return NAN;
	qsort(samples->values, samples->count, sizeof(*samples->values), compare);
	rank = ceil(percent / 100 * samples->count);
	return samples->values[rank < 1 ? 0 : (unsigned int)rank - 1];
}

bool
row_init(struct row *row, unsigned int room)
{
	return samples_init(&row->polls, room) && samples_init(&row->call_us, room) &&
	       samples_init(&row->late_us, room) && samples_init(&row->over_us, room);
}

void
row_free(struct row *row)
{
	samples_free(&row->polls);
	samples_free(&row->call_us);
	samples_free(&row->late_us);
	samples_free(&row->over_us);
}

void
row_print_header(FILE *out)
{
	fprintf(out, "%-12s %-13s %-7s %6s %6s %6s %6s %9s %9s %9s %8s %8s %8s %8s\n", "op",
			"method", "via", "hw_us", "reg_us", "calls", "polls", "p50_us", "p99_us",
			"max_us", "over_p50", "over_p99", "late_p50", "late_p99");
}

static void
print_or_dash(FILE *out, int width, int digits, double value)
{
	if (isnan(value))
		fprintf(out, " %*s", width, "-");
	else
		fprintf(out, " %*.*f", width, digits, value);
}

void
row_print(struct row *row, FILE *out)
{
	fprintf(out, "%-12s %-13s %-7s", op_name(row->op), method_name(row->method),
			row->transport);
	print_or_dash(out, 6, 1, row->hardware_us);
	print_or_dash(out, 6, 1, row->register_us);
	fprintf(out, " %6u", row->call_us.count);
	print_or_dash(out, 6, 0, samples_percentile(&row->polls, 50));
	print_or_dash(out, 9, 2, samples_percentile(&row->call_us, 50));
	print_or_dash(out, 9, 2, samples_percentile(&row->call_us, 99));
	print_or_dash(out, 9, 2, samples_percentile(&row->call_us, 100));
	print_or_dash(out, 8, 2, samples_percentile(&row->over_us, 50));
	print_or_dash(out, 8, 2, samples_percentile(&row->over_us, 99));
	print_or_dash(out, 8, 2, samples_percentile(&row->late_us, 50));
	print_or_dash(out, 8, 2, samples_percentile(&row->late_us, 99));
	if (row->timeouts != 0)
		fprintf(out, "  %u timed out", row->timeouts);
	fputc('\n', out);
}

/* What is not known is null: NaN is no JSON. */
static void
write_number(FILE *out, const char *name, double value)
{
	if (isnan(value))
		fprintf(out, ", \"%s\": null", name);
	else
		fprintf(out, ", \"%s\": %g", name, value);
}

static void
write_percentiles(FILE *out, const char *name, struct samples *samples)
{
	fprintf(out, ", \"%s_p50\": %.3f, \"%s_p99\": %.3f, \"%s_max\": %.3f", name,
			samples_percentile(samples, 50), name, samples_percentile(samples, 99),
			name, samples_percentile(samples, 100));
}

void
row_write(struct row *row, FILE *out)
{
	fprintf(out, "{\"op\": \"%s\", \"method\": \"%s\", \"transport\": \"%s\"", op_name(row->op),
			method_name(row->method), row->transport);
	write_number(out, "hardware_us", row->hardware_us);
	write_number(out, "register_us", row->register_us);
	fprintf(out, ", \"calls\": %u, \"timeouts\": %u", row->call_us.count, row->timeouts);
	write_number(out, "polls", samples_percentile(&row->polls, 50));
	write_percentiles(out, "call_us", &row->call_us);
	if (row->late_us.count != 0) {
		write_percentiles(out, "hardware_late_us", &row->late_us);
		write_percentiles(out, "over_us", &row->over_us);
	}
	fputs("}\n", out);
}
