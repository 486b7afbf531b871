/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_devargs.h>
#include <rte_kvargs.h>
#include <rte_string_fns.h>

#include "dwmac.h"
#include "dwmac_args.h"

static int
parse_number(const char *key, const char *value, uint32_t max, uint32_t *out)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = value == NULL ? 0 : strtoul(value, &end, 0);
	if (value == NULL || *value == '\0' || *value == '-' || *end != '\0' || errno != 0 ||
			n > max) {
		DWMAC_LOG(ERR, "devarg %s=%s: need a number from 0 to %u", key,
				value == NULL ? "" : value, max);
		return -EINVAL;
	}
	*out = n;
	return 0;
}

static int
parse_tx_usecs(const char *key, const char *value, void *opaque)
{
	struct dwmac_args *args = opaque;

	return parse_number(key, value, DWMAC_TX_USECS_MAX, &args->tx_usecs);
}

static int
parse_sweep_service(const char *key, const char *value, void *opaque)
{
	struct dwmac_args *args = opaque;
	uint32_t on = 0;
	int ret = parse_number(key, value, 1, &on);

	args->sweep_service = on != 0;
	return ret;
}

static int
parse_socket(const char *key, const char *value, void *opaque)
{
	struct dwmac_args *args = opaque;

	if (value == NULL || *value == '\0' ||
			rte_strscpy(args->socket, value, sizeof(args->socket)) < 0) {
		DWMAC_LOG(ERR, "devarg %s: need a path of 1 to %zu bytes", key,
				sizeof(args->socket) - 1);
		return -EINVAL;
	}
	return 0;
}

int
dwmac_args_parse(struct dwmac_args *args, const struct rte_devargs *devargs, bool wants_socket)
{
	static const char *const keys[] = {
		DWMAC_ARG_TX_USECS,
		DWMAC_ARG_SWEEP_SERVICE,
		NULL,
		NULL,
	};
	const char *valid[RTE_DIM(keys)];
	struct rte_kvargs *kvlist;
	int ret = 0;

	memset(args, 0, sizeof(*args));
	args->tx_usecs = DWMAC_TX_USECS_DEFAULT;
	memcpy(valid, keys, sizeof(keys));
	if (wants_socket)
		valid[2] = DWMAC_ARG_SOCKET;
	if (devargs != NULL && devargs->args != NULL && devargs->args[0] != '\0') {
		kvlist = rte_kvargs_parse(devargs->args, valid);
		if (kvlist == NULL) {
			DWMAC_LOG(ERR, "devargs \"%s\": known are %s%s, %s", devargs->args,
					wants_socket ? DWMAC_ARG_SOCKET ", " : "",
					DWMAC_ARG_TX_USECS, DWMAC_ARG_SWEEP_SERVICE);
			return -EINVAL;
		}
		if (rte_kvargs_process(kvlist, DWMAC_ARG_SOCKET, parse_socket, args) < 0 ||
				rte_kvargs_process(kvlist, DWMAC_ARG_TX_USECS, parse_tx_usecs,
						args) < 0 ||
				rte_kvargs_process(kvlist, DWMAC_ARG_SWEEP_SERVICE,
						parse_sweep_service, args) < 0)
			ret = -EINVAL;
		rte_kvargs_free(kvlist);
	}
	if (ret == 0 && wants_socket && args->socket[0] == '\0') {
		DWMAC_LOG(ERR, "no device named: --vdev net_dwmac0,socket=PATH of a vfio-user "
			       "server");
		ret = -EINVAL;
	}
	return ret;
}
