/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* What a port refuses and what it counts. */

#include <errno.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "fake_core.h"
#include "rig.h"

/* Ethernet header, FCS and two VLAN tags */
#define OVERHEAD  26
#define NB_XSTATS 256
#define DATA_ROOM 2048
#define NB_QUEUES 2

static struct rte_mempool *pool;
static struct fake_core core;

static int
setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("port", 512, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	return pool == NULL ? -1 : 0;
}

static int
open_port(void **state)
{
	(void)state;
	fake_open(&core, "net_port");
	return 0;
}

static int
close_port(void **state)
{
	(void)state;
	fake_close(&core);
	return 0;
}

/* ---- MTU against FIFO ---- */

static void
configure_mtu(uint16_t nb, uint32_t mtu)
{
	const struct rte_eth_conf conf = {
		.rxmode.mtu = mtu,
		.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER,
	};

	fake_configure(&core, nb, &conf, pool);
}

/* Store and forward: a frame with all it may carry fits a queue's share, to the byte. */
static void
an_mtu_fits_the_share_of_a_queue(void **state)
{
	const uint16_t most = FAKE_FIFO_BYTES / 4 - OVERHEAD;

	(void)state;
	configure_mtu(4, 1500);
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, most), 0);
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, most + 1), -EINVAL);
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, 9000), -EINVAL);
	configure_mtu(3, 1500);
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, 9000), 0);
}

static void
start_looks_at_the_fifo_as_well(void **state)
{
	(void)state;
	configure_mtu(4, FAKE_FIFO_BYTES / 4 - OVERHEAD + 1);
	assert_int_equal(rte_eth_dev_start(core.port_id), -EINVAL);
	assert_int_equal(checked_pool_count(pool), 512);
	configure_mtu(4, FAKE_FIFO_BYTES / 4 - OVERHEAD);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
}

/* TX and RX may have different FIFOs: the smaller share decides. */
static void
the_smaller_fifo_decides(void **state)
{
	struct dwmac_caps *caps = &fake_dwmac_port(&core)->caps;

	(void)state;
	configure_mtu(1, 1500);
	caps->tx_fifo_bytes = 4096;
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, 4096 - OVERHEAD), 0);
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, 4096 - OVERHEAD + 1), -EINVAL);
	caps->tx_fifo_bytes = FAKE_FIFO_BYTES;
	caps->rx_fifo_bytes = 2048;
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, 2048 - OVERHEAD), 0);
	assert_int_equal(rte_eth_dev_set_mtu(core.port_id, 2048 - OVERHEAD + 1), -EINVAL);
}

/* ---- what is refused ---- */

static void
unknown_loopback_modes_are_refused(void **state)
{
	struct rte_eth_conf conf = { 0 };
	uint32_t mode;

	(void)state;
	for (mode = 0; mode < 4; mode++) {
		conf.lpbk_mode = mode;
		assert_int_equal(rte_eth_dev_configure(core.port_id, 1, 1, &conf),
				mode <= 1 ? 0 : -EINVAL);
	}
}

