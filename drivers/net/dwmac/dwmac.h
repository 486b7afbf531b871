/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_H
#define DWMAC_H

/*
 * The port and its queues.
 *
 * struct dwmac_port and the queues live in shared memory: no pointer to code, const tables, file
 * descriptors or mappings in there. What belongs to one process is struct dwmac_process.
 */

#include <stdbool.h>
#include <stdint.h>

#include <ethdev_driver.h>
#include <rte_ether.h>
#include <rte_mbuf.h>
#include <rte_memzone.h>
#include <rte_spinlock.h>

#include "base/dwmac_core.h"
#include "base/phy.h"
#include "base/ptp_clock.h"
#include "dwmac_compat.h"

#define DWMAC_MAX_QUEUES DWMAC_MAX_CHANNELS

#define DWMAC_DESC_BYTES      16
#define DWMAC_DESC_MIN	      64
#define DWMAC_DESC_MAX	      1024 /* ring length registers have 10 bits */
#define DWMAC_DESC_STEP	      8	   /* whole cache lines */
#define DWMAC_RX_DESC_DEFAULT 512
#define DWMAC_TX_DESC_DEFAULT 512
#define DWMAC_BURST_DEFAULT   32

/* A TX descriptor's length field; a packet uses fewer descriptors than the smallest ring has. */
#define DWMAC_TX_SEGMENT_MAX  16383
#define DWMAC_TX_SEGMENTS_MAX (DWMAC_DESC_MIN - 1)

#define DWMAC_MTU_MIN	     RTE_ETHER_MIN_MTU
#define DWMAC_MTU_MAX	     9000
/* Ethernet header, FCS, and two VLAN tags */
#define DWMAC_FRAME_OVERHEAD (RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN + 2 * RTE_VLAN_HLEN)

/* The bus reads and writes whole words: buffers and their sizes are multiples of this. */
#define DWMAC_BUF_ALIGN 16
#define DWMAC_BUF_MAX	16368 /* RBSZ has 14 bits */

#define DWMAC_TX_STAMPS 16 /* unread TX timestamps kept per queue, a power of two */
#define DWMAC_RX_STAMPS 64 /* RX timestamps kept per queue, a power of two */

/* A TX or RX timestamp as the descriptors carry it. */
struct dwmac_stamp {
	uint32_t s;
	uint32_t ns;
};

/* The same in one word, so that a reader on another lcore sees both halves or neither. */
#define DWMAC_RX_STAMP(stamp) ((uint64_t)(stamp)->s << 32 | (stamp)->ns)
#define DWMAC_RX_STAMP_EMPTY  UINT64_MAX

/* armed_by: nobody has promised to sweep this queue. Not a valid lcore id. */
#define DWMAC_SWEEP_NOBODY (UINT32_MAX - 1)

/*
 * A TX queue has two sides (doc/design/sweep.rst).
 *
 * Producer: tx_burst, one thread at a time as ethdev demands. It publishes `prod`.
 * Consumer: whoever holds the queue's sweep lock; only ever tried, never waited for on a data
 * path. It owns `cons`, `done` and everything below them.
 *
 * Ring order: cons <= done <= prod. [cons, done) is sent and not yet freed, [done, prod) is the
 * hardware's. One entry stays empty, so cons == prod means an empty ring.
 */
struct dwmac_txq {
	/* producer */
	void *ring;
	struct rte_mbuf **mbufs; /* one per descriptor */
	uint16_t *last;		 /* at a packet's first descriptor: index of its last one,
				  * plus DWMAC_TX_WANTS_STAMP */
	uint16_t prod;		 /* atomic: released by the producer */
	uint16_t nb_desc;
	uint16_t nb_free;     /* producer's own view, never too large */
	uint16_t since_sweep; /* descriptors given since this side swept last */
	uint16_t sweep_every;
	uint16_t port_id;
	uint16_t queue_id;
	bool stamps_on; /* timesync is enabled */
	bool tail_owed; /* atomic: the doorbell did not fit into the socket */
	bool fast_free;
	uint32_t armed_by;	/* atomic: lcore that promised to sweep, or NOBODY */
	uint32_t tail_offset;	/* register */
	uint32_t ring_low_iova; /* the tail register takes the low half of addresses only */
	struct dwmac_sweep_slot *slot;
	uint64_t interval_tsc; /* sweep deadline; 0: swept by count only */
	uint64_t arms;
	uint64_t packets;
	uint64_t bytes;
	uint64_t tails_owed;

	/* consumer */
	uint16_t cons __rte_cache_aligned; /* atomic: released by the consumer */
	uint16_t done;
	uint16_t stamp_head;
	uint16_t stamp_tail;
	struct dwmac_stamp stamps[DWMAC_TX_STAMPS];
	struct dwmac_sweep_counters {
		uint64_t freed;		 /* descriptors */
		uint64_t runs;		 /* sweeps, whoever did them */
		uint64_t runs_due;	 /* of these, because a deadline had passed */
		uint64_t late_max_tsc;	 /* how long after its deadline a sweep ran at most */
		uint64_t stamps_missed;	 /* asked for and not captured by the hardware */
		uint64_t stamps_dropped; /* captured and never read */
		uint64_t errors;	 /* packets written back with an error status */
	} counters;

