/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The ethdev operations: information, configuration, start, stop, close. */

#include <errno.h>
#include <inttypes.h>

#include <rte_malloc.h>

#include "dwmac.h"
#include "dwmac_args.h"
#include "dwmac_sweep.h"

RTE_LOG_REGISTER_SUFFIX(dwmac_logtype, driver, NOTICE);

struct dwmac_process *dwmac_processes[RTE_MAX_ETHPORTS];

#define TX_OFFLOADS (RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE)
#define RX_OFFLOADS RTE_ETH_RX_OFFLOAD_SCATTER

static uint32_t
frame_bytes(uint16_t mtu)
{
	return mtu + RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN;
}

static int
infos_get(struct rte_eth_dev *dev, struct rte_eth_dev_info *info)
{
	const struct dwmac_port *port = dwmac_port(dev);
	const struct rte_eth_desc_lim lim = {
		.nb_max = DWMAC_DESC_MAX,
		.nb_min = DWMAC_DESC_MIN,
		.nb_align = DWMAC_DESC_STEP,
		.nb_seg_max = DWMAC_TX_SEGMENTS_MAX,
		.nb_mtu_seg_max = DWMAC_TX_SEGMENTS_MAX,
	};

	info->min_rx_bufsize = 64 + DWMAC_BUF_ALIGN;
	info->max_rx_pktlen = DWMAC_MTU_MAX + DWMAC_FRAME_OVERHEAD;
	info->min_mtu = DWMAC_MTU_MIN;
	info->max_mtu = DWMAC_MTU_MAX;
	info->max_rx_queues = port->caps.nb_rx_queues;
	info->max_tx_queues = port->caps.nb_tx_queues;
	info->max_mac_addrs = 1;
	info->speed_capa = dwmac_link_speed_capa(dev);
	info->rx_desc_lim = lim;
	info->tx_desc_lim = lim;
	info->rx_offload_capa = RX_OFFLOADS;
	info->tx_offload_capa = TX_OFFLOADS;
	info->tx_queue_offload_capa = TX_OFFLOADS;
	info->default_rxconf.rx_free_thresh = DWMAC_BURST_DEFAULT;
	info->default_rxconf.rx_drop_en = 1;
	info->default_txconf.tx_rs_thresh = DWMAC_BURST_DEFAULT;
	info->default_rxportconf.burst_size = DWMAC_BURST_DEFAULT;
	info->default_rxportconf.ring_size = DWMAC_RX_DESC_DEFAULT;
	info->default_rxportconf.nb_queues = 1;
	info->default_txportconf.burst_size = DWMAC_BURST_DEFAULT;
	info->default_txportconf.ring_size = DWMAC_TX_DESC_DEFAULT;
	info->default_txportconf.nb_queues = 1;
	return 0;
}

static const uint32_t *
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
supported_ptypes_get(struct rte_eth_dev *dev __rte_unused, size_t *nb)
#else
supported_ptypes_get(struct rte_eth_dev *dev __rte_unused)
#endif
{
	static const uint32_t ptypes[] = {
		RTE_PTYPE_L2_ETHER,
		RTE_PTYPE_L2_ETHER_TIMESYNC,
		RTE_PTYPE_UNKNOWN,
	};

#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
	*nb = RTE_DIM(ptypes) - 1;
#endif
	return ptypes;
}

static int
configure(struct rte_eth_dev *dev)
{
	const struct rte_eth_conf *conf = &dev->data->dev_conf;

	if (conf->rxmode.mq_mode != RTE_ETH_MQ_RX_NONE) {
		DWMAC_PORT_LOG(ERR, dev,
				"RX multi-queue mode 0x%x: this core has no RSS, DCB or "
				"VMDQ; use RTE_ETH_MQ_RX_NONE",
				conf->rxmode.mq_mode);
		return -EINVAL;
	}
	if (conf->txmode.mq_mode != RTE_ETH_MQ_TX_NONE) {
		DWMAC_PORT_LOG(ERR, dev, "TX multi-queue mode 0x%x: use RTE_ETH_MQ_TX_NONE",
				conf->txmode.mq_mode);
		return -EINVAL;
	}
	if (conf->lpbk_mode > 1) {
		DWMAC_PORT_LOG(ERR, dev, "loopback mode %u: 0 is none, 1 is in the MAC",
				conf->lpbk_mode);
		return -EINVAL;
	}
	return dwmac_link_configure(dev);
}

