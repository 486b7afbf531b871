/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/*
 * vfio-user client: a PCI device served by another process over a UNIX stream socket.
 *
 * Register accesses, interrupt set-up and DMA mappings travel as messages; the server reaches
 * DPDK's memory by the file descriptors handed to it. Nothing here knows ethdev or any device.
 *
 * Threads. One connection may be used by any number of threads at once, except that
 * vfio_user_disconnect() must be the last call. Two kinds of senders meet on the socket:
 * requests (one at a time under a mutex, each waits for its reply) and posted writes (no lock).
 *
 * Why they never interleave: the kernel cuts what one sendmsg() carries into socket buffers and
 * appends each of them whole, under the receiver's lock; it allocates a buffer before it copies
 * anything, and fails without having sent a byte when there is no room. One buffer holds at least
 * SO_SNDBUF / 2 - 64 bytes (up to a kernel limit far above 4 KiB). So a message that is not longer
 * than that and goes out in one sendmsg() is taken whole or not at all, blocking or not, whoever
 * else sends. Every message of this client is limited to VFIO_USER_MSG_MAX bytes (longer accesses
 * are split), and a connection whose send buffer is too small for that is refused. Should a kernel
 * ever take a part of a message, the stream is beyond repair and the connection is declared dead.
 *
 * Death. A closed socket, a reply that breaks the framing, or a server that is silent for
 * VFIO_USER_TIMEOUT_MS makes the connection dead, once and for ever (one log line tells why). From
 * then on every call returns at once: -ENODEV, or all ones from vfio_user_bar_read32(). Death also
 * shuts the socket down, so vfio_user_hup_fd() becomes readable whoever noticed it first.
 *
 * Errors are negative errno. Those the server sends in a reply are passed on as they are.
 * Common to every call that asks the server: -ENODEV the connection is dead; -EPROTO the reply
 * makes no sense (the connection lives on if at least its framing does); -ETIMEDOUT no answer (now
 * dead); -ENOTSUP on a post-only connection (see vfio_user_attach_fd()).
 */

#ifndef VFIO_USER_H
#define VFIO_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest message this client sends, header included, in bytes. */
#define VFIO_USER_MSG_MAX 2048

/* How long a server may keep a request waiting, in milliseconds. */
#define VFIO_USER_TIMEOUT_MS 5000

/* Regions and interrupts of a PCI device have the numbers <linux/vfio.h> gives them; the register
 * calls below (vfio_user_bar_*) mean BAR 0.
 */
#define VFIO_USER_REGION_BAR0	0
#define VFIO_USER_REGION_CONFIG 7
#define VFIO_USER_IRQ_MSI	1
#define VFIO_USER_IRQ_MSIX	2

/* One connection to one device; private to the process that opened it. */
struct vfio_user;

/**
 * Connect to a server and agree on the protocol version.
 *
 * @param path
 *   File name of the server's UNIX socket.
 * @param out
 *   Where the connection is stored; untouched on error.
 * @return
 *   0, or -ENAMETOOLONG, -ENOENT (no such socket), -ECONNREFUSED (nobody listens), -EACCES,
 *   -ETIMEDOUT (the server does not accept or answer), -EPROTO (no vfio-user server, or another
 *   major version), -ENOBUFS (send buffer too small), -ENOMEM. A log line names the remedy.
 */
int vfio_user_connect(const char *path, struct vfio_user **out);

/**
 * Use a socket that another process of the same application connected (a secondary process gets
 * the descriptor from the primary, which passes what vfio_user_fd() returns).
 *
 * The connection is post-only: replies on a shared stream cannot be told apart between processes,
 * so only vfio_user_bar_post32(), vfio_user_bar_write32(), vfio_user_is_dead() and
 * vfio_user_hup_fd() work; what needs a reply returns -ENOTSUP.
 *
 * @param fd
 *   Connected UNIX stream socket; owned by the connection on success, by the caller on error.
 * @param out
 *   Where the connection is stored; untouched on error.
 * @return
 *   0, or -ENOTSOCK / -EINVAL (not a UNIX stream socket), -ENOBUFS, -ENOMEM.
 */
int vfio_user_attach_fd(int fd, struct vfio_user **out);

/**
 * Unmap the DMA memory, stop following memory events, close every descriptor, free the connection.
 * Safe when the server is dead. Not from a memory event or interrupt callback of this connection.
 *
 * @param vu
 *   Connection, or NULL.
 */
void vfio_user_disconnect(struct vfio_user *vu);

/**
 * The socket, to be passed to a secondary process. Owned by the connection: do not close, read or
 * write it.
 */
int vfio_user_fd(const struct vfio_user *vu);

