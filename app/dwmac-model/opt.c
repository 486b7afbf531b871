/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
opt_u64(const char *key, const char *value, uint64_t max, uint64_t *out, struct why *w)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 0);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number > max)
		return why(w, -EINVAL, "%s=%s: a number from 0 to %llu is needed", key, value,
				(unsigned long long)max);
	*out = number;
	return 0;
}

int
opt_i32(const char *key, const char *value, int32_t *out, struct why *w)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(value, &end, 10);
	if (value[0] == '\0' || *end != '\0' || errno != 0 || number < INT32_MIN ||
			number > INT32_MAX)
		return why(w, -EINVAL, "%s=%s: a whole number is needed", key, value);
	*out = (int32_t)number;
	return 0;
}

int
opt_fraction(const char *key, const char *value, double *out, struct why *w)
{
	char *end;
	double number = strtod(value, &end);

	if (value[0] == '\0' || *end != '\0' || !(number >= 0 && number <= 1))
		return why(w, -EINVAL, "%s=%s: a fraction from 0 to 1 is needed", key, value);
	*out = number;
	return 0;
}

int
opt_mac(const char *key, const char *value, uint8_t mac[6], struct why *w)
{
	unsigned int byte[6];
	int used = 0;

	if (sscanf(value, "%2x:%2x:%2x:%2x:%2x:%2x%n", &byte[0], &byte[1], &byte[2], &byte[3],
			    &byte[4], &byte[5], &used) != 6 ||
			value[used] != '\0')
		return why(w, -EINVAL, "%s=%s: an address like 02:00:00:00:00:01 is needed", key,
				value);
	for (unsigned int i = 0; i < 6; i++)
		mac[i] = (uint8_t)byte[i];
	return 0;
}

int
opt_word(const char *key, const char *value, const char *const *words, struct why *w)
{
	char all[128] = "";

	for (int i = 0; words[i] != NULL; i++) {
		if (strcmp(value, words[i]) == 0)
			return i;
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i == 0 ? "" : ", ",
				words[i]);
	}
	return why(w, -EINVAL, "%s=%s: one of %s is needed", key, value, all);
}

char *
opt_split(char *item)
{
	char *value = strchr(item, '=');

	if (value == NULL)
		return NULL;
	*value = '\0';
	return value + 1;
}