/* Store and forward: a whole frame must fit its queue's share of the FIFO (sequences.md §4). */
static int
check_fifo(struct rte_eth_dev *dev, uint16_t mtu)
{
	const struct dwmac_caps *caps = &dwmac_port(dev)->caps;
	const uint32_t frame = mtu + DWMAC_FRAME_OVERHEAD;
	const uint32_t tx = caps->tx_fifo_bytes / RTE_MAX(dev->data->nb_tx_queues, 1);
	const uint32_t rx = caps->rx_fifo_bytes / RTE_MAX(dev->data->nb_rx_queues, 1);

	if (frame <= RTE_MIN(tx, rx))
		return 0;
	DWMAC_PORT_LOG(ERR, dev,
			"MTU %u does not fit the FIFO: %u bytes per TX queue, %u per RX queue; use "
			"fewer queues",
			mtu, tx, rx);
	return -EINVAL;
}

/* A frame must fit one buffer unless the application takes chains. */
static int
check_scatter(struct rte_eth_dev *dev, uint16_t mtu)
{
	const uint32_t frame = mtu + DWMAC_FRAME_OVERHEAD;
	bool fits = true;
	unsigned int q;

	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		const struct dwmac_rxq *rxq = dev->data->rx_queues[q];

		if (rxq != NULL && frame > rxq->buf_bytes)
			fits = false;
	}
	if (!fits && !(dev->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_SCATTER)) {
		DWMAC_PORT_LOG(ERR, dev,
				"MTU %u does not fit one RX buffer: enable "
				"RTE_ETH_RX_OFFLOAD_SCATTER or use larger mbufs",
				mtu);
		return -EINVAL;
	}
	dev->data->scattered_rx = !fits;
	return 0;
}

static void
select_bursts(struct rte_eth_dev *dev)
{
	uint64_t tx_offloads = dev->data->dev_conf.txmode.offloads;
	unsigned int q;

	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		const struct dwmac_txq *txq = dev->data->tx_queues[q];

		tx_offloads |= txq->offloads;
	}
	dev->rx_pkt_burst = dwmac_eqos_rx_burst;
	dev->tx_pkt_prepare = dwmac_tx_prepare;
	dev->tx_pkt_burst = tx_offloads & RTE_ETH_TX_OFFLOAD_MULTI_SEGS
					    ? dwmac_eqos_tx_burst_full
					    : dwmac_eqos_tx_burst_simple;
}

static int
start(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);
	int ret;

	if (port->removed)
		return -ENODEV;
	if (port->wedged) {
		DWMAC_PORT_LOG(ERR, dev,
				"the DMA never came to rest: reset the device, then probe it "
				"again");
		return -EIO;
	}
	ret = check_fifo(dev, dev->data->mtu);
	if (ret == 0)
		ret = check_scatter(dev, dev->data->mtu);
	if (ret != 0)
		return ret;
	select_bursts(dev);

	rte_spinlock_lock(&port->lock);
	hw->ops->init(hw, dev->data->nb_tx_queues, dev->data->nb_rx_queues);
	hw->ops->mac_addr(hw, 0, dev->data->mac_addrs[0].addr_bytes);
	hw->ops->filter(hw, dev->data->promiscuous, dev->data->all_multicast);
	hw->ops->max_frame(hw, frame_bytes(dev->data->mtu));
	hw->ops->loopback(hw, dev->data->dev_conf.lpbk_mode != 0);
	/* Channels run before the MAC does: no packet finds its queue without one. */
	ret = dwmac_queues_start(dev);
	rte_spinlock_unlock(&port->lock);
	if (ret != 0)
		return ret;

	/* Sets speed and duplex as far as they are known and switches the MAC on. */
	dwmac_link_watch(dev, true);
	return 0;
}

