/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* The rte_eth_timesync_* operations. */

#include <errno.h>
#include <time.h>

#include "dwmac.h"
#include "dwmac_sweep.h"
#include "rte_pmd_dwmac.h"

/* How long to wait for a sweep that is under way. */
#define STAMP_LOCK_US 100

/* The clock starts at the system's time, as users of a NIC clock under Linux expect; from then
 * on it only moves as it is told, over stop, start, disable and enable. */
static int
start_clock(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_time now;
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	now.s = ts.tv_sec;
	now.ns = ts.tv_nsec;
	return dwmac_ptp_start(&port->ptp, &dwmac_hw(dev)->io, &now, DWMAC_PTP_FILTER_EVENT);
}

void
dwmac_timesync_save(struct rte_eth_dev *dev, struct dwmac_time *now)
{
	struct dwmac_port *port = dwmac_port(dev);

	if (port->ptp.running && dwmac_ptp_read(&port->ptp, &dwmac_hw(dev)->io, now) != 0)
		port->ptp.running = false;
}

/* Late by the reset, some microseconds: a servo sees a step and not a clock that is gone. */
void
dwmac_timesync_restore(struct rte_eth_dev *dev, const struct dwmac_time *now)
{
	const struct dwmac_io *io = &dwmac_hw(dev)->io;
	struct dwmac_port *port = dwmac_port(dev);
	const int64_t scaled_ppm = port->ptp.scaled_ppm;

	port->ptp.unfinished = false;
	if (!port->ptp.running)
		return;
	if (dwmac_ptp_start(&port->ptp, io, now,
			    port->timesync ? DWMAC_PTP_FILTER_EVENT : DWMAC_PTP_FILTER_NONE) != 0 ||
			dwmac_ptp_adjust_freq(&port->ptp, io, scaled_ppm) != 0)
		DWMAC_PORT_LOG(ERR, dev, "the PTP clock did not survive the reset of the core");
}

static void
report(struct rte_eth_dev *dev, const char *what, int ret)
{
	if (ret == -ETIMEDOUT)
		DWMAC_PORT_LOG(ERR, dev,
				"%s: the PTP block did not finish within %u us: is "
				"clk_ptp_ref_i running?",
				what, DWMAC_PTP_TIMEOUT_US);
}

static void
stamps_on(struct rte_eth_dev *dev, bool on)
{
	unsigned int q;

	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		struct dwmac_txq *txq = dev->data->tx_queues[q];

		if (txq != NULL)
			txq->stamps_on = on;
	}
}

int
dwmac_timesync_enable(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	int ret;

	if (!port->caps.ptp)
		return -ENOTSUP;
	rte_spinlock_lock(&port->lock);
	ret = port->ptp.running ? dwmac_ptp_filter(&port->ptp, &dwmac_hw(dev)->io,
						  DWMAC_PTP_FILTER_EVENT)
				: start_clock(dev);
	if (ret == 0) {
		port->timesync = true;
		stamps_on(dev, true);
	}
	rte_spinlock_unlock(&port->lock);
	report(dev, "timesync enable", ret);
	return ret;
}

int
dwmac_timesync_disable(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	int ret = 0;

	rte_spinlock_lock(&port->lock);
	if (port->timesync) {
		ret = dwmac_ptp_filter(&port->ptp, &dwmac_hw(dev)->io, DWMAC_PTP_FILTER_NONE);
		port->timesync = false;
		stamps_on(dev, false);
	}
	rte_spinlock_unlock(&port->lock);
	return ret;
}

/* Descriptors carry 32 bits of seconds. Crossing into the PTP clock's domain makes every stamp two
 * of its periods late; the core's own latencies it corrects itself (ptp.md §9). */
static void
to_timespec(const struct dwmac_port *port, const struct dwmac_stamp *stamp, struct timespec *ts)
{
	const uint32_t clk_hz = port->ptp.clk_hz;
	const uint32_t late_ns = (2u * NS_PER_S + clk_hz / 2) / clk_hz;

	ts->tv_sec = stamp->s;
	ts->tv_nsec = (long)stamp->ns - (long)late_ns;
	if (ts->tv_nsec < 0) {
		ts->tv_sec--;
		ts->tv_nsec += NS_PER_S;
	}
}

/* @param flags  mbuf->timesync of the packet; 0: the newest stamp of queue 0. */
int
dwmac_timesync_read_rx(struct rte_eth_dev *dev, struct timespec *ts, uint32_t flags)
{
	const unsigned int qid = (flags >> 8) & 0xff;
	const unsigned int slot = flags & 0xff;
	struct dwmac_stamp stamp;
	struct dwmac_rxq *rxq;
	uint64_t word;

	if (!dwmac_port(dev)->timesync || qid >= dev->data->nb_rx_queues || slot >= DWMAC_RX_STAMPS)
		return -EINVAL;
	rxq = dev->data->rx_queues[qid];
	if (rxq == NULL)
		return -EINVAL;
	word = __atomic_exchange_n(&rxq->stamps[slot], DWMAC_RX_STAMP_EMPTY, __ATOMIC_RELAXED);
	if (word == DWMAC_RX_STAMP_EMPTY)
		return -EINVAL;
	stamp.s = word >> 32;
	stamp.ns = (uint32_t)word;
	to_timespec(dwmac_port(dev), &stamp, ts);
	return 0;
}

