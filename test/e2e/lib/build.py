# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""The programs of a finished build, and the folder a test works in."""
import os
import shutil
import sys
import tempfile
import time


class Build:
    """build = Build.from_arguments(): the build folder is the script's only argument."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        # The model may be another build's: one with sanitizers cannot be loaded by testpmd.
        self.model = os.path.join(os.environ.get("DWMAC_MODEL_BUILD", self.folder),
                                  "app/dwmac-model/dwmac-model")
        self.pmd = os.path.join(self.folder, "drivers/net/dwmac/librte_net_dwmac.so")
        self.root = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
        for path in (self.model, self.pmd):
            if not os.path.exists(path):
                sys.exit(f"{path} is missing: build it first (./dwmac build)")

    @classmethod
    def from_arguments(cls):
        if len(sys.argv) != 2:
            sys.exit(f"usage: {sys.argv[0]} BUILD-FOLDER")
        return cls(sys.argv[1])


class Work:
    """A folder for one case, gone afterwards. Its name has a space, so that paths with one work."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="dwmac e2e-")
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)

    def __truediv__(self, name):
        return os.path.join(self.path, name)


def wait_until(condition, seconds, what, every_s=0.02):
    """Polls until condition() is true and returns its value. `what` may be a function."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what() if callable(what) else what}: not within {seconds} s")
        time.sleep(every_s)
