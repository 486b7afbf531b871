/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Rings: set-up, filling, start and stop. */

#include <errno.h>
#include <inttypes.h>

#include <rte_errno.h>
#include <rte_malloc.h>

#include "dwmac.h"
#include "dwmac_sweep.h"

/* How long a promised RX timestamp may be late (design.md, «RX»). */
#define RX_STAMP_PATIENCE_US 200

static int
check_ring_size(struct rte_eth_dev *dev, const char *kind, uint16_t qid, uint16_t nb_desc)
{
	if (nb_desc >= DWMAC_DESC_MIN && nb_desc <= DWMAC_DESC_MAX &&
			nb_desc % DWMAC_DESC_STEP == 0)
		return 0;
	DWMAC_PORT_LOG(ERR, dev, "%s queue %u: %u descriptors; need %u to %u in steps of %u", kind,
			qid, nb_desc, DWMAC_DESC_MIN, DWMAC_DESC_MAX, DWMAC_DESC_STEP);
	return -EINVAL;
}

/* Descriptor memory the device can address; a ring is at most 16 KiB and aligned to its memzone,
 * so it never crosses 4 GiB as long as the zone does not. */
static const struct rte_memzone *
reserve_ring(struct rte_eth_dev *dev, const char *name, uint16_t qid, uint16_t nb_desc,
		unsigned int socket)
{
	static uint32_t serial;
	const uint8_t bits = dwmac_port(dev)->caps.addr_bits;
	const size_t size = (size_t)nb_desc * DWMAC_DESC_BYTES;
	char zone[RTE_MEMZONE_NAMESIZE];
	const struct rte_memzone *mz;

	/* A name of its own every time: a ring that a wedged DMA keeps is not to be found by the
	 * next port that gets this id. */
	snprintf(zone, sizeof(zone), "dwmac_%s_%u", name,
			__atomic_fetch_add(&serial, 1, __ATOMIC_RELAXED));
	mz = rte_memzone_reserve_aligned(zone, DWMAC_DESC_MAX * DWMAC_DESC_BYTES, socket,
			RTE_MEMZONE_IOVA_CONTIG, DWMAC_DESC_MAX * DWMAC_DESC_BYTES);
	if (mz == NULL) {
		DWMAC_PORT_LOG(ERR, dev, "no memory for %s %u (%zu bytes): give EAL more with -m",
				name, qid, size);
		return NULL;
	}
	if (bits < 64 && (mz->iova + size - 1) >> bits != 0) {
		DWMAC_PORT_LOG(ERR, dev,
				"%s %u at 0x%" PRIx64 " is beyond the device's %u address bits: "
				"run with --legacy-mem --base-virtaddr=0x20000000",
				name, qid, mz->iova, bits);
		rte_memzone_free(mz);
		return NULL;
	}
	memset(mz->addr, 0, size);
	return mz;
}

/* What every fresh packet starts with: data_off, refcnt, nb_segs and port in one word. */
static uint64_t
fresh_rearm_data(uint16_t port_id, uint16_t data_off)
{
	struct rte_mbuf m;
	uintptr_t p = (uintptr_t)&m.rearm_data;

	memset(&m, 0, sizeof(m));
	m.data_off = data_off;
	m.nb_segs = 1;
	m.port = port_id;
	rte_mbuf_refcnt_set(&m, 1);
	rte_compiler_barrier();
	return *(uint64_t *)p;
}

/* Where packet data starts: behind the headroom, on a bus word. */
static uint16_t
aligned_data_off(struct rte_mempool *pool)
{
	const uint16_t from_element = sizeof(struct rte_mbuf) + rte_pktmbuf_priv_size(pool);

	return RTE_ALIGN_CEIL(from_element + RTE_PKTMBUF_HEADROOM, DWMAC_BUF_ALIGN) - from_element;
}

