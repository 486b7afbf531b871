# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""Servers on a UNIX socket that are not what a driver hopes for."""
import array
import os
import socket
import struct
import threading

HEADER = struct.Struct("<HHIII")  # id, command, size, flags, error
REGION_READ, CONFIG_REGION = 9, 7
IS_REPLY = 1


class Server:
    """with Server(path, handler): handler(connection) runs for every client, in a thread."""

    def __init__(self, path, handler):
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen()
        self._handler = handler
        self._open = []

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection):
        try:
            self._handler(connection)
        except OSError:
            pass  # the client left

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *unused):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()


def silent(connection):
    while connection.recv(4096):
        pass


def closing(connection):
    connection.recv(16)
    connection.close()


def talking_http(connection):
    connection.recv(4096)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    silent(connection)


def with_pci_id(real_path, vendor_id, device_id):
    """A handler in front of a real server that changes the PCI identity it reads as."""

    def pump(client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(real_path)
        back = threading.Thread(target=_replies, args=(server, client, vendor_id, device_id),
                                daemon=True)
        back.start()
        try:
            while _forward_request(client, server):
                pass
        finally:
            server.shutdown(socket.SHUT_RDWR)

    return pump


def _forward_request(client, server):
    data, ancillary, _, _ = client.recvmsg(65536, socket.CMSG_SPACE(4 * 16))
    fds = array.array("i")
    for _, kind, content in ancillary:
        if kind == socket.SCM_RIGHTS:
            fds.frombytes(content[:len(content) - len(content) % fds.itemsize])
    if data:
        socket.send_fds(server, [data], list(fds))
    for fd in fds:
        os.close(fd)
    return data


def _exactly(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise OSError("hung up")
        data += piece
    return data


def _replies(server, client, vendor_id, device_id):
    try:
        while True:
            head = _exactly(server, HEADER.size)
            _, command, size, flags, _ = HEADER.unpack(head)
            body = bytearray(_exactly(server, size - HEADER.size))
            if command == REGION_READ and flags & 0xF == IS_REPLY:
                offset, region, count = struct.unpack_from("<QII", body)
                if region == CONFIG_REGION and offset == 0 and count >= 4:
                    struct.pack_into("<HH", body, 16, vendor_id, device_id)
            client.sendall(head + body)
    except OSError:
        client.close()
