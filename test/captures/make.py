# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""make.py FOLDER: writes the project's own captures. Needs scapy; always makes the same bytes.

sizes.pcap   14 to 9018 bytes: every odd length below the shortest frame, the edges, jumbo frames
tagged.pcap  VLAN, QinQ, priority tags, stacks of three
ptp.pcap     PTP over Ethernet, UDP/IPv4 and UDP/IPv6, tagged too
broken.pcap  headers that lie, runts of headers, addresses that must not be, what cannot be sent
"""
import os
import random
import sys

from scapy.all import (ARP, IP, TCP, UDP, Dot1AD, Dot1Q, Ether, IPv6, LLC, Raw, STP, raw)
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e"))
from lib import pcap  # noqa: E402

HOST, PEER = "02:00:00:11:11:11", "02:00:00:22:22:22"
PTP_ALL, PTP_PEER_DELAY = "01:1b:19:00:00:00", "01:80:c2:00:00:0e"
PTP_LENGTHS = {0: 44, 1: 44, 2: 54, 3: 54, 8: 44, 9: 54, 10: 54, 11: 64, 13: 48}


def text(length):
    """Bytes in which a shift or a swap shows."""
    return bytes(random.randrange(256) for _ in range(length))


def of_length(length, tag=b""):
    head = raw(Ether(dst=PEER, src=HOST))[:12] + tag + bytes.fromhex("88b5")
    return head[:length] + text(max(0, length - len(head)))


def sizes():
    for length in [*range(14, 61), 61, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024,
                   1513, 1514, 1515, 1518, 1522, 2047, 2048, 2049, 2050, 4095, 4096, 8999, 9000,
                   9014, 9015, 9018]:
        # 9018 is what an MTU of 9000 makes of a tagged frame
        yield of_length(length, bytes.fromhex("81000007") if length > 9014 else b"")


def tagged():
    inner = IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=1, dport=2) / Raw(text(26))
    for stack in ([Dot1Q(vlan=1)], [Dot1Q(vlan=4095, prio=7)], [Dot1Q(vlan=0, prio=5)],
                  [Dot1Q(vlan=2, id=1)], [Dot1AD(vlan=100), Dot1Q(vlan=200)],
                  [Dot1Q(vlan=3), Dot1Q(vlan=4)], [Dot1AD(vlan=1), Dot1AD(vlan=2), Dot1Q(vlan=3)]):
        packet = Ether(dst=PEER, src=HOST)
        for tag in stack:
            packet = packet / tag
        yield raw(packet / inner)
        yield raw(packet / inner / Raw(text(1400)))


def ptp_message(kind, sequence):
    length = PTP_LENGTHS[kind]
    header = bytes([0x10 | kind, 2]) + length.to_bytes(2, "big") + bytes([0, 0, 2, 0]) + bytes(12)
    header += bytes.fromhex("020000fffe111111") + bytes([0, 1]) + sequence.to_bytes(2, "big")
    return (header + bytes([0, 0])).ljust(length, b"\0")


def ptp():
    for sequence, kind in enumerate(PTP_LENGTHS):
        message = Raw(ptp_message(kind, sequence))
        dport = 319 if kind < 8 else 320
        group = 107 if kind in (2, 3, 10) else 129
        dst = PTP_PEER_DELAY if group == 107 else PTP_ALL
        yield raw(Ether(dst=dst, src=HOST, type=0x88F7) / message)
        yield raw(Ether(dst=dst, src=HOST) / Dot1Q(vlan=5, prio=6, type=0x88F7) / message)
        udp = UDP(sport=dport, dport=dport) / message
        yield raw(Ether(dst=f"01:00:5e:00:{group // 256:02x}:{group % 256:02x}", src=HOST) /
                  IP(src="192.0.2.1", dst=f"224.0.{1 if group == 129 else 0}.{group}") / udp)
        yield raw(Ether(dst=f"33:33:00:00:{1 if group == 129 else 0:02x}:{group:02x}", src=HOST) /
                  IPv6(src="2001:db8::1", dst="ff0e::181") / udp)


def broken():
    udp = IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=1, dport=2) / Raw(text(40))
    ether = Ether(dst=PEER, src=HOST)
    for field in ({"len": 9000}, {"len": 5}, {"ihl": 15}, {"ihl": 1}, {"version": 9},
                  {"chksum": 0xDEAD}, {"frag": 8191, "flags": 1}, {"ttl": 0}):
        packet = ether / udp
        for key, value in field.items():
            setattr(packet[IP], key, value)
        yield raw(packet)
    yield raw(ether / IP(dst="192.0.2.2") / TCP(dataofs=15, flags="FSRPAU"))
    yield raw(ether / IP(dst="192.0.2.2") / UDP(len=65535, chksum=1))
    yield raw(ether / IPv6(plen=65535, nh=0) / Raw(bytes(8)))
    yield raw(Ether(dst="00:00:00:00:00:00", src="ff:ff:ff:ff:ff:ff") / udp)
    yield raw(Ether(dst=HOST, src=HOST) / udp)
    yield raw(Ether(dst="ff:ff:ff:ff:ff:ff", src=HOST) / ARP())
    yield raw(Ether(dst="01:80:c2:00:00:00", src=HOST, type=50) / LLC() / STP())
    for kind in (0x05DC, 0x05DD, 0x0600, 0x05FF, 0x8100, 0x88A8, 0xFFFF, 0x0000):
        # an Ethertype that announces what is not there
        yield raw(Ether(dst=PEER, src=HOST, type=kind)) + text(2)
    for length in (1, 13, 9019, 9022, 16000):
        yield of_length(length)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    random.seed(1)
    for make in (sizes, tagged, ptp, broken):
        pcap.write(os.path.join(sys.argv[1], make.__name__ + ".pcap"), make())


if __name__ == "__main__":
    main()
