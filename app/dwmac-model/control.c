/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "control.h"
#include "unix_socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS_MAX   16u
#define LINE_MAX_SIZE 65536u
#define OUT_MAX_SIZE  (4u << 20) /* of replies nobody reads; beyond, the client is dropped */

struct control_client {
	struct control *control;
	struct loop_watch watch; /* fd -1 = free */
	size_t in_len;
	char in[LINE_MAX_SIZE];
	char *out;
	size_t out_head, out_len;
};

struct control {
	struct host *host;
	struct unix_socket listener;
	struct loop_watch watch;
	struct control_client *clients[CLIENTS_MAX];
};

static void
client_leave(struct control_client *client)
{
	struct control *control = client->control;

	for (unsigned int i = 0; i < CLIENTS_MAX; i++) {
		if (control->clients[i] == client)
			control->clients[i] = NULL;
	}
	loop_unwatch(control->host->loop, &client->watch);
	close(client->watch.fd);
	free(client->out);
	free(client);
}

/* Negative: the client is to be dropped. */
static int
client_flush(struct control_client *client)
{
	while (client->out_head < client->out_len) {
		ssize_t sent = send(client->watch.fd, client->out + client->out_head,
				client->out_len - client->out_head, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno == EAGAIN)
			break;
		if (sent < 0)
			return -errno;
		client->out_head += (size_t)sent;
	}
	if (client->out_head == client->out_len)
		client->out_head = client->out_len = 0;
	loop_rewatch(client->control->host->loop, &client->watch,
			client->out_len != 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
	return 0;
}

static int
client_send(struct control_client *client, const char *text)
{
	const size_t len = strlen(text);
	char *out;

	if (client->out_len + len + 1 > OUT_MAX_SIZE)
		return -ENOBUFS;
	out = realloc(client->out, client->out_len + len + 1);
	if (out == NULL)
		return -ENOMEM;
	memcpy(out + client->out_len, text, len);
	out[client->out_len + len] = '\n';
	client->out = out;
	client->out_len += len + 1;
	return 0;
}

static int
client_line(struct control_client *client, const char *line, size_t len)
{
	json_error_t error;
	json_t *request, *reply;
	char *text;
	int ret = -ENOMEM;

	if (len == 0)
		return 0;
	request = json_loadb(line, len, 0, &error);
	if (request == NULL)
		reply = json_pack("{s:b, s:s+}", "ok", 0, "error", "no JSON: ", error.text);
	else
		reply = control_execute(client->control->host, request);
	json_decref(request);
	text = json_dumps(reply, JSON_COMPACT);
	json_decref(reply);
	if (text != NULL)
		ret = client_send(client, text);
	free(text);
	return ret;
}

/* Executes the whole lines received so far. */
static int
client_lines(struct control_client *client)
{
	size_t start = 0;
	int ret = 0;

	while (ret == 0) {
		const char *line = client->in + start;
		const char *end = memchr(line, '\n', client->in_len - start);

		if (end == NULL)
			break;
		ret = client_line(client, line, (size_t)(end - line));
		start = (size_t)(end - client->in) + 1;
	}
	memmove(client->in, client->in + start, client->in_len - start);
	client->in_len -= start;
	if (ret == 0 && client->in_len == sizeof(client->in))
		ret = -EMSGSIZE;
	return ret;
}

static void
client_ready(void *arg, uint32_t events)
{
	struct control_client *client = arg;
	ssize_t got;
	int ret = 0;

	if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
		got = recv(client->watch.fd, client->in + client->in_len,
				sizeof(client->in) - client->in_len, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
			client_leave(client);
			return;
		}
		if (got > 0) {
			client->in_len += (size_t)got;
			ret = client_lines(client);
		}
	}
	if (ret != 0 || client_flush(client) != 0)
		client_leave(client);
}

static void
listener_ready(void *arg, uint32_t events)
{
	struct control *control = arg;
	struct control_client *client;
	unsigned int at;
	int fd = accept4(control->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (fd < 0)
		return;
	for (at = 0; at < CLIENTS_MAX && control->clients[at] != NULL; at++)
		;
	client = at < CLIENTS_MAX ? calloc(1, sizeof(*client)) : NULL;
	if (client == NULL) {
		close(fd);
		return;
	}
	client->control = control;
	client->watch = (struct loop_watch){ .fd = fd, .ready = client_ready, .arg = client };
	if (loop_watch(control->host->loop, &client->watch, EPOLLIN) != 0) {
		close(fd);
		free(client);
		return;
	}
	control->clients[at] = client;
}

struct control *
control_create(struct host *host, const char *path, struct why *w)
{
	struct control *control = calloc(1, sizeof(*control));

	if (control == NULL) {
		why(w, -ENOMEM, "out of memory");
		return NULL;
	}
	control->host = host;
	if (unix_socket_listen(&control->listener, path, w) != 0) {
		free(control);
		return NULL;
	}
	control->watch = (struct loop_watch){
		.fd = control->listener.fd, .ready = listener_ready, .arg = control
	};
	if (loop_watch(host->loop, &control->watch, EPOLLIN) != 0) {
		why(w, -errno, "epoll: %s", strerror(errno));
		unix_socket_close(&control->listener);
		free(control);
		return NULL;
	}
	return control;
}

void
control_destroy(struct control *control)
{
	if (control == NULL)
		return;
	for (unsigned int i = 0; i < CLIENTS_MAX; i++) {
		if (control->clients[i] != NULL)
			client_leave(control->clients[i]);
	}
	loop_unwatch(control->host->loop, &control->watch);
	unix_socket_close(&control->listener);
	free(control);
}
