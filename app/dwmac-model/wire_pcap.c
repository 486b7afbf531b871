/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* pcap: plays a capture file into the device and records what it sends, with ns stamps. */
#include "clock.h"
#include "feeder.h"
#include "opt.h"
#include "wire.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

struct wire_pcap {
	struct wire wire;
	char *in_path, *out_path;
	pcap_t *in, *out;
	pcap_dumper_t *dumper;
	struct feeder feeder;
	bool broken; /* the file ended in the middle of a record */
	uint64_t recorded;
	uint8_t frame[WIRE_FRAME_MAX];
};

static bool
next_frame(void *arg, const uint8_t **data, uint32_t *len)
{
	struct wire_pcap *wp = arg;
	struct pcap_pkthdr *header;
	const u_char *bytes;
	int ret;

	while ((ret = pcap_next_ex(wp->in, &header, &bytes)) == 1) {
		/* A frame cut by the snap length is sent as captured. */
		*len = header->caplen;
		if (*len <= sizeof(wp->frame))
			memcpy(wp->frame, bytes, *len);
		if (wire_admit(&wp->wire, wp->frame, len)) {
			*data = wp->frame;
			return true;
		}
	}
	wp->broken = ret == PCAP_ERROR;
	if (wp->broken)
		fprintf(stderr, "%s: %s\n", wp->in_path, pcap_geterr(wp->in));
	return false;
}

static void
pcap_wire_init(struct wire *wire)
{
	struct wire_pcap *wp = (struct wire_pcap *)wire;

	wp->feeder.next = next_frame;
	wp->feeder.arg = wp;
	wp->feeder.wait = FEEDER_WAIT_CLIENT;
}

static void
pcap_wire_fini(struct wire *wire)
{
	struct wire_pcap *wp = (struct wire_pcap *)wire;

	if (wp->dumper != NULL)
		pcap_dump_close(wp->dumper);
	if (wp->out != NULL)
		pcap_close(wp->out);
	if (wp->in != NULL)
		pcap_close(wp->in);
	free(wp->in_path);
	free(wp->out_path);
}

static int
set_path(const struct wire *wire, char **path, const char *value, struct why *w)
{
	if (wire->started)
		return why(w, -EBUSY, "files can only be given at start");
	free(*path);
	*path = strdup(value);
	return *path != NULL ? 0 : why(w, -ENOMEM, "out of memory");
}

static int
pcap_wire_option(struct wire *wire, const char *key, const char *value, struct why *w)
{
	static const char *const speeds[] = { "real", "full", NULL };
	struct wire_pcap *wp = (struct wire_pcap *)wire;
	int ret;

	if (strcmp(key, "in") == 0)
		return set_path(wire, &wp->in_path, value, w);
	if (strcmp(key, "out") == 0)
		return set_path(wire, &wp->out_path, value, w);
	if (strcmp(key, "speed") == 0) {
		ret = opt_word(key, value, speeds, w);
		if (ret >= 0)
			wp->feeder.lossless = ret == 1;
		return ret < 0 ? ret : 0;
	}
	return feeder_option(&wp->feeder, key, value, w);
}

static int
open_in(struct wire_pcap *wp, struct why *w)
{
	char text[PCAP_ERRBUF_SIZE];

	if (wp->in != NULL)
		pcap_close(wp->in);
	wp->in = pcap_open_offline(wp->in_path, text);
	if (wp->in == NULL)
		return why(w, -EIO, "in=%s: %s", wp->in_path, text);
	if (pcap_datalink(wp->in) != DLT_EN10MB)
		return why(w, -EINVAL, "in=%s: the link type is %s, Ethernet is needed",
				wp->in_path, pcap_datalink_val_to_name(pcap_datalink(wp->in)));
	return 0;
}

static int
open_out(struct wire_pcap *wp, struct why *w)
{
	wp->out = pcap_open_dead_with_tstamp_precision(
			DLT_EN10MB, DEVICE_FRAME_MAX, PCAP_TSTAMP_PRECISION_NANO);
	if (wp->out == NULL)
		return why(w, -ENOMEM, "out=%s: out of memory", wp->out_path);
	wp->dumper = pcap_dump_open(wp->out, wp->out_path);
	if (wp->dumper == NULL)
		return why(w, -EIO, "out=%s", pcap_geterr(wp->out));
	return 0;
}

