# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""frames.py select OUT LONGEST IN…  gathers the frames of captures that a wire can carry
frames.py same SENT RECEIVED         compares two captures frame by frame, byte by byte

Classic pcap files, link type Ethernet. A wire pads short frames with zeros to 60 bytes; `same`
takes that into account and nothing else.
"""
import struct
import sys

SHORTEST, PADDED = 14, 60
MAGICS = {
    b"\xd4\xc3\xb2\xa1": "<",
    b"\x4d\x3c\xb2\xa1": "<",
    b"\xa1\xb2\xc3\xd4": ">",
    b"\xa1\xb2\x3c\x4d": ">",
}
ETHERNET = 1


def frames(path):
    with open(path, "rb") as file:
        header = file.read(24)
        order = MAGICS.get(header[:4])
        if order is None or len(header) < 24:
            return
        if struct.unpack(order + "I", header[20:24])[0] & 0xFFFF != ETHERNET:
            return
        while len(record := file.read(16)) == 16:
            yield file.read(struct.unpack(order + "4I", record)[2])


def select(out, longest, paths):
    count = 0
    with open(out, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, ETHERNET))
        for path in paths:
            for frame in frames(path):
                if not SHORTEST <= len(frame) <= longest:
                    continue
                file.write(struct.pack("<4I", count, 0, len(frame), len(frame)) + frame)
                count += 1
    print(count)


def same(sent_path, received_path):
    sent = [frame.ljust(PADDED, b"\0") for frame in frames(sent_path)]
    received = list(frames(received_path))
    if len(sent) != len(received):
        print(f"{len(sent)} frames sent, {len(received)} received")
    for index, (a, b) in enumerate(zip(sent, received)):
        if a == b:
            continue
        where = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        sys.exit(f"frame {index}: {len(a)} bytes sent, {len(b)} received, differ from byte {where}")
    if not sent or len(sent) != len(received):
        sys.exit(1)
    print(f"{len(sent)} frames, {sum(map(len, sent))} bytes, equal")


def main():
    arguments = sys.argv[1:]
    if len(arguments) >= 4 and arguments[0] == "select" and arguments[2].isdigit():
        select(arguments[1], int(arguments[2]), arguments[3:])
    elif len(arguments) == 3 and arguments[0] == "same":
        same(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
