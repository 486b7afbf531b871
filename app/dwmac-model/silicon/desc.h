/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_DESC_H
#define SILICON_DESC_H

/* Descriptor words of the EQOS DMA (eqos.md §13), and the ordered access to them. */

#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "descriptors are little endian words: this host needs byte swapping"
#endif

#define DESC_OWN  (UINT32_C(1) << 31)
#define DESC_CTXT (UINT32_C(1) << 30)
#define DESC_FD	  (UINT32_C(1) << 29)
#define DESC_LD	  (UINT32_C(1) << 28)

/* TX read format */
#define TDES2_IOC      (UINT32_C(1) << 31)
#define TDES2_TTSE     (UINT32_C(1) << 30)
#define TDES2_B2L(v)   (((v) >> 16) & 0x3fff)
#define TDES2_VTIR(v)  (((v) >> 14) & 3)
#define TDES2_B1L(v)   ((v)&0x3fff)
#define TDES3_CPC(v)   (((v) >> 26) & 3)
#define TDES3_SAIC(v)  (((v) >> 23) & 7)
#define TDES3_THL(v)   (((v) >> 19) & 0xf)
#define TDES3_TSE      (UINT32_C(1) << 18)
#define TDES3_CIC(v)   (((v) >> 16) & 3)
#define TDES3_FL(v)    ((v)&0x7fff)
#define TDES3_TPL(v)   ((v)&0x3ffff)
/* TX context */
#define TDES3_OSTC     (UINT32_C(1) << 27)
#define TDES3_TCMSSV   (UINT32_C(1) << 26)
#define TDES3_IVTIR(v) (((v) >> 18) & 3)
#define TDES3_IVLTV    (UINT32_C(1) << 17)
#define TDES3_VLTV     (UINT32_C(1) << 16)
#define TDES2_IVT(v)   ((v) >> 16)
#define TDES2_MSS(v)   ((v)&0x3fff)
/* TX enhanced: the four words before TDES0 */
#define ETDES4_LTV     (UINT32_C(1) << 31)
/* TX write-back */
#define TDES3_DE       (UINT32_C(1) << 23)
#define TDES3_TTSS     (UINT32_C(1) << 17)
#define TDES3_ES       (UINT32_C(1) << 15)
#define TDES3_JT       (UINT32_C(1) << 14)
#define TDES3_FF       (UINT32_C(1) << 13)
#define TDES3_PCE      (UINT32_C(1) << 12)
#define TDES3_IHE      (UINT32_C(1) << 0)

/* RX read format */
#define RDES3_IOC      (UINT32_C(1) << 30)
#define RDES3_BUF2V    (UINT32_C(1) << 25)
#define RDES3_BUF1V    (UINT32_C(1) << 24)
/* RX write-back */
#define RDES1_TD       (UINT32_C(1) << 15)
#define RDES1_TSA      (UINT32_C(1) << 14)
#define RDES1_PV       (UINT32_C(1) << 13)
#define RDES1_PFT      (UINT32_C(1) << 12)
#define RDES1_PMT(t)   ((uint32_t)(t) << 8)
#define RDES1_IPCE     (UINT32_C(1) << 7)
#define RDES1_IPCB     (UINT32_C(1) << 6)
#define RDES1_IPV6     (UINT32_C(1) << 5)
#define RDES1_IPV4     (UINT32_C(1) << 4)
#define RDES1_IPHE     (UINT32_C(1) << 3)
#define RDES2_MADRM(n) ((uint32_t)(n) << 19)
#define RDES2_HF       (UINT32_C(1) << 18)
#define RDES2_DAF      (UINT32_C(1) << 17)
#define RDES2_SAF      (UINT32_C(1) << 16)
#define RDES2_VF       (UINT32_C(1) << 15)
#define RDES3_RS2V     (UINT32_C(1) << 27)
#define RDES3_RS1V     (UINT32_C(1) << 26)
#define RDES3_RS0V     (UINT32_C(1) << 25)
#define RDES3_CE       (UINT32_C(1) << 24)
#define RDES3_GP       (UINT32_C(1) << 23)
#define RDES3_RWT      (UINT32_C(1) << 22)
#define RDES3_LT(t)    ((uint32_t)(t) << 16)
#define RDES3_ES       (UINT32_C(1) << 15)

/* OWN was given last by the driver and is given back last by the DMA (eqos.md §14). */
static inline uint32_t
desc_load_own(const uint32_t *word3)
{
	return __atomic_load_n(word3, __ATOMIC_ACQUIRE);
}

static inline void
desc_store_own(uint32_t *word3, uint32_t value)
{
	__atomic_store_n(word3, value, __ATOMIC_RELEASE);
}

static inline void
desc_store(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

#endif /* SILICON_DESC_H */
