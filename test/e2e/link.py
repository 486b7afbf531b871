# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""link.py BUILD: the link goes and comes, slower and faster; testpmd learns of it."""
from lib.build import Build, Work, wait_until
from lib.pair import DEVICES, Pair
from lib.tap import Tap, between, same

tap = Tap()
FRAME = 1518
TRAFFIC = f"source:{{}},len={FRAME},wait=none"
# Preamble, SFD and gap
ON_WIRE_BITS = (FRAME + 20) * 8
EVENT = "Port 0: link state change event"
# Autonegotiation, and the interval at which the driver looks
LINK_S = 10


def status(testpmd):
    info = testpmd.telemetry("/ethdev/link_status,0")
    return info["status"], info.get("speed", 0)


def wait_status(pair, up, mbps=1000):
    wanted = ("UP", mbps) if up else ("DOWN", 0)
    wait_until(lambda: status(pair.testpmd) == wanted, LINK_S,
               lambda: f"link {wanted}, is {status(pair.testpmd)}")


def set_link(pair, up, mbps=1000):
    since = pair.testpmd.position()
    pair.model.link("eth0", up=up, mbps=mbps)
    wait_status(pair, up, mbps)
    pair.testpmd.wait_for(EVENT, LINK_S, since)


def rate_mbps(pair, frames):
    """Bits on the wire of eth0, over true time, once frames flow."""
    def now():
        return pair.sent("eth0"), pair.model.hold("eth0")["last_writeback_ns"]

    first = pair.sent("eth0")
    wait_until(lambda: pair.sent("eth0") > first, LINK_S, "frames leave eth0")
    sent, start_ns = now()
    wait_until(lambda: pair.sent("eth0") - sent >= frames, 20, f"{frames} frames leave eth0")
    sent_then, then_ns = now()
    return (sent_then - sent) * ON_WIRE_BITS * 1000 / (then_ns - start_ns)


@tap.case("down and up: event, port information, and traffic both ways resumes")
def down_up(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        same(status(pair.testpmd), ("UP", 1000), "link at the start")
        pair.testpmd("start")
        set_link(pair, False)
        assert "Link status: down" in pair.testpmd("show port info 0")
        before = pair.sent("eth0")
        set_link(pair, True)
        info = pair.testpmd("show port info 0")
        assert "Link status: up" in info and "Link speed: 1 Gbps" in info, info
        assert "Link duplex: full-duplex" in info, info
        wait_until(lambda: pair.sent("eth0") - before > 1000, 10, "traffic resumes")
        pair.testpmd("stop")


@tap.case("100, 10 and 1000 Mb/s: traffic at the rate of the link")
def speeds(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        for mbps, text, frames in ((100, "100 Mbps", 4000), (10, "10 Mbps", 800)):
            set_link(pair, False)
            set_link(pair, True, mbps)
            assert f"Link speed: {text}" in pair.testpmd("show port info 0")
            between(rate_mbps(pair, frames), mbps * 0.95, mbps * 1.01, f"Mb/s on a {mbps} link")
        set_link(pair, False)
        set_link(pair, True, 1000)
        between(rate_mbps(pair, 10000), 101, 1001, "Mb/s on a 1000 link")
        pair.testpmd("stop")


@tap.case("20 flaps, faster than autonegotiation at times; then all is as before")
def flaps(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        for turn in range(20):
            pair.model.link("eth0", up=False)
            if turn % 4 == 0:
                wait_status(pair, False)
            pair.model.link("eth0", up=True)
            if turn % 2 == 0:
                wait_status(pair, True)
        wait_status(pair, True)
        for name in DEVICES:
            before = pair.sent(name)
            wait_until(lambda: pair.sent(name) - before > 1000, 10, f"{name} sends")
        pair.testpmd("stop")
        assert pair.testpmd.xstats(0)["link_changes"] >= 10, pair.testpmd.xstats(0)["link_changes"]


@tap.case("the port itself takes its link down and up")
def set_link_from_port(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("start")
        pair.testpmd("set link-down port 0")
        wait_status(pair, False)
        pair.testpmd("set link-up port 0")
        wait_status(pair, True)
        before = pair.sent("eth0")
        wait_until(lambda: pair.sent("eth0") - before > 1000, 10, "eth0 sends again")
        pair.testpmd("stop")


@tap.case("a fixed speed, and one that cannot be")
def fixed_speed(build):
    with Work() as work, Pair(build, work, TRAFFIC) as pair:
        pair.testpmd("port stop 0")
        pair.testpmd("port config 0 speed 100 duplex full")
        pair.testpmd("port start 0", 30)
        wait_status(pair, True, 100)
        pair.testpmd("port stop 0")
        pair.testpmd("port config 0 speed 40000 duplex full")
        said = pair.testpmd("port start 0", 30)
        assert "Fail to configure port 0" in said, said
        pair.testpmd("port config 0 speed auto duplex auto")
        pair.testpmd("port start 0", 30)
        wait_status(pair, True)


if __name__ == "__main__":
    tap.run(Build.from_arguments())
