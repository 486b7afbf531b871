/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_IRQS_H
#define DWMAC_MODEL_IRQS_H

#include "why.h"

#include <stdbool.h>
#include <stdint.h>

/* The interrupts a client armed: one event descriptor per vector, plus the INTx line. */

#define IRQS_VECTORS_MAX 32u

/* VFIO's indices: INTx 0, MSI 1, MSI-X 2, error 3, request 4. */
#define IRQS_INDICES 5u

struct irqs {
	unsigned int nb_msi;	       /* offered */
	int msi_fds[IRQS_VECTORS_MAX]; /* -1 = not armed */
	unsigned int msi_enabled; /* highest vector armed since the last «disable all», plus 1 */
	int intx_fd;
	bool intx_masked;
	uint64_t delivered, lost; /* lost: nobody had armed the vector */
};

void irqs_init(struct irqs *irqs, unsigned int nb_msi);
void irqs_clear(struct irqs *irqs); /* closes every descriptor */

/* Count and VFIO_IRQ_INFO_* flags of one index. */
unsigned int irqs_count(const struct irqs *irqs, unsigned int index);
uint32_t irqs_flags(const struct irqs *irqs, unsigned int index);

/*
 * VFIO_DEVICE_SET_IRQS. Takes over those descriptors it sets to -1 in `fds`. `bools` has `count`
 * entries when the flags say DATA_BOOL.
 */
struct irqs_request {
	uint32_t flags;
	uint32_t index;
	uint32_t start;
	uint32_t count;
	const uint8_t *bools;
	int *fds;
	unsigned int nb_fds;
};
int irqs_set(struct irqs *irqs, const struct irqs_request *request, struct why *w);

/* How many vectors are enabled, as device_vectors() wants to know it. */
unsigned int irqs_enabled(const struct irqs *irqs);

/* The device signals. */
void irqs_raise(struct irqs *irqs, unsigned int vector);

#endif /* DWMAC_MODEL_IRQS_H */
