# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""contract.py BUILD: what ethdev promises an application, by a program that holds it to that.

Most of all what an application may do inside the callbacks of its port.
"""
import time

from lib.build import Build, Work, wait_until
from lib.line_program import EINVAL, EIO, ENOTSUP, ETIMEDOUT, LineProgram
from lib.model import Model
from lib.tap import Tap, same

tap = Tap()
# The driver looks every half second; waiting is bounded by much more.
WAIT_MS = 10000
# Longer than the interval between two looks, for what must not come
QUIET_S = 0.8
UP, DOWN = 1, 0


class Contract:
    """A model with devices, each with a source of frames, and contract_probe on them."""

    def __init__(self, build, work, devices=("eth0",), wire="source:{},len=64,pps=1000"):
        self.model = Model(build, work, {name: {} for name in devices},
                           [wire.format(name) for name in devices])
        try:
            self.probe = LineProgram("contract_probe", build, work, self.model)
        except AssertionError:
            self.model.close()
            raise
        self._settled = {}  # link events that belong to the start, per port

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.probe.__exit__(*error)
        finally:
            self.model.__exit__(*error)

    def call(self, verb, port=0, *arguments):
        """The return value of a call that gives nothing else."""
        ret, *rest = self.probe.ask(verb, port, *arguments)
        assert not rest, f"{verb}: {rest}"
        return ret

    def started(self, port=0, lsc=1, rmv=1, lpbk=0):
        """Configure and start, and wait until the link is up and the event of that is over."""
        self.good("configure", port, lpbk, lsc, rmv)
        self.good("rxq", port, "plain")
        self.good("txq", port, "plain")
        self.start(port)

    def start(self, port=0):
        self.good("start", port)
        self.wait_link(UP, port)
        time.sleep(QUIET_S)
        self._settled[port] = 0
        self._settled[port] = self.count("lsc", port)

    def good(self, verb, port=0, *arguments):
        same(self.call(verb, port, *arguments), 0, f"{verb} of port {port}")

    def wait_link(self, status, port=0):
        wait_until(lambda: self.probe.ask("link", port)[1] == status, WAIT_MS / 1000,
                   f"link of port {port} {'up' if status else 'down'}")

    def event(self, kind, count, port=0):
        """(result of what the callback did, link it saw), once that many came since start."""
        count += self._before(kind, port)
        ret, seen, result, status = self.probe.ask("wait", port, kind, count, WAIT_MS)
        same((ret, seen), (0, count), f"{kind} events of port {port}")
        return result, status

    def quiet(self, kind, count, port=0):
        """No more events than that come."""
        time.sleep(QUIET_S)
        same(self.count(kind, port), count, f"{kind} events of port {port}")

    def count(self, kind, port=0):
        return self.probe.ask("wait", port, kind, 0, 0)[1] - self._before(kind, port)

    def _before(self, kind, port):
        return self._settled.get(port, 0) if kind == "lsc" else 0

    def all_mbufs_back(self):
        same(self.probe.ask("mbufs", 0), [0, 0], "mbufs in use")


def both_alive(contract, port):
    """The interrupt thread still serves: another port's link events arrive."""
    before = contract.count("lsc", port)
    contract.model.link(contract.model.names[port], up=False)
    same(contract.event("lsc", before + 1, port)[1], DOWN, "link of the other port in its callback")
    contract.model.link(contract.model.names[port], up=True)
    same(contract.event("lsc", before + 2, port)[1], UP, "link of the other port in its callback")


# ---- callbacks ----

def unplug(contract, action):
    """The link goes down; `action` happens in the callback."""
    contract.probe.ask("on", 0, "lsc", action)
    before = contract.count("lsc")
    contract.model.link("eth0", up=False)
    same(contract.event("lsc", before + 1), (0, DOWN), f"{action} in the callback, link")
    contract.quiet("lsc", before + 1)


def bus_error(contract, action):
    contract.probe.ask("on", 0, "reset", action)
    before = contract.count("reset")
    contract.model.fault("eth0", "bus-error", 0)
    contract.good("send")
    same(contract.event("reset", before + 1)[0], 0, f"{action} in the callback")
    contract.model.clear_fault("eth0", "bus-error")
    contract.quiet("reset", before + 1)


@tap.case("the port is stopped when its link goes down, in the callback; it starts again", unplug,
          "stop")
@tap.case("the port is closed when its link goes down, in the callback", unplug, "close")
@tap.case("a bus error: an event, in which the port is stopped; it starts again", bus_error,
          "stop")
