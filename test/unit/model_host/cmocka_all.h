/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

/* cmocka.h wants these before it, in this order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#endif /* CMOCKA_ALL_H */
