# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""forward.py BUILD: testpmd forwards captures between two ports, in both directions at once.

What each wire records has to be what the other one played: every frame, in order, byte for byte.
Frames below 60 bytes arrive padded with zeros; frames no wire can carry are refused and counted.
"""
import glob
import os

from lib import pcap
from lib.build import Build, Work, wait_until
from lib.model import Model
from lib.tap import Skip, Tap, note, same
from lib.testpmd import Testpmd

tap = Tap()
DEVICES = ("eth0", "eth1")
LARGE_MBUFS = ["--mbuf-size=9728", "--max-pkt-len=9026"]
# 0x8000: RTE_ETH_TX_OFFLOAD_MULTI_SEGS
CHAINS = ["--mbuf-size=2176", "--max-pkt-len=9026", "--enable-scatter", "--tx-offloads=0x8000"]
ODD_CHAINS = ["--mbuf-size=337", "--max-pkt-len=9026", "--enable-scatter", "--tx-offloads=0x8000"]


def folder_frames(folder):
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.pcap"))):
        found += pcap.frames(path)
    return found


def shared_captures(build):
    folder = os.environ.get("DWMAC_CAPTURES", os.path.join(build.root, "../shared/captures"))
    found = folder_frames(folder)
    if not found:
        raise Skip(f"no captures in {os.path.normpath(folder)}: name a folder in DWMAC_CAPTURES")
    return found


def own_captures(build):
    return folder_frames(os.path.join(build.root, "test/captures"))


def forward(build, get_frames, arguments):
    played = {"eth0": get_frames(build)}
    # The other direction carries the same frames in another order.
    played["eth1"] = played["eth0"][::-1]
    expected = {"eth1": pcap.on_the_wire(played["eth0"]), "eth0": pcap.on_the_wire(played["eth1"])}
    with Work() as work:
        for name, frames in played.items():
            pcap.write(work / f"{name}.in.pcap", frames)
            pcap.write(work / f"{name}.wanted.pcap", expected[name])
        run(build, work, arguments, {name: len(expected[name]) for name in DEVICES},
            sum(not pcap.fits(frame) for frame in played["eth0"]))
        for name in DEVICES:
            pcap.assert_same(work / f"{name}.wanted.pcap", work / f"{name}.out.pcap",
                             f"what {name} sent")
        note(f"{len(expected['eth0'])} frames, {sum(map(len, expected['eth0']))} bytes "
             "in each direction, byte for byte")


def run(build, work, arguments, counts, refused):
    # Played on command: testpmd throws away what arrives before it forwards.
    wires = [f"pcap:{name},in={work / name}.in.pcap,out={work / name}.out.pcap,speed=full,"
             "rate=off,wait=start" for name in DEVICES]
    with Model(build, work, {name: {} for name in DEVICES}, wires) as model:
        vdevs = [f"net_dwmac{i},socket={model.sockets[name]}" for i, name in enumerate(DEVICES)]
        with Testpmd(build, work, vdevs, ["--nb-cores=2", *arguments]) as testpmd:
            # testpmd drops what a full ring refuses, unless told to wait for room.
            testpmd("set burst tx delay 10 retry 100000")
            testpmd("set fwd io retry")
            testpmd("start")
            for name in DEVICES:
                model.wire(name, action="start")
            wait_until(lambda: all(model.wire(name)["recorded"] >= counts[name]
                                   for name in DEVICES), 40,
                       lambda: {name: model.wire(name) for name in DEVICES})
            stopped = testpmd("stop")
            assert "RX-dropped: 0 " in stopped and "TX-dropped: 0 " in stopped, stopped
            for port, name in enumerate(DEVICES):
                stats = testpmd.stats(port)
                got = [stats[key] for key in ("ipackets", "opackets", "ierrors", "imissed")]
                same(got, [counts[DEVICES[1 - port]], counts[name], 0, 0], f"stats of {name}")
        for name in DEVICES:
            same(model.wire(name, action="flush")["refused"], refused, f"{name}: refused frames")


for kind, get_frames in (("own", own_captures), ("shared", shared_captures)):
    tap.case(f"{kind} captures, one large mbuf per frame", get_frames, LARGE_MBUFS)(forward)
    tap.case(f"{kind} captures, chains of 2 KiB mbufs", get_frames, CHAINS)(forward)
tap.case("own captures, chains of mbufs of an odd size", own_captures, ODD_CHAINS)(forward)

if __name__ == "__main__":
    tap.run(Build.from_arguments())