/**
 * Give the server all memory of DPDK, and keep it informed when DPDK's memory grows or shrinks
 * until vfio_user_disconnect(). Device addresses (IOVA) are virtual addresses of this process.
 * To be called once, in the primary process, before the device sees any address.
 *
 * External memory (rte_extmem_register() and heaps made of it) has no file the server could map:
 * it is left out; ask vfio_user_dma_is_mapped() before using memory of unknown origin.
 *
 * @return
 *   0, or -ENOTSUP (EAL does not use virtual addresses as IOVA: --iova-mode=va; or its memory has
 *   no file descriptors), -EALREADY (called before), -ENOMEM, an error of the server. On error
 *   nothing stays mapped.
 */
int vfio_user_dma_map_memory(struct vfio_user *vu);

/**
 * Whether the server can reach all of [addr, addr + len), len in bytes. False once dead.
 */
bool vfio_user_dma_is_mapped(struct vfio_user *vu, const void *addr, size_t len);

/**
 * Size of a region in bytes; 0 for a region the device does not have.
 *
 * @return
 *   0, or a negative errno (-EINVAL from most servers when there is no such index).
 */
int vfio_user_region_size(struct vfio_user *vu, uint32_t region, uint64_t *size);

/**
 * Read from a region and wait for the data.
 *
 * @param offset
 *   Offset within the region, in bytes.
 * @param len
 *   Number of bytes, at most INT_MAX. More than 1 KiB is split into several accesses.
 * @return
 *   Bytes read; fewer than len where the region ends. Or a negative errno.
 */
int vfio_user_region_read(
		struct vfio_user *vu, uint32_t region, uint64_t offset, size_t len, void *buf);

/**
 * Write to a region and wait until the device took it. Parameters and return value as
 * vfio_user_region_read().
 */
int vfio_user_region_write(struct vfio_user *vu, uint32_t region, uint64_t offset, size_t len,
		const void *buf);

/**
 * Read a register of BAR 0: one round trip. Ordered after every write this thread made before.
 *
 * @param offset
 *   Offset within the BAR, in bytes.
 * @return
 *   The value in host byte order; all ones when the connection is dead, post-only, or the server
 *   answers with an error (logged).
 */
uint32_t vfio_user_bar_read32(struct vfio_user *vu, uint32_t offset);

/**
 * Write a register of BAR 0, posted: returns when the message is in the socket, before the device
 * acts on it; ordered before every later access of this thread. Waits for room in the socket, at
 * most VFIO_USER_TIMEOUT_MS (then the connection is dead): a write is never lost silently while
 * the server lives. Not for lcores, see vfio_user_bar_post32().
 */
void vfio_user_bar_write32(struct vfio_user *vu, uint32_t offset, uint32_t value);

/**
 * Write a register of BAR 0 from the fast path: as vfio_user_bar_write32(), but never waits; one
 * system call, no lock, no allocation.
 *
 * @return
 *   0; -EAGAIN: the socket is full, nothing was sent, try again later; -ENODEV: dead.
 */
int vfio_user_bar_post32(struct vfio_user *vu, uint32_t offset, uint32_t value);

/**
 * Number of interrupts (vectors) the device has of one kind.
 *
 * @param index
 *   VFIO_USER_IRQ_*.
 * @return
 *   0, or a negative errno.
 */
int vfio_user_irq_count(struct vfio_user *vu, uint32_t index, uint32_t *count);

/**
 * Have the server signal eventfds, or stop it.
 *
 * @param index
 *   VFIO_USER_IRQ_*.
 * @param first
 *   First vector.
 * @param count
 *   Number of vectors; 0 (with first 0 and eventfds NULL) disables all of this index.
 * @param eventfds
 *   count descriptors, -1 to disarm a vector; NULL disarms all count of them. They stay the
 *   caller's; the server has its own copies.
 * @return
 *   0, or a negative errno (with several messages, some vectors may then be set).
 */
int vfio_user_irqs_set(struct vfio_user *vu, uint32_t index, uint32_t first, uint32_t count,
		const int *eventfds);

/**
 * Reset the device.
 *
 * @return
 *   0, or a negative errno.
 */
int vfio_user_reset(struct vfio_user *vu);

/**
 * Whether the connection is known to be dead. Never asks the kernel: a server that died unnoticed
 * is found by the next access or by vfio_user_hup_fd().
 */
bool vfio_user_is_dead(const struct vfio_user *vu);

/**
 * A descriptor that becomes readable when the connection hangs up, and never for data; fit for
 * rte_intr. It stays readable, so the handler must take itself off
 * (rte_intr_callback_unregister_pending()) and call vfio_user_hup_check(). Owned
 * by the connection: unregister it before vfio_user_disconnect().
 */
int vfio_user_hup_fd(const struct vfio_user *vu);

/**
 * Ask the kernel whether the server hung up, and if so mark the connection dead. Never blocks.
 *
 * @return
 *   As vfio_user_is_dead().
 */
bool vfio_user_hup_check(struct vfio_user *vu);

#endif /* VFIO_USER_H */