static void
queues_that_start_later_are_refused(void **state)
{
	const struct rte_eth_rxconf rx = { .rx_deferred_start = 1 };
	const struct rte_eth_txconf tx = { .tx_deferred_start = 1 };
	const struct rte_eth_conf conf = { 0 };

	(void)state;
	assert_int_equal(rte_eth_dev_configure(core.port_id, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(core.port_id, 0, 64, 0, &rx, pool), -ENOTSUP);
	assert_int_equal(rte_eth_tx_queue_setup(core.port_id, 0, 64, 0, &tx), -ENOTSUP);
	assert_int_equal(rte_eth_rx_queue_setup(core.port_id, 0, 64, 0, NULL, pool), 0);
	assert_int_equal(rte_eth_tx_queue_setup(core.port_id, 0, 64, 0, NULL), 0);
}

/* Their buffers are not where an mbuf's own would be, and stay with it. */
static void
pools_with_pinned_external_buffers_are_refused(void **state)
{
	const struct rte_eth_conf conf = { 0 };
	struct rte_pktmbuf_extmem memory = { .buf_len = 64 * DATA_ROOM, .elt_size = DATA_ROOM };
	struct rte_mempool *pinned;

	(void)state;
	memory.buf_ptr = rte_malloc("pinned", memory.buf_len, DATA_ROOM);
	assert_non_null(memory.buf_ptr);
	memory.buf_iova = rte_malloc_virt2iova(memory.buf_ptr);
	pinned = rte_pktmbuf_pool_create_extbuf(
			"pinned", 63, 0, 0, DATA_ROOM, SOCKET_ID_ANY, &memory, 1);
	assert_non_null(pinned);
	assert_int_equal(rte_eth_dev_configure(core.port_id, 1, 1, &conf), 0);
	assert_int_equal(rte_eth_rx_queue_setup(core.port_id, 0, 64, 0, NULL, pinned), -ENOTSUP);
	assert_int_equal(rte_eth_rx_queue_setup(core.port_id, 0, 64, 0, NULL, pool), 0);
	rte_mempool_free(pinned);
	rte_free(memory.buf_ptr);
}

static void
a_removed_port_takes_no_filter_and_no_address(void **state)
{
	struct rte_ether_addr address = { { 2, 0, 0, 0, 0, 9 } };
	const struct rte_eth_conf conf = { 0 };

	(void)state;
	fake_configure(&core, 1, &conf, pool);
	dwmac_ethdev_removed(&rte_eth_devices[core.port_id]);
	assert_int_equal(rte_eth_promiscuous_enable(core.port_id), -EIO);
	assert_int_equal(rte_eth_promiscuous_get(core.port_id), 0);
	assert_int_equal(rte_eth_allmulticast_enable(core.port_id), -EIO);
	assert_int_equal(rte_eth_allmulticast_get(core.port_id), 0);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(core.port_id, &address), -EIO);
	assert_int_equal(rte_eth_dev_start(core.port_id), -EIO);
}

/* ---- extended statistics ---- */

static struct rte_eth_xstat_name names[NB_XSTATS];
static struct rte_eth_xstat before[NB_XSTATS], after[NB_XSTATS];

/* Names and values are two lists; both have to go together. */
static void
xstats_have_one_name_each(void **state)
{
	const struct rte_eth_conf conf = { 0 };
	int nb, i, k;

	(void)state;
	fake_configure(&core, NB_QUEUES, &conf, pool);
	nb = rte_eth_xstats_get_names(core.port_id, NULL, 0);
	assert_in_range(nb, 1, NB_XSTATS);
	assert_int_equal(rte_eth_xstats_get(core.port_id, NULL, 0), nb);
	assert_int_equal(rte_eth_xstats_get_names(core.port_id, names, NB_XSTATS), nb);
	assert_int_equal(rte_eth_xstats_get(core.port_id, before, NB_XSTATS), nb);
	/* One too few: told how many, nothing written behind the end. */
	assert_int_equal(rte_eth_xstats_get(core.port_id, after, nb - 1), nb);
	for (i = 0; i < nb; i++) {
		assert_int_equal(before[i].id, i);
		assert_true(names[i].name[0] != '\0');
		assert_non_null(memchr(names[i].name, '\0', sizeof(names[i].name)));
		for (k = 0; k < i; k++)
			assert_string_not_equal(names[i].name, names[k].name);
	}
}

static struct {
	const char *name;
	uint64_t *value;
} counters[NB_XSTATS];
static unsigned int nb_counters;

static void
expect(uint64_t *value, const char *prefix, const char *name)
{
	static char texts[NB_XSTATS][RTE_ETH_XSTATS_NAME_SIZE];

	assert_true(nb_counters < NB_XSTATS);
	snprintf(texts[nb_counters], sizeof(texts[0]), "%s%s", prefix, name);
	counters[nb_counters].name = texts[nb_counters];
	counters[nb_counters++].value = value;
}

