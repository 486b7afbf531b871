/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * contract_probe EAL-ARGUMENT… : ports by hand, events included.
 *
 * Starts nothing by itself. Reads commands from stdin, one a line; each is answered by one line,
 * the call's return value first. EVENT is lsc, rmv or reset.
 *
 *   configure P LPBK LSC RMV           one queue each way
 *   rxq P plain|deferred|pinned        pinned: a pool of external buffers
 *   txq P plain|deferred
 *   start P | stop P | close P
 *   up P | down P                      rte_eth_dev_set_link_up(), …_down()
 *   link P             ret status mbps
 *   promisc P | allmulti P | address P  enable; another address
 *   removed P | valid P
 *   send P                             one frame
 *   loopback P         ret             a frame sent comes back, within a second
 *   on P EVENT nothing|stop|close      what the callback of this event does; close stops first
 *   wait P EVENT N MS  ret count result status
 *                      until there were N; result of what the last one did, link it saw
 *   mbufs 0            0 in-use
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>

#define RING	  256
#define NB_MBUFS  2047
#define DATA_ROOM 2048
#define MAX_PORTS 8

enum action { NOTHING, STOP, CLOSE };

static const struct {
	const char *name;
	enum rte_eth_event_type type;
} events[] = {
	{ "lsc", RTE_ETH_EVENT_INTR_LSC },
	{ "rmv", RTE_ETH_EVENT_INTR_RMV },
	{ "reset", RTE_ETH_EVENT_INTR_RESET },
};

/* Written by EAL's interrupt thread; count last. */
struct seen {
	enum action action; /* set before the event can come */
	int result;
	int status;
	unsigned int count; /* atomic */
};

static struct seen seen[MAX_PORTS][RTE_DIM(events)];
static struct rte_mempool *pool;

static int
stop_and(uint16_t port, enum action action)
{
	int ret = rte_eth_dev_stop(port);

	return ret == 0 && action == CLOSE ? rte_eth_dev_close(port) : ret;
}

static int
on_event(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret_arg)
{
	const unsigned int kind = (unsigned int)(uintptr_t)arg;
	struct seen *s = &seen[port][kind];
	struct rte_eth_link link = { 0 };

	(void)type;
	(void)ret_arg;
	rte_eth_link_get_nowait(port, &link);
	s->status = link.link_status;
	s->result = s->action == NOTHING ? 0 : stop_and(port, s->action);
	__atomic_fetch_add(&s->count, 1, __ATOMIC_RELEASE);
	return 0;
}

static int
configure(uint16_t port, const char *args)
{
	struct rte_eth_conf conf = { 0 };
	unsigned int lpbk, lsc, rmv;

	if (sscanf(args, "%u %u %u", &lpbk, &lsc, &rmv) != 3)
		return -EINVAL;
	conf.lpbk_mode = lpbk;
	conf.intr_conf.lsc = lsc & 1;
	conf.intr_conf.rmv = rmv & 1;
	return rte_eth_dev_configure(port, 1, 1, &conf);
}

/* Made once; the memory is EAL's and stays. */
static struct rte_mempool *
pinned_pool(void)
{
	static struct rte_mempool *pinned;
	struct rte_pktmbuf_extmem memory = {
		.buf_len = NB_MBUFS * DATA_ROOM,
		.elt_size = DATA_ROOM,
	};

	if (pinned != NULL)
		return pinned;
	memory.buf_ptr = rte_malloc("pinned", memory.buf_len, DATA_ROOM);
	if (memory.buf_ptr == NULL)
		return NULL;
	memory.buf_iova = rte_malloc_virt2iova(memory.buf_ptr);
	pinned = rte_pktmbuf_pool_create_extbuf(
			"pinned", NB_MBUFS, 0, 0, DATA_ROOM, SOCKET_ID_ANY, &memory, 1);
	return pinned;
}

static int
set_up_rxq(uint16_t port, const char *kind)
{
	const struct rte_eth_rxconf conf = {
		.rx_deferred_start = strcmp(kind, "deferred") == 0,
	};
	struct rte_mempool *from = strcmp(kind, "pinned") == 0 ? pinned_pool() : pool;

	return from == NULL ? -ENOMEM
			    : rte_eth_rx_queue_setup(port, 0, RING, SOCKET_ID_ANY, &conf, from);
}

static int
set_up_txq(uint16_t port, const char *kind)
{
	const struct rte_eth_txconf conf = {
		.tx_deferred_start = strcmp(kind, "deferred") == 0,
	};

	return rte_eth_tx_queue_setup(port, 0, RING, SOCKET_ID_ANY, &conf);
}

static int
send_pattern(uint16_t port)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	if (m == NULL)
		return -ENOMEM;
	memset(rte_pktmbuf_append(m, 60), 0x5a, 60);
	memset(rte_pktmbuf_mtod(m, void *), 0xff, RTE_ETHER_ADDR_LEN); /* to everybody */
	if (rte_eth_tx_burst(port, 0, &m, 1) == 1)
		return 0;
	rte_pktmbuf_free(m);
	return -EAGAIN;
}

