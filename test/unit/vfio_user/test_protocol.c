/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Servers that lie, stutter and die. */

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake_server.h"
#include "vfio_user_private.h"

#define IMPATIENT_MS 50

static struct fs_server server;
static struct vfio_user *vu;

/* The answer to a 4-byte read of region 0, offset 0x10: 0xcafe0001. */
static const uint8_t read_reply[20] = { 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0,
	0xfe, 0xca };
#define READ_VALUE 0xcafe0001u

static void
begin(fs_script script, void *arg)
{
	fs_start(&server, script, arg);
	assert_int_equal(vfio_user_connect(server.path, &vu), 0);
}

static void
end(void)
{
	vfio_user_disconnect(vu);
	vu = NULL;
	fs_stop(&server);
}

/* Everything returns at once, with the promised result, and nothing crashes. */
static void
assert_dead(void)
{
	uint64_t size;
	uint32_t value;

	assert_true(vfio_user_is_dead(vu));
	assert_true(vfio_user_hup_check(vu));
	assert_int_equal(vfio_user_bar_read32(vu, 0x10), UINT32_MAX);
	vfio_user_bar_write32(vu, 0x10, 0);
	assert_int_equal(vfio_user_bar_post32(vu, 0x10, 0), -ENODEV);
	assert_int_equal(vfio_user_region_read(vu, 0, 0, 4, &value), -ENODEV);
	assert_int_equal(vfio_user_region_size(vu, 0, &size), -ENODEV);
	assert_int_equal(vfio_user_irqs_set(vu, 1, 0, 0, NULL), -ENODEV);
	assert_int_equal(vfio_user_reset(vu), -ENODEV);
	assert_false(vfio_user_dma_is_mapped(vu, &value, sizeof(value)));
	assert_int_equal(poll(&(struct pollfd){ .fd = vfio_user_hup_fd(vu), .events = POLLIN }, 1,
					 0),
			1);
}

/* --- the handshake ------------------------------------------------------------------------- */

struct version_case {
	const char *reply;
	size_t len;
	uint32_t error;
	int expected;
};

static void
answer_version(struct fs_server *srv, int fd)
{
	const struct version_case *vc = srv->arg;
	struct fs_message msg;

	fs_expect(fd, FS_VERSION, &msg);
	if (vc->error != 0)
		fs_reply_error(fd, &msg, vc->error);
	else if (vc->reply != NULL)
		fs_reply(fd, &msg, vc->reply, vc->len);
	/* Until the client hangs up. */
	if (vc->reply != NULL || vc->error != 0)
		fs_receive(fd, &msg);
}

static void
handshake_is_checked(void **state)
{
#define REPLY(text) .reply = text, .len = sizeof(text)
	static const struct version_case cases[] = {
		{ REPLY(FS_VERSION_OK), .expected = 0 },
		{ .reply = "\0\0\0\0", .len = 4, .expected = 0 },
		{ REPLY("\0\0\0\0"), .expected = 0 },
		{ REPLY("\0\0\0\0{\"capabilities\":{}}"), .expected = 0 },
		{ REPLY("\0\0\0\0{}"), .expected = 0 },
		{ REPLY("\1\0\0\0{}"), .expected = -EPROTO },
		{ REPLY("\0\0\1\0{}"), .expected = -EPROTO },
		{ REPLY("\0\0\0\0nonsense"), .expected = -EPROTO },
		{ REPLY("\0\0\0\0{\"capabilities\":{\"max_msg_fds\":0}}"), .expected = -EPROTO },
		{ REPLY("\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":4}}"),
				.expected = -EPROTO },
		{ .reply = "\0\0\0", .len = 3, .expected = -EPROTO },
		{ .error = EBUSY, .expected = -EBUSY },
		{ .reply = NULL, .expected = -ECONNREFUSED },
	};
	size_t fds_before = count_open_fds();
	size_t i;
	int ret;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vfio_user *conn = NULL;

		fs_start(&server, answer_version, (void *)(uintptr_t)&cases[i]);
		ret = vfio_user_connect(server.path, &conn);
		if (ret != cases[i].expected)
			print_error("case %zu\n", i);
		assert_int_equal(ret, cases[i].expected);
		assert_true((conn != NULL) == (ret == 0));
		vfio_user_disconnect(conn);
		fs_stop(&server);
	}
	assert_int_equal(count_open_fds(), fds_before);
}

