/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * Channels that do not come to rest when the port stops. As long as they may still write, nothing
 * they know of may be used for anything else: neither buffers nor rings.
 */

#include <errno.h>

#include <rte_ethdev.h>
#include <rte_string_fns.h>

#include "fake_core.h"
#include "rig.h"

#define NB_MBUFS 512
#define RX_HELD	 63 /* all entries but one of a ring of 64 */
#define TX_HELD	 3
#define COUNTER	 0x0780 /* MMC: rx_packets_gb */

static struct rte_mempool *pool;
static struct fake_core core;

static int
setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("stop", NB_MBUFS, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	return pool == NULL ? -1 : 0;
}

static void
start(const char *name)
{
	const struct rte_eth_conf conf = { 0 };

	fake_open(&core, name);
	fake_configure(&core, 1, &conf, pool);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	fake_hurry(&core);
}

static void
send_some(void)
{
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < TX_HELD; i++) {
		m = rig_mbuf(pool, 1, 60);
		assert_int_equal(rte_eth_tx_burst(core.port_id, 0, &m, 1), 1);
	}
}

static const struct rte_memzone *
rx_ring(void)
{
	const struct dwmac_rxq *rxq = rte_eth_devices[core.port_id].data->rx_queues[0];

	return rxq->mz;
}

static const struct rte_memzone *
tx_ring(void)
{
	const struct dwmac_txq *txq = rte_eth_devices[core.port_id].data->tx_queues[0];

	return txq->mz;
}

static void
assert_all_back(void)
{
	assert_int_equal(checked_pool_count(pool), NB_MBUFS);
	assert_int_equal(checked_pool_faults(pool), 0);
}

static void
stops_without_a_reset_when_the_channels_do(void **state)
{
	char rx[RTE_MEMZONE_NAMESIZE], tx[RTE_MEMZONE_NAMESIZE];

	(void)state;
	start("net_stops");
	rte_strscpy(rx, rx_ring()->name, sizeof(rx));
	rte_strscpy(tx, tx_ring()->name, sizeof(tx));
	assert_int_equal(core.nb_resets, 1); /* at probe */
	send_some();
	assert_int_equal(checked_pool_count(pool), NB_MBUFS - RX_HELD - TX_HELD);
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(core.nb_resets, 1);
	assert_all_back();
	fake_close(&core);
	assert_null(rte_memzone_lookup(rx));
	assert_null(rte_memzone_lookup(tx));
}

/* The buffers come back, and only then: at the moment of the reset all are still out. */
static void
reset_frees_what_a_busy_channel_held(bool tx)
{
	start(tx ? "net_tx_busy" : "net_rx_busy");
	send_some();
	core.tx_busy = tx;
	core.rx_busy = !tx;
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(core.nb_resets, 2);
	assert_int_equal(core.in_pool_at_reset, NB_MBUFS - RX_HELD - TX_HELD);
	assert_all_back();
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	assert_int_equal(checked_pool_count(pool), NB_MBUFS - RX_HELD);
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(core.nb_resets, 2);
	fake_close(&core);
	assert_all_back();
}

static void
a_tx_channel_that_stays_busy_has_the_core_reset(void **state)
{
	(void)state;
	reset_frees_what_a_busy_channel_held(true);
}

static void
an_rx_channel_that_stays_busy_has_the_core_reset(void **state)
{
	(void)state;
	reset_frees_what_a_busy_channel_held(false);
}