@tap.case("a bus error: an event, in which the port is closed", bus_error, "close")
def in_callback(build, strike, action):
    """The other port's events go on, nothing leaks; the second time no start clears up."""
    with Work() as work, Contract(build, work, ("eth0", "eth1")) as contract:
        contract.started(0)
        contract.started(1)
        strike(contract, action)
        if action == "stop":
            contract.probe.ask("on", 0, "lsc", "nothing")
            contract.model.link("eth0", up=True)
            contract.start()
            strike(contract, action)
            contract.good("close")
            time.sleep(QUIET_S)  # an alarm left behind would meet the closed port
        both_alive(contract, 1)
        same(contract.call("valid"), 0, "port 0 is there")
        contract.good("stop", 1)
        contract.all_mbufs_back()


@tap.case("the port is closed when its device is pulled, in the callback; the other one goes on",
          "close")
@tap.case("the port is stopped when its device is pulled, in the callback, and closed later",
          "stop")
def in_rmv(build, action):
    with Work() as work, Contract(build, work, ("eth0", "eth1")) as contract:
        contract.started(0)
        contract.started(1)
        contract.probe.ask("on", 0, "rmv", action)
        contract.model.ctl("remove", "eth0")
        same(contract.event("rmv", 1), (0, DOWN), f"{action} in the callback, link")
        both_alive(contract, 1)
        same(contract.call("valid"), int(action == "stop"), "port 0 is there")
        if action == "stop":
            contract.good("close")
        contract.good("stop", 1)
        contract.all_mbufs_back()
        same(contract.count("rmv"), 1, "removal events")


@tap.case("the port takes its own link down and up: both are events")
def own_link(build):
    with Work() as work, Contract(build, work) as contract:
        contract.started()
        contract.good("down")
        same(contract.event("lsc", 1)[1], DOWN, "link in the callback")
        contract.quiet("lsc", 1)
        contract.good("up")
        same(contract.event("lsc", 2)[1], UP, "link in the callback")
        contract.quiet("lsc", 2)


@tap.case("who did not ask for link and removal events gets none")
def unasked(build):
    with Work() as work, Contract(build, work) as contract:
        contract.started(lsc=0, rmv=0)
        contract.good("down")
        contract.wait_link(DOWN)
        contract.quiet("lsc", 0)
        contract.model.ctl("remove", "eth0")
        wait_until(lambda: contract.call("removed"), 10, "the port is removed")
        contract.quiet("rmv", 0)


# ---- calls ----

@tap.case("a removed port: filters and address are refused with EIO, and so is a start")
def removed(build):
    with Work() as work, Contract(build, work) as contract:
        contract.started(rmv=0)
        contract.model.ctl("remove", "eth0")
        wait_until(lambda: contract.call("removed"), 10, "the port is removed")
        for verb in ("promisc", "allmulti", "address"):
            same(contract.call(verb), EIO, verb)
        contract.good("stop")
        contract.all_mbufs_back()
        same(contract.call("start"), EIO, "start")
        contract.good("close")


@tap.case("a link that was taken down comes back with the next start")
def down_and_restart(build):
    with Work() as work, Contract(build, work) as contract:
        contract.started()
        contract.good("down")
        contract.wait_link(DOWN)
        contract.good("stop")
        contract.good("start")
        contract.wait_link(UP)


@tap.case("loopback modes: none and the MAC's own; others are refused with EINVAL")
def loopback(build):
    with Work() as work, Contract(build, work, wire="sink:{}") as contract:
        for mode in (2, 3, 0xffffffff):
            same(contract.call("configure", 0, mode, 0, 0), EINVAL, f"mode {mode}")
        contract.started(lpbk=1)
        contract.good("loopback")
        contract.good("stop")
        contract.started(lpbk=0)
        same(contract.call("loopback"), ETIMEDOUT, "a frame that is not to come back")


@tap.case("queues that start later are refused with ENOTSUP; then plain ones work")
def deferred(build):
    with Work() as work, Contract(build, work) as contract:
        contract.good("configure", 0, 0, 0, 0)
        for queue in ("rxq", "txq"):
            same(contract.call(queue, 0, "deferred"), ENOTSUP, f"deferred {queue}")
        contract.started()


@tap.case("a pool of pinned external buffers is refused with ENOTSUP; then a plain one works")
def pinned(build):
    with Work() as work, Contract(build, work) as contract:
        contract.good("configure", 0, 0, 0, 0)
        same(contract.call("rxq", 0, "pinned"), ENOTSUP, "RX queue with a pinned pool")
        assert "external buffers" in contract.probe.log(), contract.probe.log()
        contract.started()


if __name__ == "__main__":
    tap.run(Build.from_arguments())
