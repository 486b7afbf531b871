/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 *
 * Hardware timestamps through the kernel's own interface: PTP event frames over layer 2 are sent
 * or received on an interface and their stamps shown between two readings of its clock. Static,
 * so that the initramfs needs no library; the host uses `send` on its end of the wire.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>

#define NS_PER_S	1000000000ll
#define WAIT_MS		3000
#define SEQUENCE_OFFSET (ETH_HLEN + 30) /* IEEE 1588-2019 13.3: sequenceId at octet 30 */

static const char usage[] =
		"usage: stamp IFACE send COUNT\n"
		"       stamp IFACE tx COUNT PHC   sequence before_ns stamp_ns after_ns\n"
		"       stamp IFACE rx COUNT PHC   sequence stamp_ns after_ns\n";

struct port {
	int socket;
	int ifindex;
	clockid_t phc;
	uint8_t mac[ETH_ALEN];
};

static void
die(const char *what)
{
	fprintf(stderr, "stamp: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t
phc_ns(const struct port *port)
{
	struct timespec ts;

	if (clock_gettime(port->phc, &ts) != 0)
		die("clock_gettime");
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void
port_open(struct port *port, const char *name)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_1588) };
	struct packet_mreq group = { .mr_type = PACKET_MR_MULTICAST, .mr_alen = ETH_ALEN };
	static const uint8_t ptp_group[ETH_ALEN] = { 0x01, 0x1b, 0x19, 0, 0, 0 };
	struct ifreq request;

	port->socket = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_1588));
	if (port->socket < 0)
		die("socket");
	memset(&request, 0, sizeof(request));
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	if (ioctl(port->socket, SIOCGIFINDEX, &request) != 0)
		die(name);
	port->ifindex = request.ifr_ifindex;
	if (ioctl(port->socket, SIOCGIFHWADDR, &request) != 0)
		die(name);
	memcpy(port->mac, request.ifr_hwaddr.sa_data, ETH_ALEN);
	address.sll_ifindex = group.mr_ifindex = port->ifindex;
	memcpy(group.mr_address, ptp_group, ETH_ALEN);
	if (bind(port->socket, (struct sockaddr *)&address, sizeof(address)) != 0)
		die("bind");
	if (setsockopt(port->socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &group, sizeof(group)) != 0)
		die("PACKET_ADD_MEMBERSHIP");
}

static void
enable_stamps(struct port *port, const char *name, const char *phc)
{
	struct hwtstamp_config config = { .tx_type = HWTSTAMP_TX_ON,
		.rx_filter = HWTSTAMP_FILTER_PTP_V2_EVENT };
	int flags = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE |
		    SOF_TIMESTAMPING_RAW_HARDWARE;
	struct ifreq request;
	int fd = open(phc, O_RDWR);

	if (fd < 0)
		die(phc);
	/* the kernel's form of a clock id made of a file descriptor */
	port->phc = ((~(clockid_t)fd) << 3) | 3;
	memset(&request, 0, sizeof(request));
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
	request.ifr_data = (void *)&config;
	if (ioctl(port->socket, SIOCSHWTSTAMP, &request) != 0)
		die("SIOCSHWTSTAMP");
	if (setsockopt(port->socket, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof(flags)) != 0)
		die("SO_TIMESTAMPING");
}

/* A Sync message, IEEE 1588-2019 13.6, header only as far as a receiver's filter looks. */
static void
send_sync(const struct port *port, uint16_t sequence)
{
	uint8_t frame[ETH_ZLEN] = { 0x01, 0x1b, 0x19, 0, 0, 0 };

	memcpy(frame + ETH_ALEN, port->mac, ETH_ALEN);
	frame[12] = ETH_P_1588 >> 8;
	frame[13] = ETH_P_1588 & 0xff;
	frame[ETH_HLEN + 1] = 2;  /* versionPTP; messageType 0 = Sync */
	frame[ETH_HLEN + 3] = 44; /* messageLength */
	frame[SEQUENCE_OFFSET] = sequence >> 8;
	frame[SEQUENCE_OFFSET + 1] = sequence & 0xff;
	if (send(port->socket, frame, sizeof(frame), 0) != (ssize_t)sizeof(frame))
		die("send");
}

/* The stamp of the next frame in the queue that `flags` names; its sequence in *sequence. */
static int64_t
receive_stamp(const struct port *port, int flags, unsigned int *sequence)
{
	uint8_t frame[ETH_FRAME_LEN] = { 0 }, control[512];
	struct iovec iov = { frame, sizeof(frame) };
	struct msghdr msg = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };
	struct pollfd pfd = { port->socket, flags == 0 ? POLLIN : 0, 0 };
	struct scm_timestamping stamps;

	if (poll(&pfd, 1, WAIT_MS) != 1) {
		errno = ETIMEDOUT;
		die(flags == 0 ? "no frame" : "no TX stamp");
	}
	if (recvmsg(port->socket, &msg, flags) < 0)
		die("recvmsg");
	*sequence = frame[SEQUENCE_OFFSET] << 8 | frame[SEQUENCE_OFFSET + 1];
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c != NULL; c = CMSG_NXTHDR(&msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPING)
			continue;
		memcpy(&stamps, CMSG_DATA(c), sizeof(stamps));
		/* index 2: the raw hardware stamp */
		return stamps.ts[2].tv_sec * NS_PER_S + stamps.ts[2].tv_nsec;
	}
	errno = ENODATA;
	die("a frame without stamp");
	return 0;
}

static void
run_tx(const struct port *port, int count)
{
	for (int i = 0; i < count; i++) {
		unsigned int sequence;
		int64_t before_ns = phc_ns(port), stamp_ns;

		send_sync(port, i);
		stamp_ns = receive_stamp(port, MSG_ERRQUEUE, &sequence);
		printf("%u %lld %lld %lld\n", sequence, (long long)before_ns, (long long)stamp_ns,
				(long long)phc_ns(port));
	}
}

static void
run_rx(const struct port *port, int count)
{
	for (int i = 0; i < count; i++) {
		unsigned int sequence;
		int64_t stamp_ns = receive_stamp(port, 0, &sequence);

		printf("%u %lld %lld\n", sequence, (long long)stamp_ns, (long long)phc_ns(port));
	}
}

int
main(int argc, char **argv)
{
	struct port port = { .socket = -1 };
	const char *command = argc > 3 ? argv[2] : "";
	int count = argc > 3 ? atoi(argv[3]) : 0;

	if (strcmp(command, "send") == 0 && argc == 4) {
		port_open(&port, argv[1]);
		for (int i = 0; i < count; i++) {
			send_sync(&port, i);
			usleep(20000);
		}
		return 0;
	}
	if ((strcmp(command, "tx") != 0 && strcmp(command, "rx") != 0) || argc != 5) {
		fputs(usage, stderr);
		return 2;
	}
	port_open(&port, argv[1]);
	enable_stamps(&port, argv[1], argv[4]);
	if (strcmp(command, "tx") == 0)
		run_tx(&port, count);
	else
		run_rx(&port, count);
	return 0;
}