static void
connecting_to_nothing_says_why(void **state)
{
	struct vfio_user *conn = NULL;
	size_t fds_before = count_open_fds();
	char path[200];

	(void)state;
	assert_int_equal(vfio_user_connect("/tmp/no/such/socket", &conn), -ENOENT);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(vfio_user_connect(path, &conn), -ENAMETOOLONG);
	fs_start(&server, answer_version, NULL);
	shutdown(server.listen_fd, SHUT_RDWR);
	assert_int_equal(vfio_user_connect(server.path, &conn), -ECONNREFUSED);
	fs_stop(&server);
	assert_null(conn);
	assert_int_equal(count_open_fds(), fds_before);
	vfio_user_disconnect(NULL);
}

/* --- replies ------------------------------------------------------------------------------- */

static void
answer_wrongly_then_well(struct fs_server *srv, int fd)
{
	static const uint8_t long_reply[2000];
	static const uint8_t more_than_asked[24] = { [12] = 8 };
	static const uint8_t claims_more[20] = { [12] = 8 };
	static const uint8_t claims_less[20] = { [12] = 2 };
	struct fs_message msg;

	(void)srv;
	fs_handshake(fd);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply_error(fd, &msg, ERANGE);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply_error(fd, &msg, 0);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply_error(fd, &msg, 1000000);
	fs_expect(fd, FS_REGION_READ, &msg); /* an error with a payload, against the protocol */
	fs_send_message(fd, msg.id, msg.command, FS_REPLY | FS_ERROR, EPERM, long_reply, 20);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, NULL, 0);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, read_reply, 15);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, read_reply, 18);
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, more_than_asked, sizeof(more_than_asked));
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, claims_more, sizeof(claims_more));
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, claims_less, sizeof(claims_less));
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, long_reply, sizeof(long_reply));
	fs_expect(fd, FS_REGION_READ, &msg);
	fs_reply(fd, &msg, read_reply, sizeof(read_reply));
	fs_receive(fd, &msg);
}

static void
bad_replies_fail_the_request_but_not_the_connection(void **state)
{
	static const int expected[] = { -ERANGE, -EIO, -EIO, -EPERM, -EPROTO, -EPROTO, -EPROTO,
		-EPROTO, -EPROTO, -EPROTO, -EPROTO, 4 };
	uint32_t value;
	size_t i;

	(void)state;
	begin(answer_wrongly_then_well, NULL);
	for (i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		value = 0;
		assert_int_equal(vfio_user_region_read(vu, 0, 0x10, 4, &value), expected[i]);
		assert_int_equal(value, expected[i] == 4 ? READ_VALUE : 0);
		assert_false(vfio_user_is_dead(vu));
	}
	end();
}

static void
answer_other_questions_wrongly(struct fs_server *srv, int fd)
{
	static const uint8_t right_index[64];
	static const uint8_t info[64] = { [8] = 3 };
	static const uint8_t wrote_more[16] = { [12] = 5 };
	struct fs_message msg;

	(void)srv;
	fs_handshake(fd);
	fs_expect(fd, FS_REGION_INFO, &msg); /* short, long, of another region */
	fs_reply(fd, &msg, right_index, 31);
	fs_expect(fd, FS_REGION_INFO, &msg);
	fs_reply(fd, &msg, right_index, 64);
	fs_expect(fd, FS_REGION_INFO, &msg);
	fs_reply(fd, &msg, info, 32);
	fs_expect(fd, FS_IRQ_INFO, &msg);
	fs_reply(fd, &msg, info, 0);
	fs_expect(fd, FS_IRQ_INFO, &msg);
	fs_reply(fd, &msg, info, 16);
	fs_expect(fd, FS_SET_IRQS, &msg);
	fs_reply(fd, &msg, info, 4);
	fs_expect(fd, FS_RESET, &msg);
	fs_reply(fd, &msg, info, 1);
	fs_expect(fd, FS_REGION_WRITE, &msg);
	fs_reply(fd, &msg, wrote_more, sizeof(wrote_more));
	fs_receive(fd, &msg);
}

