# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""dpdk-testpmd as a child process on a terminal, driven by commands."""
import itertools
import os
import pty
import re
import shutil
import subprocess
import threading
import time
import tty

from .telemetry import Telemetry

# Another thread's words may stand in the middle of it.
EVENT = re.compile(r"Port \d+: [a-z ]* event\n")
PROMPT = re.compile("\n*".join(re.escape(each) for each in "testpmd> "))
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_numbers = itertools.count()


def memory_arguments(megabytes):
    """Hugepages where there are enough of them, else plain memory."""
    with open("/proc/meminfo", encoding="ascii") as meminfo:
        values = dict(re.findall(r"^(\w+):\s+(\d+)", meminfo.read(), re.M))
    free_kb = int(values.get("HugePages_Free", 0)) * int(values.get("Hugepagesize", 0))
    huge = free_kb >= 2 * megabytes * 1024 and not os.environ.get("DWMAC_NO_HUGE")
    return ["-m", str(megabytes)] if huge else ["--no-huge", "-m", str(megabytes)]


class Testpmd:
    """with Testpmd(build, work, ["net_dwmac0,socket=…"], ["--nb-cores=2"]) as testpmd

    Interactive and not yet forwarding. Three lcores on two CPUs: the main one sleeps in the
    command line, two can forward.
    """

    def __init__(self, build, work, vdevs, arguments=(), eal=(), memory_mb=256, start_s=60,
                 mbufs=8192):
        self.prefix = f"dwmac-e2e-{os.getpid()}-{next(_numbers)}"
        command = ["dpdk-testpmd", "-d", build.pmd, "--no-pci", "--iova-mode=va",
                   f"--file-prefix={self.prefix}", *memory_arguments(memory_mb)]
        if not any(each.startswith("--lcores") for each in eal):
            command.append("--lcores=0@0,1@0,2@1")
        for vdev in vdevs:
            command += ["--vdev", vdev]
        self.command = [*command, *eal, "--", "-i", f"--total-num-mbufs={mbufs}",
                        *arguments]
        self._text = ""
        self._changed = threading.Condition()
        self._ended = False
        self._telemetry = None
        self._launch(work)
        try:
            self.wait_prompt(start_s)
        except AssertionError:
            self.close()
            raise

    def _launch(self, work):
        self._master, slave = pty.openpty()
        # testpmd's command line sets the terminal as it needs it; nothing may echo before that.
        tty.setraw(slave)
        self.process = subprocess.Popen(self.command, stdin=slave, stdout=slave, stderr=slave,
                                        cwd=work.path, start_new_session=True)
        os.close(slave)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        """Always drains the terminal: a full one would block testpmd's threads."""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                data = b""
            with self._changed:
                if data:
                    self._text += ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
                else:
                    self._ended = True
                self._changed.notify_all()
            if not data:
                return

    def position(self):
        """For wait_for(since=…): everything said up to now is before it."""
        with self._changed:
            return len(self._text)

    def wait_for(self, text, seconds=10, since=0):
        """Waits for a piece of text; returns what was said from since to its end."""
        return self._wait(re.compile(re.escape(text)), seconds, since, lambda said: said)

    def wait_prompt(self, seconds, since=0):
        """The same for the prompt, and what other threads announced is left out."""
        return self._wait(PROMPT, seconds, since, lambda said: EVENT.sub("", said))

    def _wait(self, pattern, seconds, since, clean):
        deadline = time.monotonic() + seconds
        with self._changed:
            while True:
                said = clean(self._text[since:])
                found = pattern.search(said)
                if found:
                    return said[:found.end()]
                left = deadline - time.monotonic()
                if self._ended or left <= 0:
                    why = "testpmd ended" if self._ended else f"not within {seconds} s"
                    raise AssertionError(f"waiting for {pattern.pattern!r}: {why}; it said:\n" +
                                         self._text[-3000:])
                self._changed.wait(left)

    def said(self, since=0):
        with self._changed:
            return self._text[since:]

    def __call__(self, command, seconds=20):
        """One command; returns its output once the prompt is back."""
        since = self.position()
        self.send(command)
        return self.wait_prompt(seconds, since)

    def send(self, command):
        os.write(self._master, command.encode() + b"\n")

    @property
    def telemetry(self):
        if self._telemetry is None:
            self._telemetry = Telemetry(self.prefix)
        return self._telemetry

    def mbufs_in_use(self, pools=("mb_pool_0",)):
        """Neither in the pool nor in a lcore's cache of it. Exact while no packet moves."""
        used = 0
        for name in pools:
            dump = self(f"dump_mempool {name}")
            size, common, cached = (int(re.search(rf"\b{key}=(\d+)", dump).group(1)) for key
                                    in ("size", "common_pool_count", "total_cache_count"))
            used += size - common - cached
        return used

    def xstats(self, port):
        return self.telemetry(f"/ethdev/xstats,{port}")

    def stats(self, port):
        return self.telemetry(f"/ethdev/stats,{port}")

    def quit(self, seconds=20):
        """Leaves by the door; returns the exit status."""
        self.send("quit")
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"quit: not within {seconds} s; it said:\n" +
                                 self.said()[-3000:]) from None

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        try:
            if kind is None and self.process.poll() is None:
                status = self.quit()
                assert status == 0, f"testpmd ended with {status}: {self.said()[-2000:]}"
        finally:
            self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(5)
        os.close(self._master)
        if self._telemetry is not None:
            self._telemetry.close()
        shutil.rmtree(os.path.join("/var/run/dpdk", self.prefix), ignore_errors=True)
