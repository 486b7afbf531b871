/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/*
 * af_packet: the other end is an existing interface (usually one of a veth pair). The kernel takes
 * VLAN tags out of received frames and leaves checksums of local senders to the hardware; both
 * are undone here, since a real cable carries frames that are whole.
 */
#include "ingress.h"
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define VLAN_TAG_LEN  4u
#define ADDRESSES_LEN 12u

struct wire_packet {
	struct wire wire;
	char ifname[IFNAMSIZ];
	int fd;
	struct ingress ingress;
	uint64_t gso; /* frames larger than a wire allows, given by a sender with TSO */
};

static void
packet_init(struct wire *wire)
{
	((struct wire_packet *)wire)->fd = -1;
}

static void
packet_fini(struct wire *wire)
{
	struct wire_packet *wp = (struct wire_packet *)wire;

	ingress_stop(&wp->ingress);
	if (wp->fd >= 0)
		close(wp->fd);
}

static int
packet_option(struct wire *wire, const char *key, const char *value, struct why *w)
{
	struct wire_packet *wp = (struct wire_packet *)wire;

	if (strcmp(key, "if") != 0)
		return -ENOENT;
	if (wire->started)
		return why(w, -EBUSY, "if can only be given at start");
	if (value[0] == '\0' || strlen(value) >= sizeof(wp->ifname))
		return why(w, -EINVAL, "if=%s: 1 to %zu characters", value, sizeof(wp->ifname) - 1);
	strcpy(wp->ifname, value);
	return 0;
}

/* The checksum a sender left to its hardware: over everything from `start`. */
static void
finish_checksum(uint8_t *data, uint32_t len, const struct virtio_net_hdr *header)
{
	const uint32_t start = header->csum_start, at = start + header->csum_offset;
	uint32_t sum = 0;

	if (!(header->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM) || at + 2 > len || start >= len)
		return;
	/* The field holds the pseudo header's sum already, so it is part of the sum. */
	for (uint32_t i = start; i < len; i++)
		sum += (i - start) & 1 ? data[i] : (uint32_t)data[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	sum = ~sum & 0xffff;
	if (sum == 0)
		sum = 0xffff;
	data[at] = (uint8_t)(sum >> 8);
	data[at + 1] = (uint8_t)sum;
}

static uint32_t
restore_vlan_tag(uint8_t *data, uint32_t len, struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
		struct tpacket_auxdata aux;
		uint16_t tag[2];

		if (c->cmsg_level != SOL_PACKET || c->cmsg_type != PACKET_AUXDATA)
			continue;
		memcpy(&aux, CMSG_DATA(c), sizeof(aux));
		if (!(aux.tp_status & TP_STATUS_VLAN_VALID))
			return len;
		tag[0] = htons(aux.tp_status & TP_STATUS_VLAN_TPID_VALID ? aux.tp_vlan_tpid
									 : ETH_P_8021Q);
		tag[1] = htons(aux.tp_vlan_tci);
		memmove(data + ADDRESSES_LEN + VLAN_TAG_LEN, data + ADDRESSES_LEN,
				len - ADDRESSES_LEN);
		memcpy(data + ADDRESSES_LEN, tag, sizeof(tag));
		return len + VLAN_TAG_LEN;
	}
	return len;
}

static int
packet_read(void *arg, uint8_t *data, uint32_t size)
{
	struct wire_packet *wp = arg;
	struct virtio_net_hdr header;
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
	} control;
	struct iovec iov[2] = { { .iov_base = &header, .iov_len = sizeof(header) },
		{ .iov_base = data, .iov_len = size - VLAN_TAG_LEN } };
	struct msghdr msg = { .msg_iov = iov,
		.msg_iovlen = 2,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	ssize_t got = recvmsg(wp->fd, &msg, MSG_DONTWAIT);
	uint32_t len;

	if (got <= 0)
		return 0;
	if ((size_t)got < sizeof(header) + WIRE_FRAME_MIN)
		return -1;
	if (header.gso_type != VIRTIO_NET_HDR_GSO_NONE || (msg.msg_flags & MSG_TRUNC)) {
		if (wp->gso++ == 0)
			fprintf(stderr,
					"%s: %s hands over segments larger than a frame; switch it "
					"off on the sending interface: ethtool -K IF tso off gso "
					"off\n",
					wp->wire.name, wp->ifname);
		wp->wire.counts.refused++;
		return -1;
	}
	len = (uint32_t)((size_t)got - sizeof(header));
	finish_checksum(data, len, &header);
	return (int)restore_vlan_tag(data, len, &msg);
}

