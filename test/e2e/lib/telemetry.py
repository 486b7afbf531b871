# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""Client of EAL's telemetry socket."""
import json
import os
import socket


class Telemetry:
    def __init__(self, file_prefix):
        path = os.path.join("/var/run/dpdk", file_prefix, "dpdk_telemetry.v2")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(10)
        self._socket.connect(path)
        self._max = json.loads(self._socket.recv(1024))["max_output_len"]

    def __call__(self, command):
        self._socket.send(command.encode())
        reply = json.loads(self._socket.recv(self._max))
        return reply[command.split(",")[0]]

    def close(self):
        self._socket.close()
