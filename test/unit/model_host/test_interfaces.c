/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
/*
 * tap and af_packet against the kernel, in a network namespace of this process's own. Skipped
 * (exit code 77) where that is not permitted.
 */
#include "fake_device.h"
#include "rig.h"
#include "cmocka_all.h"
#include "clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SKIPPED 77

static const uint8_t tagged[64] = { 2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8, 0x81, 0x00, 0x60, 0x05,
	0x88, 0xb5, 'h', 'i' };

static void
command(const char *text)
{
	if (system(text) != 0)
		fail_msg("failed: %s", text);
}

static int
packet_socket(const char *ifname)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(ifname) };
	const int one = 1, fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);

	assert_true(fd >= 0 && address.sll_ifindex != 0);
	assert_int_equal(setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)), 0);
	assert_int_equal(setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)), 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* Runs the rig in real time until `count` frames arrived, at most 5 s. */
static void
wait_for_frames(struct rig *rig, unsigned int count)
{
	uint64_t end_ns;

	clock_freeze(0);
	end_ns = clock_true_ns() + 5 * NS_PER_S;
	while (rig_fake(rig, 0)->nb_rx < count && clock_true_ns() < end_ns) {
		host_run_due(&rig->host);
		loop_wait(rig->host.loop, 1000000);
	}
	assert_true(rig_fake(rig, 0)->nb_rx >= count);
}

/* The frame with this EtherType among those received. */
static const struct fake_rx *
find_frame(const struct rig *rig, unsigned int at, unsigned int type)
{
	for (unsigned int i = 0; i < rig_fake(rig, 0)->nb_rx && i < FAKE_RX_KEPT; i++) {
		const struct fake_rx *rx = &rig_fake(rig, 0)->rx[i];

		if ((unsigned int)(rx->first[at] << 8 | rx->first[at + 1]) == type)
			return rx;
	}
	return NULL;
}

static void
exchange_tagged_frame(struct rig *rig, const char *ifname)
{
	const int fd = packet_socket(ifname);
	struct pollfd readable = { .fd = fd, .events = POLLIN };
	const struct fake_rx *rx;
	uint8_t got[256];
	ssize_t len = 0;

	assert_int_equal(send(fd, tagged, sizeof(tagged), 0), sizeof(tagged));
	wait_for_frames(rig, 1);
	rx = find_frame(rig, 16, 0x88b5);
	assert_non_null(rx);
	assert_int_equal(rx->len, 64);
	assert_memory_equal(rx->first, tagged, 64);
	assert_true(rx->sfd_ps / 1000 <= clock_true_ns());

	fake_transmit(rig_device(rig, 0), tagged, sizeof(tagged), clock_true_ns() * 1000);
	/* This socket lost the tag to the kernel: type and payload are enough here. */
	while (poll(&readable, 1, 5000) == 1) {
		len = recv(fd, got, sizeof(got), 0);
		if (len == 60 && got[12] == 0x88 && got[13] == 0xb5)
			break;
		len = 0;
	}
	assert_int_equal(len, 60);
	assert_memory_equal(got + 14, "hi", 2);
	close(fd);
}

static void
tap_carries_whole_frames_both_ways(void **state)
{
	struct rig rig;

	(void)state;
	rig_open(&rig, "tap:a,if=modeltap0");
	exchange_tagged_frame(&rig, "modeltap0");
	rig_close(&rig);
}

/* More than the wire reads ahead: the rest stays with the kernel and comes in time. */
static void
tap_backlog_is_paced_not_lost(void **state)
{
	const unsigned int count = 700;
	struct rig rig;
	int fd;

	(void)state;
	rig_open(&rig, "tap:a,if=modeltap0");
	slot_set_link(rig.host.devices[0].slot, true, 10, true);
	command("ip link set modeltap0 txqueuelen 1000");
	fd = packet_socket("modeltap0");
	for (unsigned int i = 0; i < count; i++) {
		if (send(fd, tagged, sizeof(tagged), 0) != sizeof(tagged))
			i--;
		if (i % 16 == 0)
			loop_wait(rig.host.loop, 0);
	}
	wait_for_frames(&rig, count);
	assert_int_equal(rig_counter(&rig, "wire_lost"), 0);
	/* 64 bytes, preamble, FCS and gap at 10 Mb/s: 70.4 us each */
	assert_true(rig_fake(&rig, 0)->rx[(count - 1) % FAKE_RX_KEPT].sfd_ps -
					rig_fake(&rig, 0)->rx[count - 201].sfd_ps >=
			199 * 70400000ULL);
	close(fd);
	rig_close(&rig);
}

