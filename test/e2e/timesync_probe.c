/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * timesync_probe EAL-ARGUMENT… : the timesync calls of ethdev, by hand.
 *
 * Starts every port and reads commands from stdin, one a line; each is answered by one line: the
 * call's return value, then what it gave. Calls that take time are framed by CLOCK_MONOTONIC.
 *
 *   enable P | disable P | restart P
 *   read P            ret before_ns after_ns s ns
 *   write P S NS      ret before_ns after_ns
 *   adjust P NS       ret before_ns after_ns
 *   freq P SCALED_PPM ret before_ns after_ns
 *   send P WANT HEX   ret before_ns after_ns    WANT 1: asks for a stamp
 *   txstamp P US      ret s ns                  waits that long at most
 *   recv P US         ret ptp stamped flags     one packet
 *   rxstamp P FLAGS   ret s ns
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <rte_pmd_dwmac.h>

#define RING	  256
#define NB_MBUFS  2047
#define FRAME_MAX 1514

static struct rte_mempool *pool;
static struct timespec result;

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static int
start_port(uint16_t port)
{
	const struct rte_eth_conf conf = { 0 };
	struct rte_eth_link link;
	int ret = rte_eth_dev_configure(port, 1, 1, &conf);

	if (ret == 0)
		ret = rte_eth_rx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(port, 0, RING, SOCKET_ID_ANY, NULL);
	if (ret == 0)
		ret = rte_eth_promiscuous_enable(port);
	if (ret == 0)
		ret = rte_eth_dev_start(port);
	if (ret == 0)
		ret = rte_eth_link_get(port, &link);
	if (ret == 0 && link.link_status != RTE_ETH_LINK_UP)
		ret = -ENOLINK;
	return ret;
}

static int
restart_port(uint16_t port)
{
	int ret = rte_eth_dev_stop(port);

	return ret == 0 ? start_port(port) : ret;
}

/* Hexadecimal digits up to the line's end. */
static int
send_frame(uint16_t port, const char *args)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	unsigned int want, byte;
	int skip = 0, used = 0;
	char *data;

	if (m == NULL || sscanf(args, "%u %n", &want, &skip) != 1) {
		rte_pktmbuf_free(m);
		return -EINVAL;
	}
	while (m->pkt_len < FRAME_MAX && sscanf(args + skip, "%2x%n", &byte, &used) == 1) {
		data = rte_pktmbuf_append(m, 1);
		*data = (char)byte;
		skip += used;
	}
	if (want)
		m->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
	if (rte_eth_tx_burst(port, 0, &m, 1) == 1)
		return 0;
	rte_pktmbuf_free(m);
	return -EAGAIN;
}

static int
wait_tx_stamp(uint16_t port, int64_t us)
{
	const int64_t deadline_ns = now_ns() + us * 1000;
	int ret;

	do {
		ret = rte_eth_timesync_read_tx_timestamp(port, &result);
	} while (ret == -EINVAL && now_ns() < deadline_ns);
	return ret;
}

static void
receive(uint16_t port, int64_t us)
{
	const int64_t deadline_ns = now_ns() + us * 1000;
	struct rte_mbuf *m;
	uint16_t n;

	do {
		n = rte_eth_rx_burst(port, 0, &m, 1);
	} while (n == 0 && now_ns() < deadline_ns);
	if (n == 0) {
		printf("%d\n", -EAGAIN);
		return;
	}
	printf("0 %d %d %u\n", (m->ol_flags & RTE_MBUF_F_RX_IEEE1588_PTP) != 0,
			(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST) != 0, m->timesync);
	rte_pktmbuf_free(m);
}

/* Calls whose moment matters. */
static bool
timed(const char *verb, uint16_t port, const char *args)
{
	const bool reads = strcmp(verb, "read") == 0;
	const int64_t number = strtoll(args, NULL, 0);
	struct timespec ts = { .tv_sec = number };
	int64_t before_ns, after_ns;
	int ret;

	if (sscanf(args, "%*d %ld", &ts.tv_nsec) != 1)
		ts.tv_nsec = 0;
	before_ns = now_ns();
	if (reads)
		ret = rte_eth_timesync_read_time(port, &result);
	else if (strcmp(verb, "write") == 0)
		ret = rte_eth_timesync_write_time(port, &ts);
	else if (strcmp(verb, "adjust") == 0)
		ret = rte_eth_timesync_adjust_time(port, number);
	else if (strcmp(verb, "freq") == 0)
		ret = rte_pmd_dwmac_timesync_adjust_freq(port, number);
	else if (strcmp(verb, "send") == 0)
		ret = send_frame(port, args);
	else
		return false;
	after_ns = now_ns();
	printf("%d %" PRId64 " %" PRId64, ret, before_ns, after_ns);
	if (reads)
		printf(" %" PRId64 " %ld", (int64_t)result.tv_sec, result.tv_nsec);
	putchar('\n');
	return true;
}

static void
execute(const char *verb, uint16_t port, const char *args)
{
	const int64_t number = strtoll(args, NULL, 0);
	int ret;

	memset(&result, 0, sizeof(result));
	if (timed(verb, port, args))
		return;
	if (strcmp(verb, "enable") == 0) {
		printf("%d\n", rte_eth_timesync_enable(port));
	} else if (strcmp(verb, "disable") == 0) {
		printf("%d\n", rte_eth_timesync_disable(port));
	} else if (strcmp(verb, "restart") == 0) {
		printf("%d\n", restart_port(port));
	} else if (strcmp(verb, "recv") == 0) {
		receive(port, number);
	} else if (strcmp(verb, "txstamp") == 0) {
		ret = wait_tx_stamp(port, number);
		printf("%d %" PRId64 " %ld\n", ret, (int64_t)result.tv_sec, result.tv_nsec);
	} else if (strcmp(verb, "rxstamp") == 0) {
		ret = rte_eth_timesync_read_rx_timestamp(port, &result, (uint32_t)number);
		printf("%d %" PRId64 " %ld\n", ret, (int64_t)result.tv_sec, result.tv_nsec);
	} else {
		printf("? %s\n", verb);
	}
}

static void
serve(void)
{
	char line[2 * FRAME_MAX + 64], verb[16];
	unsigned int port;
	int args = 0;

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "%15s %u %n", verb, &port, &args) == 2)
			execute(verb, port, line + args);
		else
			puts("?");
		fflush(stdout);
	}
}

int
main(int argc, char **argv)
{
	uint16_t port;
	int ret = rte_eal_init(argc, argv);

	if (ret < 0)
		return EXIT_FAILURE;
	pool = rte_pktmbuf_pool_create(
			"probe", NB_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (pool == NULL) {
		fputs("no memory for mbufs\n", stderr);
		return EXIT_FAILURE;
	}
	RTE_ETH_FOREACH_DEV (port) {
		ret = start_port(port);
		if (ret != 0) {
			fprintf(stderr, "port %u: %s\n", port, strerror(-ret));
			return EXIT_FAILURE;
		}
	}
	serve();
	RTE_ETH_FOREACH_DEV (port) {
		rte_eth_dev_stop(port);
		rte_eth_dev_close(port);
	}
	return rte_eal_cleanup() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
