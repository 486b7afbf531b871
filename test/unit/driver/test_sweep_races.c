/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * The sweep with real threads and a delay, at random, at every step of the protocol.
 *
 * Registered lcores hand two queues to each other and transmit; a device thread sends late and
 * obeys the tail; its socket is full at times; a stranger sweeps; a reader takes timestamps; a
 * queue is released and set up again while lists still name it. Then everything but polling stops,
 * and every mbuf must come back: a lost wake-up or a lost doorbell leaves some behind for good. The
 * pool notices what is freed twice; built with a thread sanitizer, this shows data races too.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <rte_lcore.h>
#include <rte_service.h>

#include "rig.h"

#define NB_QUEUES    2
#define NB_PRODUCERS 3
#define POOL_SIZE    512
#define INTERVAL_US  20
#define NB_ROUNDS    200
#define ROUND_BURSTS 40
/* No measure of speed: how long until mbufs count as lost. */
#define LOST_S	     30

static struct rig rig;
static struct rte_mempool *pool;
static struct dwmac_io_ops post_ops;

/* Who may transmit on a queue: ethdev demands that its users see to that. */
static pthread_mutex_t transmit[NB_QUEUES];
/* The device leaves a queue alone while it is released. */
static pthread_mutex_t device[NB_QUEUES];
/* Control path against everything that finds queues by themselves. */
static pthread_rwlock_t control;

static struct {
	bool producing; /* atomic, all three */
	bool strangers;
	bool quit;
	unsigned int bursts;   /* atomic: in this round */
	unsigned int takeover; /* atomic: bursts by another lcore than before */
	unsigned int stamps;
} run;
static unsigned int last_lcore[NB_QUEUES];
static uint16_t device_at[NB_QUEUES];

static __thread uint32_t seed;

