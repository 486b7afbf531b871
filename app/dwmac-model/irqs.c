/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "irqs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
irqs_init(struct irqs *irqs, unsigned int nb_msi)
{
	memset(irqs, 0, sizeof(*irqs));
	irqs->nb_msi = nb_msi < IRQS_VECTORS_MAX ? nb_msi : IRQS_VECTORS_MAX;
	for (unsigned int i = 0; i < IRQS_VECTORS_MAX; i++)
		irqs->msi_fds[i] = -1;
	irqs->intx_fd = -1;
}

static void
disarm(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
clear_msi(struct irqs *irqs)
{
	for (unsigned int i = 0; i < IRQS_VECTORS_MAX; i++)
		disarm(&irqs->msi_fds[i]);
	irqs->msi_enabled = 0;
}

static void
clear_intx(struct irqs *irqs)
{
	disarm(&irqs->intx_fd);
	irqs->intx_masked = false;
}

void
irqs_clear(struct irqs *irqs)
{
	clear_msi(irqs);
	clear_intx(irqs);
}

unsigned int
irqs_count(const struct irqs *irqs, unsigned int index)
{
	switch (index) {
	case VFIO_PCI_INTX_IRQ_INDEX:
		return 1;
	case VFIO_PCI_MSI_IRQ_INDEX:
		return irqs->nb_msi;
	default:
		return 0;
	}
}

uint32_t
irqs_flags(const struct irqs *irqs, unsigned int index)
{
	if (irqs_count(irqs, index) == 0)
		return 0;
	if (index == VFIO_PCI_INTX_IRQ_INDEX)
		return VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED;
	return VFIO_IRQ_INFO_EVENTFD;
}

unsigned int
irqs_enabled(const struct irqs *irqs)
{
	if (irqs->msi_enabled != 0)
		return irqs->msi_enabled;
	return irqs->intx_fd >= 0 ? 1 : 0;
}

/* A write to an event descriptor blocks only when its counter is full: then it is signalled. */
static bool
signal_fd(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	const uint64_t one = 1;

	if (fd < 0)
		return false;
	if (!(fcntl(fd, F_GETFL) & O_NONBLOCK) && poll(&room, 1, 0) <= 0)
		return true;
	return write(fd, &one, sizeof(one)) == (ssize_t)sizeof(one) || errno == EAGAIN;
}

static void
raise_intx(struct irqs *irqs)
{
	/* Nothing is remembered: the line is a level, and told again after SET_IRQS. */
	if (irqs->intx_masked)
		return;
	irqs->intx_masked = true; /* VFIO_IRQ_INFO_AUTOMASKED: until the client unmasks */
	signal_fd(irqs->intx_fd);
	irqs->delivered++;
}

void
irqs_raise(struct irqs *irqs, unsigned int vector)
{
	if (irqs->msi_enabled == 0) {
		if (irqs->intx_fd >= 0)
			raise_intx(irqs);
		else
			irqs->lost++;
		return;
	}
	if (vector >= irqs->nb_msi || irqs->msi_fds[vector] < 0) {
		irqs->lost++;
		return;
	}
	signal_fd(irqs->msi_fds[vector]);
	irqs->delivered++;
}

/* Anything else (a pipe, a file) could block or grow without bound when written to. */
static bool
is_eventfd(int fd)
{
	char link[32], target[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, target, sizeof(target) - 1);
	if (len < 0)
		return false;
	target[len] = '\0';
	return strcmp(target, "anon_inode:[eventfd]") == 0;
}

static int
arm(struct irqs *irqs, const struct irqs_request *request, struct why *w)
{
	const bool msi = request->index == VFIO_PCI_MSI_IRQ_INDEX;

	if (request->nb_fds != 0 && request->nb_fds != request->count)
		return why(w, -EINVAL, "SET_IRQS: %u descriptors for %u interrupts",
				request->nb_fds, request->count);
	for (unsigned int i = 0; i < request->nb_fds; i++) {
		if (!is_eventfd(request->fds[i]))
			return why(w, -EINVAL, "SET_IRQS: descriptor %u is no eventfd", i);
	}
	if (!msi)
		clear_intx(irqs);
	for (unsigned int i = 0; i < request->count; i++) {
		const unsigned int vector = request->start + i;
		int *slot = msi ? &irqs->msi_fds[vector] : &irqs->intx_fd;

		disarm(slot);
		if (request->nb_fds == 0)
			continue;
		*slot = request->fds[i];
		request->fds[i] = -1;
		if (msi && vector >= irqs->msi_enabled)
			irqs->msi_enabled = vector + 1;
	}
	return 0;
}

static int
check(const struct irqs *irqs, const struct irqs_request *request, struct why *w)
{
	const uint32_t data = request->flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
	const uint32_t action = request->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
	const unsigned int count = irqs_count(irqs, request->index);

	if (request->index >= IRQS_INDICES)
		return why(w, -EINVAL, "SET_IRQS: no interrupt index %u", request->index);
	if (request->flags &
			~(uint32_t)(VFIO_IRQ_SET_DATA_TYPE_MASK | VFIO_IRQ_SET_ACTION_TYPE_MASK))
		return why(w, -EINVAL, "SET_IRQS: unknown flags 0x%x", request->flags);
	if (data == 0 || (data & (data - 1)) != 0 || action == 0 || (action & (action - 1)) != 0)
		return why(w, -EINVAL,
				"SET_IRQS: flags 0x%x do not name one data type and one action",
				request->flags);
	if (request->start > count || request->count > count - request->start)
		return why(w, -EINVAL, "SET_IRQS: index %u has %u interrupts, not %u + %u",
				request->index, count, request->start, request->count);
	if (data == VFIO_IRQ_SET_DATA_EVENTFD && action != VFIO_IRQ_SET_ACTION_TRIGGER)
		return why(w, -ENOTSUP, "SET_IRQS: mask and unmask by eventfd are not offered");
	if (request->index == VFIO_PCI_MSI_IRQ_INDEX && action != VFIO_IRQ_SET_ACTION_TRIGGER)
		return why(w, -ENOTSUP, "SET_IRQS: MSI vectors cannot be masked");
	if (request->count == 0 && data != VFIO_IRQ_SET_DATA_NONE)
		return why(w, -EINVAL, "SET_IRQS: count is 0");
	return 0;
}

/* One mask, unmask or software trigger of one interrupt. */
static void
act(struct irqs *irqs, uint32_t action, uint32_t index, unsigned int vector)
{
	switch (action) {
	case VFIO_IRQ_SET_ACTION_MASK:
		irqs->intx_masked = true;
		return;
	case VFIO_IRQ_SET_ACTION_UNMASK:
		irqs->intx_masked = false;
		return;
	default: /* TRIGGER: the client tests its own wiring; bypasses masks and the device */
		signal_fd(index == VFIO_PCI_MSI_IRQ_INDEX ? irqs->msi_fds[vector] : irqs->intx_fd);
	}
}

int
irqs_set(struct irqs *irqs, const struct irqs_request *request, struct why *w)
{
	const uint32_t action = request->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
	int ret = check(irqs, request, w);

	if (ret != 0)
		return ret;
	if (request->flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return arm(irqs, request, w);
	if (request->count == 0) {
		/* DATA_NONE with count 0: disable the whole index, which only TRIGGER means. */
		if (action != VFIO_IRQ_SET_ACTION_TRIGGER)
			return why(w, -EINVAL, "SET_IRQS: count is 0");
		if (request->index == VFIO_PCI_MSI_IRQ_INDEX)
			clear_msi(irqs);
		else if (request->index == VFIO_PCI_INTX_IRQ_INDEX)
			clear_intx(irqs);
		return 0;
	}
	for (unsigned int i = 0; i < request->count; i++) {
		if (request->bools == NULL || request->bools[i] != 0)
			act(irqs, action, request->index, request->start + i);
	}
	return 0;
}