static void
the_clock_goes_on_after_that_reset(void **state)
{
	struct timespec ts = { .tv_sec = 1700000000, .tv_nsec = 5 };
	uint32_t addend;

	(void)state;
	start("net_clock");
	assert_int_equal(rte_eth_timesync_enable(core.port_id), 0);
	assert_int_equal(rte_eth_timesync_write_time(core.port_id, &ts), 0);
	assert_int_equal(dwmac_timesync_adjust_freq(&rte_eth_devices[core.port_id], 65536 * 50), 0);
	addend = fake_peek(&core, REG_PTP_ADDEND);
	core.tx_busy = true;
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(core.nb_resets, 2);
	assert_int_equal(fake_peek(&core, REG_PTP_SECONDS), 1700000000);
	assert_int_equal(fake_peek(&core, REG_PTP_ADDEND), addend);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	assert_int_equal(rte_eth_timesync_read_time(core.port_id, &ts), 0);
	assert_int_equal(ts.tv_sec, 1700000000);
	fake_close(&core);
}

/* The hardware's counters begin again; the sums over them do not jump. */
static void
counters_go_on_after_that_reset(void **state)
{
	(void)state;
	start("net_counters");
	fake_poke(&core, COUNTER, 1000);
	assert_int_equal(fake_xstat(&core, "mmc_rx_packets_gb"), 1000);
	core.rx_busy = true;
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(fake_xstat(&core, "mmc_rx_packets_gb"), 1000);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	fake_poke(&core, COUNTER, 7);
	assert_int_equal(fake_xstat(&core, "mmc_rx_packets_gb"), 1007);
	fake_close(&core);
}

static void
a_device_that_is_gone_gives_everything_back(void **state)
{
	(void)state;
	start("net_gone");
	send_some();
	core.gone = true;
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_all_back();
	fake_close(&core);
}

/* Last: what it takes is lost on purpose. */
static void
a_reset_that_never_ends_leaves_the_memory_to_the_device(void **state)
{
	const struct rte_memzone *rx, *tx;
	uint16_t port_id;
	uint32_t before;

	(void)state;
	start("net_wedged");
	send_some();
	rx = rx_ring();
	tx = tx_ring();
	port_id = core.port_id;
	before = rig_status(rx->addr, 0);
	assert_true(before & OWN);
	core.tx_busy = true;
	core.reset_hangs = true;
	assert_int_equal(rte_eth_dev_stop(core.port_id), -ETIMEDOUT);
	assert_int_equal(checked_pool_count(pool), NB_MBUFS - RX_HELD - TX_HELD);

	/* Even if it recovers: nobody knows what it has in hand. */
	core.tx_busy = false;
	core.reset_hangs = false;
	assert_int_equal(rte_eth_dev_start(core.port_id), -EIO);
	assert_int_equal(core.nb_resets, 1);

	fake_close(&core);
	assert_int_equal(checked_pool_count(pool), NB_MBUFS - RX_HELD - TX_HELD);
	assert_int_equal(checked_pool_faults(pool), 0);
	assert_ptr_equal(rte_memzone_lookup(rx->name), rx);
	assert_ptr_equal(rte_memzone_lookup(tx->name), tx);

	/* The next port gets the id, but not the rings. */
	start("net_next");
	assert_int_equal(core.port_id, port_id);
	assert_true(rx_ring() != rx);
	assert_true(tx_ring() != tx);
	assert_int_equal(rig_status(rx->addr, 0), before);
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	fake_close(&core);
}

/* Also after a test that failed half-way. */
static int
tidy(void **state)
{
	(void)state;
	if (rte_eth_dev_is_valid_port(core.port_id))
		fake_close(&core);
	return 0;
}

#define STOP_TEST(function) cmocka_unit_test_teardown(function, tidy)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		STOP_TEST(stops_without_a_reset_when_the_channels_do),
		STOP_TEST(a_tx_channel_that_stays_busy_has_the_core_reset),
		STOP_TEST(an_rx_channel_that_stays_busy_has_the_core_reset),
		STOP_TEST(the_clock_goes_on_after_that_reset),
		STOP_TEST(counters_go_on_after_that_reset),
		STOP_TEST(a_device_that_is_gone_gives_everything_back),
		STOP_TEST(a_reset_that_never_ends_leaves_the_memory_to_the_device),
	};

	return RUN_TESTS(tests, setup, rig_eal_teardown);
}
