# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""model_alone.py PROGRAM: dwmac-model over a real socket, with vfu_client in a driver's place."""
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from vfu_client import BAR0, CONFIG, INTX, RESET, EqosChannel, VfuClient, VfuError

PROGRAM = None


def frame_of(length, number):
    head = bytes.fromhex("020000000001 020000000002 88b5") + number.to_bytes(4, "big")
    return head + bytes((number + i) & 0xFF for i in range(length - len(head)))


class Case(unittest.TestCase):
    WIRES = ["loop:eth0"]
    DEVICES = ["eth0"]
    DEVICE_OPTIONS = ""
    ARGUMENTS = []
    EXIT_CODE = 0

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.control_path = self.path / "control.sock"
        command = [PROGRAM, "--quiet", "--control", self.control_path, *self.ARGUMENTS]
        for name in self.DEVICES:
            command += ["--device", f"name={name},socket={self.path / name}{self.DEVICE_OPTIONS}"]
        for wire in self.WIRES:
            command += ["--wire", wire.format(folder=self.path)]
        read_fd, write_fd = os.pipe()
        self.process = subprocess.Popen(command + ["--ready-fd", str(write_fd)],
                                        pass_fds=[write_fd], stdin=subprocess.DEVNULL)
        os.close(write_fd)
        ready, _, _ = select.select([read_fd], [], [], 10)
        said = os.read(read_fd, 16) if ready else b""
        os.close(read_fd)
        self.assertEqual(said, b"ready\n")

    def tearDown(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(10), self.EXIT_CODE)
        self.assertEqual(sorted(p.name for p in self.path.iterdir() if p.is_socket()), [])
        self.folder.cleanup()

    def control(self, cmd, **arguments):
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(10)
            control.connect(str(self.control_path))
            control.sendall(json.dumps({"cmd": cmd, **arguments}).encode() + b"\n")
            reply = json.loads(control.makefile().readline())
        self.assertTrue(reply.pop("ok"), reply.get("error"))
        return reply

    def client(self, name="eth0"):
        client = VfuClient(self.path / name)
        self.addCleanup(client.close)
        return client

    def channel(self, name="eth0"):
        channel = EqosChannel(self.client(name))
        channel.start()
        return channel

    def complaints(self, name="eth0"):
        said = self.control("complaints", device=name)["complaints"]
        return {each["kind"]: each["count"] for each in said}

    def wait_for_departure(self, name="eth0"):
        while self.control("counters", device=name)["bus"]["connected"]:
            pass

    def assert_no_complaints(self):
        for name in self.DEVICES:
            self.assertEqual(self.control("complaints", device=name)["complaints"], [])


class Loop(Case):
    def test_frames_come_back_whole_and_in_order(self):
        channel = self.channel()
        for number in range(300):
            frame = frame_of(60 + number * 7 % 1455, number)
            channel.send(frame)
            self.assertEqual(channel.receive(), frame)
            self.assertEqual([s >> 15 & 1 for s in channel.clean()], [0])
        self.assert_no_complaints()

    def test_bursts_of_posted_tail_writes(self):
        channel = self.channel()
        for number in range(0, 600, 30):
            frames = [frame_of(60 + i, number + i) for i in range(30)]
            for frame in frames:
                channel.send(frame)
            self.assertEqual([channel.receive() for _ in frames], frames)
            channel.client.read32(0x110)  # orders it behind the write-backs
            self.assertEqual(len(channel.clean()), 30)
        self.assert_no_complaints()

    def test_interrupts_arrive_on_their_vectors(self):
        client = self.client()
        fds = [os.eventfd(0, os.EFD_NONBLOCK) for _ in range(32)]
        client.arm(fds)
        channel = EqosChannel(client)
        channel.start(interrupt_mode=1)  # RX 0 on vector 0, TX 0 on vector 1
        channel.send(frame_of(60, 0))
        channel.receive()
        for vector in 0, 1:
            self.assertTrue(select.select([fds[vector]], [], [], 5)[0], f"vector {vector}")
        for fd in fds:
            os.close(fd)
        self.assert_no_complaints()

    def test_the_one_line_fires_at_every_unmask_while_it_is_high(self):
        client = self.client()
        fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.addCleanup(os.close, fd)
        client.arm([fd], index=INTX)
        channel = EqosChannel(client)
        channel.start()
        channel.send(frame_of(60, 0))
        channel.receive()
        for _ in range(3):
            self.assertTrue(select.select([fd], [], [], 5)[0])
            os.eventfd_read(fd)
            client.unmask_intx()
        os.eventfd_read(fd)
        client.wait32(0x1160, 1, 1)
        client.write32(0x1160, 0xFFC7)
        client.unmask_intx()
        self.assertEqual(select.select([fd], [], [], 0)[0], [])
        self.assert_no_complaints()

    def test_second_client_finds_a_fresh_device(self):
        with VfuClient(self.path / "eth0") as first:
            EqosChannel(first).start()
            first.write32(0x304, 0x12345678)
        channel = self.channel()
        self.assertNotEqual(channel.client.read32(0x304), 0x12345678)
        channel.send(frame_of(100, 5))
        self.assertEqual(channel.receive(), frame_of(100, 5))
        self.assertEqual(self.control("counters", device="eth0")["bus"]["clients"], 2)

    def test_unmapped_memory_is_a_bus_error(self):
        channel = self.channel()
        channel.client.dma_unmap(channel.client.iova, 4 << 20)
        channel.send(frame_of(60, 1))
        channel.client.wait32(0x1160, 1 << 12, 1 << 12)

    def test_flr_ends_everything(self):
        channel = self.channel()
        client = channel.client
        cap = client.region_read(CONFIG, 0x34, 1)[0]
        while client.region_read(CONFIG, cap, 1)[0] != 0x10:
            cap = client.region_read(CONFIG, cap + 1, 1)[0]
        client.region_write(CONFIG, cap + 8, b"\x00\x80")
        self.assertEqual(client.read32(0x1104) & 1, 0)
        self.assertEqual(client.region_read(CONFIG, 4, 2), b"\0\0")
        EqosChannel(client).start()

    def test_surprise_removal_and_return(self):
        client = self.client()
        self.control("remove", device="eth0")
        with self.assertRaises((EOFError, ConnectionError)):
            client.read32(0x110)
        with self.assertRaises((EOFError, ConnectionError)):
            self.client()
        self.control("insert", device="eth0")
        self.assertNotIn(self.client().read32(0x110), (0, 0xFFFFFFFF))

    def test_bad_requests_do_not_end_the_connection(self):
        client = self.client()
        with self.assertRaises(VfuError):
            client.region_read(3, 0, 4)
        with self.assertRaises(VfuError):
            client.call(99)
        self.assertNotIn(client.read32(0x110), (0, 0xFFFFFFFF))


