/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "silicon.h"

/* Names and places of what the control socket and the tests can count. */

#define PER_CHANNEL_NAMES(prefix, what)                                                 \
	{                                                                               \
		prefix "0_" what, prefix "1_" what, prefix "2_" what, prefix "3_" what, \
				prefix "4_" what, prefix "5_" what, prefix "6_" what,   \
				prefix "7_" what                                        \
	}

struct channel_counter {
	const char *name[CHANNELS];
	uint64_t (*value)(const struct device *dev, int channel);
};

#define CHANNEL_VALUE(function, expression)                        \
	static uint64_t function(const struct device *dev, int ch) \
	{                                                          \
		return expression;                                 \
	}

CHANNEL_VALUE(tx_packets, dev->tx[ch].packets)
CHANNEL_VALUE(tx_bytes, dev->tx[ch].bytes)
CHANNEL_VALUE(rx_packets, dev->rx[ch].packets)
CHANNEL_VALUE(rx_bytes, dev->rx[ch].bytes)
CHANNEL_VALUE(rx_stamps, dev->rx[ch].stamps)
CHANNEL_VALUE(rx_stamps_dropped, dev->rx[ch].stamps_dropped)
CHANNEL_VALUE(rx_overflows, dev->rxq[ch].overflows)
CHANNEL_VALUE(rx_flushed, dev->rxq[ch].flushed)

static const struct channel_counter channel_counters[] = {
	{ PER_CHANNEL_NAMES("tx", "packets"), tx_packets },
	{ PER_CHANNEL_NAMES("tx", "bytes"), tx_bytes },
	{ PER_CHANNEL_NAMES("rx", "packets"), rx_packets },
	{ PER_CHANNEL_NAMES("rx", "bytes"), rx_bytes },
	{ PER_CHANNEL_NAMES("rx", "stamps"), rx_stamps },
	{ PER_CHANNEL_NAMES("rx", "stamps_dropped"), rx_stamps_dropped },
	{ PER_CHANNEL_NAMES("rxq", "overflows"), rx_overflows },
	{ PER_CHANNEL_NAMES("rxq", "flushed"), rx_flushed },
};

struct counter_sink {
	struct device_counter *out;
	unsigned int max, used;
};

static void
put(struct counter_sink *sink, const char *name, uint64_t value)
{
	if (sink->used < sink->max)
		sink->out[sink->used] = (struct device_counter){ name, value };
	sink->used++;
}

unsigned int
device_counters(const struct device *dev, struct device_counter *out, unsigned int max)
{
	struct counter_sink sink = { .out = out, .max = max };

	for (unsigned int c = 0; c < sizeof(channel_counters) / sizeof(channel_counters[0]); c++)
		for (int ch = 0; ch < dev->profile->channels; ch++)
			put(&sink, channel_counters[c].name[ch],
					channel_counters[c].value(dev, ch));
	put(&sink, "mac_tx_frames", dev->mac.tx_frames);
	put(&sink, "mac_rx_frames", dev->mac.rx_frames);
	put(&sink, "mac_filtered", dev->mac.filtered);
	put(&sink, "mac_speed_mismatch", dev->mac.mismatched);
	put(&sink, "tx_stamp_captures_missed", dev->ptp.tx_captures_missed);
	put(&sink, "irq_messages", dev->irq.messages);
	put(&sink, "irq_lost", dev->irq.lost);
	put(&sink, "complaints", dev->complaints.total);
	for (unsigned int i = 0; i < mmc_counters_count; i++)
		put(&sink, mmc_counters[i].name, reg_get(dev, mmc_counters[i].offset));
	return sink.used;
}
