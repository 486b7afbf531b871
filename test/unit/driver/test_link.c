/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The link and what the application hears of it, on EAL's own interrupt thread. Waits are bounded
 * by seconds where the driver needs tenths.
 */

#include <errno.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "fake_core.h"
#include "rig.h"

#define WAIT_MS	 20000
/* Longer than the driver's interval between two looks */
#define QUIET_MS 700

static struct rte_mempool *pool;
static struct fake_core core;

enum action { NOTHING, STOP, CLOSE };

/* What the callback saw and did; written by the interrupt thread. */
static struct heard {
	enum rte_eth_event_type act_on;
	enum action action;
	int action_ret;
	unsigned int lsc;   /* atomic */
	unsigned int reset; /* atomic */
	uint16_t status;    /* of the link, at the last change */
	char order[8];
} heard;

/* Whatever belonged to the port is somebody else's at once: who still reads it reads ones. */
static void *others[32];

static void
reuse_memory(void)
{
	unsigned int i;

	for (i = 0; i < RTE_DIM(others); i++) {
		others[i] = rte_malloc(NULL, sizeof(struct dwmac_port), 0);
		if (others[i] != NULL)
			memset(others[i], 0xff, sizeof(struct dwmac_port));
	}
}

static int
act(uint16_t port_id)
{
	int ret = rte_eth_dev_stop(port_id);

	if (ret != 0 || heard.action != CLOSE)
		return ret;
	ret = rte_eth_dev_close(port_id);
	reuse_memory();
	return ret;
}

static int
callback(uint16_t port_id, enum rte_eth_event_type event, void *arg, void *ret_arg)
{
	const bool lsc = event == RTE_ETH_EVENT_INTR_LSC;
	const size_t at = strlen(heard.order);
	struct rte_eth_link link;

	(void)arg;
	(void)ret_arg;
	if (lsc && rte_eth_link_get_nowait(port_id, &link) == 0)
		heard.status = link.link_status;
	if (at + 1 < sizeof(heard.order))
		heard.order[at] = lsc ? 'L' : 'R';
	if (heard.action != NOTHING && event == heard.act_on)
		heard.action_ret = act(port_id);
	__atomic_fetch_add(lsc ? &heard.lsc : &heard.reset, 1, __ATOMIC_RELEASE);
	return 0;
}

static void
wait_for(const unsigned int *count, unsigned int n)
{
	unsigned int ms;

	for (ms = 0; __atomic_load_n(count, __ATOMIC_ACQUIRE) < n; ms++) {
		if (ms == WAIT_MS)
			fail_msg("%u events, not %u", *count, n);
		rte_delay_us_sleep(1000);
	}
}

