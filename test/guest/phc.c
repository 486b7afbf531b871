/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 *
 * The guest's hand on a PTP clock: reads and steers /dev/ptpN through the kernel's own interface.
 * Static, so that the initramfs needs no library.
 */
#define _GNU_SOURCE /* clock_adjtime */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include <linux/ptp_clock.h>

#define NS_PER_S 1000000000ll
#define TRIES	 5 /* reads per figure; the one with the closest bracket is the best */

static const char usage[] = "usage: phc DEVICE COMMAND\n"
			    "  get           monotonic_ns phc_ns bracket_ns\n"
			    "  set NS        set the time\n"
			    "  step NS       add to the time, may be negative\n"
			    "  freq PPB      set the rate against nominal\n"
			    "  caps          max_adj_ppb and pins\n";

static int
fail(const char *what)
{
	fprintf(stderr, "phc: %s: %s\n", what, strerror(errno));
	return 1;
}

static int64_t
now_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts) != 0)
		exit(fail("clock_gettime"));
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static int
get(clockid_t phc)
{
	int64_t best_mono_ns = 0, best_phc_ns = 0, best_ns = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t before_ns = now_ns(CLOCK_MONOTONIC_RAW);
		int64_t phc_ns = now_ns(phc);
		int64_t bracket_ns = now_ns(CLOCK_MONOTONIC_RAW) - before_ns;

		if (bracket_ns < best_ns) {
			best_ns = bracket_ns;
			best_mono_ns = before_ns + bracket_ns / 2;
			best_phc_ns = phc_ns;
		}
	}
	printf("%lld %lld %lld\n", (long long)best_mono_ns, (long long)best_phc_ns,
			(long long)best_ns);
	return 0;
}

static int
set(clockid_t phc, int64_t ns)
{
	struct timespec ts = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };

	return clock_settime(phc, &ts) == 0 ? 0 : fail("clock_settime");
}

static int
step(clockid_t phc, int64_t ns)
{
	struct timex tx = { .modes = ADJ_SETOFFSET | ADJ_NANO };

	tx.time.tv_sec = ns / NS_PER_S;
	tx.time.tv_usec = ns % NS_PER_S;
	if (tx.time.tv_usec < 0) {
		tx.time.tv_sec--;
		tx.time.tv_usec += NS_PER_S;
	}
	return clock_adjtime(phc, &tx) >= 0 ? 0 : fail("clock_adjtime(ADJ_SETOFFSET)");
}

static int
freq(clockid_t phc, int64_t ppb)
{
	/* struct timex counts in 2^-16 ppm */
	struct timex tx = { .modes = ADJ_FREQUENCY, .freq = (ppb * 65536) / 1000 };

	return clock_adjtime(phc, &tx) >= 0 ? 0 : fail("clock_adjtime(ADJ_FREQUENCY)");
}

static int
caps(int fd)
{
	struct ptp_clock_caps caps;

	memset(&caps, 0, sizeof(caps));
	if (ioctl(fd, PTP_CLOCK_GETCAPS, &caps) != 0)
		return fail("PTP_CLOCK_GETCAPS");
	printf("max_adj_ppb=%d n_ext_ts=%d n_per_out=%d cross_timestamping=%d\n", caps.max_adj,
			caps.n_ext_ts, caps.n_per_out, caps.cross_timestamping);
	return 0;
}

/* The result, -1 for a command that does not exist. */
static int
run(int fd, const char *command, const char *argument)
{
	/* the kernel's form of a clock id made of a file descriptor */
	clockid_t phc = ((~(clockid_t)fd) << 3) | 3;
	int64_t value = argument != NULL ? strtoll(argument, NULL, 10) : 0;

	if (strcmp(command, "get") == 0)
		return get(phc);
	if (strcmp(command, "caps") == 0)
		return caps(fd);
	if (argument != NULL && strcmp(command, "set") == 0)
		return set(phc, value);
	if (argument != NULL && strcmp(command, "step") == 0)
		return step(phc, value);
	if (argument != NULL && strcmp(command, "freq") == 0)
		return freq(phc, value);
	return -1;
}

int
main(int argc, char **argv)
{
	int fd, ret;

	if (argc < 3) {
		fputs(usage, stderr);
		return 2;
	}
	fd = open(argv[1], O_RDWR);
	if (fd < 0)
		return fail(argv[1]);
	ret = run(fd, argv[2], argc > 3 ? argv[3] : NULL);
	close(fd);
	if (ret < 0)
		fputs(usage, stderr);
	return ret < 0 ? 2 : ret;
}
