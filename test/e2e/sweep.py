# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""sweep.py BUILD: sent buffers come back although traffic stopped.

testpmd's usual layout: one lcore receives on port 0 and sends on port 1, the other the other way
round; neither polls the receive side of the port it sends on. The model knows when the last
buffer was written back, true time; every mbuf has to be free tx_usecs and a poll later.
"""
import time

from lib.build import Build, Work, wait_until
from lib.model import Model
from lib.pauses import Pauses
from lib.tap import Tap, between, note, same
from lib.testpmd import Testpmd

tap = Tap()
DEVICES = ("eth0", "eth1")
RING = 512
# With a refill threshold of one a ring that has been polled holds all its mbufs but one.
ARGUMENTS = ["--nb-cores=2", "--rxfreet=1", f"--rxd={RING}", f"--txd={RING}"]
IN_RX_RINGS = len(DEVICES) * (RING - 1)
SWEEP_EVERY = 32
# The rings take what comes in 100 ms without anybody polling.
PPS = 5000
# How late a poll, and a look at testpmd, may be on a machine that runs all three programs. What it
# kept them from running comes on top: see Pauses.
POLL_S = 0.1


class Bench:
    """Two sources, two ports, counted."""

    def __init__(self, build, work, tx_usecs, count, pps, eal=(), devargs="", arguments=()):
        wires = [f"source:{name},len=64,count={count},pps={pps},wait=start" for name in DEVICES]
        self.model = Model(build, work, {name: {} for name in DEVICES}, wires)
        self._pauses = Pauses()
        vdevs = [f"net_dwmac{i},socket={self.model.sockets[name]},tx_usecs={tx_usecs}{devargs}"
                 for i, name in enumerate(DEVICES)]
        try:
            self.testpmd = Testpmd(build, work, vdevs, [*ARGUMENTS, *arguments], eal=eal)
            # Else testpmd drops what a full ring refuses, and the ring is full when the model
            # had no CPU for a while.
            self.testpmd("set burst tx delay 10 retry 100000")
            self.testpmd("set fwd io retry")
        except AssertionError:
            self.model.close()
            raise

    def __enter__(self):
        self._pauses.__enter__()
        self._pauses.watch(self.testpmd.process.pid)
        return self

    def __exit__(self, *error):
        self._pauses.__exit__()
        try:
            self.testpmd.__exit__(*error)
        finally:
            self.model.__exit__(*error)

    def poll_s(self, since_s=0.0):
        """How late a poll may have been; since_s as paused_s() said it."""
        return POLL_S + self.paused_s() - since_s

    def paused_s(self):
        return self._pauses.seconds()

    def play(self):
        """Starts both sources; returns, per device, the frames sent in all and the true time of the
        last write-back. What a slow machine loses on the way in is not sent."""
        for name in DEVICES:
            self.model.wire(name, action="start")
        wait_until(self._all_sent, 30, self._progress, every_s=0.002)
        holds = [self.model.hold(name) for name in DEVICES]
        return [hold["packets"] for hold in holds], max(h["last_writeback_ns"] for h in holds)

    def _all_sent(self):
        wires = [self.model.wire(name) for name in DEVICES]
        return all(wire["finished"] and other["rx_frames"] == self.model.hold(name)["packets"]
                   for name, wire, other in zip(DEVICES, wires, reversed(wires)))

    def _progress(self):
        return {name: (self.model.hold(name), self.model.wire(name)) for name in DEVICES}

    def held(self):
        return self.testpmd.mbufs_in_use() - IN_RX_RINGS


def sample_until_free(bench, seconds):
    """[(monotonic s before asking, mbufs held, s paused)] until none is held any more."""
    samples = []
    deadline = time.monotonic() + seconds
    while not samples or samples[-1][1] != 0:
        samples.append((time.monotonic(), bench.held(), bench.paused_s()))
        assert time.monotonic() < deadline, f"after {seconds} s {samples[-1][1]} mbufs are held"
        time.sleep(0.01)
    return samples


@tap.case("the same with an interval five times as long", 1000000)
@tap.case("every mbuf is back one interval after the last write-back, and none is lost", 200000)
def comes_back(build, tx_usecs):
    # Not a multiple of the count that triggers a sweep: the rest has to wait for the clock.
    count = 40 * SWEEP_EVERY + 7
    with Work() as work, Bench(build, work, tx_usecs, count, PPS) as bench:
        bench.testpmd("start")
        wait_until(lambda: bench.held() == 0, 10, "both lcores have polled and nothing is held")
        paused_s = bench.paused_s()
        sent, last_ns = bench.play()
        samples = sample_until_free(bench, 10)
        due_s = last_ns / 1e9 + tx_usecs / 1e6
        # Pauses before the deadline delay nothing.
        paused_s = max([paused_s, *(paused for at, _, paused in samples if at < due_s)])
        between(samples[-1][0] - due_s, -tx_usecs / 1e6, bench.poll_s(paused_s),
                "seconds from the time the last mbuf was due to the time it was back")
        # Whoever frees at once would pass the line above without a sweep. A test that was paused
        # for the whole interval sees nothing of it; check_counters() still does.
        if samples[0][0] < due_s:
            assert samples[0][1] > 0, "no mbuf was held when traffic stopped: nothing was shown"
        note(f"{sum(sent)} frames sent; the last buffer was back "
             f"{samples[-1][0] - last_ns / 1e9:.3f} s after its write-back, interval "
             f"{tx_usecs / 1e6} s")
        for port in range(len(DEVICES)):
            check_counters(bench.testpmd.xstats(port), sent[port], bench.poll_s())


def check_counters(xstats, sent, poll_s):
    same(xstats["tx_q0_sweep_freed"], sent, "descriptors freed")
    assert xstats["tx_q0_sweep_runs_due"] >= 1, "no sweep ran because of its deadline"
    between(xstats["tx_q0_sweep_arms"], 1, sent / 100, "sweeps armed: few, whatever the packets")
    between(xstats["tx_q0_sweep_late_max_ns"], 0, poll_s * 1e9, "ns a due sweep waited for a poll")


@tap.case("traffic that goes on does not postpone the deadline")
def not_postponed(build):
    # The count would trigger at 255 only.
    count, pps, tx_usecs = 240, 200, 200000
    with Work() as work, Bench(build, work, tx_usecs, count, pps,
                               arguments=["--txrst=255"]) as bench:
        bench.testpmd("start")
        most = 0
        for name in DEVICES:
            bench.model.wire(name, action="start")
        while any(bench.model.hold(name)["packets"] < count for name in DEVICES):
            most = max(most, bench.held())
            time.sleep(0.005)
        between(most, 1, len(DEVICES) * pps * (tx_usecs / 1e6 + bench.poll_s()), "mbufs held")
        assert bench.testpmd.xstats(0)["tx_q0_sweep_freed"] > 0, "nothing came back under traffic"


@tap.case("without an interval fewer packets than the count stay; tx_done_cleanup takes them back")
def stays(build):
    count = SWEEP_EVERY - 12
    with Work() as work, Bench(build, work, 0, count, PPS) as bench:
        bench.testpmd("start")
        same(bench.play()[0], [count] * len(DEVICES), "frames sent")
        time.sleep(1)
        same(bench.held(), len(DEVICES) * count, "mbufs held without a sweep")
        bench.testpmd("stop")
        said = bench.testpmd("port cleanup 0 txq 0 5")
        same(bench.held(), len(DEVICES) * count - 5, f"mbufs held after freeing 5 ({said})")
        clean_up(bench)


def clean_up(bench):
    said = [bench.testpmd(f"port cleanup {port} txq 0 0") for port in range(len(DEVICES))]
    same(bench.held(), 0, f"mbufs held after tx_done_cleanup {said}")


@tap.case("by count alone at most that many are held under traffic")
def by_count(build):
    count = 100 * SWEEP_EVERY
    with Work() as work, Bench(build, work, 0, count, PPS) as bench:
        bench.testpmd("start")

        def few_are_held():
            bench.play()
            time.sleep(0.2)
            # One burst may pass the threshold before the next one looks.
            return bench.held() <= len(DEVICES) * 2 * SWEEP_EVERY

        # The last burst frees only what the device is through with. A model that had no CPU just
        # then gets another chance.
        wait_until(few_are_held, 20, lambda: f"{bench.held()} mbufs held")
        for port in range(len(DEVICES)):
            same(bench.testpmd.xstats(port)["tx_q0_sweep_arms"], 0, "sweeps armed")


@tap.case("a lcore that sent and went away: with the service all come back", True)
@tap.case("a lcore that sent and went away leaves some behind, tx_done_cleanup takes them", False)
def only_sends(build, service):
    """Nobody polls after «stop»: the promise to sweep is with a lcore that sleeps."""
    eal = ["--lcores=0@0,1@0,2@1,3@1", "-S", "3"] if service else []
    devargs = f",sweep_service={int(service)}"
    with Work() as work, Bench(build, work, 50000, 1, 1000, eal, devargs) as bench:
        bench.testpmd("set fwd txonly")
        bench.testpmd("start")
        wait_until(lambda: all(bench.model.hold(name)["packets"] > 1000 for name in DEVICES), 10,
                   "traffic")
        bench.testpmd("stop")
        wait_until(lambda: all(bench.model.hold(name)["owned"] == 0 for name in DEVICES), 10,
                   "the device is done with all buffers")
        if service:
            wait_until(lambda: bench.held() == 0, 10, "the service sweeps")
        else:
            time.sleep(0.05 + POLL_S)
            assert bench.held() > 0, "nobody polls, and still all came back: nothing was shown"
            clean_up(bench)


if __name__ == "__main__":
    tap.run(Build.from_arguments())