static int
setup(void **state)
{
	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("link", 512, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	return pool == NULL ? -1 : 0;
}

static void
start_with(struct rte_eth_conf conf)
{
	fake_open(&core, "net_link");
	memset(&heard, 0, sizeof(heard));
	assert_int_equal(rte_eth_dev_callback_register(
					 core.port_id, RTE_ETH_EVENT_INTR_LSC, callback, NULL),
			0);
	assert_int_equal(rte_eth_dev_callback_register(
					 core.port_id, RTE_ETH_EVENT_INTR_RESET, callback, NULL),
			0);
	fake_configure(&core, 1, &conf, pool);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
}

static void
start(void)
{
	start_with((struct rte_eth_conf){ .intr_conf.lsc = 1 });
}

static void
end(void)
{
	rte_eth_dev_callback_unregister(core.port_id, RTE_ETH_EVENT_INTR_LSC, callback, (void *)-1);
	rte_eth_dev_callback_unregister(
			core.port_id, RTE_ETH_EVENT_INTR_RESET, callback, (void *)-1);
	fake_close(&core);
	assert_int_equal(checked_pool_count(pool), 512);
}

/* Also after a test that failed half-way. */
static int
tidy(void **state)
{
	unsigned int i;

	(void)state;
	if (rte_eth_dev_is_valid_port(core.port_id))
		fake_close(&core);
	for (i = 0; i < RTE_DIM(others); i++) {
		rte_free(others[i]);
		others[i] = NULL;
	}
	return 0;
}

static void
plug(bool in)
{
	pthread_mutex_lock(&core.mutex);
	core.link = in;
	pthread_mutex_unlock(&core.mutex);
}

static void
assert_link(uint32_t mbps)
{
	struct rte_eth_link link;

	assert_int_equal(rte_eth_link_get_nowait(core.port_id, &link), 0);
	assert_int_equal(link.link_status, mbps != 0);
	assert_int_equal(link.link_speed, mbps);
}

/* ---- events ---- */

static void
a_change_of_the_link_is_one_event_each(void **state)
{
	(void)state;
	start();
	assert_link(1000);
	plug(false);
	wait_for(&heard.lsc, 1);
	assert_int_equal(heard.status, RTE_ETH_LINK_DOWN);
	assert_int_equal(fake_peek(&core, REG_CONFIGURATION) & 3, 0);
	plug(true);
	wait_for(&heard.lsc, 2);
	assert_int_equal(heard.status, RTE_ETH_LINK_UP);
	assert_int_equal(fake_peek(&core, REG_CONFIGURATION) & 3, 3);
	rte_delay_us_sleep(QUIET_MS * 1000);
	assert_int_equal(heard.lsc, 2);
	assert_int_equal(fake_xstat(&core, "link_changes"), 2);
	end();
}

/* Both look at once, and the interrupt thread finds nothing new. */
static void
a_change_that_the_application_itself_sees_or_makes_is_an_event_too(void **state)
{
	(void)state;
	start();
	assert_int_equal(rte_eth_dev_set_link_down(core.port_id), 0);
	assert_link(0);
	wait_for(&heard.lsc, 1);
	assert_int_equal(heard.status, RTE_ETH_LINK_DOWN);
	assert_int_equal(rte_eth_dev_set_link_up(core.port_id), 0);
	assert_link(1000);
	wait_for(&heard.lsc, 2);
	plug(false);
	assert_int_equal(dwmac_link_update(&rte_eth_devices[core.port_id], 0), 0);
	wait_for(&heard.lsc, 3);
	assert_int_equal(heard.status, RTE_ETH_LINK_DOWN);
	end();
}

static void
without_lsc_there_is_no_event(void **state)
{
	(void)state;
	start_with((struct rte_eth_conf){ 0 });
	plug(false);
	while (fake_xstat(&core, "link_changes") == 0)
		rte_delay_us_sleep(1000);
	rte_delay_us_sleep(QUIET_MS * 1000);
	assert_int_equal(heard.lsc, 0);
	assert_link(0);
	end();
}

static void
a_channel_that_stopped_is_counted_and_an_event(void **state)
{
	static const struct {
		uint32_t bits;
		unsigned int bus, desc;
	} rows[] = {
		{ 1u << 14 | 1u << 12, 1, 0 },
		{ 1u << 14 | 1u << 13, 1, 1 },
		{ 1u << 14 | 1u << 13 | 1u << 12, 2, 2 },
	};
	unsigned int i;

	(void)state;
	start();
	for (i = 0; i < RTE_DIM(rows); i++) {
		fake_poke(&core, REG_CH_STATUS(0), rows[i].bits);
		wait_for(&heard.reset, i + 1);
		assert_int_equal(fake_peek(&core, REG_CH_STATUS(0)), 0);
		assert_int_equal(fake_xstat(&core, "dma_bus_errors"), rows[i].bus);
		assert_int_equal(fake_xstat(&core, "dma_descriptor_errors"), rows[i].desc);
	}
	rte_delay_us_sleep(QUIET_MS * 1000);
	assert_int_equal(heard.reset, RTE_DIM(rows));
	assert_int_equal(heard.lsc, 0);
	end();
}

/* Wherever the interrupt thread is, it finds the change of the link no later than the other. */
static void
strike_both(void)
{
	struct dwmac_port *port = fake_dwmac_port(&core);

	rte_spinlock_lock(&port->lock);
	plug(false);
	port->lsc_pending = true;
	fake_poke(&core, REG_CH_STATUS(0), 1u << 12);
	rte_spinlock_unlock(&port->lock);
}

/* Closing the port in the first one must not lead to a second. */
static void
two_events_at_once_come_one_by_one(void **state)
{
	(void)state;
	start();
	strike_both();
	wait_for(&heard.reset, 1);
	assert_int_equal(heard.order[0], 'L');
	end();
	start();
	heard.action = CLOSE;
	heard.act_on = RTE_ETH_EVENT_INTR_LSC;
	strike_both();
	wait_for(&heard.lsc, 1);
	rte_delay_us_sleep(QUIET_MS * 1000);
	assert_int_equal(heard.reset, 0);
	assert_int_equal(checked_pool_count(pool), 512);
}

/* What happened in an earlier run is no news in the next one. */
static void
events_do_not_outlive_a_stop(void **state)
{
	(void)state;
	start();
	assert_int_equal(rte_eth_dev_set_link_down(core.port_id), 0);
	fake_poke(&core, REG_CH_STATUS(0), 1u << 12);
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	heard = (struct heard){ 0 };
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	rte_delay_us_sleep(QUIET_MS * 1000);
	assert_int_equal(heard.lsc, 0);
	assert_int_equal(heard.reset, 0);
	end();
}

/* ---- stop and close in a callback ---- */

static void
strike(enum rte_eth_event_type event)
{
	if (event == RTE_ETH_EVENT_INTR_LSC)
		plug(false);
	else
		fake_poke(&core, REG_CH_STATUS(0), 1u << 12);
	wait_for(event == RTE_ETH_EVENT_INTR_LSC ? &heard.lsc : &heard.reset, 1);
	assert_int_equal(heard.action_ret, 0);
	assert_int_equal(checked_pool_count(pool), 512);
}

/* The second time no start clears up: an alarm that is left behind would meet a closed port. */
static void
stopped_in_the_callback(enum rte_eth_event_type event)
{
	start();
	heard = (struct heard){ .action = STOP, .act_on = event };
	strike(event);
	assert_link(0);
	heard = (struct heard){ .action = NOTHING };
	plug(true);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	assert_link(1000);
	heard = (struct heard){ .action = STOP, .act_on = event };
	strike(event);
	end();
	rte_delay_us_sleep(QUIET_MS * 1000);
}

static void
the_port_can_be_stopped_when_the_link_changes(void **state)
{
	(void)state;
	stopped_in_the_callback(RTE_ETH_EVENT_INTR_LSC);
}

static void
the_port_can_be_stopped_when_a_channel_stopped(void **state)
{
	(void)state;
	stopped_in_the_callback(RTE_ETH_EVENT_INTR_RESET);
}

/* Then the next port's link is still looked at: the interrupt thread is alive. */
static void
closed_in_the_callback(enum rte_eth_event_type event)
{
	start();
	heard.action = CLOSE;
	heard.act_on = event;
	strike(event);
	assert_false(rte_eth_dev_is_valid_port(core.port_id));
	rte_delay_us_sleep(QUIET_MS * 1000);
	start();
	plug(false);
	wait_for(&heard.lsc, 1);
	end();
}

static void
the_port_can_be_closed_when_the_link_changes(void **state)
{
	(void)state;
	closed_in_the_callback(RTE_ETH_EVENT_INTR_LSC);
}

static void
the_port_can_be_closed_when_a_channel_stopped(void **state)
{
	(void)state;
	closed_in_the_callback(RTE_ETH_EVENT_INTR_RESET);
}

/* ---- the PHY and the MAC ---- */

static void
start_powers_the_phy_up_again(void **state)
{
	(void)state;
	start();
	assert_int_equal(rte_eth_dev_set_link_down(core.port_id), 0);
	assert_true(core.phy[0] & 1u << 11);
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(rte_eth_dev_start(core.port_id), 0);
	assert_false(core.phy[0] & 1u << 11);
	assert_link(1000);
	end();
}

/* A look from another thread, late: the MAC stays off (dev_started falls under the lock). */
static void
a_look_after_stop_changes_nothing(void **state)
{
	(void)state;
	start();
	assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
	assert_int_equal(dwmac_link_update(&rte_eth_devices[core.port_id], 0), -1);
	assert_link(0);
	assert_int_equal(fake_peek(&core, REG_CONFIGURATION) & 3, 0);
	end();
}

/* PS 15 and FES 14: 1000 is 00, 100 is 11, 10 is 10; DM 13. */
static void
the_mac_follows_what_was_negotiated(void **state)
{
	static const struct {
		uint16_t partner, partner1000;
		uint32_t mbps, bits;
	} rows[] = {
		{ 0x01e1, 1u << 11, 1000, 1u << 13 }, { 0x01e1, 0, 100, 7u << 13 },
		{ 0x00e1, 0, 100, 6u << 13 },				  /* half */
		{ 0x0061, 0, 10, 5u << 13 }, { 0x0021, 0, 10, 4u << 13 }, /* half */
	};
	struct rte_eth_link link;
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		start();
		assert_int_equal(rte_eth_dev_stop(core.port_id), 0);
		core.phy[5] = rows[i].partner;
		core.phy[10] = rows[i].partner1000;
		assert_int_equal(rte_eth_dev_start(core.port_id), 0);
		assert_link(rows[i].mbps);
		assert_int_equal(rte_eth_link_get_nowait(core.port_id, &link), 0);
		assert_int_equal(link.link_duplex, rows[i].bits >> 13 & 1);
		assert_int_equal(link.link_autoneg, RTE_ETH_LINK_AUTONEG);
		assert_int_equal(fake_peek(&core, REG_CONFIGURATION) & 7u << 13, rows[i].bits);
		end();
	}
}