/* A new link drops what is sent before the kernel has noticed its carrier. */
static void
wait_for_carrier(const char *ifname)
{
	char text[160];

	snprintf(text, sizeof(text),
			"for look in $(seq 1000); do ip link show %s | grep -q 'state UP' && exit; "
			"sleep 0.01; done; exit 1",
			ifname);
	if (system(text) != 0)
		fail_msg("%s has no carrier after 10 s", ifname);
}

static void
make_veth_pair(void)
{
	command("ip link add modelva type veth peer name modelvb && ip link set modelva up && "
		"ip link set modelvb up");
	wait_for_carrier("modelva");
	wait_for_carrier("modelvb");
}

static void
packet_socket_restores_vlan_tags(void **state)
{
	struct rig rig;

	(void)state;
	make_veth_pair();
	rig_open(&rig, "af_packet:a,if=modelva");
	exchange_tagged_frame(&rig, "modelvb");
	rig_close(&rig);
	command("ip link del modelva");
}

/* A local sender leaves the checksum to its hardware; on a wire it must be right. */
static void
packet_socket_finishes_checksums(void **state)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	const struct fake_rx *rx;
	uint32_t sum = 17 + 8 + 10;
	struct rig rig;
	int fd;

	(void)state;
	make_veth_pair();
	command("ip addr add 198.18.0.1/24 dev modelvb && "
		"ip neigh add 198.18.0.2 lladdr 02:00:00:00:00:09 dev modelvb");
	rig_open(&rig, "af_packet:a,if=modelva");
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	inet_pton(AF_INET, "198.18.0.2", &to.sin_addr);
	assert_int_equal(sendto(fd, "0123456789", 10, 0, (struct sockaddr *)&to, sizeof(to)), 10);
	close(fd);
	for (unsigned int i = 1; (rx = find_frame(&rig, 12, 0x0800)) == NULL && i < 20; i++)
		wait_for_frames(&rig, i);
	assert_non_null(rx);
	assert_int_equal(rx->len, 60);
	for (unsigned int at = 26; at < 14 + 20 + 8 + 10; at += 2)
		sum += (uint32_t)(rx->first[at] << 8 | rx->first[at + 1]);
	assert_int_equal((sum & 0xffff) + (sum >> 16), 0xffff);
	rig_close(&rig);
	command("ip link del modelva");
}

static void
missing_interface_is_named(void **state)
{
	struct why w = { .text = "" };
	struct host host;
	struct wire *wire;

	(void)state;
	assert_int_equal(host_init(&host, &w), 0);
	wire = wire_create("af_packet:a,if=nowhere0", &w);
	assert_non_null(wire);
	assert_int_equal(wire_start(wire, host.loop, &w), -ENODEV);
	assert_non_null(strstr(w.text, "nowhere0"));
	wire_destroy(wire);
	wire = wire_create("tap:a,if=", &w);
	assert_null(wire);
	wire = wire_create("tap:a", &w);
	assert_true(wire_start(wire, host.loop, &w) < 0);
	wire_destroy(wire);
	host_fini(&host);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tap_carries_whole_frames_both_ways),
		cmocka_unit_test(tap_backlog_is_paced_not_lost),
		cmocka_unit_test(packet_socket_restores_vlan_tags),
		cmocka_unit_test(packet_socket_finishes_checksums),
		cmocka_unit_test(missing_interface_is_named),
	};

	if (unshare(CLONE_NEWNET) != 0 || system("ip link set lo up 2>/dev/null") != 0) {
		fprintf(stderr, "skipped: no network namespace of our own (%s)\n", strerror(errno));
		return SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
