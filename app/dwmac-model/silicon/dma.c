/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

#include <string.h>

#define FOUR_GIB_SHIFT 32
#define HOST_PAGE      UINT64_C(4096)

static const char *const dir_names[] = { "TX", "RX" };

/* With EAME = 0 the upper words are ignored (eqos.md §14, wide addresses). */
uint64_t
bus_address(struct device *dev, uint32_t low, uint32_t high)
{
	if (high == 0 || (reg_get(dev, DMA_SYSBUS_MODE) & DMA_SBM_EAME) != 0)
		return (uint64_t)high << 32 | low;
	complain(dev, COMPLAINT_EAME_OFF, "address with high word 0x%x while EAME = 0", high);
	return low;
}

/* One piece of host memory, or NULL: out of the device's reach, or not mapped. */
static void *
bus_map(struct device *dev, uint64_t iova, size_t len, bool write)
{
	if (!dev->bus_master || iova + len > UINT64_C(1) << dev->profile->identity.dma_bits)
		return NULL;
	return dev->host.dma(dev->host_ctx, iova, len, write);
}

static void
complain_access(struct device *dev, uint64_t iova, size_t len, bool write, int channel,
		enum dma_dir dir)
{
	if (iova + len > UINT64_C(1) << dev->profile->identity.dma_bits)
		complain(dev, COMPLAINT_ADDRESS_WIDTH,
				"%s channel %d: address 0x%llx has more than %u bits",
				dir_names[dir], channel, (unsigned long long)iova,
				dev->profile->identity.dma_bits);
	else
		complain(dev, COMPLAINT_DMA_UNMAPPED,
				"%s channel %d: %s of %zu bytes at 0x%llx: not mapped%s",
				dir_names[dir], channel, write ? "write" : "read", len,
				(unsigned long long)iova,
				dev->bus_master ? "" : " (bus mastering is off)");
}

static bool
struck(struct device *dev, int channel, enum dma_dir dir)
{
	return (dev->faults.armed & BIT(FAULT_BUS_ERROR)) != 0 &&
	       fault_take(dev, FAULT_BUS_ERROR, (uint64_t)channel + (dir == DMA_RX ? 256 : 0),
			       NULL);
}

/*
 * Move bytes over the bus. What is contiguous for the device need not be so in the host: behind
 * an IOMMU every page may lie elsewhere.
 */
static bool
bus_copy(struct device *dev, uint64_t iova, uint8_t *local, size_t len, bool write, int channel,
		enum dma_dir dir)
{
	uint8_t *host;

	if (struck(dev, channel, dir))
		return false;
	host = bus_map(dev, iova, len, write);
	if (host != NULL) {
		memcpy(write ? host : local, write ? local : host, len);
		return true;
	}
	while (len != 0) {
		size_t part = HOST_PAGE - (iova & (HOST_PAGE - 1));

		if (part > len)
			part = len;
		host = bus_map(dev, iova, part, write);
		if (host == NULL) {
			complain_access(dev, iova, part, write, channel, dir);
			return false;
		}
		memcpy(write ? host : local, write ? local : host, part);
		iova += part;
		local += part;
		len -= part;
	}
	return true;
}

bool
bus_read(struct device *dev, uint64_t iova, void *to, size_t len, int channel, enum dma_dir dir)
{
	return bus_copy(dev, iova, to, len, false, channel, dir);
}

bool
bus_write(struct device *dev, uint64_t iova, const void *from, size_t len, int channel,
		enum dma_dir dir)
{
	return bus_copy(dev, iova, (uint8_t *)(uintptr_t)from, len, true, channel, dir);
}

/* A descriptor in place: its words are shared with the driver. */
uint32_t *
bus_words(struct device *dev, uint64_t iova, size_t len, int channel, enum dma_dir dir)
{
	uint32_t *words = NULL;

	if (struck(dev, channel, dir))
		return NULL;
	words = bus_map(dev, iova, len, true);
	if (words == NULL)
		complain_access(dev, iova, len, true, channel, dir);
	return words;
}

uint64_t
ring_address(const struct ring *ring, uint32_t index)
{
	return ring->base + (uint64_t)index * ring->stride;
}

