/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_eal.h>

#include "rig.h"

static char prefix[64];

int
rig_eal_setup(void **state)
{
	char prefix_arg[80];
	char *argv[] = { "rig", "--no-huge", "--no-shconf", "-m", "64", "--no-pci",
		"--no-telemetry", "--log-level=*:critical", "-l", "0", prefix_arg, NULL };

	(void)state;
	snprintf(prefix, sizeof(prefix), "dwmac_unit_%d", (int)getpid());
	snprintf(prefix_arg, sizeof(prefix_arg), "--file-prefix=%s", prefix);
	if (rte_eal_init(RTE_DIM(argv) - 1, argv) < 0)
		return -1;
	return dwmac_sweep_init();
}

/* EAL leaves its runtime folder behind. */
int
rig_eal_teardown(void **state)
{
	const char *dir = rte_eal_get_runtime_dir();
	struct dirent *entry;
	DIR *d = opendir(dir);
	char path[512];

	(void)state;
	while (d != NULL && (entry = readdir(d)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		unlink(path);
	}
	if (d != NULL)
		closedir(d);
	rmdir(dir);
	checked_pools_free();
	rte_eal_cleanup();
	return 0;
}

/* ---- registers ---- */

static uint32_t
rig_read32(void *ctx, uint32_t offset)
{
	(void)ctx;
	(void)offset;
	return 0;
}

/* Channel n at 0x1100 + 0x80 n: TX tail +0x20, RX tail +0x28. */
static void
rig_write32(void *ctx, uint32_t offset, uint32_t value)
{
	const uint32_t ch = (offset - 0x1100) / 0x80;
	struct rig *rig = ctx;

	if (offset < 0x1100 || ch >= DWMAC_MAX_QUEUES)
		return;
	if ((offset & 0x7f) == 0x20)
		__atomic_store_n(&rig->tx_tail[ch], value, __ATOMIC_RELEASE);
	if ((offset & 0x7f) == 0x28)
		__atomic_store_n(&rig->rx_tail[ch], value, __ATOMIC_RELEASE);
}

static int
rig_post32(void *ctx, uint32_t offset, uint32_t value)
{
	struct rig *rig = ctx;
	const int ret = __atomic_load_n(&rig->post_ret, __ATOMIC_RELAXED);

	__atomic_fetch_add(&rig->nb_posts, 1, __ATOMIC_RELAXED);
	if (ret == 0)
		rig_write32(ctx, offset, value);
	return ret;
}

static const struct dwmac_io_ops rig_io_ops = {
	.read32 = rig_read32,
	.write32 = rig_write32,
	.post32 = rig_post32,
};

/* ---- port and queues ---- */

void
rig_init(struct rig *rig, uint16_t port_id)
{
	memset(rig, 0, sizeof(*rig));
	rig->dev.data = &rig->data;
	rig->dev.process_private = &rig->process;
	rig->data.port_id = port_id;
	rig->data.dev_private = &rig->port;
	rig->data.rx_queues = rig->rx_queues;
	rig->data.tx_queues = rig->tx_queues;
	snprintf(rig->data.name, sizeof(rig->data.name), "rig%u", port_id);
	rig->process.hw.io.ops = &rig_io_ops;
	rig->process.hw.io.ctx = rig;
	rig->process.hw.io.tsc_hz = rte_get_tsc_hz();
	rig->process.hw.ops = &dwmac_eqos_ops;
	rig->process.hw.device = dwmac_device_by_pci_id(0x8086, 0x4b30);
	rig->process.hw.caps.addr_bits = 48;
	rig->process.hw.caps.tx_fifo_bytes = 32768;
	rig->process.hw.caps.rx_fifo_bytes = 32768;
	rig->process.hw.nb_tx = 1;
	rig->process.hw.nb_rx = 1;
	rig->port.caps = rig->process.hw.caps;
	rig->port.port_id = port_id;
	rig->port.ptp.clk_hz = 200000000;
	rte_spinlock_init(&rig->port.lock);
	dwmac_processes[port_id] = &rig->process;
}

struct dwmac_txq *
rig_txq(struct rig *rig, uint16_t qid, uint16_t nb_desc, uint64_t offloads)
{
	const struct rte_eth_txconf conf = { .offloads = offloads };

	assert_int_equal(dwmac_tx_queue_setup(&rig->dev, qid, nb_desc, SOCKET_ID_ANY, &conf), 0);
	rig->data.nb_tx_queues = RTE_MAX(rig->data.nb_tx_queues, qid + 1);
	return rig->tx_queues[qid];
}

struct dwmac_rxq *
rig_rxq(struct rig *rig, uint16_t qid, uint16_t nb_desc, struct rte_mempool *pool)
{
	const struct rte_eth_rxconf conf = { 0 };

	assert_int_equal(dwmac_rx_queue_setup(&rig->dev, qid, nb_desc, SOCKET_ID_ANY, &conf, pool),
			0);
	rig->data.nb_rx_queues = RTE_MAX(rig->data.nb_rx_queues, qid + 1);
	return rig->rx_queues[qid];
}

void
rig_start(struct rig *rig)
{
	assert_int_equal(dwmac_queues_start(&rig->dev), 0);
}

void
rig_close(struct rig *rig)
{
	unsigned int q;

	dwmac_queues_stop(&rig->dev);
	for (q = 0; q < DWMAC_MAX_QUEUES; q++) {
		dwmac_rx_queue_release(&rig->dev, q);
		dwmac_tx_queue_release(&rig->dev, q);
	}
	dwmac_processes[rig->data.port_id] = NULL;
}

/* ---- the device ---- */

bool
rig_tx_complete(struct dwmac_txq *txq, uint16_t *at, uint32_t status, uint32_t ns, uint32_t s)
{
	uint16_t i = *at;
	uint32_t word = rig_status(txq->ring, i);

	if (!(word & OWN))
		return false;
	assert_true(word & FD);
	while (!(word & LD)) {
		__atomic_store_n(&rig_desc(txq->ring, i)->word[3], word & (FD | LD),
				__ATOMIC_RELEASE);
		i = (i + 1) % txq->nb_desc;
		word = rig_status(txq->ring, i);
		assert_true(word & OWN);
		assert_false(word & FD);
	}
	rig_write_back(txq->ring, i, ns, s, 0, (word & (FD | LD)) | status);
	*at = (i + 1) % txq->nb_desc;
	return true;
}

struct rte_mbuf *
rig_mbuf(struct rte_mempool *pool, unsigned int segs, uint16_t bytes)
{
	struct rte_mbuf *head = rte_pktmbuf_alloc(pool);
	struct rte_mbuf *tail = head;
	unsigned int i;

	assert_non_null(head);
	assert_non_null(rte_pktmbuf_append(head, bytes));
	for (i = 1; i < segs; i++) {
		tail->next = rte_pktmbuf_alloc(pool);
		assert_non_null(tail->next);
		tail = tail->next;
		tail->data_len = bytes;
		head->pkt_len += bytes;
		head->nb_segs++;
	}
	return head;
}
