# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""Two model devices, each with a wire of its own, and testpmd between them."""
from .model import Model
from .testpmd import Testpmd

DEVICES = ("eth0", "eth1")


class Pair:
    """with Pair(build, work, wires=["source:{}", …]) as pair: pair.model, pair.testpmd

    A wire is given once for both devices, {} standing for the name, or as a list.
    """

    def __init__(self, build, work, wires, arguments=(), devices=None, devargs="", eal=(),
                 mbufs=8192):
        if isinstance(wires, str):
            wires = [wires.format(name) for name in DEVICES]
        devices = devices or {name: {} for name in DEVICES}
        self.model = Model(build, work, devices, wires)
        vdevs = [f"net_dwmac{i},socket={self.model.sockets[name]}{devargs}"
                 for i, name in enumerate(devices)]
        try:
            self.testpmd = Testpmd(build, work, vdevs, ["--nb-cores=2", *arguments], eal=eal,
                                   mbufs=mbufs)
        except AssertionError:
            self.model.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.testpmd.__exit__(*error)
        finally:
            self.model.__exit__(*error)

    def sent(self, device):
        """Frames that left the device, by the model's count."""
        return self.model.wire(device)["tx_frames"]
