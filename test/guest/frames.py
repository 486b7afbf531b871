# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""frames.py make FILE COUNT: writes a capture of frames of every length and of random contents.
frames.py same FILE FILE: says where two captures differ."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e"))
from lib import pcap  # noqa: E402 pylint: disable=wrong-import-position

SHORTEST, LONGEST = 60, 1514
ADDRESSES = bytes.fromhex("02005e100003" "020000000001")
LOCAL_EXPERIMENTAL = b"\x88\xb5"


def frames(count):
    draw = random.Random(1)
    head = ADDRESSES + LOCAL_EXPERIMENTAL
    for number in range(count):
        length = SHORTEST + number * 7 % (LONGEST - SHORTEST + 1)
        yield head + number.to_bytes(4, "big") + draw.randbytes(length - len(head) - 4)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("make", "same"):
        sys.exit(__doc__)
    if sys.argv[1] == "make":
        pcap.write(sys.argv[2], list(frames(int(sys.argv[3]))))
        return
    wanted, got = (list(pcap.frames(path)) for path in sys.argv[2:])
    for number, (one, other) in enumerate(zip(wanted, got)):
        if one != other:
            sys.exit(f"frame {number} of {len(one)} bytes came as {len(other)} bytes, "
                     f"{other[:32].hex()}…")
    if len(wanted) != len(got):
        sys.exit(f"{len(got)} frames of {len(wanted)}")


if __name__ == "__main__":
    main()
