/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_OPT_H
#define DWMAC_MODEL_OPT_H

#include "why.h"

#include <stdbool.h>
#include <stdint.h>

/* Values of `key=value` options, shared by the command line and the control socket. */

int opt_u64(const char *key, const char *value, uint64_t max, uint64_t *out, struct why *w);
int opt_i32(const char *key, const char *value, int32_t *out, struct why *w);
int opt_fraction(const char *key, const char *value, double *out, struct why *w); /* 0 … 1 */
int opt_mac(const char *key, const char *value, uint8_t mac[6], struct why *w);
/* Index of `value` among the NULL-terminated `words`. */
int opt_word(const char *key, const char *value, const char *const *words, struct why *w);

/* Splits "key=value" in place. NULL when there is no '='. */
char *opt_split(char *item);

#endif /* DWMAC_MODEL_OPT_H */