int
dwmac_rx_queue_setup(struct rte_eth_dev *dev, uint16_t qid, uint16_t nb_desc, unsigned int socket,
		const struct rte_eth_rxconf *conf, struct rte_mempool *pool)
{
	const uint64_t tsc_hz = rte_get_tsc_hz();
	const uint16_t data_off = aligned_data_off(pool);
	const uint16_t room = rte_pktmbuf_data_room_size(pool);
	struct dwmac_rxq *rxq;

	if (check_ring_size(dev, "RX", qid, nb_desc) != 0)
		return -EINVAL;
	if (room < data_off + 64 + DWMAC_BUF_ALIGN) {
		DWMAC_PORT_LOG(ERR, dev, "RX queue %u: mbufs of pool %s hold %u bytes; need %u",
				qid, pool->name, room, data_off + 64 + DWMAC_BUF_ALIGN);
		return -EINVAL;
	}
	if (conf->rx_deferred_start) {
		DWMAC_PORT_LOG(ERR, dev, "RX queue %u: deferred start is not supported", qid);
		return -ENOTSUP;
	}
	if (rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) {
		DWMAC_PORT_LOG(ERR, dev,
				"RX queue %u: pool %s has external buffers: use one that "
				"holds its own",
				qid, pool->name);
		return -ENOTSUP;
	}
	if (!dwmac_vdev_pool_mapped(dev, pool)) {
		DWMAC_PORT_LOG(ERR, dev,
				"RX queue %u: the device cannot reach pool %s: external "
				"memory is not shared with a vfio-user server",
				qid, pool->name);
		return -ENOTSUP;
	}
	dwmac_rx_queue_release(dev, qid);

	rxq = rte_zmalloc_socket("dwmac_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, socket);
	if (rxq == NULL)
		return -ENOMEM;
	rxq->mbufs = rte_zmalloc_socket("dwmac_rx_mbufs", nb_desc * sizeof(*rxq->mbufs),
			RTE_CACHE_LINE_SIZE, socket);
	rxq->mz = reserve_ring(dev, "rx_ring", qid, nb_desc, socket);
	if (rxq->mbufs == NULL || rxq->mz == NULL) {
		rte_memzone_free(rxq->mz);
		rte_free(rxq->mbufs);
		rte_free(rxq);
		return -ENOMEM;
	}
	rxq->ring = rxq->mz->addr;
	rxq->ring_iova = rxq->mz->iova;
	rxq->ring_low_iova = (uint32_t)rxq->mz->iova;
	rxq->nb_desc = nb_desc;
	rxq->free_thresh = conf->rx_free_thresh != 0 ? RTE_MIN(conf->rx_free_thresh, nb_desc / 2)
						     : DWMAC_BURST_DEFAULT;
	rxq->data_off = data_off;
	rxq->buf_bytes = RTE_MIN(RTE_ALIGN_FLOOR(room - data_off, DWMAC_BUF_ALIGN), DWMAC_BUF_MAX);
	rxq->port_id = dev->data->port_id;
	rxq->queue_id = qid;
	rxq->crc_bytes = RTE_ETHER_CRC_LEN;
	rxq->pool = pool;
	rxq->rearm = fresh_rearm_data(rxq->port_id, data_off);
	rxq->stamp_next = 1;
	memset(rxq->stamps, 0xff, sizeof(rxq->stamps)); /* DWMAC_RX_STAMP_EMPTY */
	rxq->stamp_patience_tsc = tsc_hz / 1000000 * RX_STAMP_PATIENCE_US;
	rxq->tail_offset = dwmac_hw(dev)->ops->rx_tail_offset(dwmac_hw(dev), qid);
	dev->data->rx_queues[qid] = rxq;
	return 0;
}

static void
free_rx_mbufs(struct dwmac_rxq *rxq)
{
	uint16_t i;

	rte_pktmbuf_free(rxq->head);
	rxq->head = NULL;
	rxq->tail = NULL;
	for (i = 0; i < rxq->nb_desc; i++) {
		if (rxq->mbufs[i] != NULL)
			rte_mempool_put(rxq->pool, rxq->mbufs[i]);
		rxq->mbufs[i] = NULL;
	}
}

void
dwmac_rx_queue_release(struct rte_eth_dev *dev, uint16_t qid)
{
	struct dwmac_rxq *rxq = dev->data->rx_queues[qid];

	if (rxq == NULL)
		return;
	/* A DMA that never came to rest keeps its ring and its buffers for ever. */
	if (!dwmac_port(dev)->wedged) {
		free_rx_mbufs(rxq);
		rte_memzone_free(rxq->mz);
	}
	rte_free(rxq->mbufs);
	rte_free(rxq);
	dev->data->rx_queues[qid] = NULL;
}

int
dwmac_tx_queue_setup(struct rte_eth_dev *dev, uint16_t qid, uint16_t nb_desc, unsigned int socket,
		const struct rte_eth_txconf *conf)
{
	const uint64_t offloads = conf->offloads | dev->data->dev_conf.txmode.offloads;
	struct dwmac_txq *txq;

	if (check_ring_size(dev, "TX", qid, nb_desc) != 0)
		return -EINVAL;
	if (conf->tx_deferred_start) {
		DWMAC_PORT_LOG(ERR, dev, "TX queue %u: deferred start is not supported", qid);
		return -ENOTSUP;
	}
	dwmac_tx_queue_release(dev, qid);

	txq = rte_zmalloc_socket("dwmac_txq", sizeof(*txq), RTE_CACHE_LINE_SIZE, socket);
	if (txq == NULL)
		return -ENOMEM;
	txq->mbufs = rte_zmalloc_socket("dwmac_tx_mbufs", nb_desc * sizeof(*txq->mbufs),
			RTE_CACHE_LINE_SIZE, socket);
	txq->last = rte_zmalloc_socket(
			"dwmac_tx_last", nb_desc * sizeof(*txq->last), RTE_CACHE_LINE_SIZE, socket);
	txq->mz = reserve_ring(dev, "tx_ring", qid, nb_desc, socket);
	if (txq->mbufs == NULL || txq->last == NULL || txq->mz == NULL) {
		rte_memzone_free(txq->mz);
		rte_free(txq->last);
		rte_free(txq->mbufs);
		rte_free(txq);
		return -ENOMEM;
	}
	txq->ring = txq->mz->addr;
	txq->ring_iova = txq->mz->iova;
	txq->ring_low_iova = (uint32_t)txq->mz->iova;
	txq->nb_desc = nb_desc;
	txq->sweep_every = conf->tx_rs_thresh != 0 ? RTE_MIN(conf->tx_rs_thresh, nb_desc / 2)
						   : DWMAC_BURST_DEFAULT;
	txq->port_id = dev->data->port_id;
	txq->queue_id = qid;
	txq->offloads = offloads;
	/* Chains are unlinked segment by segment, which a bulk free would leave out. */
	txq->fast_free = (offloads & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE) &&
			 !(offloads & RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	txq->stamps_on = dwmac_port(dev)->timesync;
	txq->interval_tsc = rte_get_tsc_hz() / 1000000 * dwmac_port(dev)->tx_usecs;
	txq->tail_offset = dwmac_hw(dev)->ops->tx_tail_offset(dwmac_hw(dev), qid);
	dwmac_sweep_attach(txq);
	dev->data->tx_queues[qid] = txq;
	return 0;
}

/* Everything still in the ring comes back, sent or not. The device must be at rest. */
static void
free_tx_mbufs(struct dwmac_txq *txq)
{
	rte_spinlock_lock(&txq->slot->lock);
	while (txq->cons != txq->prod) {
		rte_pktmbuf_free_seg(txq->mbufs[txq->cons]);
		txq->cons = dwmac_ring_next(txq->cons, txq->nb_desc);
	}
	txq->cons = 0;
	txq->done = 0;
	txq->prod = 0;
	txq->nb_free = txq->nb_desc - 1;
	txq->since_sweep = 0;
	txq->tail_owed = false;
	memset(txq->ring, 0, (size_t)txq->nb_desc * DWMAC_DESC_BYTES);
	rte_spinlock_unlock(&txq->slot->lock);
}

void
dwmac_tx_queue_release(struct rte_eth_dev *dev, uint16_t qid)
{
	struct dwmac_txq *txq = dev->data->tx_queues[qid];

	if (txq == NULL)
		return;
	if (!dwmac_port(dev)->wedged)
		free_tx_mbufs(txq);
	dwmac_sweep_detach(txq);
	if (!dwmac_port(dev)->wedged)
		rte_memzone_free(txq->mz);
	rte_free(txq->last);
	rte_free(txq->mbufs);
	rte_free(txq);
	dev->data->tx_queues[qid] = NULL;
}

void
dwmac_rxq_info_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_rxq_info *info)
{
	const struct dwmac_rxq *rxq = dev->data->rx_queues[qid];

	info->mp = rxq->pool;
	info->scattered_rx = dev->data->scattered_rx;
	info->nb_desc = rxq->nb_desc;
	info->rx_buf_size = rxq->buf_bytes;
	info->conf.rx_free_thresh = rxq->free_thresh;
	info->conf.rx_drop_en = 1;
	info->conf.offloads = dev->data->dev_conf.rxmode.offloads;
}

void
dwmac_txq_info_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_txq_info *info)
{
	const struct dwmac_txq *txq = dev->data->tx_queues[qid];

	info->nb_desc = txq->nb_desc;
	info->conf.tx_rs_thresh = txq->sweep_every;
	info->conf.offloads = txq->offloads;
}

