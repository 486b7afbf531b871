/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Counters: those of the queues, and 64-bit sums over the MMC's 32-bit ones. */

#include <errno.h>
#include <stddef.h>

#include <rte_malloc.h>
#include <rte_string_fns.h>

#include "dwmac.h"

#define NS_PER_S_U64 UINT64_C(1000000000)

/* xstats of one queue: the name behind "tx_q0_", and where the value stands. */
struct field {
	const char *name;
	size_t offset;
};

#define TXQ(name, member)                                \
	{                                                \
		name, offsetof(struct dwmac_txq, member) \
	}
#define RXQ(name, member)                                \
	{                                                \
		name, offsetof(struct dwmac_rxq, member) \
	}

static const struct field txq_fields[] = {
	TXQ("sweep_arms", arms),
	TXQ("sweep_runs", counters.runs),
	TXQ("sweep_runs_due", counters.runs_due),
	TXQ("sweep_freed", counters.freed),
	TXQ("tails_owed", tails_owed),
	TXQ("stamps_missed", counters.stamps_missed),
	TXQ("stamps_dropped", counters.stamps_dropped),
	TXQ("status_errors", counters.errors),
};

static const struct field rxq_fields[] = {
	RXQ("no_mbuf", counters.no_mbuf),
	RXQ("crc_errors", counters.crc),
	RXQ("giants", counters.giant),
	RXQ("watchdog_errors", counters.watchdog),
	RXQ("overflow_errors", counters.overflow),
	RXQ("receive_errors", counters.receive_error),
	RXQ("bad_length", counters.bad_length),
	RXQ("bad_sequence", counters.bad_sequence),
	RXQ("stamps_late", counters.stamps_late),
	RXQ("stamps_bad", counters.stamps_bad),
};

static uint64_t
value_at(const void *queue, size_t offset)
{
	return *(const uint64_t *)((const char *)queue + offset);
}

int
dwmac_stats_init(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	const struct dwmac_core_ops *ops = dwmac_hw(dev)->ops;

	port->mmc = rte_zmalloc("dwmac_mmc", ops->nb_mmc * sizeof(*port->mmc), 0);
	port->mmc_base = rte_zmalloc("dwmac_mmc", ops->nb_mmc * sizeof(*port->mmc_base), 0);
	port->mmc_last = rte_zmalloc("dwmac_mmc", ops->nb_mmc * sizeof(*port->mmc_last), 0);
	if (port->mmc == NULL || port->mmc_base == NULL || port->mmc_last == NULL) {
		dwmac_stats_fini(dev);
		return -ENOMEM;
	}
	return 0;
}

void
dwmac_stats_fini(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);

	rte_free(port->mmc);
	rte_free(port->mmc_base);
	rte_free(port->mmc_last);
	port->mmc = NULL;
	port->mmc_base = NULL;
	port->mmc_last = NULL;
}

/* Differences modulo 2^32, so nothing is lost when somebody else reads, and a wrap between two
 * looks is harmless. */
void
dwmac_stats_harvest(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	struct dwmac_hw *hw = dwmac_hw(dev);
	uint32_t overflow, no_buffer;
	unsigned int i;

	if (port->removed)
		return;
	for (i = 0; port->caps.mmc && i < hw->ops->nb_mmc; i++) {
		const uint32_t now = dwmac_read32(&hw->io, hw->ops->mmc[i].offset);
		const uint32_t more = now - port->mmc_last[i];

		/* A device that is gone, or the one value in 2^32 that looks like it: the next
		 * look will tell. */
		if (now == DWMAC_ALL_ONES)
			continue;
		port->mmc[i] += more;
		port->mmc_last[i] = now;
		if (hw->ops->mmc[i].offset == hw->ops->mmc_rx_overflow)
			port->rx_overflow += more;
	}
	/* The queues' own counters have 11 bits, too few for a second at line rate: where the MMC
	 * counts the same they are read only to be cleared. */
	for (i = 0; i < dev->data->nb_rx_queues; i++) {
		hw->ops->rx_missed(hw, i, &overflow, &no_buffer);
		if (!port->caps.mmc)
			port->rx_overflow += overflow;
		port->rx_no_buffer += no_buffer;
	}
}