static int
stop(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct rte_eth_link down = {
		.link_status = RTE_ETH_LINK_DOWN,
	};
	int ret;

	dwmac_link_watch(dev, false);
	rte_spinlock_lock(&port->lock);
	/* Inside the lock: a look at the link from another thread must not switch the MAC on. */
	dev->data->dev_started = 0;
	dwmac_stats_harvest(dev);
	ret = dwmac_queues_stop(dev);
	dwmac_stats_harvest(dev);
	rte_spinlock_unlock(&port->lock);
	rte_eth_linkstatus_set(dev, &down);
	return ret;
}

int
dwmac_ethdev_reset_core(struct rte_eth_dev *dev)
{
	struct dwmac_hw *hw = dwmac_hw(dev);
	struct dwmac_time now;
	int ret;

	dwmac_timesync_save(dev, &now);
	ret = hw->ops->reset(hw);
	if (ret != 0)
		return ret;
	dwmac_stats_restart(dev);
	dwmac_timesync_restore(dev, &now);
	DWMAC_PORT_LOG(WARNING, dev, "core reset");
	return 0;
}

int
dwmac_ethdev_close(struct rte_eth_dev *dev)
{
	struct dwmac_process *process = dev->process_private;
	unsigned int q;

	if (rte_eal_process_type() == RTE_PROC_PRIMARY) {
		if (dev->data->dev_started)
			stop(dev);
		for (q = 0; q < dev->data->nb_rx_queues; q++)
			dwmac_rx_queue_release(dev, q);
		for (q = 0; q < dev->data->nb_tx_queues; q++)
			dwmac_tx_queue_release(dev, q);
		dwmac_stats_fini(dev);
	}
	if (process->vu != NULL)
		dwmac_vdev_close(dev);
	dwmac_processes[dev->data->port_id] = NULL;
	dev->process_private = NULL;
	rte_free(process);
	return 0;
}

void
dwmac_ethdev_removed(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct rte_eth_link down = {
		.link_status = RTE_ETH_LINK_DOWN,
	};

	if (port->removed)
		return;
	port->removed = true;
	DWMAC_PORT_LOG(WARNING, dev, "the device is gone: close the port");
	rte_eth_linkstatus_set(dev, &down);
	/* Last: the application may close the port in its callback. */
	if (dev->data->dev_conf.intr_conf.rmv)
		rte_eth_dev_callback_process(dev, RTE_ETH_EVENT_INTR_RMV, NULL);
}

static int
is_removed(struct rte_eth_dev *dev)
{
	return dwmac_port(dev)->removed;
}

static int
set_filter(struct rte_eth_dev *dev, bool promiscuous, bool all_multicast)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);

	if (port->removed)
		return -EIO;
	rte_spinlock_lock(&port->lock);
	hw->ops->filter(hw, promiscuous, all_multicast);
	rte_spinlock_unlock(&port->lock);
	return 0;
}

static int
promiscuous_enable(struct rte_eth_dev *dev)
{
	return set_filter(dev, true, dev->data->all_multicast);
}

static int
promiscuous_disable(struct rte_eth_dev *dev)
{
	return set_filter(dev, false, dev->data->all_multicast);
}

static int
allmulticast_enable(struct rte_eth_dev *dev)
{
	return set_filter(dev, dev->data->promiscuous, true);
}

static int
allmulticast_disable(struct rte_eth_dev *dev)
{
	return set_filter(dev, dev->data->promiscuous, false);
}

static int
mac_addr_set(struct rte_eth_dev *dev, struct rte_ether_addr *addr)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);

	if (port->removed)
		return -EIO;
	rte_spinlock_lock(&port->lock);
	hw->ops->mac_addr(hw, 0, addr->addr_bytes);
	rte_ether_addr_copy(addr, &port->mac);
	rte_spinlock_unlock(&port->lock);
	return 0;
}