/* Give all entries but one to the device. */
static int
fill_rx_ring(struct rte_eth_dev *dev, struct dwmac_rxq *rxq)
{
	const uint8_t bits = dwmac_port(dev)->caps.addr_bits;
	uint16_t i;

	for (i = 0; i + 1 < rxq->nb_desc; i++) {
		struct rte_mbuf *m = rte_mbuf_raw_alloc(rxq->pool);

		if (m == NULL) {
			DWMAC_PORT_LOG(ERR, dev,
					"RX queue %u: pool %s is empty after %u of %u mbufs: make "
					"it larger",
					rxq->queue_id, rxq->pool->name, i, rxq->nb_desc - 1);
			return -ENOMEM;
		}
		rxq->mbufs[i] = m;
		if (bits < 64 && (m->buf_iova + m->buf_len - 1) >> bits != 0) {
			DWMAC_PORT_LOG(ERR, dev,
					"pool %s is beyond the device's %u address bits: run with "
					"--legacy-mem --base-virtaddr=0x20000000",
					rxq->pool->name, bits);
			return -EFAULT;
		}
		dwmac_eqos_rx_give(rxq->ring, i, m->buf_iova + rxq->data_off);
	}
	rxq->next = 0;
	rxq->refill = rxq->nb_desc - 1;
	rxq->nb_hold = 0;
	rxq->tail_owed = false;
	rxq->stamp_wait_tsc = 0;
	return 0;
}

