/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_WHY_H
#define DWMAC_MODEL_WHY_H

/*
 * An error with its sentence. Functions that can fail for a reason a person must read take a
 * `struct why *` and return `why(w, -EINVAL, "…")`: the number for the program, the text for the
 * one place that prints it (main for start-up, the control socket for a command).
 */

struct why {
	char text[256];
};

__attribute__((format(printf, 3, 4))) int why(struct why *w, int error, const char *format, ...);

#endif /* DWMAC_MODEL_WHY_H */
