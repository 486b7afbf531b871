/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_DMA_SYNC_H
#define DWMAC_DMA_SYNC_H

/*
 * Where cache maintenance goes on machines whose DMA does not snoop. Every machine served so far
 * is coherent (doc/guides/nics/dwmac.rst, board table): these compile to nothing. The calls stand
 * where the memory changes hands, so that a board that needs them changes this file only.
 */

#include <stddef.h>

#include <rte_common.h>

/* The device is about to read [addr, addr + len). */
static __rte_always_inline void
dwmac_dma_sync_for_device(const void *addr, size_t len)
{
	RTE_SET_USED(addr);
	RTE_SET_USED(len);
}

/* The device has written [addr, addr + len). */
static __rte_always_inline void
dwmac_dma_sync_for_cpu(const void *addr, size_t len)
{
	RTE_SET_USED(addr);
	RTE_SET_USED(len);
}

#endif /* DWMAC_DMA_SYNC_H */
