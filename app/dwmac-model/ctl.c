/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "ctl.h"
#include "opt.h"
#include "unix_socket.h"
#include "why.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void
usage(FILE *out)
{
	fputs("usage: dwmac-model ctl SOCKET COMMAND [key=value…]\n"
	      "       dwmac-model ctl SOCKET '{\"cmd\": …}'\n"
	      "\n"
	      "Sends one command to a running dwmac-model and prints the reply (JSON).\n"
	      "A value that is valid JSON (5, true, {\"delay_ns\": 5}) is taken as such, any\n"
	      "other as a string; «set.KEY=VALUE» fills the object «set». COMMAND help lists all.\n"
	      "Exit code: 0 the reply is ok, 1 it is not, 2 usage.\n",
			out);
}

/* "set.delay_ns=5" goes into the object "set". */
static int
add_argument(json_t *request, char *key, const char *text)
{
	json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
	char *inner = strchr(key, '.');

	if (value == NULL)
		value = json_string(text);
	if (inner != NULL) {
		json_t *object;

		*inner++ = '\0';
		object = json_object_get(request, key);
		if (object == NULL) {
			object = json_object();
			json_object_set_new(request, key, object);
		}
		return json_object_set_new(object, inner, value);
	}
	return json_object_set_new(request, key, value);
}

static json_t *
build_request(int argc, char **argv)
{
	json_t *request;

	if (argv[0][0] == '{') {
		json_error_t error;

		request = json_loads(argv[0], 0, &error);
		if (request == NULL)
			fprintf(stderr, "dwmac-model ctl: no JSON: %s\n", error.text);
		return request;
	}
	request = json_pack("{s:s}", "cmd", argv[0]);
	for (int i = 1; i < argc; i++) {
		char *value = opt_split(argv[i]);

		if (value == NULL || add_argument(request, argv[i], value) != 0) {
			fprintf(stderr, "dwmac-model ctl: '%s' is no key=value\n", argv[i]);
			json_decref(request);
			return NULL;
		}
	}
	return request;
}

static int
send_line(int fd, const json_t *request)
{
	char *text = json_dumps(request, JSON_COMPACT);
	int ret = -ENOMEM;

	if (text == NULL)
		return ret;
	ret = dprintf(fd, "%s\n", text) > 0 ? 0 : -errno;
	free(text);
	return ret;
}

static int
print_reply(int fd)
{
	FILE *in = fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;
	json_t *reply = NULL;
	int ret = 1;

	if (in != NULL && getline(&line, &size, in) > 0)
		reply = json_loads(line, 0, NULL);
	if (reply == NULL)
		fputs("dwmac-model ctl: no reply\n", stderr);
	else if (json_dumpf(reply, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF)
		ret = json_is_true(json_object_get(reply, "ok")) ? 0 : 1;
	json_decref(reply);
	free(line);
	if (in != NULL)
		fclose(in);
	else
		close(fd);
	return ret;
}

int
ctl_main(int argc, char **argv)
{
	struct why reason;
	json_t *request;
	int fd, ret;

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		usage(stdout);
		return 0;
	}
	if (argc < 3) {
		usage(stderr);
		return 2;
	}
	request = build_request(argc - 2, argv + 2);
	if (request == NULL)
		return 2;
	fd = unix_socket_connect(argv[1], &reason);
	if (fd < 0) {
		fprintf(stderr, "dwmac-model ctl: %s\n", reason.text);
		json_decref(request);
		return 1;
	}
	ret = send_line(fd, request);
	json_decref(request);
	if (ret != 0) {
		fprintf(stderr, "dwmac-model ctl: %s: %s\n", argv[1], strerror(-ret));
		close(fd);
		return 1;
	}
	return print_reply(fd);
}
