/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#include "parse.h"

#include <string.h>

#define CRC_POLYNOMIAL UINT32_C(0xedb88320)

/* Slicing by eight: one table per byte of a 64-bit word. */
static uint32_t table[8][256];

__attribute__((constructor)) static void
build_tables(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
		table[0][i] = crc;
	}
	for (int k = 1; k < 8; k++)
		for (uint32_t i = 0; i < 256; i++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

/* The FCS as a number; its low byte is the first on the wire. */
uint32_t
crc32_ethernet(const uint8_t *data, uint32_t len)
{
	uint32_t crc = UINT32_MAX;

	for (; len >= 8; len -= 8, data += 8) {
		uint32_t low, high;

		memcpy(&low, data, 4);
		memcpy(&high, data + 4, 4);
		low ^= crc;
		crc = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
		      table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^ table[3][high & 0xff] ^
		      table[2][high >> 8 & 0xff] ^ table[1][high >> 16 & 0xff] ^
		      table[0][high >> 24];
	}
	while (len-- > 0)
		crc = crc >> 8 ^ table[0][(crc ^ *data++) & 0xff];
	return ~crc;
}

/* Bin of the multicast hash: the upper bits of the bit-reversed CRC (eqos.md §6). */
unsigned int
crc32_hash(const uint8_t address[6], unsigned int bins)
{
	uint32_t crc = crc32_ethernet(address, 6), reversed = 0;

	for (int bit = 0; bit < 32; bit++)
		reversed |= (crc >> bit & 1) << (31 - bit);
	return reversed >> (32 - __builtin_ctz(bins));
}