static int
set_options(struct wire_packet *wp, unsigned int ifindex, struct why *w)
{
	const struct packet_mreq promiscuous = { .mr_ifindex = (int)ifindex,
		.mr_type = PACKET_MR_PROMISC };
	const int one = 1;

	if (setsockopt(wp->fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) != 0 ||
			setsockopt(wp->fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)) != 0 ||
			setsockopt(wp->fd, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof(one)) != 0 ||
			setsockopt(wp->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous,
					sizeof(promiscuous)) != 0)
		return why(w, -errno, "packet socket on %s: %s", wp->ifname, strerror(errno));
	return 0;
}

static int
packet_start(struct wire *wire, struct loop *loop, struct why *w)
{
	struct wire_packet *wp = (struct wire_packet *)wire;
	struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL) };
	unsigned int ifindex;
	int ret;

	(void)loop;
	if (wp->ifname[0] == '\0')
		return why(w, -EINVAL, "wire %s needs if=NAME", wire->name);
	ifindex = if_nametoindex(wp->ifname);
	if (ifindex == 0)
		return why(w, -ENODEV, "wire %s: no interface %s", wire->name, wp->ifname);
	/* Protocol 0: nothing is received until bind() has named the interface. */
	wp->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (wp->fd < 0)
		return why(w, -errno, "packet socket: %s", strerror(errno));
	ret = set_options(wp, ifindex, w);
	if (ret != 0)
		return ret;
	address.sll_ifindex = (int)ifindex;
	if (bind(wp->fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		return why(w, -errno, "packet socket on %s: %s", wp->ifname, strerror(errno));
	wp->ingress.read = packet_read;
	wp->ingress.arg = wp;
	ret = ingress_start(&wp->ingress, wire, wp->fd);
	return ret == 0 ? 0 : why(w, ret, "packet socket on %s: epoll", wp->ifname);
}

static void
packet_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	const struct wire_packet *wp = (const struct wire_packet *)wire;
	struct virtio_net_hdr header = { 0 };
	struct iovec iov[2] = { { .iov_base = &header, .iov_len = sizeof(header) },
		{ .iov_base = (void *)(uintptr_t)frame->data, .iov_len = frame->len } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	(void)port;
	(void)end_ps;
	/* A damaged frame would be dropped by the receiver's MAC. */
	if (frame->bad_fcs || sendmsg(wp->fd, &msg, MSG_DONTWAIT) < 0)
		wire->counts.wire_lost++;
}

static void
packet_rx_room(struct wire *wire, unsigned int port)
{
	(void)port;
	ingress_rx_room(&((struct wire_packet *)wire)->ingress);
}

static uint64_t
packet_run(struct wire *wire, uint64_t now_ns)
{
	return ingress_run(&((struct wire_packet *)wire)->ingress, now_ns);
}

const struct wire_ops wire_packet_ops = {
	.kind = "af_packet",
	.help = "  af_packet:DEV,if=NAME              an existing interface, e.g. of a "
		"veth pair\n",
	.nb_ports = 1,
	.size = sizeof(struct wire_packet),
	.init = packet_init,
	.option = packet_option,
	.start = packet_start,
	.transmit = packet_transmit,
	.rx_room = packet_rx_room,
	.run = packet_run,
	.fini = packet_fini,
};
