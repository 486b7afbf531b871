/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef DWMAC_MODEL_CTL_H
#define DWMAC_MODEL_CTL_H

/*
 * `dwmac-model ctl SOCKET COMMAND [key=value…]`: one control command from a shell. Prints the
 * reply; exit code 0 if it is ok, 1 if not, 2 for a usage error.
 */
int ctl_main(int argc, char **argv);

#endif /* DWMAC_MODEL_CTL_H */
