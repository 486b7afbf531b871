/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* RX descriptors of GMAC 4.x/5.x (eqos.md §13) and the scalar receive burst. */

#include "base/eqos_desc.h"
#include "dwmac_rx.h"

static inline const struct eqos_desc *
at(const void *ring, uint16_t i)
{
	return (const struct eqos_desc *)ring + i;
}

static inline uint32_t
eqos_rx_status(const void *ring, uint16_t i)
{
	return rte_le_to_cpu_32(__atomic_load_n(&at(ring, i)->des3, __ATOMIC_ACQUIRE));
}

static inline bool
eqos_rx_owned(uint32_t status)
{
	return (status & EQOS_DES3_OWN) != 0;
}

static inline bool
eqos_rx_context(uint32_t status)
{
	return (status & EQOS_DES3_CTXT) != 0;
}

static inline bool
eqos_rx_first(uint32_t status)
{
	return (status & EQOS_DES3_FD) != 0;
}

static inline bool
eqos_rx_last(uint32_t status)
{
	return (status & EQOS_DES3_LD) != 0;
}

static inline uint16_t
eqos_rx_length(uint32_t status)
{
	return status & EQOS_RDES3_PL;
}

/* Dribble alone (DE) is no reason: the frame is good when the CRC is (pitfalls.md 66a). */
static inline bool
eqos_rx_bad(uint32_t status, struct dwmac_rx_counters *counters)
{
	if (likely((status & EQOS_RDES3_DROP) == 0))
		return false;
	if (status & EQOS_RDES3_OE)
		counters->overflow++;
	else if (status & EQOS_RDES3_RWT)
		counters->watchdog++;
	else if (status & EQOS_RDES3_GP)
		counters->giant++;
	else if (status & EQOS_RDES3_RE)
		counters->receive_error++;
	else
		counters->crc++;
	return true;
}

static inline bool
eqos_rx_stamped(const void *ring, uint16_t i, uint32_t status)
{
	return (status & EQOS_RDES3_RS1V) != 0 &&
	       (rte_le_to_cpu_32(at(ring, i)->des1) & EQOS_RDES1_TSA) != 0;
}

static inline bool
eqos_rx_stamp(const void *ring, uint16_t i, struct dwmac_stamp *stamp)
{
	stamp->ns = rte_le_to_cpu_32(at(ring, i)->des0);
	stamp->s = rte_le_to_cpu_32(at(ring, i)->des1);
	/* All ones in both words means corrupt; no valid ns is that large either. */
	return stamp->ns < NS_PER_S;
}

static inline uint32_t
eqos_rx_packet_type(const void *ring, uint16_t i, uint32_t status, uint64_t *ol_flags)
{
	uint32_t des1;

	if (unlikely((status & EQOS_RDES3_RS1V) == 0))
		return RTE_PTYPE_L2_ETHER;
	des1 = rte_le_to_cpu_32(at(ring, i)->des1);
	if (unlikely((des1 & EQOS_RDES1_PMT) != 0)) {
		*ol_flags = RTE_MBUF_F_RX_IEEE1588_PTP;
		if (des1 & EQOS_RDES1_PFT)
			return RTE_PTYPE_L2_ETHER_TIMESYNC;
	}
	return RTE_PTYPE_L2_ETHER;
}

static inline void
eqos_rx_give(void *ring, uint16_t i, uint64_t iova)
{
	struct eqos_desc *desc = (struct eqos_desc *)ring + i;

	desc->des0 = rte_cpu_to_le_32((uint32_t)iova);
	desc->des1 = rte_cpu_to_le_32((uint32_t)(iova >> 32));
	desc->des2 = 0;
	__atomic_store_n(&desc->des3, rte_cpu_to_le_32(EQOS_DES3_OWN | EQOS_RDES3_BUF1V),
			__ATOMIC_RELEASE);
}

static const struct dwmac_rx_ops eqos_rx_ops = {
	.status = eqos_rx_status,
	.owned = eqos_rx_owned,
	.context = eqos_rx_context,
	.first = eqos_rx_first,
	.last = eqos_rx_last,
	.length = eqos_rx_length,
	.bad = eqos_rx_bad,
	.stamped = eqos_rx_stamped,
	.stamp = eqos_rx_stamp,
	.packet_type = eqos_rx_packet_type,
	.give = eqos_rx_give,
};

uint16_t
dwmac_eqos_rx_burst(void *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return dwmac_rx_burst(rxq, pkts, nb_pkts, &eqos_rx_ops);
}

void
dwmac_eqos_rx_give(void *ring, uint16_t i, uint64_t iova)
{
	eqos_rx_give(ring, i, iova);
}
