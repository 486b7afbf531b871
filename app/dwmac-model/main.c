/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "control.h"
#include "ctl.h"
#include "dma_map.h"
#include "host.h"
#include "options.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_COMPLAINTS = 3, /* with --strict */
};

static void
signal_ready(void *arg, uint32_t events)
{
	struct host *host = arg;

	(void)events;
	host->stop = true;
}

/* SIGINT and SIGTERM become an event of the loop. */
static int
watch_signals(struct host *host, struct loop_watch *watch, struct why *w)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	*watch = (struct loop_watch){ .fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK),
		.ready = signal_ready,
		.arg = host };
	if (watch->fd < 0 || loop_watch(host->loop, watch, EPOLLIN) != 0)
		return why(w, -errno, "signalfd: %s", strerror(errno));
	return 0;
}

static void
set_limits(void)
{
	struct rlimit files;

	/* The kernel may add 50 us to every sleep otherwise. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	/* A descriptor of every message in flight, interrupts of every device. */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static void
announce(const struct host *host, const struct options *options)
{
	for (unsigned int i = 0; i < host->nb_devices && !host->quiet; i++) {
		const struct host_device *device = &host->devices[i];

		printf("%s: %s at %s\n", device->config.name, device->slot->config.profile,
				device->socket_path);
	}
	fflush(stdout);
	if (options->ready_fd >= 0) {
		dprintf(options->ready_fd, "ready\n");
		close(options->ready_fd);
	}
}

static int
serve(struct host *host, const struct options *options)
{
	struct control *control = NULL;
	struct loop_watch signals = { .fd = -1 };
	struct why reason;
	int ret = watch_signals(host, &signals, &reason);

	if (ret == 0 && options->control_path != NULL) {
		control = control_create(host, options->control_path, &reason);
		ret = control != NULL ? 0 : -EIO;
	}
	if (ret == 0)
		ret = host_start(host, &reason);
	if (ret != 0) {
		fprintf(stderr, "dwmac-model: %s\n", reason.text);
	} else {
		announce(host, options);
		ret = host_run(host);
		host_flush(host);
	}
	control_destroy(control);
	if (signals.fd >= 0)
		close(signals.fd);
	return ret == -EINVAL ? EXIT_USAGE : ret != 0 ? EXIT_FAILED : EXIT_OK;
}

static int
judge(const struct host *host, int code)
{
	uint64_t complaints = 0;

	for (unsigned int i = 0; i < host->nb_devices; i++) {
		if (host->devices[i].slot != NULL)
			complaints += slot_complaints(host->devices[i].slot);
	}
	return code == EXIT_OK && complaints != 0 ? EXIT_COMPLAINTS : code;
}

int
main(int argc, char **argv)
{
	struct options options;
	struct host host;
	struct why reason;
	int code;

	if (argc > 1 && strcmp(argv[1], "ctl") == 0)
		return ctl_main(argc - 1, argv + 1);
	if (host_init(&host, &reason) != 0 ||
			options_parse(&options, &host, argc, argv, &reason) != 0) {
		fprintf(stderr, "dwmac-model: %s\n", reason.text);
		host_fini(&host);
		return EXIT_USAGE;
	}
	if (options.help || options.version) {
		if (options.help)
			options_help(stdout);
		else
			puts("dwmac-model " DWMAC_MODEL_VERSION);
		host_fini(&host);
		return EXIT_OK;
	}
	set_limits();
	dma_guard_install();
	code = serve(&host, &options);
	if (options.strict)
		code = judge(&host, code);
	host_fini(&host);
	return code;
}