/* Every counter of the driver with the name it shall be found by. */
static void
expect_all(void)
{
	struct rte_eth_dev *dev = &rte_eth_devices[core.port_id];
	struct dwmac_port *port = dwmac_port(dev);
	char rx[16], tx[16];
	unsigned int q;

	nb_counters = 0;
	expect(&port->rx_overflow, "", "rx_fifo_overflow");
	expect(&port->rx_no_buffer, "", "rx_no_descriptor");
	expect(&port->link_changes, "", "link_changes");
	expect(&port->bus_errors, "", "dma_bus_errors");
	expect(&port->desc_errors, "", "dma_descriptor_errors");
	expect(&port->ptp.commands, "", "ptp_commands");
	expect(&port->ptp.polls, "", "ptp_polls");
	expect(&port->ptp.timeouts, "", "ptp_timeouts");
	for (q = 0; q < NB_QUEUES; q++) {
		struct dwmac_rxq *rxq = dev->data->rx_queues[q];
		struct dwmac_txq *txq = dev->data->tx_queues[q];

		snprintf(rx, sizeof(rx), "rx_q%u_", q);
		snprintf(tx, sizeof(tx), "tx_q%u_", q);
		expect(&rxq->counters.no_mbuf, rx, "no_mbuf");
		expect(&rxq->counters.crc, rx, "crc_errors");
		expect(&rxq->counters.giant, rx, "giants");
		expect(&rxq->counters.watchdog, rx, "watchdog_errors");
		expect(&rxq->counters.overflow, rx, "overflow_errors");
		expect(&rxq->counters.receive_error, rx, "receive_errors");
		expect(&rxq->counters.bad_length, rx, "bad_length");
		expect(&rxq->counters.bad_sequence, rx, "bad_sequence");
		expect(&rxq->counters.stamps_late, rx, "stamps_late");
		expect(&rxq->counters.stamps_bad, rx, "stamps_bad");
		expect(&txq->arms, tx, "sweep_arms");
		expect(&txq->counters.runs, tx, "sweep_runs");
		expect(&txq->counters.runs_due, tx, "sweep_runs_due");
		expect(&txq->counters.freed, tx, "sweep_freed");
		expect(&txq->tails_owed, tx, "tails_owed");
		expect(&txq->counters.stamps_missed, tx, "stamps_missed");
		expect(&txq->counters.stamps_dropped, tx, "stamps_dropped");
		expect(&txq->counters.errors, tx, "status_errors");
	}
}

static void
xstats_show_the_counter_they_are_named_after(void **state)
{
	const struct rte_eth_conf conf = { 0 };
	unsigned int i;

	(void)state;
	fake_configure(&core, NB_QUEUES, &conf, pool);
	expect_all();
	for (i = 0; i < nb_counters; i++)
		*counters[i].value = (UINT64_C(1) << 40) + i;
	for (i = 0; i < nb_counters; i++) {
		if (fake_xstat(&core, counters[i].name) != (UINT64_C(1) << 40) + i)
			fail_msg("%s is another counter", counters[i].name);
	}
	assert_int_equal(rte_eth_xstats_reset(core.port_id), 0);
	for (i = 0; i < nb_counters; i++) {
		if (fake_xstat(&core, counters[i].name) != 0)
			fail_msg("%s survives a reset", counters[i].name);
	}
}

/* The MMC's counters, by their registers' numbers as the first value. */
static void
xstats_show_the_mmc_counter_they_are_named_after(void **state)
{
	static const struct {
		const char *name;
		uint32_t offset;
	} rows[] = {
		{ "mmc_tx_packets_gb", 0x0718 },
		{ "mmc_tx_packets_good", 0x0768 },
		{ "mmc_rx_packets_gb", 0x0780 },
		{ "mmc_rx_crc_errors", 0x0794 },
	};
	const struct rte_eth_conf conf = { 0 };
	unsigned int i;

	(void)state;
	fake_configure(&core, 1, &conf, pool);
	for (i = 0; i < RTE_DIM(rows); i++)
		fake_poke(&core, rows[i].offset, rows[i].offset);
	for (i = 0; i < RTE_DIM(rows); i++)
		assert_int_equal(fake_xstat(&core, rows[i].name), rows[i].offset);
	assert_int_equal(rte_eth_xstats_reset(core.port_id), 0);
	fake_poke(&core, rows[0].offset, rows[0].offset + 5);
	assert_int_equal(fake_xstat(&core, rows[0].name), 5);
	assert_int_equal(fake_xstat(&core, rows[1].name), 0);
}

#define PORT_TEST(function) cmocka_unit_test_setup_teardown(function, open_port, close_port)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PORT_TEST(an_mtu_fits_the_share_of_a_queue),
		PORT_TEST(start_looks_at_the_fifo_as_well),
		PORT_TEST(the_smaller_fifo_decides),
		PORT_TEST(unknown_loopback_modes_are_refused),
		PORT_TEST(queues_that_start_later_are_refused),
		PORT_TEST(pools_with_pinned_external_buffers_are_refused),
		PORT_TEST(a_removed_port_takes_no_filter_and_no_address),
		PORT_TEST(xstats_have_one_name_each),
		PORT_TEST(xstats_show_the_counter_they_are_named_after),
		PORT_TEST(xstats_show_the_mmc_counter_they_are_named_after),
	};

	return RUN_TESTS(tests, setup, rig_eal_teardown);
}
