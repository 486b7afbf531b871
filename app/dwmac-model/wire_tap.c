/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/* tap: the other end is a tap interface of the kernel, made here unless it exists. */
#include "ingress.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct wire_tap {
	struct wire wire;
	char ifname[IFNAMSIZ];
	int fd;
	struct ingress ingress;
};

static void
tap_init(struct wire *wire)
{
	((struct wire_tap *)wire)->fd = -1;
}

static void
tap_fini(struct wire *wire)
{
	struct wire_tap *tap = (struct wire_tap *)wire;

	ingress_stop(&tap->ingress);
	if (tap->fd >= 0)
		close(tap->fd);
}

static int
tap_option(struct wire *wire, const char *key, const char *value, struct why *w)
{
	struct wire_tap *tap = (struct wire_tap *)wire;

	if (strcmp(key, "if") != 0)
		return -ENOENT;
	if (wire->started)
		return why(w, -EBUSY, "if can only be given at start");
	if (value[0] == '\0' || strlen(value) >= sizeof(tap->ifname))
		return why(w, -EINVAL, "if=%s: 1 to %zu characters", value,
				sizeof(tap->ifname) - 1);
	strcpy(tap->ifname, value);
	return 0;
}

static int
tap_read(void *arg, uint8_t *data, uint32_t size)
{
	const struct wire_tap *tap = arg;
	ssize_t got = read(tap->fd, data, size);

	return got > 0 ? (int)got : 0;
}

static int
bring_up(const char *ifname)
{
	struct ifreq request = { 0 };
	int ret, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	memcpy(request.ifr_name, ifname, sizeof(request.ifr_name));
	ret = ioctl(fd, SIOCGIFFLAGS, &request);
	request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
	if (ret == 0)
		ret = ioctl(fd, SIOCSIFFLAGS, &request);
	ret = ret == 0 ? 0 : -errno;
	close(fd);
	return ret;
}

static int
tap_start(struct wire *wire, struct loop *loop, struct why *w)
{
	struct wire_tap *tap = (struct wire_tap *)wire;
	struct ifreq request = { 0 };
	int ret;

	(void)loop;
	if (tap->ifname[0] == '\0')
		return why(w, -EINVAL, "wire %s needs if=NAME", wire->name);
	tap->fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (tap->fd < 0)
		return why(w, -errno, "/dev/net/tun: %s", strerror(errno));
	/* No IFF_VNET_HDR: the kernel then finishes checksums and segments before we read. */
	request.ifr_flags = IFF_TAP | IFF_NO_PI;
	memcpy(request.ifr_name, tap->ifname, sizeof(request.ifr_name));
	if (ioctl(tap->fd, TUNSETIFF, &request) != 0)
		return why(w, -errno, "tap interface %s: %s", tap->ifname, strerror(errno));
	ret = bring_up(tap->ifname);
	if (ret != 0)
		return why(w, ret, "tap interface %s: cannot bring it up: %s", tap->ifname,
				strerror(-ret));
	tap->ingress.read = tap_read;
	tap->ingress.arg = tap;
	ret = ingress_start(&tap->ingress, wire, tap->fd);
	return ret == 0 ? 0 : why(w, ret, "tap interface %s: epoll", tap->ifname);
}

static void
tap_transmit(struct wire *wire, unsigned int port, const struct frame *frame, uint64_t end_ps)
{
	const struct wire_tap *tap = (const struct wire_tap *)wire;

	(void)port;
	(void)end_ps;
	/* A damaged frame would be dropped by the receiver's MAC. */
	if (frame->bad_fcs || write(tap->fd, frame->data, frame->len) != frame->len)
		wire->counts.wire_lost++;
}

static void
tap_rx_room(struct wire *wire, unsigned int port)
{
	(void)port;
	ingress_rx_room(&((struct wire_tap *)wire)->ingress);
}

static uint64_t
tap_run(struct wire *wire, uint64_t now_ns)
{
	return ingress_run(&((struct wire_tap *)wire)->ingress, now_ns);
}

const struct wire_ops wire_tap_ops = {
	.kind = "tap",
	.help = "  tap:DEV,if=NAME                    a tap interface, made and brought "
		"up\n",
	.nb_ports = 1,
	.size = sizeof(struct wire_tap),
	.init = tap_init,
	.option = tap_option,
	.start = tap_start,
	.transmit = tap_transmit,
	.rx_room = tap_rx_room,
	.run = tap_run,
	.fini = tap_fini,
};