/* Descriptor `index`. The whole ring is mapped once per call into the device if it can be. */
uint32_t *
ring_map(struct device *dev, struct ring *ring, uint32_t index, int channel, enum dma_dir dir)
{
	uint64_t bytes = (uint64_t)ring->count * ring->stride;
	bool wide = dir == DMA_TX && (ch_reg(dev, channel, DMA_TX_CONTROL) & DMA_TC_EDSE) != 0;

	if (ring->map_epoch != dev->epoch) {
		ring->map_epoch = dev->epoch;
		ring->map = bus_map(dev, ring->base, bytes, true);
	}
	if (ring->map != NULL && (dev->faults.armed & BIT(FAULT_BUS_ERROR)) == 0)
		return (uint32_t *)(void *)(ring->map + (size_t)index * ring->stride);
	return bus_words(dev, ring_address(ring, index), wide ? 32 : 16, channel, dir);
}

void
ring_advance(struct ring *ring)
{
	if (++ring->current >= ring->count)
		ring->current = 0;
	ring->exhausted = (uint32_t)ring_address(ring, ring->current) == ring->tail;
	ring->was_owned = true;
}

static bool
tail_inside(const struct ring *ring, uint32_t tail)
{
	uint64_t past = tail - (uint32_t)ring->base;

	return past <= (uint64_t)ring->count * ring->stride && past % ring->stride == 0;
}

static void
check_ring(struct device *dev, const struct ring *ring, int channel, enum dma_dir dir)
{
	uint64_t last = ring->base + (uint64_t)ring->count * ring->stride - 1;

	if (ring->count <= 2)
		complain(dev, COMPLAINT_RING_SHORT, "%s channel %d: ring of %u", dir_names[dir],
				channel, ring->count);
	if (ring->base >> FOUR_GIB_SHIFT != last >> FOUR_GIB_SHIFT)
		complain(dev, COMPLAINT_RING_CROSSES_4G, "%s channel %d: ring 0x%llx..0x%llx",
				dir_names[dir], channel, (unsigned long long)ring->base,
				(unsigned long long)last);
	if (!tail_inside(ring, ring->tail))
		complain(dev, COMPLAINT_TAIL_OUTSIDE, "%s channel %d: tail 0x%x, ring 0x%llx of %u",
				dir_names[dir], channel, ring->tail, (unsigned long long)ring->base,
				ring->count);
}

static void
check_burst(struct device *dev, int channel, enum dma_dir dir)
{
	uint32_t beats = dir == DMA_TX ? DMA_TC_TXPBL(ch_reg(dev, channel, DMA_TX_CONTROL))
				       : DMA_RC_RXPBL(ch_reg(dev, channel, DMA_RX_CONTROL));
	uint32_t queue = dir == DMA_TX ? txq_size(dev, channel) : rxq_size(dev, channel);

	if (ch_reg(dev, channel, DMA_CONTROL) & DMA_C_PBLX8)
		beats *= 8;
	/* Only TX data is fetched before it may be sent; the rule is about the TX queue. */
	if (dir == DMA_TX && beats * dev->profile->bus_bytes > queue / 2)
		complain(dev, COMPLAINT_PBL_TOO_BIG,
				"TX channel %d: burst of %u x %u bytes, queue of %u", channel,
				beats, dev->profile->bus_bytes, queue);
}

/* ST or SR goes 0 -> 1. The position is kept unless the list address was written. */
void
ring_start(struct device *dev, struct ring *ring, int channel, enum dma_dir dir)
{
	uint32_t list = dir == DMA_TX ? DMA_TXDESC_LIST_HADDRESS : DMA_RXDESC_LIST_HADDRESS;
	uint32_t length = dir == DMA_TX ? DMA_TXDESC_RING_LENGTH : DMA_RXDESC_RING_LENGTH;
	uint32_t tail = dir == DMA_TX ? DMA_TXDESC_TAIL_POINTER : DMA_RXDESC_TAIL_POINTER;
	bool wide = dir == DMA_TX && (ch_reg(dev, channel, DMA_TX_CONTROL) & DMA_TC_EDSE) != 0;

	ring->base = bus_address(dev, ch_reg(dev, channel, list + 4), ch_reg(dev, channel, list));
	ring->count = FIELD(ch_reg(dev, channel, length), 9, 0) + 1;
	ring->stride = (wide ? 32 : 16) +
		       DMA_C_DSL(ch_reg(dev, channel, DMA_CONTROL)) * dev->profile->bus_bytes;
	if (ring->rebase || ring->current >= ring->count)
		ring->current = 0;
	ring->rebase = false;
	ring->tail = ch_reg(dev, channel, tail);
	ring->exhausted = (uint32_t)ring_address(ring, ring->current) == ring->tail;
	ring->starved = false;
	ring->was_owned = false;
	ring->running = true;
	ring->map_epoch = 0;
	check_ring(dev, ring, channel, dir);
	check_burst(dev, channel, dir);
	mtl_check_sizes(dev, dir);
}