static int
loopback(uint16_t port)
{
	int ret = send_pattern(port);
	struct rte_mbuf *m;
	unsigned int ms;

	for (ms = 0; ret == 0 && ms < 1000; ms++) {
		if (rte_eth_rx_burst(port, 0, &m, 1) == 1) {
			ret = m->pkt_len == 60 && rte_pktmbuf_mtod(m, uint8_t *)[59] == 0x5a
					      ? 0
					      : -EBADMSG;
			rte_pktmbuf_free(m);
			return ret;
		}
		rte_delay_us_sleep(1000);
	}
	return ret == 0 ? -ETIMEDOUT : ret;
}

static struct seen *
find_event(uint16_t port, const char *args)
{
	char name[16] = "";
	unsigned int i;

	if (sscanf(args, "%15s", name) != 1)
		return NULL;
	for (i = 0; i < RTE_DIM(events); i++) {
		if (strcmp(events[i].name, name) == 0)
			return &seen[port][i];
	}
	return NULL;
}

static bool
set_action(uint16_t port, const char *args)
{
	struct seen *s = find_event(port, args);
	char action[16] = "";

	if (s == NULL || sscanf(args, "%*s %15s", action) != 1)
		return false;
	s->action = strcmp(action, "stop") == 0	   ? STOP
		    : strcmp(action, "close") == 0 ? CLOSE
						   : NOTHING;
	puts("0");
	return true;
}

static bool
wait_event(uint16_t port, const char *args)
{
	struct seen *s = find_event(port, args);
	unsigned int wanted, ms, count;

	if (s == NULL || sscanf(args, "%*s %u %u", &wanted, &ms) != 2)
		return false;
	while ((count = __atomic_load_n(&s->count, __ATOMIC_ACQUIRE)) < wanted && ms-- > 0)
		rte_delay_us_sleep(1000);
	printf("%d %u %d %d\n", count < wanted ? -ETIMEDOUT : 0, count, s->result, s->status);
	return true;
}

static int
set_address(uint16_t port)
{
	struct rte_ether_addr address = { { 2, 0, 0, 0, 0, 9 } };

	return rte_eth_dev_default_mac_addr_set(port, &address);
}

/* Calls that take a port and nothing else. */
static const struct {
	const char *verb;
	int (*call)(uint16_t port);
} calls[] = {
	{ "start", rte_eth_dev_start },
	{ "stop", rte_eth_dev_stop },
	{ "close", rte_eth_dev_close },
	{ "up", rte_eth_dev_set_link_up },
	{ "down", rte_eth_dev_set_link_down },
	{ "promisc", rte_eth_promiscuous_enable },
	{ "allmulti", rte_eth_allmulticast_enable },
	{ "address", set_address },
	{ "removed", rte_eth_dev_is_removed },
	{ "valid", rte_eth_dev_is_valid_port },
	{ "send", send_pattern },
	{ "loopback", loopback },
};

static bool
execute(const char *verb, uint16_t port, const char *args)
{
	struct rte_eth_link link = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < RTE_DIM(calls); i++) {
		if (strcmp(calls[i].verb, verb) == 0) {
			printf("%d\n", calls[i].call(port));
			return true;
		}
	}
	if (strcmp(verb, "on") == 0)
		return set_action(port, args);
	if (strcmp(verb, "wait") == 0)
		return wait_event(port, args);
	if (strcmp(verb, "configure") == 0) {
		printf("%d\n", configure(port, args));
	} else if (strcmp(verb, "rxq") == 0) {
		printf("%d\n", set_up_rxq(port, args));
	} else if (strcmp(verb, "txq") == 0) {
		printf("%d\n", set_up_txq(port, args));
	} else if (strcmp(verb, "link") == 0) {
		ret = rte_eth_link_get_nowait(port, &link);
		printf("%d %u %u\n", ret, link.link_status, link.link_speed);
	} else if (strcmp(verb, "mbufs") == 0) {
		printf("0 %u\n", rte_mempool_in_use_count(pool));
	} else {
		return false;
	}
	return true;
}

static void
serve(void)
{
	char line[256], verb[16];
	unsigned int port;
	int args = 0;

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%15s %u %n", verb, &port, &args) != 2 || port >= MAX_PORTS ||
				!execute(verb, port, line + args))
			puts("?");
		fflush(stdout);
	}
}

int
main(int argc, char **argv)
{
	unsigned int i;
	uint16_t port;

	if (rte_eal_init(argc, argv) < 0)
		return EXIT_FAILURE;
	pool = rte_pktmbuf_pool_create(
			"probe", NB_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	if (pool == NULL) {
		fputs("no memory for mbufs\n", stderr);
		return EXIT_FAILURE;
	}
	for (i = 0; i < RTE_DIM(events); i++)
		rte_eth_dev_callback_register(
				RTE_ETH_ALL, events[i].type, on_event, (void *)(uintptr_t)i);
	serve();
	RTE_ETH_FOREACH_DEV (port) {
		rte_eth_dev_stop(port);
		rte_eth_dev_close(port);
	}
	return rte_eal_cleanup() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