static void
every_reply_is_checked(void **state)
{
	const uint32_t value = 0;
	uint64_t size = 4711;
	uint32_t count = 4711;

	(void)state;
	begin(answer_other_questions_wrongly, NULL);
	assert_int_equal(vfio_user_region_size(vu, 0, &size), -EPROTO);
	assert_int_equal(vfio_user_region_size(vu, 0, &size), -EPROTO);
	assert_int_equal(vfio_user_region_size(vu, 0, &size), -EPROTO);
	assert_int_equal(size, 4711);
	assert_int_equal(vfio_user_irq_count(vu, 1, &count), -EPROTO);
	assert_int_equal(vfio_user_irq_count(vu, 1, &count), -EPROTO);
	assert_int_equal(count, 4711);
	assert_int_equal(vfio_user_irqs_set(vu, 1, 0, 0, NULL), -EPROTO);
	assert_int_equal(vfio_user_reset(vu), -EPROTO);
	assert_int_equal(vfio_user_region_write(vu, 0, 0, 4, &value), -EPROTO);
	assert_false(vfio_user_is_dead(vu));
	end();
}

static void
send_with_fds(int fd, const void *bytes, size_t len, int nb_fds)
{
	char control[CMSG_SPACE(8 * sizeof(int))] __attribute__((aligned(8))) = { 0 };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len };
	struct msghdr hdr = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = CMSG_SPACE((size_t)nb_fds * sizeof(int)),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&hdr);
	int i;

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN((size_t)nb_fds * sizeof(int));
	for (i = 0; i < nb_fds; i++)
		memcpy(CMSG_DATA(cmsg) + (size_t)i * sizeof(int), &fd, sizeof(int));
	sendmsg(fd, &hdr, MSG_NOSIGNAL);
}

static void
chatter_before_the_reply(struct fs_server *srv, int fd)
{
	static const uint8_t junk[3000];
	struct fs_message msg, refusal;
	bool *refused = srv->arg;
	uint8_t whole[36];

	fs_handshake(fd);
	fs_expect(fd, FS_REGION_READ, &msg);
	/* Replies to nothing: another id, another command, the id of posted writes. */
	fs_send_message(fd, msg.id + 1, msg.command, FS_REPLY, 0, read_reply, sizeof(read_reply));
	fs_send_message(fd, msg.id, FS_REGION_WRITE, FS_REPLY, 0, junk, sizeof(junk));
	fs_send_message(fd, 0, msg.command, FS_REPLY | FS_ERROR, EIO, NULL, 0);
	/* Commands: one wants an answer, one does not. */
	fs_send_message(fd, 4242, FS_DMA_READ, 0, 0, junk, 16);
	fs_send_message(fd, 4243, FS_DMA_READ, FS_NO_REPLY, 0, junk, 16);
	/* The reply in three pieces, the first with descriptors. */
	memcpy(whole, &(uint32_t[]){ msg.id | (uint32_t)msg.command << 16, 36, FS_REPLY, 0 }, 16);
	memcpy(whole + 16, read_reply, sizeof(read_reply));
	send_with_fds(fd, whole, 7, 5);
	fs_send(fd, whole + 7, 11);
	fs_send(fd, whole + 18, 18);

	*refused = fs_receive(fd, &refusal) && refusal.id == 4242 &&
		   refusal.command == FS_DMA_READ && refusal.flags == (FS_REPLY | FS_ERROR) &&
		   refusal.error == ENOTSUP && refusal.size == 16;
	*refused &= !fs_receive(fd, &refusal);
}

static void
the_reply_is_found_among_other_messages(void **state)
{
	size_t fds_before = count_open_fds();
	bool refused = false;

	(void)state;
	begin(chatter_before_the_reply, &refused);
	assert_int_equal(vfio_user_bar_read32(vu, 0x10), READ_VALUE);
	end();
	assert_true(refused);
	assert_int_equal(count_open_fds(), fds_before);
}

/* --- the end of the framing ---------------------------------------------------------------- */

static void
send_bad_size(struct fs_server *srv, int fd)
{
	uint32_t header[4] = { 0, *(const uint32_t *)srv->arg, FS_REPLY, 0 };
	struct fs_message msg;

	fs_handshake(fd);
	fs_expect(fd, FS_REGION_READ, &msg);
	header[0] = msg.id | (uint32_t)msg.command << 16;
	fs_send(fd, header, sizeof(header));
	fs_receive(fd, &msg);
}

static void
impossible_sizes_kill_the_connection(void **state)
{
	static const uint32_t sizes[] = { 0, 15, VU_RX_MSG_MAX + 1, UINT32_MAX };
	uint32_t value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		begin(send_bad_size, (void *)(uintptr_t)&sizes[i]);
		assert_int_equal(vfio_user_region_read(vu, 0, 0x10, 4, &value), -EPROTO);
		assert_dead();
		end();
	}
}

