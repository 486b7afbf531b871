# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""The device model as a child process, and its control socket."""
import json
import os
import signal
import socket
import subprocess

from .build import wait_until


class Model:
    """with Model(build, work, devices={"eth0": {}, "eth1": {"mac": …}}, wires=["cable:eth0,eth1"])

    Every device gets a socket in the work folder. Leaving the block fails if a device has
    complaints that the test did not forget() about.
    """

    def __init__(self, build, work, devices, wires=(), arguments=()):
        self.build = build
        self.names = list(devices)
        self.sockets = {name: work / f"{name}.sock" for name in devices}
        self.control_path = work / "control.sock"
        self.log_path = work / "model.log"
        self._command = [build.model, "--control", self.control_path, *arguments]
        for name, options in devices.items():
            spec = {"name": name, "socket": self.sockets[name], **options}
            self._command += ["--device", ",".join(f"{k}={v}" for k, v in spec.items())]
        for wire in wires:
            self._command += ["--wire", wire]
        self._control = None
        self.process = None
        self.start()

    def start(self):
        """Also to be called to come back after kill()."""
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log)
        try:
            wait_until(self._ready, 10, "the model opens its sockets")
        except AssertionError as error:
            self.close()
            raise AssertionError(f"{error}; it said:\n{self.log()}") from None

    def _ready(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the model ended with {self.process.returncode}")
        if not all(os.path.exists(path) for path in self.sockets.values()):
            return False
        try:
            self._control = socket.socket(socket.AF_UNIX)
            self._control.settimeout(10)
            self._control.connect(self.control_path)
        except OSError:
            self._control.close()
            return False
        self._replies = self._control.makefile("r", encoding="utf-8")
        return True

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        try:
            if kind is None and self.process.poll() is None:
                self.assert_no_complaints()
        finally:
            self.close()

    def close(self):
        if self._control is not None:
            self._control.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        said = self.log()
        assert "Sanitizer" not in said and "runtime error" not in said, said

    def kill(self):
        """Surprise removal of everything, as a crash would do it."""
        self.process.kill()
        self.process.wait()
        self._control.close()

    def ctl(self, cmd, device=None, **arguments):
        request = {"cmd": cmd, **arguments}
        if device is not None:
            request["device"] = device
        self._control.sendall(json.dumps(request).encode() + b"\n")
        reply = json.loads(self._replies.readline() or '{"ok": false, "error": "hung up"}')
        assert reply.pop("ok"), f"model refuses {request}: {reply.get('error')}"
        return reply

    def counters(self, device):
        return self.ctl("counters", device)["counters"]

    def wire(self, device, **arguments):
        """The wire's counters, after action=… or set={…}."""
        return self.ctl("wire", device, **arguments)["counters"]

    def complaints(self, device):
        """{kind: count}"""
        counts = {}
        for each in self.ctl("complaints", device)["complaints"]:
            counts[each["kind"]] = counts.get(each["kind"], 0) + each["count"]
        return counts

    def forget(self, device, *kinds):
        """Complaints of these kinds were provoked; any other is still a failure."""
        said = self.ctl("complaints", device, clear=True)["complaints"]
        rest = [each for each in said if each["kind"] not in kinds]
        assert not rest, f"{device}: complaints {rest}"

    def assert_no_complaints(self):
        for name in self.names:
            said = self.ctl("complaints", name)["complaints"]
            assert not said, f"{name}: complaints {said}"

    def truth(self):
        """true_ns and, per device, the clock out of its oscillator, all at one instant."""
        reply = self.ctl("truth")
        return reply["true_ns"], reply["clocks"]

    def hold(self, device, channel=0):
        return self.ctl("hold", device)["channels"][channel]

    def link(self, device, **arguments):
        return self.ctl("link", device, **arguments)

    def fault(self, device, name, arg=0, times=1):
        self.ctl("fault", device, name=name, arg=arg, times=times)

    def clear_fault(self, device, name):
        self.fault(device, name, times=-1)
