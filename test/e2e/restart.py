# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""restart.py BUILD: ports stop and start under traffic, and every mbuf is back each time."""
from lib.build import Build, Work, wait_until
from lib.pair import DEVICES, Pair
from lib.tap import Tap, same

tap = Tap()
# Endless, slower than any machine forwards; the wires do not care whether a port listens.
TRAFFIC = "source:{},len=64,pps=20000,wait=none"
ROUNDS = 20


def forwards(pair, frames=200):
    before = {name: pair.sent(name) for name in DEVICES}
    wait_until(lambda: all(pair.sent(name) - before[name] >= frames for name in DEVICES), 10,
               lambda: f"{frames} frames forwarded ({pair.model.wire('eth0')})")


@tap.case("20 times port stop and start under traffic: every mbuf is back, traffic resumes")
def stop_start(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        for turn in range(ROUNDS):
            pair.testpmd("start")
            forwards(pair)
            pair.testpmd("stop")
            pair.testpmd("port stop all")
            same(pair.testpmd.mbufs_in_use(), 0, f"mbufs in use after stop {turn + 1}")
            pair.testpmd("port start all")
        same(pair.testpmd.xstats(0)["rx_q0_no_mbuf"], 0, "receive without mbuf")


@tap.case("rings of 64, 512 and 1024 entries", (64, 512, 1024))
def ring_sizes(build, sizes):
    with Work() as work, Pair(build, work, TRAFFIC, ["--rxfreet=1"]) as pair:
        for size in sizes:
            pair.testpmd("port stop all")
            for ring in ("rxd", "txd"):
                pair.testpmd(f"port config all {ring} {size}")
            pair.testpmd("port start all")
            for kind in ("rxq", "txq"):
                info = pair.testpmd(f"show {kind} info 1 0")
                assert f"Number of {kind.upper()}s: {size}" in info.replace("RXDs", "RXQs").replace(
                    "TXDs", "TXQs"), info
            pair.testpmd("start")
            # Every entry of every ring several times, wraps included.
            forwards(pair, 4 * size)
            pair.testpmd("stop")
        pair.testpmd("port stop all")
        same(pair.testpmd.mbufs_in_use(), 0, "mbufs in use after the last stop")


@tap.case("ring sizes that cannot be are refused, and the port works on")
def bad_ring_sizes(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("port stop all")
        for size, text in ((32, "can't be less than min_rxds (64)"),
                           (2048, "can't be greater than max_rxds (1024)")):
            said = pair.testpmd(f"port config all rxd {size}")
            assert text in said, said
        # In range, but no whole number of cache lines: ethdev's own check of what the driver says.
        pair.testpmd("port config all rxd 100")
        said = pair.testpmd("port start all")
        assert "Invalid value for nb_rx_desc(=100)" in said, said
        pair.testpmd("port config all rxd 256")
        pair.testpmd("port start all")
        pair.testpmd("start")
        forwards(pair)
        pair.testpmd("stop")


@tap.case("port close gives everything back, and the model waits for the next client")
def close(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        forwards(pair)
        pair.testpmd("stop")
        pair.testpmd("port stop all")
        pair.testpmd("port close all")
        same(pair.testpmd.mbufs_in_use(), 0, "mbufs in use after close")
        wait_until(lambda: not any(each["connected"] for each in
                                   pair.model.ctl("devices")["devices"]), 5, "disconnected")
        for name in DEVICES:
            same(pair.model.ctl("counters", name)["bus"]["dma_windows"], 0, "memory still mapped")


if __name__ == "__main__":
    tap.run(Build.from_arguments())