/* Limits of the MAC change only while it is off. */
static int
mtu_set(struct rte_eth_dev *dev, uint16_t mtu)
{
	if (dev->data->dev_started) {
		DWMAC_PORT_LOG(ERR, dev, "stop the port before changing the MTU");
		return -EBUSY;
	}
	return check_fifo(dev, mtu) != 0 ? -EINVAL : check_scatter(dev, mtu);
}

/* ethdev does not say which thread may call this. The one that transmits may free anything; from
 * any other one, packets of pools that allow one producer only stay. */
static int
tx_done_cleanup(void *queue, uint32_t free_cnt)
{
	struct dwmac_txq *txq = queue;
	const bool own = __atomic_load_n(&txq->armed_by, __ATOMIC_RELAXED) == rte_lcore_id();
	int ret = own ? dwmac_sweep_own(txq->slot, free_cnt)
		      : dwmac_sweep_foreign(txq->slot, free_cnt);

	/* Busy: somebody is freeing at this moment. */
	return ret == -EBUSY ? 0 : ret;
}

static int
fw_version_get(struct rte_eth_dev *dev, char *version, size_t size)
{
	const struct dwmac_caps *caps = &dwmac_port(dev)->caps;
	int n = snprintf(version, size, "DWC EQOS %x.%x, user 0x%02x", caps->snpsver >> 4,
			caps->snpsver & 0xf, caps->userver);

	return n < 0 ? -EINVAL : (size_t)n >= size ? n + 1 : 0;
}

static const struct eth_dev_ops ops = {
	.dev_configure = configure,
	.dev_start = start,
	.dev_stop = stop,
	.dev_close = dwmac_ethdev_close,
	.dev_infos_get = infos_get,
	.dev_supported_ptypes_get = supported_ptypes_get,
	.dev_set_link_up = dwmac_link_set_up,
	.dev_set_link_down = dwmac_link_set_down,
	.link_update = dwmac_link_update,
	.is_removed = is_removed,
	.promiscuous_enable = promiscuous_enable,
	.promiscuous_disable = promiscuous_disable,
	.allmulticast_enable = allmulticast_enable,
	.allmulticast_disable = allmulticast_disable,
	.mac_addr_set = mac_addr_set,
	.mtu_set = mtu_set,
	.fw_version_get = fw_version_get,
	.stats_get = dwmac_stats_get,
	.stats_reset = dwmac_stats_reset,
	.xstats_get = dwmac_xstats_get,
	.xstats_reset = dwmac_xstats_reset,
	.xstats_get_names = dwmac_xstats_get_names,
	.rx_queue_setup = dwmac_rx_queue_setup,
	.rx_queue_release = dwmac_rx_queue_release,
	.tx_queue_setup = dwmac_tx_queue_setup,
	.tx_queue_release = dwmac_tx_queue_release,
	.rxq_info_get = dwmac_rxq_info_get,
	.txq_info_get = dwmac_txq_info_get,
	.tx_done_cleanup = tx_done_cleanup,
	.timesync_enable = dwmac_timesync_enable,
	.timesync_disable = dwmac_timesync_disable,
	.timesync_read_rx_timestamp = dwmac_timesync_read_rx,
	.timesync_read_tx_timestamp = dwmac_timesync_read_tx,
	.timesync_adjust_time = dwmac_timesync_adjust_time,
#if DWMAC_ETHDEV_HAS_ADJUST_FREQ
	.timesync_adjust_freq = dwmac_timesync_adjust_freq,
#endif
	.timesync_read_time = dwmac_timesync_read_time,
	.timesync_write_time = dwmac_timesync_write_time,
};