	/* control path */
	uint64_t ring_iova;
	const struct rte_memzone *mz;
	uint64_t offloads;
} __rte_cache_aligned;

#define DWMAC_TX_WANTS_STAMP 0x8000u
#define DWMAC_TX_LAST_MASK   0x7fffu

struct dwmac_rxq {
	void *ring;
	struct rte_mbuf **mbufs; /* NULL: the packet left and the entry is not refilled yet */
	uint16_t next;		 /* entry to look at next */
	uint16_t refill;	 /* first entry the device does not have */
	uint16_t nb_hold;	 /* entries in [refill, next): taken and not given back */
	uint16_t nb_desc;
	uint16_t free_thresh;
	uint16_t buf_bytes;
	uint16_t data_off;
	uint16_t port_id;
	uint16_t queue_id;
	uint8_t crc_bytes; /* cut from the end of every packet */
	bool tail_owed;
	uint16_t stamp_next; /* slot for the next stamp, 1 … DWMAC_RX_STAMPS - 1 */
	uint32_t tail_offset;
	uint32_t ring_low_iova;
	uint64_t rearm; /* mbuf->rearm_data of a fresh packet */
	struct rte_mempool *pool;
	struct rte_mbuf *head; /* packet being put together */
	struct rte_mbuf *tail;
	uint64_t stamp_wait_tsc; /* 0, or when to stop waiting for a late context descriptor */
	uint64_t stamp_patience_tsc;
	uint64_t packets;
	uint64_t bytes;
	struct dwmac_rx_counters {
		uint64_t no_mbuf;
		uint64_t crc;
		uint64_t giant;
		uint64_t watchdog;
		uint64_t overflow;
		uint64_t receive_error;
		uint64_t bad_length;   /* the device named a length its buffers cannot hold */
		uint64_t bad_sequence; /* first/last flags out of order */
		uint64_t stamps_late;  /* delivered without the stamp that was announced */
		uint64_t stamps_bad;
	} counters;
	uint64_t stamps[DWMAC_RX_STAMPS]; /* atomic: DWMAC_RX_STAMP(); [0] repeats the newest */

	const struct rte_memzone *mz;
	uint64_t ring_iova;
} __rte_cache_aligned;

/* dev_private: shared between processes. */
struct dwmac_port {
	uint16_t port_id;
	uint16_t vendor_id; /* the row of the device table: every process looks it up */
	uint16_t device_id;
	struct dwmac_caps caps;
	struct dwmac_phy phy;
	struct dwmac_ptp ptp;
	bool has_phy;
	bool timesync; /* enabled by the application */
	bool removed;
	bool wedged;	     /* the DMA does not come to rest: its memory must not be used again */
	bool lsc_pending;    /* a change of the link the application has not been told of */
	bool reset_pending;  /* a channel stopped by itself, likewise */
	uint32_t tx_usecs;   /* a sent mbuf waits no longer than this for a sweep */
	uint32_t link_modes; /* DWMAC_PHY_*: what to advertise; one bit with force */
	bool link_force;
	rte_spinlock_t lock; /* control: registers that several threads touch */
	uint64_t *mmc;	     /* 64-bit sums, one per counter of the core's table */
	uint32_t *mmc_last;
	uint64_t *mmc_base;    /* at the last xstats_reset */
	uint64_t rx_overflow;  /* lost in the RX FIFO */
	uint64_t rx_no_buffer; /* dropped for want of descriptors */
	uint64_t link_changes;
	uint64_t bus_errors;  /* a channel met one and stopped */
	uint64_t desc_errors; /* a channel was given a descriptor it could not take */
	struct rte_ether_addr mac;
};

/* process_private: this process's view of the device. */
struct dwmac_process {
	struct dwmac_hw hw;
	struct vfio_user *vu; /* or NULL: PCI */
	struct rte_intr_handle *hup_intr;
};

/* The same, found by port id without touching shared memory: for the burst functions. */
extern struct dwmac_process *dwmac_processes[RTE_MAX_ETHPORTS];

static inline struct dwmac_port *
dwmac_port(const struct rte_eth_dev *dev)
{
	return dev->data->dev_private;
}

static inline struct dwmac_hw *
dwmac_hw(const struct rte_eth_dev *dev)
{
	return &((struct dwmac_process *)dev->process_private)->hw;
}

static inline const struct dwmac_io *
dwmac_queue_io(uint16_t port_id)
{
	return &dwmac_processes[port_id]->hw.io;
}

/* Entries from a to b in a ring of n. */
static inline uint16_t
dwmac_ring_distance(uint16_t a, uint16_t b, uint16_t n)
{
	return b >= a ? b - a : b + n - a;
}

static inline uint16_t
dwmac_ring_next(uint16_t i, uint16_t n)
{
	return i + 1u == n ? 0 : i + 1;
}