static bool
is_on(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static void
set(bool *flag, bool on)
{
	__atomic_store_n(flag, on, __ATOMIC_RELAXED);
}

/* The driver's seam. Two cores: giving up the CPU is what lets the others in. */
void
sweep_step(void)
{
	const uint32_t dice = rig_random(&seed) % 64;
	unsigned int spin = 0;

	if (dice == 0)
		usleep(rig_random(&seed) % 50);
	else if (dice < 8)
		sched_yield();
	else if (dice < 16)
		spin = rig_random(&seed) % 2000;
	while (spin-- > 0)
		rte_pause();
}

/* A socket that is full at times. */
static int
flaky_post32(void *ctx, uint32_t offset, uint32_t value)
{
	sweep_step();
	if (rig_random(&seed) % 8 == 0)
		return -EAGAIN;
	post_ops.write32(ctx, offset, value);
	return 0;
}

/* ---- the device ---- */

/* One packet if the tail allows; false: nothing to do. eqos.md §14: current = tail suspends. */
static bool
device_step(struct dwmac_txq *txq, unsigned int q)
{
	const uint32_t tail = __atomic_load_n(&rig.tx_tail[q], __ATOMIC_ACQUIRE);
	uint16_t i = device_at[q];
	uint32_t word;

	if ((tail - txq->ring_low_iova) / 16 == i)
		return false;
	for (;; i = (i + 1) % txq->nb_desc) {
		word = rig_status(txq->ring, i);
		if (!(word & OWN))
			return false;
		if (word & LD)
			break;
		__atomic_store_n(&rig_desc(txq->ring, i)->word[3], word & FD, __ATOMIC_RELEASE);
	}
	sweep_step();
	rig_write_back(txq->ring, i, 1, 2, 0, (word & (FD | LD)) | 1u << 17);
	device_at[q] = (i + 1) % txq->nb_desc;
	return true;
}

static void *
device_thread(void *arg)
{
	(void)arg;
	seed = 1;
	while (!is_on(&run.quit)) {
		bool busy = false;
		unsigned int q;

		for (q = 0; q < NB_QUEUES; q++) {
			pthread_mutex_lock(&device[q]);
			if (rig.tx_queues[q] != NULL)
				busy |= device_step(rig.tx_queues[q], q);
			pthread_mutex_unlock(&device[q]);
		}
		if (!busy)
			usleep(20);
	}
	return NULL;
}

/* ---- lcores ---- */

static void
send_burst(unsigned int q)
{
	struct dwmac_txq *txq = rig.tx_queues[q];
	struct rte_mbuf *pkts[8];
	unsigned int n, i, sent;

	if (txq == NULL)
		return;
	for (n = 0; n < 1 + rig_random(&seed) % RTE_DIM(pkts); n++) {
		pkts[n] = rte_pktmbuf_alloc(pool);
		if (pkts[n] == NULL)
			break;
		rte_pktmbuf_append(pkts[n], 60);
		if (rig_random(&seed) % 4 == 0) {
			struct rte_mbuf *second = rte_pktmbuf_alloc(pool);

			if (second != NULL) {
				rte_pktmbuf_append(second, 60);
				rte_pktmbuf_chain(pkts[n], second);
			}
		}
		if (rig_random(&seed) % 8 == 0)
			pkts[n]->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
	}
	if (n == 0)
		return;
	sent = dwmac_eqos_tx_burst_full(txq, pkts, n);
	for (i = sent; i < n; i++)
		rte_pktmbuf_free(pkts[i]);
	if (last_lcore[q] != rte_lcore_id())
		__atomic_fetch_add(&run.takeover, 1, __ATOMIC_RELAXED);
	last_lcore[q] = rte_lcore_id();
	__atomic_fetch_add(&run.bursts, 1, __ATOMIC_RELAXED);
}

static void *
producer_thread(void *arg)
{
	seed = 100 + (uint32_t)(uintptr_t)arg;
	if (rte_thread_register() != 0)
		return arg;
	while (!is_on(&run.quit)) {
		const unsigned int q = rig_random(&seed) % NB_QUEUES;
		unsigned int bursts = rig_random(&seed) % 4;

		if (is_on(&run.producing) && pthread_mutex_trylock(&transmit[q]) == 0) {
			while (bursts-- > 0)
				send_burst(q);
			pthread_mutex_unlock(&transmit[q]);
		} else {
			usleep(5);
		}
		dwmac_sweep_poll();
	}
	rte_thread_unregister();
	return NULL;
}

/* tx_done_cleanup from elsewhere, the service, and the timestamps. */
static void *
stranger_thread(void *arg)
{
	uint32_t service;

	seed = 7;
	if (rte_thread_register() != 0 || rte_service_get_by_name("dwmac_sweep", &service) != 0)
		return arg;
	while (!is_on(&run.quit)) {
		const unsigned int q = rig_random(&seed) % NB_QUEUES;
		struct timespec ts;

		if (!is_on(&run.strangers)) {
			usleep(50);
			continue;
		}
		dwmac_sweep_foreign(dwmac_sweep_slot_at(4 * DWMAC_MAX_QUEUES + q),
				rig_random(&seed) % 3);
		rte_service_run_iter_on_app_lcore(service, 1);
		pthread_rwlock_rdlock(&control);
		if (dwmac_timesync_read_tx(&rig.dev, &ts) == 0)
			run.stamps++;
		pthread_rwlock_unlock(&control);
		sweep_step();
	}
	rte_thread_unregister();
	return NULL;
}

/* ---- the rounds ---- */

static void
open_queue(unsigned int q)
{
	struct dwmac_txq *txq;
	struct dwmac_ring ring;

	/* Before the queue is attached: the service looks at it from then on. */
	rig.port.timesync = true;
	rig.port.tx_usecs = INTERVAL_US;
	txq = rig_txq(&rig, q, 64, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	txq->nb_free = txq->nb_desc - 1;
	ring = (struct dwmac_ring){ .iova = txq->ring_iova, .nb_desc = 64 };
	rig.process.hw.ops->tx_start(&rig.process.hw, q, &ring);
	device_at[q] = 0;
}

/* With packets in flight and the queue on somebody's list. */
static void
replace_queue(unsigned int q)
{
	pthread_rwlock_wrlock(&control);
	pthread_mutex_lock(&transmit[q]);
	pthread_mutex_lock(&device[q]);
	dwmac_tx_queue_release(&rig.dev, q);
	open_queue(q);
	pthread_mutex_unlock(&device[q]);
	pthread_mutex_unlock(&transmit[q]);
	pthread_rwlock_unlock(&control);
}

/* Nobody transmits, strangers are quiet: the owners alone must bring all mbufs back. */
static unsigned int
lost_mbufs(void)
{
	const time_t limit = time(NULL) + LOST_S;
	unsigned int in;

	do {
		usleep(200);
		in = checked_pool_count(pool);
	} while (in != POOL_SIZE && time(NULL) < limit);
	return POOL_SIZE - in;
}

static unsigned int
armed_queues(void)
{
	unsigned int q, n = 0;

	for (q = 0; q < NB_QUEUES; q++) {
		struct dwmac_txq *txq = rig.tx_queues[q];

		n += __atomic_load_n(&txq->armed_by, __ATOMIC_RELAXED) != DWMAC_SWEEP_NOBODY;
	}
	return n;
}

static void
one_round(unsigned int round)
{
	__atomic_store_n(&run.bursts, 0, __ATOMIC_RELAXED);
	set(&run.strangers, round % 3 != 0);
	set(&run.producing, true);
	while (__atomic_load_n(&run.bursts, __ATOMIC_RELAXED) < ROUND_BURSTS)
		usleep(50);
	if (round % 4 == 1)
		replace_queue(round % NB_QUEUES);
	set(&run.producing, false);
	set(&run.strangers, false);
}

static int
group_setup(void **state)
{
	uint32_t service;
	unsigned int q;

	if (rig_eal_setup(state) != 0)
		return -1;
	pool = checked_pool("races", POOL_SIZE, 256, 0);
	if (pool == NULL)
		return -1;
	rig_init(&rig, 4);
	post_ops = *rig.process.hw.io.ops;
	post_ops.post32 = flaky_post32;
	rig.process.hw.io.ops = &post_ops;
	rig.port.timesync = true;
	if (dwmac_sweep_service_register() != 0)
		return -1;
	if (rte_service_get_by_name("dwmac_sweep", &service) != 0 ||
			rte_service_runstate_set(service, 1) != 0)
		return -1;
	pthread_rwlock_init(&control, NULL);
	for (q = 0; q < NB_QUEUES; q++) {
		pthread_mutex_init(&transmit[q], NULL);
		pthread_mutex_init(&device[q], NULL);
		open_queue(q);
	}
	return 0;
}

static void
no_mbuf_and_no_wake_up_is_lost(void **state)
{
	unsigned int i, round, lost = 0, still_armed = 0;
	pthread_t threads[2 + NB_PRODUCERS];
	void *failed = NULL, *ret;

	(void)state;
	assert_int_equal(pthread_create(&threads[0], NULL, device_thread, NULL), 0);
	assert_int_equal(pthread_create(&threads[1], NULL, stranger_thread, &run), 0);
	for (i = 0; i < NB_PRODUCERS; i++)
		assert_int_equal(pthread_create(&threads[2 + i], NULL, producer_thread,
						 (void *)(uintptr_t)(i + 1)),
				0);
	for (round = 0; round < NB_ROUNDS && lost == 0; round++) {
		one_round(round);
		lost = lost_mbufs();
	}
	/* all sent: soon nobody has promised anything */
	for (i = 0; i < LOST_S * 100 && (still_armed = armed_queues()) != 0; i++)
		usleep(10000);
	set(&run.quit, true);
	for (i = 0; i < RTE_DIM(threads); i++) {
		pthread_join(threads[i], &ret);
		failed = failed != NULL ? failed : ret;
	}
	assert_null(failed);
	assert_int_equal(lost, 0);
	assert_int_equal(still_armed, 0);
	assert_int_equal(checked_pool_faults(pool), 0);
	/* it was about something */
	assert_true(run.takeover > NB_ROUNDS);
	assert_true(run.stamps > 0);
	rig_close(&rig);
	assert_int_equal(checked_pool_count(pool), POOL_SIZE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_mbuf_and_no_wake_up_is_lost),
	};

	return RUN_TESTS(tests, group_setup, rig_eal_teardown);
}