/* Tail rules 2 and 3 of eqos.md §14. */
void
ring_tail_written(struct ring *ring, uint32_t tail)
{
	ring->tail = tail;
	ring->starved = false;
	if (tail != (uint32_t)ring_address(ring, ring->current))
		ring->exhausted = false;
}

static void
tail_written(struct device *dev, struct ring *ring, int channel, enum dma_dir dir, uint32_t tail)
{
	if (!ring->running)
		return;
	if (!tail_inside(ring, tail))
		complain(dev, COMPLAINT_TAIL_OUTSIDE, "%s channel %d: tail 0x%x, ring 0x%llx of %u",
				dir_names[dir], channel, tail, (unsigned long long)ring->base,
				ring->count);
	ring_tail_written(ring, tail);
}

void
dma_write_tx_tail(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	struct tx_channel *tx = &dev->tx[index];

	(void)old;
	(void)started;
	if (tx->ring.exhausted || tx->ring.starved)
		tx->ready_ps = dev->now_ps;
	tail_written(dev, &tx->ring, (int)index, DMA_TX,
			ch_reg(dev, (int)index, DMA_TXDESC_TAIL_POINTER));
}

void
dma_write_rx_tail(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)old;
	(void)started;
	tail_written(dev, &dev->rx[index].ring, (int)index, DMA_RX,
			ch_reg(dev, (int)index, DMA_RXDESC_TAIL_POINTER));
}

void
dma_write_tx_list(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)old;
	(void)started;
	if (dev->tx[index].ring.running)
		complain(dev, COMPLAINT_RING_RUNNING,
				"TX channel %u: list address written while ST = 1", index);
	dev->tx[index].ring.rebase = true;
}

/* The RX list may also be switched while the RX DMA is suspended (eqos.md §14). */
void
dma_write_rx_list(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	struct ring *ring = &dev->rx[index].ring;

	(void)old;
	(void)started;
	ring->rebase = true;
	if (!ring->running)
		return;
	if (!ring->exhausted && !ring->starved) {
		complain(dev, COMPLAINT_RING_RUNNING,
				"RX channel %u: list address written while SR = 1", index);
		return;
	}
	ring->base = bus_address(dev, ch_reg(dev, (int)index, DMA_RXDESC_LIST_ADDRESS),
			ch_reg(dev, (int)index, DMA_RXDESC_LIST_HADDRESS));
	ring->current = 0;
	ring->map_epoch = 0;
}

static void
length_written(struct device *dev, const struct ring *ring, unsigned int channel, enum dma_dir dir,
		uint32_t changed)
{
	if (ring->running && changed != 0)
		complain(dev, COMPLAINT_RING_RUNNING,
				"%s channel %u: ring length changed while it runs", dir_names[dir],
				channel);
}

void
dma_write_tx_length(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)started;
	length_written(dev, &dev->tx[index].ring, index, DMA_TX,
			old ^ ch_reg(dev, (int)index, DMA_TXDESC_RING_LENGTH));
}

void
dma_write_rx_length(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)started;
	length_written(dev, &dev->rx[index].ring, index, DMA_RX,
			old ^ ch_reg(dev, (int)index, DMA_RXDESC_RING_LENGTH));
}

void
dma_write_tx_control(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t now = ch_reg(dev, (int)index, DMA_TX_CONTROL);

	(void)started;
	if ((now & ~old) & DMA_TC_ST)
		tx_start(dev, (int)index);
	else if ((old & ~now) & DMA_TC_ST)
		tx_stop(dev, (int)index);
}

