# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""Classic pcap files, read and written; and what a wire makes of frames."""
import os
import shutil
import struct
import subprocess

SHORTEST, PADDED, LONGEST = 14, 60, 9018
ETHERNET = 1
MAGICS = {
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}


def records(path):
    """(time in ns, frame as captured) of each frame."""
    with open(path, "rb") as file:
        header = file.read(24)
        order, to_ns = MAGICS.get(header[:4], (None, None))
        if order is None or len(header) < 24:
            raise ValueError(f"{path} is no pcap file")
        if struct.unpack(order + "I", header[20:24])[0] & 0xFFFF != ETHERNET:
            raise ValueError(f"{path} is no capture of Ethernet")
        while len(record := file.read(16)) == 16:
            seconds, fraction, length, _ = struct.unpack(order + "4I", record)
            yield seconds * 1000000000 + fraction * to_ns, file.read(length)


def frames(path):
    return (frame for _, frame in records(path))


def times_ns(path):
    return [time_ns for time_ns, _ in records(path)]


def write(path, all_frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, ETHERNET))
        for number, frame in enumerate(all_frames):
            record = struct.pack("<4I", number // 1000000, number % 1000000, len(frame), len(frame))
            file.write(record + frame)


def fits(frame):
    return SHORTEST <= len(frame) <= LONGEST


def on_the_wire(all_frames):
    """What arrives at the other end: frames that fit, padded with zeros."""
    return [frame.ljust(PADDED, b"\0") for frame in all_frames if fits(frame)]


def dissect(path):
    """A capture as tcpdump prints it: every byte of every frame, and what it makes of them."""
    tcpdump = shutil.which("tcpdump", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if tcpdump is None:
        raise AssertionError("tcpdump is missing: install it")
    done = subprocess.run([tcpdump, "-r", path, "-nn", "-t", "-xx"], capture_output=True,
                          check=False)
    assert done.returncode == 0, f"tcpdump -r {path}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode(errors="replace").splitlines()


def assert_same(wanted_path, got_path, what):
    """Every frame, in order, with no byte changed. tcpdump has the word."""
    wanted, got = sum(1 for _ in frames(wanted_path)), sum(1 for _ in frames(got_path))
    assert wanted == got, f"{what}: {got} frames, want {wanted}"
    ours, theirs = dissect(wanted_path), dissect(got_path)
    for number, (line, other) in enumerate(zip(ours, theirs), 1):
        assert line == other, f"{what}: tcpdump's line {number} differs:\n{line}\n{other}"
    assert len(ours) == len(theirs), f"{what}: {len(theirs)} lines of tcpdump, want {len(ours)}"