void
dwmac_stats_restart(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);

	memset(port->mmc_last, 0, dwmac_hw(dev)->ops->nb_mmc * sizeof(*port->mmc_last));
}

static uint64_t
rx_errors(const struct dwmac_rxq *rxq)
{
	const struct dwmac_rx_counters *c = &rxq->counters;

	return c->crc + c->giant + c->watchdog + c->overflow + c->receive_error + c->bad_length +
	       c->bad_sequence;
}

int
dwmac_stats_get(DWMAC_STATS_GET_ARGS)
{
	struct dwmac_port *port = dwmac_port(dev);
	unsigned int q;

	rte_spinlock_lock(&port->lock);
	dwmac_stats_harvest(dev);
	rte_spinlock_unlock(&port->lock);

	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		const struct dwmac_rxq *rxq = dev->data->rx_queues[q];

		if (rxq == NULL)
			continue;
		stats->ipackets += rxq->packets;
		stats->ibytes += rxq->bytes;
		stats->ierrors += rx_errors(rxq);
		stats->rx_nombuf += rxq->counters.no_mbuf;
		DWMAC_QUEUE_STATS(queues, stats)->q_ipackets[q] = rxq->packets;
		DWMAC_QUEUE_STATS(queues, stats)->q_ibytes[q] = rxq->bytes;
		DWMAC_QUEUE_STATS(queues, stats)->q_errors[q] = rx_errors(rxq);
	}
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		const struct dwmac_txq *txq = dev->data->tx_queues[q];

		if (txq == NULL)
			continue;
		stats->opackets += txq->packets;
		stats->obytes += txq->bytes;
		stats->oerrors += txq->counters.errors;
		DWMAC_QUEUE_STATS(queues, stats)->q_opackets[q] = txq->packets;
		DWMAC_QUEUE_STATS(queues, stats)->q_obytes[q] = txq->bytes;
	}
	stats->imissed = port->rx_overflow + port->rx_no_buffer;
	return 0;
}

int
dwmac_stats_reset(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	unsigned int q;

	rte_spinlock_lock(&port->lock);
	dwmac_stats_harvest(dev);
	port->rx_overflow = 0;
	port->rx_no_buffer = 0;
	rte_spinlock_unlock(&port->lock);
	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		struct dwmac_rxq *rxq = dev->data->rx_queues[q];

		if (rxq == NULL)
			continue;
		rxq->packets = 0;
		rxq->bytes = 0;
		memset(&rxq->counters, 0, sizeof(rxq->counters));
	}
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		struct dwmac_txq *txq = dev->data->tx_queues[q];

		if (txq == NULL)
			continue;
		txq->packets = 0;
		txq->bytes = 0;
		txq->arms = 0;
		txq->tails_owed = 0;
		memset(&txq->counters, 0, sizeof(txq->counters));
	}
	return 0;
}

/* ---- xstats: port values, then the MMC table, then the queues ---- */

enum {
	PORT_RX_OVERFLOW,
	PORT_RX_NO_BUFFER,
	PORT_LINK_CHANGES,
	PORT_BUS_ERRORS,
	PORT_DESC_ERRORS,
	PORT_PTP_COMMANDS,
	PORT_PTP_POLLS,
	PORT_PTP_TIMEOUTS,
	NB_PORT
};

static const char *const port_names[NB_PORT] = {
	[PORT_RX_OVERFLOW] = "rx_fifo_overflow",
	[PORT_RX_NO_BUFFER] = "rx_no_descriptor",
	[PORT_LINK_CHANGES] = "link_changes",
	[PORT_BUS_ERRORS] = "dma_bus_errors",
	[PORT_DESC_ERRORS] = "dma_descriptor_errors",
	[PORT_PTP_COMMANDS] = "ptp_commands",
	[PORT_PTP_POLLS] = "ptp_polls",
	[PORT_PTP_TIMEOUTS] = "ptp_timeouts",
};

static unsigned int
nb_xstats(struct rte_eth_dev *dev)
{
	return NB_PORT + dwmac_hw(dev)->ops->nb_mmc +
	       dev->data->nb_rx_queues * RTE_DIM(rxq_fields) +
	       dev->data->nb_tx_queues * (RTE_DIM(txq_fields) + 1);
}