struct death {
	size_t request_bytes; /* read so many, then … */
	size_t reply_bytes;   /* … send so many, then die */
};

static void
die_at(struct fs_server *srv, int fd)
{
	const struct death *death = srv->arg;
	uint32_t header[4] = { 0, 36, FS_REPLY, 0 };
	uint8_t whole[36];
	uint8_t got[32] = { 0 };

	fs_handshake(fd);
	if (death->request_bytes > 0)
		recv(fd, got, death->request_bytes, MSG_WAITALL);
	memcpy(header, got, 4);
	memcpy(whole, header, 16);
	memcpy(whole + 16, read_reply, sizeof(read_reply));
	fs_send(fd, whole, death->reply_bytes);
}

static void
death_at_any_byte_is_noticed(void **state)
{
	struct death death;
	uint32_t value;

	(void)state;
	for (death.reply_bytes = 0, death.request_bytes = 0; death.request_bytes < 32;
			death.request_bytes++) {
		begin(die_at, &death);
		assert_int_equal(vfio_user_region_read(vu, 0, 0x10, 4, &value), -ENODEV);
		assert_dead();
		end();
	}
	for (; death.reply_bytes < 36; death.reply_bytes++) {
		begin(die_at, &death);
		assert_int_equal(vfio_user_bar_read32(vu, 0x10), UINT32_MAX);
		assert_dead();
		end();
	}
	/* All of the reply and then death: the value counts, death shows at the next access. */
	begin(die_at, &death);
	assert_int_equal(vfio_user_bar_read32(vu, 0x10), READ_VALUE);
	assert_int_equal(vfio_user_bar_read32(vu, 0x10), UINT32_MAX);
	assert_dead();
	end();
}

/* --- silence and hang-up ------------------------------------------------------------------- */

static void
say_nothing(struct fs_server *srv, int fd)
{
	struct fs_message msg;

	(void)srv;
	fs_handshake(fd);
	while (fs_receive(fd, &msg))
		;
}

static void
silence_kills_the_connection_once(void **state)
{
	uint32_t value;

	(void)state;
	begin(say_nothing, NULL);
	vu->timeout_ms = IMPATIENT_MS;
	assert_int_equal(vfio_user_region_read(vu, 0, 0x10, 4, &value), -ETIMEDOUT);
	/* Should anything wait again, the test would run into its time limit. */
	vu->timeout_ms = 3600 * 1000;
	assert_dead();
	end();
}

static void
talk_unasked_then_leave(struct fs_server *srv, int fd)
{
	int *leave = srv->arg;
	char c;

	fs_handshake(fd);
	fs_send_message(fd, 1, FS_DMA_READ, FS_NO_REPLY, 0, read_reply, 16);
	if (write(leave[1], "x", 1) != 1 || read(leave[2], &c, 1) != 1)
		return;
}

static void
hup_fd_wakes_for_hang_up_and_not_for_data(void **state)
{
	struct pollfd pfd = { .events = POLLIN };
	int told[2], leave[2];
	char c;

	(void)state;
	assert_int_equal(pipe(told), 0);
	assert_int_equal(pipe(leave), 0);
	begin(talk_unasked_then_leave, (int[]){ told[0], told[1], leave[0] });
	pfd.fd = vfio_user_hup_fd(vu);
	assert_int_equal(read(told[0], &c, 1), 1); /* data waits in the socket now */
	assert_int_equal(poll(&pfd, 1, 0), 0);
	assert_false(vfio_user_hup_check(vu));
	assert_int_equal(write(leave[1], "x", 1), 1);
	assert_int_equal(poll(&pfd, 1, -1), 1);
	assert_false(vfio_user_is_dead(vu)); /* nobody has looked yet */
	assert_true(vfio_user_hup_check(vu));
	assert_dead();
	end();
	close(told[0]);
	close(told[1]);
	close(leave[0]);
	close(leave[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handshake_is_checked),
		cmocka_unit_test(connecting_to_nothing_says_why),
		cmocka_unit_test(bad_replies_fail_the_request_but_not_the_connection),
		cmocka_unit_test(every_reply_is_checked),
		cmocka_unit_test(the_reply_is_found_among_other_messages),
		cmocka_unit_test(impossible_sizes_kill_the_connection),
		cmocka_unit_test(death_at_any_byte_is_noticed),
		cmocka_unit_test(silence_kills_the_connection_once),
		cmocka_unit_test(hup_fd_wakes_for_hang_up_and_not_for_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
