# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""timesync_probe (beside this folder) as a child process: ethdev's timesync calls by hand."""
from .line_program import NS, LineProgram


class Call:
    """What a call returned, and when it was made: CLOCK_MONOTONIC, the model's true time."""

    def __init__(self, words):
        self.ret, self.before_ns, self.after_ns = words[:3]
        self.time_ns = words[3] * NS + words[4] if len(words) == 5 else None


class Probe(LineProgram):
    """with Probe(build, work, model): the devices of the model are ports 0, 1, …"""

    def __init__(self, build, work, model):
        super().__init__("timesync_probe", build, work, model)

    def simple(self, verb, port):
        """enable, disable, restart: the return value"""
        return self.ask(verb, port)[0]

    def read(self, port):
        return Call(self.ask("read", port))

    def write(self, port, seconds, nanoseconds):
        return Call(self.ask("write", port, seconds, nanoseconds))

    def adjust(self, port, delta_ns):
        return Call(self.ask("adjust", port, delta_ns))

    def freq(self, port, scaled_ppm):
        return Call(self.ask("freq", port, scaled_ppm))

    def send(self, port, frame, want_stamp):
        return Call(self.ask("send", port, int(want_stamp), frame.hex()))

    def tx_stamp(self, port, wait_us=100000):
        """(return value, ns)"""
        ret, seconds, nanoseconds = self.ask("txstamp", port, wait_us)
        return ret, seconds * NS + nanoseconds

    def receive(self, port, wait_us=1000000):
        """(is PTP, is stamped, flags for rx_stamp), or None"""
        words = self.ask("recv", port, wait_us)
        return (bool(words[1]), bool(words[2]), words[3]) if words[0] == 0 else None

    def rx_stamp(self, port, flags):
        ret, seconds, nanoseconds = self.ask("rxstamp", port, flags)
        return ret, seconds * NS + nanoseconds