static void
link_speeds_are_advertised_forced_or_refused(void **state)
{
	static const struct {
		uint32_t speeds;
		int ret;
		uint16_t bmcr_an, anar, ctrl1000;
	} rows[] = {
		{ 0, 0, 1, 0x01e1, 1u << 9 },
		{ RTE_ETH_LINK_SPEED_100M, 0, 1, 0x0101, 0 },
		{ RTE_ETH_LINK_SPEED_100M_HD | RTE_ETH_LINK_SPEED_10M, 0, 1, 0x00c1, 0 },
		{ RTE_ETH_LINK_SPEED_1G, 0, 1, 0x0001, 1u << 9 },
		/* 1000BASE-T is always negotiated */
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_1G, 0, 1, 0x0001, 1u << 9 },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M, 0, 0, 0, 0 },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M_HD, 0, 0, 0, 0 },
		{ RTE_ETH_LINK_SPEED_FIXED, -EINVAL, 0, 0, 0 },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M | RTE_ETH_LINK_SPEED_10M,
				-EINVAL, 0, 0, 0 },
		{ RTE_ETH_LINK_SPEED_2_5G, -EINVAL, 0, 0, 0 },
		{ RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_10G, -EINVAL, 0, 0, 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(rows); i++) {
		struct rte_eth_conf conf = { .link_speeds = rows[i].speeds };

		fake_open(&core, "net_speeds");
		assert_int_equal(rte_eth_dev_configure(core.port_id, 1, 1, &conf), rows[i].ret);
		if (rows[i].ret == 0) {
			fake_configure(&core, 1, &conf, pool);
			assert_int_equal(rte_eth_dev_start(core.port_id), 0);
			assert_int_equal(core.phy[0] >> 12 & 1, rows[i].bmcr_an);
			if (rows[i].bmcr_an) {
				assert_int_equal(core.phy[4], rows[i].anar);
				assert_int_equal(core.phy[9], rows[i].ctrl1000);
			}
		}
		fake_close(&core);
	}
}

#define LINK_TEST(function) cmocka_unit_test_teardown(function, tidy)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		LINK_TEST(a_change_of_the_link_is_one_event_each),
		LINK_TEST(a_change_that_the_application_itself_sees_or_makes_is_an_event_too),
		LINK_TEST(without_lsc_there_is_no_event),
		LINK_TEST(a_channel_that_stopped_is_counted_and_an_event),
		LINK_TEST(two_events_at_once_come_one_by_one),
		LINK_TEST(events_do_not_outlive_a_stop),
		LINK_TEST(the_port_can_be_stopped_when_the_link_changes),
		LINK_TEST(the_port_can_be_stopped_when_a_channel_stopped),
		LINK_TEST(the_port_can_be_closed_when_the_link_changes),
		LINK_TEST(the_port_can_be_closed_when_a_channel_stopped),
		LINK_TEST(start_powers_the_phy_up_again),
		LINK_TEST(a_look_after_stop_changes_nothing),
		LINK_TEST(the_mac_follows_what_was_negotiated),
		LINK_TEST(link_speeds_are_advertised_forced_or_refused),
	};

	return RUN_TESTS(tests, setup, rig_eal_teardown);
}