/* The oldest unread stamp of one queue, or false. Frees nothing: the mbufs are the sweep's. A sweep
 * under way lasts microseconds; giving up at once would tell a caller who flushes old stamps that
 * there is none. */
static bool
take_tx_stamp(struct dwmac_txq *txq, struct dwmac_stamp *stamp)
{
	const uint64_t limit = rte_get_tsc_hz() / 1000000 * STAMP_LOCK_US;
	const uint64_t start = rte_rdtsc();
	bool found = false;

	while (!rte_spinlock_trylock(&txq->slot->lock)) {
		if (rte_rdtsc() - start > limit)
			return false;
		rte_pause();
	}
	dwmac_eqos_tx_harvest(txq);
	if (txq->stamp_head != txq->stamp_tail) {
		*stamp = txq->stamps[txq->stamp_head++ % DWMAC_TX_STAMPS];
		found = true;
	}
	rte_spinlock_unlock(&txq->slot->lock);
	return found;
}

int
dwmac_timesync_read_tx(struct rte_eth_dev *dev, struct timespec *ts)
{
	struct dwmac_stamp stamp;
	unsigned int q;

	if (!dwmac_port(dev)->timesync)
		return -EINVAL;
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		struct dwmac_txq *txq = dev->data->tx_queues[q];

		if (txq != NULL && take_tx_stamp(txq, &stamp)) {
			to_timespec(dwmac_port(dev), &stamp, ts);
			return 0;
		}
	}
	return -EINVAL;
}

int
dwmac_timesync_adjust_time(struct rte_eth_dev *dev, int64_t delta_ns)
{
	struct dwmac_port *port = dwmac_port(dev);
	int ret = -EINVAL;

	rte_spinlock_lock(&port->lock);
	if (port->ptp.running)
		ret = dwmac_ptp_adjust_time(&port->ptp, &dwmac_hw(dev)->io, delta_ns);
	rte_spinlock_unlock(&port->lock);
	report(dev, "timesync adjust_time", ret);
	return ret;
}

int
dwmac_timesync_adjust_freq(struct rte_eth_dev *dev, int64_t scaled_ppm)
{
	struct dwmac_port *port = dwmac_port(dev);
	int ret = -EINVAL;

	rte_spinlock_lock(&port->lock);
	if (port->ptp.running)
		ret = dwmac_ptp_adjust_freq(&port->ptp, &dwmac_hw(dev)->io, scaled_ppm);
	rte_spinlock_unlock(&port->lock);
	report(dev, "timesync adjust_freq", ret);
	return ret;
}

int
dwmac_timesync_read_time(struct rte_eth_dev *dev, struct timespec *ts)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_time now;
	int ret = -EINVAL;

	rte_spinlock_lock(&port->lock);
	if (port->ptp.running)
		ret = dwmac_ptp_read(&port->ptp, &dwmac_hw(dev)->io, &now);
	rte_spinlock_unlock(&port->lock);
	if (ret == 0) {
		ts->tv_sec = now.s;
		ts->tv_nsec = now.ns;
	}
	return ret;
}

int
dwmac_timesync_write_time(struct rte_eth_dev *dev, const struct timespec *ts)
{
	struct dwmac_port *port = dwmac_port(dev);
	const struct dwmac_time time = { .s = ts->tv_sec, .ns = ts->tv_nsec };
	int ret = -EINVAL;

	if (ts->tv_nsec < 0 || ts->tv_nsec >= NS_PER_S)
		return -EINVAL;
	rte_spinlock_lock(&port->lock);
	if (port->ptp.running)
		ret = dwmac_ptp_write(&port->ptp, &dwmac_hw(dev)->io, &time);
	rte_spinlock_unlock(&port->lock);
	report(dev, "timesync write_time", ret);
	return ret;
}

DWMAC_EXPORT_EXPERIMENTAL(rte_pmd_dwmac_timesync_adjust_freq, 26.11)
int
rte_pmd_dwmac_timesync_adjust_freq(uint16_t port_id, int64_t ppm)
{
	struct rte_eth_dev *dev;

	RTE_ETH_VALID_PORTID_OR_ERR_RET(port_id, -ENODEV);
	dev = &rte_eth_devices[port_id];
	if (dev->process_private == NULL || dwmac_processes[port_id] != dev->process_private)
		return -ENOTSUP;
	if (dwmac_port(dev)->removed)
		return -EIO;
	return dwmac_timesync_adjust_freq(dev, ppm);
}
