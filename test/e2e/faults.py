# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""faults.py BUILD: a device that misbehaves. The driver survives, counts, and recovers.

Faults of time stamps are in timesync.py.
"""
import re

from lib.build import Build, Work, wait_until
from lib.model import Model
from lib.pair import DEVICES, Pair
from lib.tap import Tap, same
from lib.testpmd import Testpmd

tap = Tap()
TRAFFIC = "source:{},len=200,pps=5000,wait=none"
RX = 256  # added to a channel number in a fault's argument
ANY = -1
TIMES = 5


def flows(pair, frames=500):
    before = {name: pair.sent(name) for name in DEVICES}
    wait_until(lambda: all(pair.sent(name) - before[name] >= frames for name in DEVICES), 10,
               lambda: f"traffic flows: {[pair.model.wire(name) for name in DEVICES]}")


def stands(pair, name):
    """Nothing leaves a device any more."""
    def still():
        before = pair.sent(name)
        return not pair.testpmd.process.poll() and _unchanged(pair, name, before)

    wait_until(still, 10, f"{name} stands still")


def _unchanged(pair, name, before):
    pair.testpmd("show port stats 0")  # some round trips of time
    pair.testpmd("show port stats 1")
    return pair.sent(name) == before


def restart(pair):
    pair.testpmd("stop")
    pair.testpmd("port stop all", 30)
    same(pair.testpmd.mbufs_in_use(), 0, "mbufs in use after port stop")
    pair.testpmd("port start all", 30)
    pair.testpmd("start")


@tap.case("length larger than the buffer", "bad-length", 16000, "rx_q0_bad_length")
@tap.case("length beyond the buffer by one", "bad-length", 2049, "rx_q0_bad_length")
@tap.case("length of nothing", "bad-length", 0, "rx_q0_bad_length")
@tap.case("length shorter than the FCS", "bad-length", 3, "rx_q0_bad_length")
@tap.case("last flag missing", "missing-ld", 0, "rx_q0_bad_sequence")
def bad_rx_descriptor(build, fault, arg, xstat):
    """Counted and dropped; the frames before and after pass; no mbuf is lost."""
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flows(pair)
        pair.model.fault("eth0", fault, arg, TIMES)
        wait_until(lambda: pair.testpmd.xstats(0)[xstat] >= TIMES, 10,
                   lambda: f"{xstat} ({pair.testpmd.xstats(0)[xstat]})")
        flows(pair)
        same(pair.testpmd.xstats(0)[xstat], TIMES, xstat)
        same(pair.testpmd.stats(0)["ierrors"], TIMES, "ierrors")
        pair.testpmd("stop")
        pair.testpmd("port stop all")
        same(pair.testpmd.mbufs_in_use(), 0, "mbufs in use after port stop")


@tap.case("a packet that never ends is given back when the port stops")
def endless_packet(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flows(pair)
        pair.model.fault("eth0", "missing-ld", 0, times=0)
        wait_until(lambda: pair.testpmd.xstats(0)["rx_q0_bad_sequence"] >= TIMES, 10, "the fault")
        for name in DEVICES:
            pair.model.wire(name, action="stop")
        pair.testpmd("stop")
        pair.testpmd("port stop all")
        same(pair.testpmd.mbufs_in_use(), 0, "mbufs in use after port stop")


@tap.case("a frame lost in the FIFO is counted as missed")
def overflow(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flows(pair)
        before = pair.model.counters("eth0")["rxq0_overflows"]
        pair.model.fault("eth0", "rx-overflow", 0, TIMES)
        wait_until(lambda: pair.model.counters("eth0")["rxq0_overflows"] - before >= TIMES, 10,
                   "the fault strikes")
        flows(pair)
        assert_missed(pair)
        pair.testpmd("stop")


def assert_missed(pair):
    """With the sources at rest, every frame the FIFO lost is counted, and no other."""
    for name in DEVICES:
        pair.model.wire(name, action="stop")
    same(pair.testpmd.stats(0)["imissed"], pair.model.counters("eth0")["rxq0_overflows"], "imissed")


@tap.case("more losses than the hardware's own counter holds are all counted")
def many_overflows(build):
    with Work() as work, Pair(build, work, "source:{},len=64,pps=50000,wait=none") as pair:
        pair.testpmd("start")
        flows(pair)
        pair.testpmd("stop")
        # Nobody receives now: all is lost, for several looks of the driver at its counters.
        lost = pair.model.counters("eth0")["rxq0_overflows"]
        wait_until(lambda: pair.model.counters("eth0")["rxq0_overflows"] - lost > 60000, 10,
                   "60000 frames lost")
        assert_missed(pair)


@tap.case("a TX descriptor that is never given back: the queue stops, a restart helps", "stuck-own",
          0, "eth0")
@tap.case("a bus error on the TX channel: it stops, is told of, a restart helps", "bus-error", 0,
          "eth0")
@tap.case("an RX descriptor that is never given back: the other port falls silent, a restart helps",
          "stuck-own", RX, "eth1")
@tap.case("a bus error on the RX channel: it is told of, the other port falls silent, a restart "
          "helps", "bus-error", RX, "eth1")
def stuck_channel(build, fault, arg, silent):
    """A stopped RX channel has frames arrive that nobody takes: the model says so, rightly."""
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flows(pair)
        since = pair.testpmd.position()
        pair.model.fault("eth0", fault, arg, 1)
        stands(pair, silent)
        pair.model.clear_fault("eth0", fault)
        if fault == "bus-error":
            told_of_bus_error(pair, since)
        restart(pair)
        if fault == "bus-error" and arg == RX:
            pair.model.forget("eth0", "rx-channel-stopped")
        flows(pair)
        same(pair.testpmd.xstats(0)["dma_bus_errors"], int(fault == "bus-error"), "dma_bus_errors")
        same(pair.testpmd.xstats(0)["dma_descriptor_errors"], 0, "dma_descriptor_errors")
        same(pair.testpmd.xstats(1)["dma_bus_errors"], 0, "dma_bus_errors of the other port")
        same(pair.testpmd.said(since).count("reset event"), int(fault == "bus-error"), "events")
        pair.testpmd("stop")


def told_of_bus_error(pair, since):
    """An event, a line that says what happened and what helps, a counter."""
    pair.testpmd.wait_for("Port 0: reset event", 10, since)
    assert re.search("net_dwmac0: channel 0 stopped: bus error.*stop and start the port",
                     pair.testpmd.said(since)), pair.testpmd.said(since)
    same(pair.testpmd.xstats(0)["dma_bus_errors"], 1, "dma_bus_errors")


def link_status(pair):
    return pair.testpmd.telemetry("/ethdev/link_status,0")["status"]


@tap.case("every register reads all ones for a while: counters do not jump, traffic goes on")
def all_ones(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flows(pair)
        pair.model.fault("eth0", "all-ones", 0, times=0)
        for command in ("show port stats 0", "show port xstats 0", "show port info 0"):
            pair.testpmd(command, 30)
        wait_until(lambda: link_status(pair) == "DOWN", 10, "the fault shows as link down")
        pair.model.clear_fault("eth0", "all-ones")
        wait_until(lambda: link_status(pair) == "UP", 10, "link up again")
        flows(pair)
        pair.testpmd("stop")
        for name in DEVICES:
            pair.model.wire(name, action="stop")
        xstats, counters = pair.testpmd.xstats(0), pair.model.counters("eth0")
        for ours, theirs in (("mmc_rx_packets_gb", "mmc_rx_packets_good_bad"),
                             ("mmc_rx_octets_gb", "mmc_rx_octets_good_bad"),
                             ("mmc_tx_packets_gb", "mmc_tx_packets_good_bad"),
                             ("mmc_rx_crc_errors", "mmc_rx_crc_errors")):
            same(xstats[ours], counters[theirs], ours)
        assert xstats["rx_fifo_overflow"] <= counters["rxq0_overflows"], xstats["rx_fifo_overflow"]


@tap.case("a reset that never ends: no port, one message with the likely cause")
def endless_reset(build):
    with Work() as work, Model(build, work, {"eth0": {}}, ["sink:eth0"]) as model:
        model.fault("eth0", "stuck-self-clear", ANY, times=0)
        vdev = f"net_dwmac0,socket={model.sockets['eth0']}"
        with Testpmd(build, work, [vdev]) as testpmd:
            said = testpmd.said()
            ours = [line for line in said.splitlines() if line.startswith("dwmac")]
            same(len(ours), 1, f"messages ({ours})")
            assert re.search("MDIO does not answer|software reset does not end", ours[0]), ours
            model.clear_fault("eth0", "stuck-self-clear")
            said = testpmd(f"port attach {vdev}", 30)
            assert "is attached" in said, said


if __name__ == "__main__":
    tap.run(Build.from_arguments())
