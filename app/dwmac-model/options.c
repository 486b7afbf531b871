/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "options.h"
#include "opt.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static void
profiles_help(FILE *out)
{
	struct device_profile profile;

	for (unsigned int i = 0; device_profile(i, &profile); i++)
		fprintf(out, "          %-26s %s\n", profile.name, profile.text);
}

void
options_help(FILE *out)
{
	fputs("usage: dwmac-model --device OPTIONS [--device …] [--wire WIRE]… [OPTION]…\n"
	      "       dwmac-model ctl SOCKET COMMAND [key=value…]\n"
	      "\n"
	      "Synopsys DesignWare Ethernet MACs as a program: a vfio-user server for DPDK's "
	      "dwmac\n"
	      "driver (vdev net_dwmac, socket=PATH) and for QEMU (vfio-user-pci).\n"
	      "\n"
	      "  --device name=NAME,socket=PATH[,…]   one device; can be repeated\n"
	      "      profile=NAME                   which chip; the first is the default:\n",
			out);
	profiles_help(out);
	fputs("      mac=ADDRESS                    the one firmware would have set\n"
	      "      osc_ppb=N wander_ppb=N         error and wander of its PTP oscillator (0)\n"
	      "      seed=N                         of everything random in it (1)\n"
	      "      ptp_update_ns=N                how long PTP update bits stay set (1600)\n"
	      "      an_ms=N                        how long autonegotiation keeps a new link "
	      "down\n"
	      "                                     (20; real PHYs: 1500 to 3000)\n"
	      "      link=2500|1000|100|10|down     what the link partner offers (1000)\n"
	      "      duplex=full|half               (full)\n"
	      "  --wire KIND:DEVICE[,…]             what a device is plugged into; without one "
	      "its\n"
	      "                                     link is down. rate=off: frames take no time "
	      "and\n"
	      "                                     none is lost for want of room; seed=N\n",
			out);
	wire_help(out);
	fputs("  --control PATH                     control socket (JSON lines)\n"
	      "  --ready-fd N                       write a line to descriptor N when ready\n"
	      "  --quiet                            print errors of the program only\n"
	      "  --strict                           exit code 3 if a device has complaints at the "
	      "end\n"
	      "  --help --version\n",
			out);
}

static int
set_text(char *to, size_t size, const char *key, const char *value, struct why *w)
{
	if (value[0] == '\0' || strlen(value) >= size)
		return why(w, -EINVAL, "%s=%s: 1 to %zu characters", key, value, size - 1);
	strcpy(to, value);
	return 0;
}

static int
set_link(struct host_device *device, const char *value, struct why *w)
{
	static const char *const words[] = { "2500", "1000", "100", "10", "down", NULL };
	static const unsigned int mbps[] = { 2500, 1000, 100, 10 };
	int index = opt_word("link", value, words, w);

	if (index < 0)
		return index;
	device->link_given = true;
	device->config.link_up = index < 4;
	if (index < 4)
		device->config.link_mbps = mbps[index];
	return 0;
}

static int
set_number(struct host_device *device, const char *key, const char *value, struct why *w)
{
	struct device_config *config = &device->config.device;
	const struct {
		const char *key;
		uint32_t *value;
	} numbers[] = {
		{ "wander_ppb", &config->osc_wander_ppb },
		{ "ptp_update_ns", &config->ptp_update_ns },
		{ "an_ms", &config->an_ms },
	};
	uint64_t number = 0;
	int ret;

	if (strcmp(key, "osc_ppb") == 0)
		return opt_i32(key, value, &config->osc_ppb, w);
	if (strcmp(key, "seed") == 0)
		return opt_u64(key, value, UINT64_MAX, &config->seed, w);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(key, numbers[i].key) != 0)
			continue;
		ret = opt_u64(key, value, UINT32_MAX - 1, &number, w);
		if (ret == 0)
			*numbers[i].value = (uint32_t)number;
		return ret;
	}
	return why(w, -EINVAL, "--device: no option '%s' (see --help)", key);
}