void
dma_write_rx_control(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	uint32_t now = ch_reg(dev, (int)index, DMA_RX_CONTROL);

	(void)started;
	if ((now & ~old) & DMA_RC_SR)
		rx_start(dev, (int)index);
	else if ((old & ~now) & DMA_RC_SR)
		rx_stop(dev, (int)index);
}

/*
 * FBE and its kind: bit 2 data transfer (else descriptor access is bit 1), bit 0 read. The channel
 * stops; stop and start again make it work (eqos.md §14).
 */
void
dma_bus_error(struct device *dev, int channel, enum dma_dir dir, bool descriptor, bool read)
{
	uint32_t *status = reg(dev, (uint32_t)DMA_CH(channel, DMA_STATUS));
	uint32_t kind = (descriptor ? 2u : 4u) | (read ? 1u : 0u);
	unsigned int shift = dir == DMA_TX ? 16 : 19;
	struct ring *ring = dir == DMA_TX ? &dev->tx[channel].ring : &dev->rx[channel].ring;

	*status = (*status & ~(UINT32_C(7) << shift)) | kind << shift;
	ring->running = false;
	dma_event(dev, channel, DMA_ST_FBE | (dir == DMA_TX ? DMA_ST_TPS : DMA_ST_RPS));
}

uint32_t
dma_read_current_tx(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)stored;
	return (uint32_t)ring_address(&dev->tx[index].ring, dev->tx[index].ring.current);
}

uint32_t
dma_read_current_tx_high(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)stored;
	return (uint32_t)(ring_address(&dev->tx[index].ring, dev->tx[index].ring.current) >> 32);
}

uint32_t
dma_read_current_rx(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)stored;
	return (uint32_t)ring_address(&dev->rx[index].ring, dev->rx[index].ring.current);
}

uint32_t
dma_read_current_rx_high(struct device *dev, unsigned int index, uint32_t stored)
{
	(void)stored;
	return (uint32_t)(ring_address(&dev->rx[index].ring, dev->rx[index].ring.current) >> 32);
}

/* State codes of DMA_Debug_StatusN: TX 0 stopped, 1 fetching, 2 waits for status, 6 suspended;
 * RX 0 stopped, 3 waits for a packet, 4 suspended. */
static uint32_t
channel_state(const struct device *dev, int channel)
{
	const struct tx_channel *tx = &dev->tx[channel];
	const struct rx_channel *rx = &dev->rx[channel];
	uint32_t tps = 0, rps = 0;

	if (tx->ring.running)
		tps = !(tx->ring.exhausted || tx->ring.starved) ? 1 : tx->in_flight ? 2 : 6;
	if (rx->ring.running)
		rps = rx->ring.exhausted || rx->ring.starved ? 4 : 3;
	return tps << 4 | rps;
}

/* Status0 has channels 0..2 from bit 8 on, Status1 3..6 and Status2 7 from bit 0 on. */
uint32_t
dma_read_debug_status(struct device *dev, unsigned int index, uint32_t stored)
{
	static const struct {
		int first, last, shift;
	} layout[] = { { 0, 2, 8 }, { 3, 6, 0 }, { 7, 7, 0 } };
	int shift = layout[index].shift;

	stored = 0;
	for (int ch = layout[index].first; ch <= layout[index].last; ch++, shift += 8)
		if (ch < dev->profile->channels)
			stored |= channel_state(dev, ch) << shift;
	return stored;
}

void
dma_write_mode(struct device *dev, unsigned int index, uint32_t old, uint32_t started)
{
	(void)index;
	(void)old;
	if (started & DMA_MODE_SWR)
		device_soft_reset(dev);
}

void
dma_reset(struct device *dev)
{
	for (int ch = 0; ch < CHANNELS; ch++) {
		uint8_t *tso_buffer = dev->tx[ch].tso_buffer;
		struct tso_job *tso = dev->tx[ch].tso;

		memset(&dev->tx[ch], 0, sizeof(dev->tx[ch]));
		memset(&dev->rx[ch], 0, sizeof(dev->rx[ch]));
		dev->tx[ch].tso_buffer = tso_buffer;
		dev->tx[ch].tso = tso;
		tso_reset(&dev->tx[ch]);
		dev->rx[ch].active_queue = -1;
		dev->rx[ch].watchdog_ps = DEVICE_NEVER;
	}
}
