# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""echo_pairs.py CAPTURE: every unfragmented ICMP echo request in the capture has a reply with the
same bytes behind the type, code and checksum. Prints what differs; reads classic pcap files."""
import struct
import sys

ECHO_REPLY, ECHO_REQUEST = 0, 8
MORE_FRAGMENTS_AND_OFFSET = 0x3FFF


def frames(path):
    with open(path, "rb") as file:
        header = file.read(24)
        order = "<" if header[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
        while len(record := file.read(16)) == 16:
            length = struct.unpack(order + "4I", record)[2]
            yield file.read(length)


def echoes(path):
    """(type, bytes from the identifier on) of each whole ICMP echo message over IPv4."""
    for frame in frames(path):
        if len(frame) < 34 or frame[12:14] != b"\x08\x00" or frame[23] != 1:
            continue
        total, _, fragment = struct.unpack("!3H", frame[16:22])
        if fragment & MORE_FRAGMENTS_AND_OFFSET:
            continue
        icmp = frame[14 + (frame[14] & 15) * 4 : 14 + total]
        if icmp[0] in (ECHO_REPLY, ECHO_REQUEST):
            yield icmp[0], icmp[4:]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: echo_pairs.py CAPTURE")
    waiting = {}
    requests = replies = 0
    for kind, data in echoes(sys.argv[1]):
        key = data[:4]
        if kind == ECHO_REQUEST:
            requests += 1
            waiting[key] = data
            continue
        replies += 1
        if waiting.get(key) != data:
            identifier, sequence = struct.unpack("!2H", key)
            print(f"the reply to echo {identifier}/{sequence} differs from its request")
    if requests == 0 or requests != replies:
        print(f"{requests} requests, {replies} replies")


if __name__ == "__main__":
    main()
