# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""timesync_probe (beside this folder) as a child process: ethdev's timesync calls by hand."""
import os
import shutil
import subprocess

from .telemetry import Telemetry
from .testpmd import memory_arguments

NS = 1000000000
EINVAL, ERANGE, ETIMEDOUT, EAGAIN = -22, -34, -110, -11


class Call:
    """What a call returned, and when it was made: CLOCK_MONOTONIC, the model's true time."""

    def __init__(self, words):
        self.ret, self.before_ns, self.after_ns = words[:3]
        self.time_ns = words[3] * NS + words[4] if len(words) == 5 else None


class Probe:
    """with Probe(build, work, model): the devices of the model are ports 0, 1, …"""

    def __init__(self, build, work, model):
        self._prefix = f"dwmac-e2e-{os.getpid()}-probe"
        self._log_path = work / "probe.log"
        command = [os.path.join(build.folder, "test/e2e/timesync_probe"), "--no-pci",
                   "--iova-mode=va", f"--file-prefix={self._prefix}", *memory_arguments(64),
                   "--lcores=0@0"]
        for index, name in enumerate(model.names):
            command += ["--vdev", f"net_dwmac{index},socket={model.sockets[name]}"]
        with open(self._log_path, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=log, text=True)
        self._telemetry = None
        while (line := self.process.stdout.readline()) != "ready\n":
            if not line:
                self.process.wait()
                raise AssertionError(f"timesync_probe did not start:\n{self.log()}")

    def log(self):
        with open(self._log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        try:
            self.process.stdin.close()
            status = self.process.wait(20)
            assert kind is not None or status == 0, f"timesync_probe: {status}\n{self.log()}"
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            if self._telemetry is not None:
                self._telemetry.close()
            self.process.stdout.close()
            shutil.rmtree(os.path.join("/var/run/dpdk", self._prefix), ignore_errors=True)

    def _ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line and not line.startswith("?"), f"{words}: {line!r}\n{self.log()}"
        return [int(word) for word in line.split()]

    def simple(self, verb, port):
        """enable, disable, restart: the return value"""
        return self._ask(verb, port)[0]

    def read(self, port):
        return Call(self._ask("read", port))

    def write(self, port, seconds, nanoseconds):
        return Call(self._ask("write", port, seconds, nanoseconds))

    def adjust(self, port, delta_ns):
        return Call(self._ask("adjust", port, delta_ns))

    def freq(self, port, scaled_ppm):
        return Call(self._ask("freq", port, scaled_ppm))

    def send(self, port, frame, want_stamp):
        return Call(self._ask("send", port, int(want_stamp), frame.hex()))

    def tx_stamp(self, port, wait_us=100000):
        """(return value, ns)"""
        ret, seconds, nanoseconds = self._ask("txstamp", port, wait_us)
        return ret, seconds * NS + nanoseconds

    def receive(self, port, wait_us=1000000):
        """(is PTP, is stamped, flags for rx_stamp), or None"""
        words = self._ask("recv", port, wait_us)
        return (bool(words[1]), bool(words[2]), words[3]) if words[0] == 0 else None

    def rx_stamp(self, port, flags):
        ret, seconds, nanoseconds = self._ask("rxstamp", port, flags)
        return ret, seconds * NS + nanoseconds

    def xstats(self, port):
        if self._telemetry is None:
            self._telemetry = Telemetry(self._prefix)
        return self._telemetry(f"/ethdev/xstats,{port}")