/* PHY first: without its RX clock the software reset never ends (pitfalls.md 1, 2). */
static int
bring_up(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);
	int ret;

	hw->ops->get_mac_addr(hw, port->mac.addr_bytes);
	if (hw->caps.mdio) {
		ret = dwmac_phy_probe(hw, &port->phy);
		port->has_phy = ret == 0;
		if (ret != 0 && ret != -ENODEV) {
			DWMAC_PORT_LOG(ERR, dev, "MDIO does not answer: %s", rte_strerror(-ret));
			return ret;
		}
	}
	if (port->has_phy) {
		ret = dwmac_phy_power_up(hw, &port->phy);
		if (ret != 0)
			return ret;
	}
	ret = hw->ops->reset(hw);
	if (ret == -ETIMEDOUT)
		DWMAC_PORT_LOG(ERR, dev,
				"software reset does not end: a clock is missing, most "
				"likely the RX clock from the PHY");
	if (ret != 0)
		return ret;
	if (!rte_is_valid_assigned_ether_addr(&port->mac)) {
		rte_eth_random_addr(port->mac.addr_bytes);
		DWMAC_PORT_LOG(NOTICE, dev, "firmware set no MAC address: using a random one");
	}
	return 0;
}

static int
init_port(struct rte_eth_dev *dev, const struct dwmac_device *device, const struct dwmac_args *args)
{
	struct dwmac_process *process = dev->process_private;
	struct dwmac_port *port = dwmac_port(dev);
	int ret;

	dev->dev_ops = &ops;
	dev->rx_pkt_burst = rte_eth_pkt_burst_dummy;
	dev->tx_pkt_burst = rte_eth_pkt_burst_dummy;
	process->hw.io.tsc_hz = rte_get_tsc_hz();

	ret = dwmac_hw_init(&process->hw, device);
	if (ret != 0) {
		DWMAC_PORT_LOG(ERR, dev,
				"%s: no DWC Ethernet QoS core answers: clocks off, device "
				"gone, or another function",
				device->name);
		return ret;
	}
	/* Also keeps EAL from adding memory beyond the mask later. */
	if (rte_mem_check_dma_mask(process->hw.caps.addr_bits) != 0) {
		DWMAC_PORT_LOG(ERR, dev,
				"memory lies beyond the device's %u address bits: run with "
				"--legacy-mem --base-virtaddr=0x20000000",
				process->hw.caps.addr_bits);
		return -EFAULT;
	}
	ret = dwmac_sweep_init();
	if (ret == 0 && args->sweep_service)
		ret = dwmac_sweep_service_register();
	if (ret != 0)
		return ret;

	port->port_id = dev->data->port_id;
	port->vendor_id = device->vendor_id;
	port->device_id = device->device_id;
	port->caps = process->hw.caps;
	port->tx_usecs = args->tx_usecs;
	port->link_modes = DWMAC_PHY_ALL;
	port->ptp.base = process->hw.ops->ptp_base;
	port->ptp.clk_hz = device->ptp_clk_hz;
	port->ptp.higher_word = port->caps.ptp_higher_word;
	rte_spinlock_init(&port->lock);
	ret = bring_up(dev);
	if (ret != 0)
		return ret;
	ret = dwmac_stats_init(dev);
	if (ret != 0)
		return ret;
	/* Freed by rte_eth_dev_release_port(). */
	dev->data->mac_addrs = rte_zmalloc("dwmac_mac", sizeof(port->mac), 0);
	if (dev->data->mac_addrs == NULL) {
		dwmac_stats_fini(dev);
		return -ENOMEM;
	}
	rte_ether_addr_copy(&port->mac, &dev->data->mac_addrs[0]);
	dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS | RTE_ETH_DEV_INTR_LSC;
	DWMAC_PORT_LOG(INFO, dev, "%s, core %x.%x, %u+%u queues, %u address bits", device->name,
			port->caps.snpsver >> 4, port->caps.snpsver & 0xf, port->caps.nb_rx_queues,
			port->caps.nb_tx_queues, port->caps.addr_bits);
	return 0;
}

int
dwmac_ethdev_init(struct rte_eth_dev *dev, const struct dwmac_device *device,
		const struct dwmac_args *args)
{
	int ret;

	dwmac_processes[dev->data->port_id] = dev->process_private;
	ret = init_port(dev, device, args);
	if (ret != 0)
		dwmac_processes[dev->data->port_id] = NULL;
	return ret;
}