int
dwmac_xstats_get_names(struct rte_eth_dev *dev, struct rte_eth_xstat_name *names, unsigned int n)
{
	const struct dwmac_core_ops *ops = dwmac_hw(dev)->ops;
	const unsigned int total = nb_xstats(dev);
	unsigned int i = 0, k, q;

	if (names == NULL || n < total)
		return total;
	for (k = 0; k < NB_PORT; k++)
		rte_strscpy(names[i++].name, port_names[k], sizeof(names->name));
	for (k = 0; k < ops->nb_mmc; k++)
		rte_strscpy(names[i++].name, ops->mmc[k].name, sizeof(names->name));
	for (q = 0; q < dev->data->nb_rx_queues; q++)
		for (k = 0; k < RTE_DIM(rxq_fields); k++)
			snprintf(names[i++].name, sizeof(names->name), "rx_q%u_%s", q,
					rxq_fields[k].name);
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		for (k = 0; k < RTE_DIM(txq_fields); k++)
			snprintf(names[i++].name, sizeof(names->name), "tx_q%u_%s", q,
					txq_fields[k].name);
		snprintf(names[i++].name, sizeof(names->name), "tx_q%u_sweep_late_max_ns", q);
	}
	return total;
}

static uint64_t
port_value(const struct dwmac_port *port, unsigned int k)
{
	switch (k) {
	case PORT_RX_OVERFLOW:
		return port->rx_overflow;
	case PORT_RX_NO_BUFFER:
		return port->rx_no_buffer;
	case PORT_LINK_CHANGES:
		return port->link_changes;
	case PORT_BUS_ERRORS:
		return port->bus_errors;
	case PORT_DESC_ERRORS:
		return port->desc_errors;
	case PORT_PTP_COMMANDS:
		return port->ptp.commands;
	case PORT_PTP_POLLS:
		return port->ptp.polls;
	default:
		return port->ptp.timeouts;
	}
}

static uint64_t
tsc_to_ns(uint64_t tsc)
{
	return (unsigned __int128)tsc * NS_PER_S_U64 / rte_get_tsc_hz();
}

int
dwmac_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n)
{
	struct dwmac_port *port = dwmac_port(dev);
	const struct dwmac_core_ops *ops = dwmac_hw(dev)->ops;
	const unsigned int total = nb_xstats(dev);
	unsigned int i = 0, k, q;

	if (xstats == NULL || n < total)
		return total;
	rte_spinlock_lock(&port->lock);
	dwmac_stats_harvest(dev);
	for (k = 0; k < NB_PORT; k++)
		xstats[i++].value = port_value(port, k);
	for (k = 0; k < ops->nb_mmc; k++)
		xstats[i++].value = port->mmc[k] - port->mmc_base[k];
	rte_spinlock_unlock(&port->lock);

	for (q = 0; q < dev->data->nb_rx_queues; q++) {
		const struct dwmac_rxq *rxq = dev->data->rx_queues[q];

		for (k = 0; k < RTE_DIM(rxq_fields); k++)
			xstats[i++].value = rxq == NULL ? 0 : value_at(rxq, rxq_fields[k].offset);
	}
	for (q = 0; q < dev->data->nb_tx_queues; q++) {
		const struct dwmac_txq *txq = dev->data->tx_queues[q];

		for (k = 0; k < RTE_DIM(txq_fields); k++)
			xstats[i++].value = txq == NULL ? 0 : value_at(txq, txq_fields[k].offset);
		xstats[i++].value = txq == NULL ? 0 : tsc_to_ns(txq->counters.late_max_tsc);
	}
	for (i = 0; i < total; i++)
		xstats[i].id = i;
	return total;
}

int
dwmac_xstats_reset(struct rte_eth_dev *dev)
{
	struct dwmac_port *port = dwmac_port(dev);
	unsigned int k;

	dwmac_stats_reset(dev);
	rte_spinlock_lock(&port->lock);
	for (k = 0; k < dwmac_hw(dev)->ops->nb_mmc; k++)
		port->mmc_base[k] = port->mmc[k];
	port->link_changes = 0;
	port->bus_errors = 0;
	port->desc_errors = 0;
	port->ptp.commands = 0;
	port->ptp.polls = 0;
	port->ptp.timeouts = 0;
	rte_spinlock_unlock(&port->lock);
	return 0;
}