extern int dwmac_logtype;
#define DWMAC_LOG(level, fmt, ...) \
	rte_log(RTE_LOG_##level, dwmac_logtype, "dwmac: " fmt "\n", ##__VA_ARGS__)
#define DWMAC_PORT_LOG(level, dev, fmt, ...) \
	DWMAC_LOG(level, "%s: " fmt, (dev)->data->name, ##__VA_ARGS__)

/* dwmac_ethdev.c */
struct dwmac_args;
int dwmac_ethdev_init(struct rte_eth_dev *dev, const struct dwmac_device *device,
		const struct dwmac_args *args);
int dwmac_ethdev_close(struct rte_eth_dev *dev);
/* Bring the core to rest by a software reset, keep the PTP clock going as well as that allows.
 * -ETIMEDOUT: it does not end. Control lock held. */
int dwmac_ethdev_reset_core(struct rte_eth_dev *dev);
/* The device went away: mark the port and tell the application, once. */
void dwmac_ethdev_removed(struct rte_eth_dev *dev);

/* dwmac_vdev.c: the bus part of a vfio-user port */
/* Whether the device can reach the pool; always true on PCI. */
bool dwmac_vdev_pool_mapped(struct rte_eth_dev *dev, struct rte_mempool *pool);
void dwmac_vdev_close(struct rte_eth_dev *dev);

/* dwmac_queue.c */
int dwmac_rx_queue_setup(struct rte_eth_dev *dev, uint16_t qid, uint16_t nb_desc,
		unsigned int socket, const struct rte_eth_rxconf *conf, struct rte_mempool *pool);
void dwmac_rx_queue_release(struct rte_eth_dev *dev, uint16_t qid);
int dwmac_tx_queue_setup(struct rte_eth_dev *dev, uint16_t qid, uint16_t nb_desc,
		unsigned int socket, const struct rte_eth_txconf *conf);
void dwmac_tx_queue_release(struct rte_eth_dev *dev, uint16_t qid);
void dwmac_rxq_info_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_rxq_info *info);
void dwmac_txq_info_get(struct rte_eth_dev *dev, uint16_t qid, struct rte_eth_txq_info *info);
int dwmac_queues_start(struct rte_eth_dev *dev);
int dwmac_queues_stop(struct rte_eth_dev *dev);

/* dwmac_link.c */
int dwmac_link_configure(struct rte_eth_dev *dev);
int dwmac_link_update(struct rte_eth_dev *dev, int wait);
void dwmac_link_watch(struct rte_eth_dev *dev, bool on);
int dwmac_link_set_up(struct rte_eth_dev *dev);
int dwmac_link_set_down(struct rte_eth_dev *dev);
uint32_t dwmac_link_speed_capa(const struct rte_eth_dev *dev);

/* dwmac_tx_prepare.c */
uint16_t dwmac_tx_prepare(void *txq, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* dwmac_stats.c */
int dwmac_stats_init(struct rte_eth_dev *dev);
void dwmac_stats_fini(struct rte_eth_dev *dev);
/* Fold the hardware's counters into 64-bit sums; control lock held. */
void dwmac_stats_harvest(struct rte_eth_dev *dev);
/* The hardware's counters were reset to 0; control lock held. */
void dwmac_stats_restart(struct rte_eth_dev *dev);
int dwmac_stats_get(DWMAC_STATS_GET_ARGS);
int dwmac_stats_reset(struct rte_eth_dev *dev);
int dwmac_xstats_get(struct rte_eth_dev *dev, struct rte_eth_xstat *xstats, unsigned int n);
int dwmac_xstats_reset(struct rte_eth_dev *dev);
int dwmac_xstats_get_names(
		struct rte_eth_dev *dev, struct rte_eth_xstat_name *names, unsigned int n);

/* dwmac_timesync.c */
int dwmac_timesync_enable(struct rte_eth_dev *dev);
int dwmac_timesync_disable(struct rte_eth_dev *dev);
int dwmac_timesync_read_rx(struct rte_eth_dev *dev, struct timespec *ts, uint32_t flags);
int dwmac_timesync_read_tx(struct rte_eth_dev *dev, struct timespec *ts);
int dwmac_timesync_adjust_time(struct rte_eth_dev *dev, int64_t delta_ns);
int dwmac_timesync_adjust_freq(struct rte_eth_dev *dev, int64_t scaled_ppm);
int dwmac_timesync_read_time(struct rte_eth_dev *dev, struct timespec *ts);
int dwmac_timesync_write_time(struct rte_eth_dev *dev, const struct timespec *ts);
/* Around a reset of the core, which loses the time; control lock held. */
void dwmac_timesync_save(struct rte_eth_dev *dev, struct dwmac_time *now);
void dwmac_timesync_restore(struct rte_eth_dev *dev, const struct dwmac_time *now);

/* eqos_*.c: one burst function per file */
uint16_t dwmac_eqos_rx_burst(void *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts);
void dwmac_eqos_rx_give(void *ring, uint16_t i, uint64_t iova);
uint16_t dwmac_eqos_tx_burst_simple(void *txq, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t dwmac_eqos_tx_burst_full(void *txq, struct rte_mbuf **pkts, uint16_t nb_pkts);

#endif /* DWMAC_H */