class Strict(Case):
    ARGUMENTS = ["--strict"]
    EXIT_CODE = 3

    def test_complaints_outlive_reset_and_client_until_cleared(self):
        with VfuClient(self.path / "eth0") as client:
            client.region_read(BAR0, 0x110, 2)
            client.write32(0xC50, 1)  # not built
            client.write32(0x1000, 1)
            client.wait32(0x1000, 1, 0)
            client.call(RESET)
            said = self.complaints()
            self.assertEqual(said, {"bad-size": 1, "absent-register": 1})
        self.wait_for_departure()
        self.assertEqual(self.complaints(), said)
        with VfuClient(self.path / "eth0") as client:
            client.region_read(BAR0, 0x110, 2)
        self.wait_for_departure()
        self.assertEqual(self.complaints(), {**said, "bad-size": 2})
        self.control("complaints", device="eth0", clear=True)
        self.assertEqual(self.complaints(), {})
        self.client().region_read(BAR0, 0x110, 2)  # for the exit code

    def test_complaints_show_in_the_exit_code(self):
        client = self.client()
        self.assertEqual(client.region_read(0, 0x110, 2), b"\0\0")
        self.assertEqual(self.control("complaints", device="eth0")["count"], 1)


class SlowPhy(Case):
    AN_MS = 400
    DEVICE_OPTIONS = f",an_ms={AN_MS}"

    def test_a_link_change_by_control_negotiates_as_long(self):
        for mbps in 100, 1000:
            before = self.control("truth", device="eth0")["true_ns"]
            self.assertFalse(self.control("link", device="eth0", mbps=mbps)["up"])
            while not (state := self.control("devices")["devices"][0])["link_up"]:
                time.sleep(0.01)
            after = self.control("truth", device="eth0")["true_ns"]
            self.assertEqual(state["link_mbps"], mbps)
            self.assertGreaterEqual(after - before, self.AN_MS * 1000000)


class Cable(Case):
    DEVICES = ["eth0", "eth1"]
    WIRES = ["cable:eth0,eth1,delay_ns=500"]

    def test_frames_cross_both_ways(self):
        left, right = self.channel("eth0"), self.channel("eth1")
        for number in range(50):
            left.send(frame_of(64, number))
            right.send(frame_of(128, number))
            self.assertEqual(right.receive(), frame_of(64, number))
            self.assertEqual(left.receive(), frame_of(128, number))
            left.clean()
            right.clean()
        self.assert_no_complaints()

    def test_loss_can_be_changed_while_it_runs(self):
        left, right = self.channel("eth0"), self.channel("eth1")
        self.control("wire", device="eth0", set={"loss": 1})
        left.send(frame_of(64, 1))
        left.client.wait32(0x1160, 1, 1)
        self.assertIsNone(right.poll())
        self.control("wire", device="eth0", set={"loss": 0})
        left.send(frame_of(64, 2))
        self.assertEqual(right.receive(), frame_of(64, 2))


class Source(Case):
    WIRES = ["source:eth0,count=5000,rate=off"]

    def test_numbered_frames_arrive_without_loss(self):
        channel = self.channel()
        for number in range(5000):
            self.assertEqual(int.from_bytes(channel.receive()[42:50], "big"), number)
        self.assertEqual(self.control("wire", device="eth0")["counters"]["finished"], 1)


class Record(Case):
    WIRES = ["pcap:eth0,out={folder}/out.pcap"]

    def test_sent_frames_are_in_the_file(self):
        channel = self.channel()
        for number in range(20):
            channel.send(frame_of(60 + number, number))
        channel.client.wait32(0x1160, 1, 1)
        while self.control("wire", device="eth0", action="flush")["counters"]["recorded"] < 20:
            pass
        data = (self.path / "out.pcap").read_bytes()
        self.assertEqual(data[:4], b"\x4d\x3c\xb2\xa1")  # nanosecond stamps
        self.assertEqual(len(data), 24 + sum(16 + 60 + n for n in range(20)))
        self.assertIn(frame_of(79, 19), data)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
