/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef EQOS_TX_H
#define EQOS_TX_H

/* TX descriptors of GMAC 4.x/5.x for the loops of dwmac_tx.h (eqos.md §13). */

#include "base/eqos_desc.h"
#include "dwmac_tx.h"

static inline uint32_t
eqos_tx_fill(void *ring, uint16_t i, uint64_t iova, uint16_t len, uint32_t packet_len,
		uint32_t flags)
{
	struct eqos_desc *desc = (struct eqos_desc *)ring + i;
	uint32_t des2 = len;
	uint32_t des3 = EQOS_DES3_OWN;

	if (flags & DWMAC_TX_STAMP)
		des2 |= EQOS_TDES2_TTSE;
	if (flags & DWMAC_TX_FIRST)
		des3 |= EQOS_DES3_FD | (packet_len & EQOS_TDES3_FL);
	if (flags & DWMAC_TX_LAST)
		des3 |= EQOS_DES3_LD;
	/* All words every time: write-back has put the timestamp over the address. */
	desc->des0 = rte_cpu_to_le_32((uint32_t)iova);
	desc->des1 = rte_cpu_to_le_32((uint32_t)(iova >> 32));
	desc->des2 = rte_cpu_to_le_32(des2);
	return des3;
}

static inline void
eqos_tx_give(void *ring, uint16_t i, uint32_t word)
{
	struct eqos_desc *desc = (struct eqos_desc *)ring + i;

	__atomic_store_n(&desc->des3, rte_cpu_to_le_32(word), __ATOMIC_RELEASE);
}

static inline enum dwmac_tx_state
eqos_tx_state(const void *ring, uint16_t i)
{
	const struct eqos_desc *desc = (const struct eqos_desc *)ring + i;
	const uint32_t des3 = rte_le_to_cpu_32(__atomic_load_n(&desc->des3, __ATOMIC_ACQUIRE));

	if (des3 & EQOS_DES3_OWN)
		return DWMAC_TX_PENDING;
	return des3 & (EQOS_TDES3_WB_ES | EQOS_TDES3_WB_DE) ? DWMAC_TX_FAILED : DWMAC_TX_SENT;
}

static inline bool
eqos_tx_stamp(const void *ring, uint16_t i, struct dwmac_stamp *stamp)
{
	const struct eqos_desc *desc = (const struct eqos_desc *)ring + i;

	stamp->ns = rte_le_to_cpu_32(desc->des0);
	stamp->s = rte_le_to_cpu_32(desc->des1);
	return (rte_le_to_cpu_32(desc->des3) & EQOS_TDES3_WB_TTSS) != 0 && stamp->ns < NS_PER_S;
}

static const struct dwmac_tx_ops eqos_tx_ops = {
	.fill = eqos_tx_fill,
	.give = eqos_tx_give,
	.state = eqos_tx_state,
	.stamp = eqos_tx_stamp,
};

#endif /* EQOS_TX_H */
