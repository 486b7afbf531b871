# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""How long the machine kept a process from running: what a test of delays has to allow for."""
import glob
import threading
import time

PERIOD_S = 0.005


class Pauses:
    """with Pauses() as pauses: …; pauses.watch(pid); …; pauses.seconds()

    Two things add up. When the whole machine stands still, a thread of ours that only sleeps
    oversleeps. When other programs have the CPUs, the kernel counts how long the threads of the
    watched process wait for one.
    """

    def __init__(self):
        self._pid = None
        self._overslept = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sleep, daemon=True)

    def _sleep(self):
        last = time.monotonic()
        while not self._end.wait(PERIOD_S):
            now = time.monotonic()
            self._overslept += max(0.0, now - last - 2 * PERIOD_S)
            last = now

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *unused):
        self._end.set()
        self._thread.join()

    def watch(self, pid):
        self._pid = pid

    def _waited(self):
        total_ns = 0
        for path in glob.glob(f"/proc/{self._pid}/task/*/schedstat"):
            try:
                with open(path, encoding="ascii") as file:
                    # time on a CPU, time runnable without one, slices
                    total_ns += int(file.read().split()[1])
            except OSError:
                pass  # the thread ended
        return total_ns / 1e9

    def seconds(self):
        """In all, since the start of the watched process."""
        return self._overslept + self._waited()
