# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""A small vfio-user client and, on top of it, one EQOS channel driven by hand.

For tests that want to see a device without any driver in between. Registers and descriptors are
those of the databook; nothing is shared with the driver or the model.
"""
import mmap
import os
import socket
import struct
import time

BAR0, CONFIG = 0, 7
INTX, MSI = 0, 1

VERSION, DMA_MAP, DMA_UNMAP, GET_INFO, GET_REGION_INFO = 1, 2, 3, 4, 5
GET_IRQ_INFO, SET_IRQS, REGION_READ, REGION_WRITE, RESET = 7, 8, 9, 10, 13
NO_REPLY, ERROR = 0x10, 0x20


class VfuError(Exception):
    """The server answered with an error: args[0] is the errno."""


class VfuClient:
    """One connection. DMA memory is a memfd, mapped at `iova`, readable as self.memory."""

    def __init__(self, path, memory_size=4 << 20, iova=0x10000000):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(str(path))
        self.message_id = 0
        self.iova = iova
        try:
            self.version()
        except (OSError, EOFError, VfuError):
            self.socket.close()
            raise
        fd = os.memfd_create("vfu_client")
        os.ftruncate(fd, memory_size)
        self.memory = mmap.mmap(fd, memory_size)
        self.dma_map(iova, memory_size, fd)
        os.close(fd)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def send(self, command, payload=b"", flags=0, fds=()):
        self.message_id = (self.message_id + 1) & 0xFFFF
        header = struct.pack("<HHIII", self.message_id, command, 16 + len(payload), flags, 0)
        socket.send_fds(self.socket, [header + payload], list(fds))

    def _take(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError("the server closed the connection")
            data += part
        return data

    def receive(self):
        """The payload of the next reply."""
        _, _, size, flags, error = struct.unpack("<HHIII", self._take(16))
        payload = self._take(size - 16)
        if flags & ERROR:
            raise VfuError(error)
        return payload

    def call(self, command, payload=b"", fds=()):
        self.send(command, payload, fds=fds)
        return self.receive()

    def version(self):
        text = b'{"capabilities":{"max_msg_fds":8,"max_data_xfer_size":1048576}}\0'
        return self.call(VERSION, struct.pack("<HH", 0, 0) + text)

    def dma_map(self, iova, size, fd, offset=0, flags=3):
        self.call(DMA_MAP, struct.pack("<IIQQQ", 32, flags, offset, iova, size), [fd])

    def dma_unmap(self, iova, size):
        self.call(DMA_UNMAP, struct.pack("<IIQQ", 24, 0, iova, size))

    def arm(self, fds, start=0, index=MSI):
        self.call(SET_IRQS, struct.pack("<IIIII", 20, 0x24, index, start, len(fds)), fds)

    def unmask_intx(self):
        self.call(SET_IRQS, struct.pack("<IIIII", 20, 0x11, INTX, 0, 1))

    def region_read(self, region, offset, count):
        return self.call(REGION_READ, struct.pack("<QII", offset, region, count))[16:]

    def region_write(self, region, offset, data, posted=False):
        payload = struct.pack("<QII", offset, region, len(data)) + data
        if posted:
            self.send(REGION_WRITE, payload, NO_REPLY)
        else:
            self.call(REGION_WRITE, payload)

    def read32(self, offset):
        return struct.unpack("<I", self.region_read(BAR0, offset, 4))[0]

    def write32(self, offset, value, posted=False):
        self.region_write(BAR0, offset, struct.pack("<I", value & 0xFFFFFFFF), posted)

    def wait32(self, offset, mask, value, seconds=5):
        deadline = time.monotonic() + seconds
        while self.read32(offset) & mask != value:
            if time.monotonic() > deadline:
                raise TimeoutError(f"register {offset:#x}: {self.read32(offset):#x}")

    def bus_master(self, on=True):
        self.region_write(CONFIG, 4, struct.pack("<H", 6 if on else 0))


class EqosChannel:
    """Channel 0 of an EQOS core: rings in the client's memory, one buffer of 2 KiB per entry."""

    ENTRIES, BUFFER = 64, 2048
    TX_RING, RX_RING, TX_BUFFERS, RX_BUFFERS = 0, 0x1000, 0x10000, 0x40000

    def __init__(self, client):
        self.client = client
        self.tx_next = self.tx_clean = self.rx_next = 0

    def _tail(self, ring, index):
        return (self.client.iova + ring + index % self.ENTRIES * 16) & 0xFFFFFFFF

    def _descriptor(self, ring, index, *words):
        at = ring + index % self.ENTRIES * 16
        if words:
            # OWN is in the last word, and that is written last
            self.client.memory[at:at + 12] = struct.pack("<III", *words[:3])
            self.client.memory[at + 12:at + 16] = struct.pack("<I", words[3])
        return struct.unpack("<IIII", self.client.memory[at:at + 16])

    def _address(self, base, index):
        return self.client.iova + base + index % self.ENTRIES * self.BUFFER

    def _give_rx(self, index):
        address = self._address(self.RX_BUFFERS, index)
        self._descriptor(self.RX_RING, index, address & 0xFFFFFFFF, address >> 32, 0, 0xC1000000)

    def start(self, interrupt_mode=0):
        """eqos.md and sequences.md §3.1: reset, DMA, MTL, MAC; gigabit, full duplex."""
        dev = self.client
        dev.bus_master()
        dev.write32(0x1000, 1)
        dev.wait32(0x1000, 1, 0)
        self.wait_link()
        dev.write32(0x1000, interrupt_mode << 16)
        dev.write32(0x1004, 0x0101080E)  # bursts 4 … 16, EAME
        dev.write32(0x1100, 1 << 16)
        dev.write32(0x1104, 8 << 16 | 1 << 4)
        dev.write32(0x1108, 8 << 16 | self.BUFFER << 1)
        for at, ring in (0x1110, self.TX_RING), (0x1118, self.RX_RING):
            dev.write32(at, (dev.iova + ring) >> 32)
            dev.write32(at + 4, (dev.iova + ring) & 0xFFFFFFFF)
        dev.write32(0x112C, self.ENTRIES - 1)
        dev.write32(0x1130, self.ENTRIES - 1)
        dev.write32(0x1134, 1 << 15 | 1 << 14 | 1 << 12 | 1 << 6 | 1)
        dev.write32(0xD00, 7 << 16 | 2 << 2 | 1 << 1)
        dev.write32(0xD30, 7 << 20 | 1 << 5)
        dev.write32(0xA0, 2)
        dev.write32(0x008, 1 << 31)  # receive all
        for index in range(self.ENTRIES - 1):
            self._give_rx(index)
        dev.write32(0x1120, self._tail(self.TX_RING, 0))
        dev.write32(0x1104, dev.read32(0x1104) | 1)
        dev.write32(0x1128, self._tail(self.RX_RING, self.ENTRIES - 1))
        dev.write32(0x1108, dev.read32(0x1108) | 1)
        dev.write32(0x000, 1 << 13 | 1 << 21 | 3)  # DM, CST, TE, RE

    def mdio_read(self, phy, register):
        """Clause 22 (sequences.md §9.2)."""
        self.client.write32(0x200, phy << 21 | register << 16 | 5 << 8 | 3 << 2 | 1)
        self.client.wait32(0x200, 1, 0)
        return self.client.read32(0x204) & 0xFFFF

    def wait_link(self, seconds=10):
        phy = next(each for each in range(32) if self.mdio_read(each, 2) not in (0, 0xFFFF))
        deadline = time.monotonic() + seconds
        while not self.mdio_read(phy, 1) & 4:
            if time.monotonic() > deadline:
                raise TimeoutError("no link")
            time.sleep(0.01)

    def send(self, frame, kick=True):
        assert self.tx_next - self.tx_clean < self.ENTRIES - 1, "TX ring full"
        at = self.TX_BUFFERS + self.tx_next % self.ENTRIES * self.BUFFER
        self.client.memory[at:at + len(frame)] = frame
        address = self._address(self.TX_BUFFERS, self.tx_next)
        self._descriptor(self.TX_RING, self.tx_next, address & 0xFFFFFFFF, address >> 32,
                         1 << 31 | len(frame), 0xB0000000 | len(frame))
        self.tx_next += 1
        if kick:
            self.kick()

    def kick(self, posted=True):
        self.client.write32(0x1120, self._tail(self.TX_RING, self.tx_next), posted)

    def clean(self):
        """Takes back what was sent; the statuses (TDES3)."""
        done = []
        while self.tx_clean < self.tx_next:
            status = self._descriptor(self.TX_RING, self.tx_clean)[3]
            if status >> 31:
                break
            done.append(status)
            self.tx_clean += 1
        return done

    def poll(self):
        """The next frame, or None."""
        status = self._descriptor(self.RX_RING, self.rx_next)[3]
        if status >> 31:
            return None
        assert status >> 28 & 3 == 3, f"frame over several descriptors: {status:#x}"
        at = self.RX_BUFFERS + self.rx_next % self.ENTRIES * self.BUFFER
        frame = bytes(self.client.memory[at:at + (status & 0x7FFF)])
        self._give_rx(self.rx_next + self.ENTRIES - 1)
        self.rx_next += 1
        self.client.write32(0x1128, self._tail(self.RX_RING, self.rx_next + self.ENTRIES - 1), True)
        return frame

    def receive(self, seconds=5):
        deadline = time.monotonic() + seconds
        while (frame := self.poll()) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"no frame; channel status {self.client.read32(0x1160):#x}")
            time.sleep(0.0001)
        return frame
