# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""probe.py BUILD: ports that cannot be are refused with one clear message and nothing left behind;
ports that can be come, go and come again."""
import os
import re
import socket
import time

from lib import proxy
from lib.build import Build, Work, wait_until
from lib.model import Model
from lib.pair import Pair
from lib.tap import Tap, between, same
from lib.testpmd import Testpmd

tap = Tap()
LOW_MEMORY = ["--legacy-mem", "--base-virtaddr=0x20000000"]


def refused(build, work, vdev, message, lines=1, seconds=20):
    """The driver says `message` (a pattern), EAL reports the failure, the process lives on."""
    started = time.monotonic()
    with Testpmd(build, work, [vdev]) as testpmd:
        said = testpmd.said()
        between(time.monotonic() - started, 0, seconds, "seconds until refused")
        assert re.search(message, said), f"no /{message}/ in:\n{said}"
        ours = [line for line in said.splitlines() if re.match("(dwmac|vfio-user)", line)]
        same(len(ours), lines, f"messages of the driver ({ours})")
        assert "failed to initialize net_dwmac0 device" in said, said
        assert "Number of available ports: 0" in testpmd("show port summary all") or \
            "No probed ethernet devices" in said, said


@tap.case("devargs: unknown key", "bogus=1,socket=/x", r"bogus=1.*: known are socket, tx_usecs")
@tap.case("devargs: no socket", "tx_usecs=5", r"no device named.*socket=PATH")
@tap.case("devargs: empty socket", "socket=", r"socket: need a path of 1 to 107 bytes")
@tap.case("devargs: path too long", "socket=" + "x" * 108, r"need a path of 1 to 107 bytes")
@tap.case("devargs: no number", "socket=/x,tx_usecs=abc", r"tx_usecs=abc: need a number")
@tap.case("devargs: negative", "socket=/x,tx_usecs=-1", r"tx_usecs=-1: need a number from 0")
@tap.case("devargs: too large", "socket=/x,tx_usecs=1000001", r"tx_usecs=1000001: need a number")
@tap.case("devargs: neither 0 nor 1", "socket=/x,sweep_service=2", r"sweep_service=2: need")
def devargs(build, arguments, message):
    with Work() as work:
        refused(build, work, f"net_dwmac0,{arguments}", message)


@tap.case("there is no such socket")
def no_socket(build):
    with Work() as work:
        refused(build, work, f"net_dwmac0,socket={work / 'none'}", r"no such socket: start the ")


@tap.case("nobody listens on the socket")
def nobody(build):
    with Work() as work:
        with socket.socket(socket.AF_UNIX) as left_over:
            left_over.bind(work / "left.sock")
        refused(build, work, f"net_dwmac0,socket={work / 'left.sock'}", r"left\.sock: .*listen")


@tap.case("the path is no socket")
def plain_file(build):
    with Work() as work:
        with open(work / "file", "w", encoding="ascii"):
            pass
        refused(build, work, f"net_dwmac0,socket={work / 'file'}", r"vfio-user: .*file: ")


@tap.case("the server hangs up at once", proxy.closing)
@tap.case("the server speaks something else", proxy.talking_http)
@tap.case("the server says nothing", proxy.silent)
def wrong_server(build, handler):
    with Work() as work, proxy.Server(work / "wrong.sock", handler):
        refused(build, work, f"net_dwmac0,socket={work / 'wrong.sock'}",
                r"connection lost: .*\n.*wrong\.sock: no agreement with the server", lines=2)


@tap.case("a PCI function that is none of ours; the model takes the next client")
def unknown_id(build):
    with Work() as work, Model(build, work, {"eth0": {}}, ["sink:eth0"]) as model:
        handler = proxy.with_pci_id(model.sockets["eth0"], 0x1234, 0x5678)
        with proxy.Server(work / "other.sock", handler):
            refused(build, work, f"net_dwmac0,socket={work / 'other.sock'}",
                    r"PCI function 1234:5678 is none this driver knows")
        with Testpmd(build, work, [f"net_dwmac0,socket={model.sockets['eth0']}"]) as testpmd:
            assert "net_dwmac0" in testpmd("show port summary all")


@tap.case("the proxy itself hides nothing: with the right PCI id the port is there")
def known_id(build):
    with Work() as work, Model(build, work, {"eth0": {}}, ["sink:eth0"]) as model:
        handler = proxy.with_pci_id(model.sockets["eth0"], 0x8086, 0x4B30)
        with proxy.Server(work / "same.sock", handler):
            with Testpmd(build, work, [f"net_dwmac0,socket={work / 'same.sock'}"]) as testpmd:
                assert "net_dwmac0" in testpmd("show port summary all")


@tap.case("a device with 32 address bits: refused with the remedy, and the remedy works")
def narrow(build):
    devices = {name: {"profile": "ehl-pse"} for name in ("eth0", "eth1")}
    with Work() as work:
        with Pair(build, work, "source:{},len=64,pps=20000,wait=none", devices=devices,
                  eal=LOW_MEMORY) as pair:
            refused_while_busy(build, work)
            pair.testpmd("start")
            wait_until(lambda: pair.sent("eth0") > 1000 and pair.sent("eth1") > 1000, 10, "traffic")
            pair.testpmd("stop")


def refused_while_busy(build, work):
    os.mkdir(work / "second")
    second = Work()
    second.path = work / "second"
    with Model(build, second, {"eth9": {"profile": "ehl-pse"}}) as model:
        refused(build, second, f"net_dwmac0,socket={model.sockets['eth9']}",
                r"beyond the device's 32 address bits: run with --legacy-mem --base-virtaddr")


@tap.case("detach and attach, five times; another name, and a second port on the same device")
def attach(build):
    with Work() as work, Pair(build, work, "source:{},len=64,pps=20000,wait=none") as pair:
        testpmd = pair.testpmd
        windows = pair.model.ctl("counters", "eth0")["bus"]["dma_windows"]
        for turn in range(5):
            testpmd("port stop 0")
            if turn % 2:
                testpmd("port close 0")
                said = testpmd("device detach net_dwmac0")
            else:
                said = testpmd("port detach 0")
            assert "Device is detached" in said or "Device net_dwmac0 is detached" in said, said
            said = testpmd(f"port attach net_dwmac0,socket={pair.model.sockets['eth0']}")
            assert "Port 0 is attached" in said, said
            same(pair.model.ctl("counters", "eth0")["bus"]["dma_windows"], windows, "DMA windows")
            said = testpmd("port start 0", 30)
            assert "Fail" not in said, said
        taken = testpmd(f"port attach net_dwmac7,socket={pair.model.sockets['eth0']}", 30)
        assert "is attached" not in taken, taken
        testpmd("start")
        before = pair.sent("eth0")
        wait_until(lambda: pair.sent("eth0") - before > 1000, 10, "traffic after all that")
        testpmd("stop")


@tap.case("two processes at a time, each with a device of one model")
def two_processes(build):
    with Work() as work, Model(build, work, {"eth0": {}, "eth1": {}},
                               ["cable:eth0,eth1"]) as model:
        with Testpmd(build, work, [f"net_dwmac0,socket={model.sockets['eth0']}"]) as sender, \
                Testpmd(build, work, [f"net_dwmac0,socket={model.sockets['eth1']}"]) as receiver:
            receiver("set fwd rxonly")
            receiver("start")
            sender("set fwd txonly")
            sender("start")
            wait_until(lambda: receiver.stats(0)["ipackets"] > 1000, 20, "frames over the cable")
            sender("stop")
            receiver("stop")


if __name__ == "__main__":
    tap.run(Build.from_arguments())
