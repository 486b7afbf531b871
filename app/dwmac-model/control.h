/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_CONTROL_H
#define DWMAC_MODEL_CONTROL_H

#include "host.h"
#include "why.h"

#include <jansson.h>

/*
 * The control socket: one JSON object per line in, one per line out, {"ok":true,…} or
 * {"ok":false,"error":"…"}.
 */

struct control;

struct control *control_create(struct host *host, const char *path, struct why *w);
void control_destroy(struct control *control);

/* One command, as control.c and tests call it: the reply is a new object. */
json_t *control_execute(struct host *host, json_t *request);

#endif /* DWMAC_MODEL_CONTROL_H */
