# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""One of this folder's own programs on EAL: a command a line, an answer a line."""
import contextlib
import os
import shutil
import subprocess

from .telemetry import Telemetry
from .testpmd import memory_arguments

NS = 1000000000
EIO, EAGAIN, EINVAL, ERANGE, ENOTSUP, ETIMEDOUT = -5, -11, -22, -34, -95, -110


class LineProgram:
    """with LineProgram(name, build, work, model): the model's devices are ports 0, 1, …"""

    def __init__(self, name, build, work, model):
        self._name = name
        self._prefix = f"dwmac-e2e-{os.getpid()}-probe"
        self._log_path = work / "probe.log"
        command = [os.path.join(build.folder, "test/e2e", name), "-d", build.pmd, "--no-pci",
                   "--iova-mode=va", f"--file-prefix={self._prefix}", *memory_arguments(64),
                   "--lcores=0@0"]
        for index, device in enumerate(model.names):
            command += ["--vdev", f"net_dwmac{index},socket={model.sockets[device]}"]
        with open(self._log_path, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=log, text=True)
        self._telemetry = None
        while (line := self.process.stdout.readline()) != "ready\n":
            if not line:
                self.process.wait()
                raise AssertionError(f"{name} did not start:\n{self.log()}")

    def log(self):
        with open(self._log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        try:
            with contextlib.suppress(BrokenPipeError):  # it ended before; its status tells
                self.process.stdin.close()
            status = self.process.wait(20)
            assert kind is not None or status == 0, f"{self._name}: {status}\n{self.log()}"
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            if self._telemetry is not None:
                self._telemetry.close()
            self.process.stdout.close()
            shutil.rmtree(os.path.join("/var/run/dpdk", self._prefix), ignore_errors=True)

    def ask(self, *words):
        """The numbers of the answer; the first is the call's return value."""
        try:
            self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise AssertionError(f"{words}: {self._name} ended with {self.process.wait(20)}\n"
                                 f"{self.log()}")
        assert not line.startswith("?"), f"{words}: {line!r}\n{self.log()}"
        return [int(word) for word in line.split()]

    def xstats(self, port):
        if self._telemetry is None:
            self._telemetry = Telemetry(self._prefix)
        return self._telemetry(f"/ethdev/xstats,{port}")
