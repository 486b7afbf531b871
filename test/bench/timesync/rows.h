/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef ROWS_H
#define ROWS_H

/* Samples, their percentiles, and rows of figures for people and for programs. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum op {
	OP_ADJUST_FREQ,
	OP_ADJUST_TIME,
	OP_WRITE_TIME,
	OP_COUNT,
};

enum method {
	METHOD_POLLED,
	METHOD_INTERVAL_5US,
	METHOD_FIXED_10MS,
	METHOD_COUNT,
};

const char *op_name(enum op op);
const char *method_name(enum method method);

struct samples {
	double *values;
	unsigned int count;
	unsigned int room;
};

/* False: no room or no memory. */
bool samples_init(struct samples *samples, unsigned int room);
bool samples_add(struct samples *samples, double value);
void samples_free(struct samples *samples);
/* The smallest value that at least `percent` of the samples do not exceed; 0 < percent <= 100.
 * NAN of none. Sorts. */
double samples_percentile(struct samples *samples, double percent);

struct row {
	enum op op;
	enum method method;
	const char *transport;
	/* NAN: not known, as behind a socket, where the device's time is the model's. */
	double hardware_us;
	double register_us;
	unsigned int timeouts;
	struct samples polls;
	struct samples call_us;
	struct samples late_us; /* the block finished later than it says by this */
	struct samples over_us; /* of each call: beyond the time the block took, lateness and all */
};

bool row_init(struct row *row, unsigned int room);
void row_free(struct row *row);

void row_print_header(FILE *out);
void row_print(struct row *row, FILE *out);
/* One JSON object on one line. */
void row_write(struct row *row, FILE *out);

#endif /* ROWS_H */
