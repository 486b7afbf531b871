# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""removal.py BUILD: the device goes away, or stops answering, under traffic."""
import glob
import os
import signal
import time

from lib.build import Build, Work, wait_until
from lib.pair import DEVICES, Pair
from lib.tap import Tap, between, same

tap = Tap()
TRAFFIC = "source:{},len=64,pps=20000,wait=none"


def flowing(pair, name="eth0"):
    before = pair.sent(name)
    wait_until(lambda: pair.sent(name) - before > 1000, 10,
               lambda: f"traffic from {name} ({pair.model.wire(name)})")


def leave(testpmd):
    started = time.monotonic()
    status = testpmd.quit(20)
    same(status, 0, f"testpmd's status ({testpmd.said()[-1500:]})")
    between(time.monotonic() - started, 0, 15, "seconds to quit")


@tap.case("the model is killed: removal event, testpmd closes the ports and leaves with 0")
def killed(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flowing(pair)
        pair.model.kill()
        for port in range(len(DEVICES)):
            pair.testpmd.wait_for(f"Port {port}: device removal event", 10)
            pair.testpmd.wait_for(f"Port {port} is closed", 20)
        assert "Segmentation" not in pair.testpmd.said()
        leave(pair.testpmd)


@tap.case("the model is killed while nothing forwards: stop, close, detach by hand work as well")
def killed_at_rest(build):
    with Work() as work, Pair(build, work, TRAFFIC, ["--mask-event", "intr_rmv"]) as pair:
        pair.testpmd("start")
        flowing(pair)
        pair.testpmd("stop")
        pair.model.kill()
        time.sleep(0.5)
        for command in ("show port info 0", "show port stats 0", "show port xstats 0",
                        "set promisc 0 off", "set link-down port 0", "port stop all",
                        "port start all", "port stop all", "port close all"):
            pair.testpmd(command, 30)
        same(pair.testpmd.mbufs_in_use(), 0, "mbufs in use after close")
        leave(pair.testpmd)


@tap.case("one of two devices is pulled: the other one goes on")
def one_of_two(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flowing(pair)
        pair.model.ctl("remove", "eth0")
        pair.testpmd.wait_for("Port 0: device removal event", 10)
        pair.testpmd.wait_for("Port 0 is closed", 20)
        # testpmd starts forwarding anew by itself, with the port that stayed.
        flowing(pair, "eth1")
        assert "Link status: up" in pair.testpmd("show port info 1")
        pair.testpmd("stop")
        leave(pair.testpmd)
        # What was cut off in the middle of a transfer is no driver's fault.
        same(pair.model.complaints("eth1"), {}, "complaints of the device that stayed")


def lcore_seconds(testpmd):
    """CPU time that each forwarding lcore has had."""
    tick = os.sysconf("SC_CLK_TCK")
    seconds = []
    for path in glob.glob(f"/proc/{testpmd.process.pid}/task/*/stat"):
        with open(path, encoding="ascii") as file:
            name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        if "-worker-" in name:
            seconds.append(int(rest.split()[11]) / tick)
    return seconds


@tap.case("the model stops for 2 s: no lcore hangs, tails are owed, traffic resumes")
def stalled(build):
    # One packet, one doorbell: more of them than a socket holds.
    with Work() as work, Pair(build, work, "sink:{}", ["--burst=1", "--txd=1024"]) as pair:
        pair.testpmd("set fwd txonly")
        pair.testpmd("start")
        flowing(pair)
        pair.model.process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        before = lcore_seconds(pair.testpmd)
        time.sleep(1)
        after = lcore_seconds(pair.testpmd)
        # The lcores stop with their doorbells owed; the main one waits for the model's answer.
        since = pair.testpmd.position()
        pair.testpmd.send("stop")
        time.sleep(0.5)
        pair.model.process.send_signal(signal.SIGCONT)
        pair.testpmd.wait_prompt(20, since)
        same(len(before), 2, "forwarding lcores")
        for first, then in zip(before, after):
            assert then - first > 0.02, f"a lcore slept while the model did: {before} … {after}"
        owed = [pair.testpmd.xstats(port)["tx_q0_tails_owed"] for port in (0, 1)]
        assert all(owed), f"the socket never was full: tails owed {owed}"
        all_is_out(pair)
        assert "removal event" not in pair.testpmd.said()


def all_is_out(pair):
    """Once the lcores poll again, with nothing new to send, the device gets every packet."""
    pair.testpmd("set fwd io")
    pair.testpmd("start")

    def counts():
        return [(pair.model.hold(name)["packets"], pair.testpmd.stats(port)["opackets"])
                for port, name in enumerate(DEVICES)]

    wait_until(lambda: all(device == driver for device, driver in counts()), 10,
               lambda: f"all that was sent is out (device, driver: {counts()})")
    pair.testpmd("stop")
    pair.testpmd("set fwd txonly")
    pair.testpmd("start")
    flowing(pair)
    flowing(pair, "eth1")
    pair.testpmd("stop")


@tap.case("the model stops for longer than a request may take: removal, not a hang")
def stalled_for_good(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        flowing(pair)
        pair.model.process.send_signal(signal.SIGSTOP)
        pair.testpmd.wait_for("Port 0: device removal event", 20)
        pair.testpmd.wait_for("Port 1: device removal event", 20)
        pair.testpmd.wait_for("Now total ports is 0", 40)
        leave(pair.testpmd)
        pair.model.process.send_signal(signal.SIGCONT)
        wait_until(lambda: not any(each["connected"] for each in
                                   pair.model.ctl("devices")["devices"]), 5, "clients are gone")


if __name__ == "__main__":
    tap.run(Build.from_arguments())