int
dwmac_queues_start(struct rte_eth_dev *dev)
{
	struct dwmac_hw *hw = dwmac_hw(dev);
	struct dwmac_ring ring;
	unsigned int q;
	int ret;

	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		struct dwmac_rxq *rxq = dev->data->rx_queues[q];

		ret = fill_rx_ring(dev, rxq);
		if (ret != 0) {
			dwmac_queues_stop(dev);
			return ret;
		}
		ring = (struct dwmac_ring){
			.iova = rxq->ring_iova,
			.nb_desc = rxq->nb_desc,
			.buf_bytes = rxq->buf_bytes,
		};
		hw->ops->rx_start(hw, q, &ring, rxq->refill);
		dev->data->rx_queue_state[q] = RTE_ETH_QUEUE_STATE_STARTED;
	}
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		struct dwmac_txq *txq = dev->data->tx_queues[q];

		free_tx_mbufs(txq);
		ring = (struct dwmac_ring){ .iova = txq->ring_iova, .nb_desc = txq->nb_desc };
		hw->ops->tx_start(hw, q, &ring);
		dev->data->tx_queue_state[q] = RTE_ETH_QUEUE_STATE_STARTED;
	}
	return 0;
}

static int
stop_channels(struct rte_eth_dev *dev)
{
	struct dwmac_hw *hw = dwmac_hw(dev);
	int result = 0;
	unsigned int q;
	int ret;

	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		if (dev->data->tx_queue_state[q] != RTE_ETH_QUEUE_STATE_STARTED)
			continue;
		dev->data->tx_queue_state[q] = RTE_ETH_QUEUE_STATE_STOPPED;
		ret = hw->ops->tx_stop(hw, q);
		if (ret != 0) {
			DWMAC_PORT_LOG(WARNING, dev, "TX channel %u: %s", q, rte_strerror(-ret));
			result = ret;
		}
	}
	hw->ops->enable(hw, false, false);
	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		if (dev->data->rx_queue_state[q] != RTE_ETH_QUEUE_STATE_STARTED)
			continue;
		dev->data->rx_queue_state[q] = RTE_ETH_QUEUE_STATE_STOPPED;
		ret = hw->ops->rx_stop(hw, q);
		if (ret != 0) {
			DWMAC_PORT_LOG(WARNING, dev, "RX channel %u: %s", q, rte_strerror(-ret));
			result = ret;
		}
	}
	return result;
}

/* Stop the channels that run, then take every mbuf back. A channel that does not come to rest may
 * still write into them: then the core is reset, and if that fails the buffers stay where they
 * are. A device that is gone reads all ones and cannot touch memory any more. */
int
dwmac_queues_stop(struct rte_eth_dev *dev)
{
	int ret = stop_channels(dev);
	unsigned int q;

	if (ret == -ETIMEDOUT) {
		ret = dwmac_ethdev_reset_core(dev);
		if (ret != 0 && ret != -ENODEV) {
			DWMAC_PORT_LOG(ERR, dev, "the core does not reset: its buffers are lost");
			dwmac_port(dev)->wedged = true;
			return ret;
		}
	}
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		if (dev->data->tx_queues[q] != NULL)
			free_tx_mbufs(dev->data->tx_queues[q]);
	}
	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		if (dev->data->rx_queues[q] != NULL)
			free_rx_mbufs(dev->data->rx_queues[q]);
	}
	return 0;
}