static int
set_device(struct host_device *device, const char *key, const char *value, struct why *w)
{
	static const char *const duplexes[] = { "half", "full", NULL };
	struct slot_config *config = &device->config;
	int ret;

	if (strcmp(key, "name") == 0)
		return set_text(config->name, sizeof(config->name), key, value, w);
	if (strcmp(key, "socket") == 0)
		return set_text(device->socket_path, sizeof(device->socket_path), key, value, w);
	if (strcmp(key, "profile") == 0)
		return set_text(config->profile, sizeof(config->profile), key, value, w);
	if (strcmp(key, "mac") == 0)
		return opt_mac(key, value, config->device.mac, w);
	if (strcmp(key, "link") == 0)
		return set_link(device, value, w);
	if (strcmp(key, "duplex") == 0) {
		ret = opt_word(key, value, duplexes, w);
		config->link_full_duplex = ret != 0;
		return ret < 0 ? ret : 0;
	}
	return set_number(device, key, value, w);
}

static int
add_device(struct host *host, const char *spec, struct why *w)
{
	struct host_device device = {
		.config.link_up = true,
		.config.link_mbps = 1000,
		.config.link_full_duplex = true,
		.config.device.seed = 1,
		.config.device.ptp_update_ns = UINT32_MAX,
		.config.device.an_ms = UINT32_MAX,
		/* Locally administered; the last byte tells the devices apart. */
		.config.device.mac = { 0x02, 0x00, 0x00, 0x00, 0x00,
				(uint8_t)(host->nb_devices + 1) },
	};
	char *items = strdup(spec), *save = NULL;
	int ret = items != NULL ? 0 : why(w, -ENOMEM, "out of memory");

	for (char *item = ret == 0 ? strtok_r(items, ",", &save) : NULL; item != NULL && ret == 0;
			item = strtok_r(NULL, ",", &save)) {
		char *value = opt_split(item);

		ret = value != NULL ? set_device(&device, item, value, w)
				    : why(w, -EINVAL, "--device: '%s' is no key=value", item);
	}
	free(items);
	if (ret == 0 && (device.config.name[0] == '\0' || device.socket_path[0] == '\0'))
		ret = why(w, -EINVAL, "--device needs name=… and socket=…");
	return ret == 0 ? host_add_device(host, &device, w) : ret;
}

static int
add_wire(struct host *host, const char *spec, struct why *w)
{
	struct wire *wire = wire_create(spec, w);

	return wire != NULL ? host_add_wire(host, wire, w) : -EINVAL;
}

static int
set_ready_fd(struct options *options, const char *value, struct why *w)
{
	uint64_t number = 0;
	int ret = opt_u64("--ready-fd", value, INT32_MAX, &number, w);

	options->ready_fd = (int)number;
	return ret;
}

static int
take(struct options *options, struct host *host, int option, struct why *w)
{
	switch (option) {
	case 'd':
		return add_device(host, optarg, w);
	case 'w':
		return add_wire(host, optarg, w);
	case 'c':
		options->control_path = optarg;
		return 0;
	case 'r':
		return set_ready_fd(options, optarg, w);
	case 'q':
		host->quiet = true;
		return 0;
	case 's':
		options->strict = true;
		return 0;
	case 'h':
		options->help = true;
		return 0;
	case 'V':
		options->version = true;
		return 0;
	default:
		return why(w, -EINVAL, "see --help");
	}
}

int
options_parse(struct options *options, struct host *host, int argc, char **argv, struct why *w)
{
	static const struct option longs[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "wire", required_argument, NULL, 'w' },
		{ "control", required_argument, NULL, 'c' },
		{ "ready-fd", required_argument, NULL, 'r' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "strict", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int option, ret = 0;

	*options = (struct options){ .ready_fd = -1 };
	opterr = 0;
	while (ret == 0 && (option = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
		if (option == '?')
			ret = why(w, -EINVAL, "unknown option %s (see --help)", argv[optind - 1]);
		else if (option == ':')
			ret = why(w, -EINVAL, "%s needs a value (see --help)", argv[optind - 1]);
		else
			ret = take(options, host, option, w);
	}
	if (ret != 0 || options->help || options->version)
		return ret;
	if (optind < argc)
		return why(w, -EINVAL, "unexpected argument %s (see --help)", argv[optind]);
	if (host->nb_devices == 0)
		return why(w, -EINVAL, "at least one --device is needed (see --help)");
	for (unsigned int i = 0; i < host->nb_devices; i++)
		host->devices[i].config.quiet = host->quiet;
	return 0;
}