static int
pcap_wire_start(struct wire *wire, struct loop *loop, struct why *w)
{
	struct wire_pcap *wp = (struct wire_pcap *)wire;
	int ret = 0;

	(void)loop;
	if (wp->in_path == NULL && wp->out_path == NULL)
		return why(w, -EINVAL, "wire %s needs in=FILE, out=FILE or both", wire->name);
	if (wp->in_path != NULL)
		ret = open_in(wp, w);
	else
		wp->feeder.finished = true;
	if (ret == 0 && wp->out_path != NULL)
		ret = open_out(wp, w);
	wp->feeder.lossless |= wire->unlimited;
	feeder_begin(&wp->feeder);
	wire_due(wire, 0);
	return ret;
}

static void
pcap_wire_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	struct wire_pcap *wp = (struct wire_pcap *)wire;
	struct pcap_pkthdr header = {
		.ts.tv_sec = (time_t)(frame->sfd_ps / PS_PER_S),
		/* nanoseconds: that is what this file's magic number says */
		.ts.tv_usec = (suseconds_t)(frame->sfd_ps % PS_PER_S / PS_PER_NS),
		.caplen = frame->len,
		.len = frame->len,
	};

	(void)port;
	(void)end_ps;
	if (wp->dumper == NULL)
		return;
	pcap_dump((u_char *)wp->dumper, &header, frame->data);
	wp->recorded++;
}

static void
pcap_wire_rx_room(struct wire *wire, unsigned int port)
{
	(void)port;
	wire_due(wire, 0);
}

static uint64_t
pcap_wire_run(struct wire *wire, uint64_t now_ns)
{
	return feeder_run(&((struct wire_pcap *)wire)->feeder, wire, now_ns);
}

static int
restart(struct wire_pcap *wp, struct why *w)
{
	if (wp->in_path == NULL)
		return why(w, -EINVAL, "wire %s has no in=FILE", wp->wire.name);
	if (wp->feeder.finished) {
		int ret = open_in(wp, w);

		if (ret != 0)
			return ret;
	}
	feeder_start(&wp->feeder);
	wire_due(&wp->wire, 0);
	return 0;
}

static int
pcap_wire_command(struct wire *wire, const char *action, struct why *w)
{
	struct wire_pcap *wp = (struct wire_pcap *)wire;

	if (strcmp(action, "start") == 0)
		return restart(wp, w);
	if (strcmp(action, "stop") == 0) {
		feeder_stop(&wp->feeder);
		return 0;
	}
	if (strcmp(action, "flush") == 0) {
		if (wp->dumper != NULL && pcap_dump_flush(wp->dumper) != 0)
			return why(w, -EIO, "out=%s: cannot write", wp->out_path);
		return 0;
	}
	return -ENOTSUP;
}

static unsigned int
pcap_wire_counters(const struct wire *wire, struct device_counter *out, unsigned int max)
{
	const struct wire_pcap *wp = (const struct wire_pcap *)wire;
	const struct device_counter own[] = {
		{ "played", wp->feeder.fed },
		{ "finished", wp->feeder.finished },
		{ "broken_file", wp->broken },
		{ "recorded", wp->recorded },
	};
	const unsigned int nb_own = sizeof(own) / sizeof(own[0]);

	for (unsigned int i = 0; i < nb_own && i < max; i++)
		out[i] = own[i];
	return nb_own;
}

const struct wire_ops wire_pcap_ops = {
	.kind = "pcap",
	.help = "  pcap:DEV                           capture files\n"
		"      in=FILE                        played into DEV\n"
		"      speed=real|full                at link rate, or losslessly as DEV "
		"has room\n"
		"      wait=client|start|none         play while a driver receives "
		"(default), on\n"
		"                                     control command wire start, or at "
		"once\n"
		"      out=FILE                       records what DEV sends (ns stamps)\n",
	.nb_ports = 1,
	.size = sizeof(struct wire_pcap),
	.init = pcap_wire_init,
	.option = pcap_wire_option,
	.start = pcap_wire_start,
	.transmit = pcap_wire_transmit,
	.rx_room = pcap_wire_rx_room,
	.run = pcap_wire_run,
	.command = pcap_wire_command,
	.counters = pcap_wire_counters,
	.fini = pcap_wire_fini,
};
