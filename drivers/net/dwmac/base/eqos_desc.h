/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef EQOS_DESC_H
#define EQOS_DESC_H

/* Descriptors of GMAC 4.x/5.x (eqos.md §13): four little-endian words, ring only. */

#include <stdint.h>

#include <rte_bitops.h>
#include <rte_byteorder.h>

struct eqos_desc {
	rte_le32_t des0;
	rte_le32_t des1;
	rte_le32_t des2;
	rte_le32_t des3;
};

/* Common to all kinds */
#define EQOS_DES3_OWN  RTE_BIT32(31)
#define EQOS_DES3_CTXT RTE_BIT32(30)
#define EQOS_DES3_FD   RTE_BIT32(29)
#define EQOS_DES3_LD   RTE_BIT32(28)

/* TX read format */
#define EQOS_TDES2_TTSE RTE_BIT32(30)
#define EQOS_TDES3_FL	0x7fffu

/* TX write-back; status is valid on LD only */
#define EQOS_TDES3_WB_DE   RTE_BIT32(23)
#define EQOS_TDES3_WB_TTSS RTE_BIT32(17)
#define EQOS_TDES3_WB_ES   RTE_BIT32(15)

/* RX read format */
#define EQOS_RDES3_BUF1V RTE_BIT32(24)

/* RX write-back; status is valid on LD only */
#define EQOS_RDES1_TSA	RTE_BIT32(14)
#define EQOS_RDES1_PFT	RTE_BIT32(12)
#define EQOS_RDES1_PMT	0x00000f00u
#define EQOS_RDES3_RS1V RTE_BIT32(26)
#define EQOS_RDES3_CE	RTE_BIT32(24)
#define EQOS_RDES3_GP	RTE_BIT32(23)
#define EQOS_RDES3_RWT	RTE_BIT32(22)
#define EQOS_RDES3_OE	RTE_BIT32(21)
#define EQOS_RDES3_RE	RTE_BIT32(20)
#define EQOS_RDES3_PL	0x7fffu
/* Frames to drop. ES is no test: it includes dribble, which is harmless with a good CRC. */
#define EQOS_RDES3_DROP \
	(EQOS_RDES3_CE | EQOS_RDES3_GP | EQOS_RDES3_RWT | EQOS_RDES3_OE | EQOS_RDES3_RE)

#endif /* EQOS_DESC_H */
