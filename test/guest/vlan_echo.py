# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""vlan_echo.py IFACE VLAN ADDRESS COUNT SECONDS: answers ARP and ICMP echo requests that carry the
VLAN tag, as the owner of ADDRESS; prints how many echoes it answered. For machines whose kernel
has no VLAN interfaces."""
import ipaddress
import socket
import struct
import sys
import time

ETH_P_ALL = 3
TPID = b"\x81\x00"
SOL_PACKET, PACKET_AUXDATA = 263, 8  # linux/socket.h, linux/if_packet.h
TP_STATUS_VLAN_VALID = 1 << 4
OUTGOING = 4


def receive(port):
    """One frame as it was on the wire: the kernel takes tags out and tells about them apart."""
    frame, control, _, address = port.recvmsg(2048, 256)
    if address[2] == OUTGOING:
        return b""
    for level, kind, data in control:
        if level == SOL_PACKET and kind == PACKET_AUXDATA:
            status, tci = struct.unpack_from("=I12xH", data)
            if status & TP_STATUS_VLAN_VALID:
                return frame[:12] + TPID + struct.pack("!H", tci) + frame[12:]
    return frame


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~total & 0xFFFF)


def answer(frame, mac, address):
    """The reply to an ARP or echo request, without its Ethernet addresses; None for the rest."""
    kind, payload = frame[16:18], frame[18:]
    if kind == b"\x08\x06" and payload[6:8] == b"\0\1" and payload[24:28] == address:
        return kind + payload[:6] + b"\0\2" + mac + address + payload[8:18]
    if kind != b"\x08\x00" or payload[9:10] != b"\1" or payload[16:20] != address:
        return None
    icmp = payload[20 : struct.unpack("!H", payload[2:4])[0]]
    if icmp[0] != 8 or checksum(icmp) != b"\0\0":
        return None
    reply = b"\0\0\0\0" + icmp[4:]
    return kind + payload[:12] + address + payload[12:16] + b"\0\0" + checksum(reply) + icmp[4:]


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    vlan, count, seconds = int(sys.argv[2]), int(sys.argv[4]), int(sys.argv[5])
    address = ipaddress.IPv4Address(sys.argv[3]).packed
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    port.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    port.bind((sys.argv[1], 0))
    port.settimeout(0.5)
    mac = port.getsockname()[4]
    echoes = 0
    deadline = time.monotonic() + seconds
    while echoes < count and time.monotonic() < deadline:
        try:
            frame = receive(port)
        except TimeoutError:
            continue
        if frame[12:14] != TPID or struct.unpack("!H", frame[14:16])[0] & 0xFFF != vlan:
            continue
        reply = answer(frame, mac, address)
        if reply is None:
            continue
        port.send(frame[6:12] + mac + frame[12:16] + reply)
        echoes += reply[:2] == b"\x08\x00"
    print(echoes)


if __name__ == "__main__":
    main()
