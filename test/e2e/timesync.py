# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""timesync.py BUILD: the PTP clock by ethdev's calls, against the model's truth.

The model computes every clock out of its oscillator and says so at an instant of true time, which
is CLOCK_MONOTONIC. So nothing here depends on how fast this machine is.
"""
import time

from lib import pcap
from lib.build import Build, Work
from lib.line_program import EINVAL, ERANGE, ETIMEDOUT, NS
from lib.model import Model
from lib.tap import Tap, between, same
from lib.timesync_probe import Probe

tap = Tap()
# The clock advances by the sub-second increment, 2/204.8 MHz in whole nanoseconds, at those ticks
# of 204.8 MHz at which its accumulator overflows. So what it shows is behind a clock without steps
# by 0 to an increment, plus up to a tick that the overflow waits; two readings of it, or one and a
# clock without steps, differ by as much: 9 + 4.88 ns.
PTP_CLK_HZ = 204800000
INCREMENT_NS = 2 * NS // PTP_CLK_HZ
QUANTUM_NS = INCREMENT_NS + -(-NS // PTP_CLK_HZ)
# Two stamps and the two clocks they are compared with, each up to a step off
DELAY_ERROR_NS = 2 * QUANTUM_NS
# The steps even out: what is left of them over many readings, half an increment at most
MEAN_ERROR_NS = INCREMENT_NS / 2
SCALED_PER_PPB = 65.536
MAX_PPB = 62500000
SYNC, DELAY_REQ, ANNOUNCE = 0, 1, 11
TIMESTAMP_CONTROL = 0xB00


def ptp_frame(kind, sequence=0):
    """A PTPv2 message over Ethernet."""
    length = 64 if kind == ANNOUNCE else 44
    header = bytes([kind, 2]) + length.to_bytes(2, "big") + bytes(16)
    header += bytes.fromhex("020000fffe000001") + bytes([0, 1]) + sequence.to_bytes(2, "big")
    return (bytes.fromhex("011b19000000" "020000000001" "88f7") + header).ljust(60, b"\0")


class Clocks:
    """A model with devices and a probe on them; timesync is enabled everywhere."""

    def __init__(self, build, work, devices, wires):
        self.model = Model(build, work, devices, wires)
        try:
            self.probe = Probe(build, work, self.model)
        except AssertionError:
            self.model.close()
            raise
        self.names = list(devices)
        self.repeated = 0  # messages, see exchange()

    def __enter__(self):
        for port in range(len(self.names)):
            same(self.probe.simple("enable", port), 0, f"enable of port {port}")
        return self

    def __exit__(self, *error):
        try:
            self.probe.__exit__(*error)
        finally:
            self.model.__exit__(*error)

    def truth(self, port=0):
        """(true_ns, device_ns, rate_ppb) at one instant."""
        true_ns, clocks = self.model.truth()
        clock = clocks[self.names[port]]
        assert clock["running"], "the clock does not run"
        return true_ns, clock["device_ns"], clock["rate_ppb"]

    def device_at(self, at_ns, port=0):
        """What the clock shows, or showed, at a true time nearby; nothing was changed since."""
        true_ns, device_ns, rate_ppb = self.truth(port)
        elapsed_ns = at_ns - true_ns
        return device_ns + elapsed_ns + round(elapsed_ns * rate_ppb / 1e9)

    def measured_ppb(self, port=0, seconds=2.0):
        """Slope of the clock over true time, least squares over what the model showed."""
        end = time.monotonic() + seconds
        points = []
        while time.monotonic() < end:
            true_ns, device_ns, _ = self.truth(port)
            points.append((true_ns, device_ns - true_ns))
            time.sleep(0.002)
        origin = points[0]
        xs = [x - origin[0] for x, _ in points]
        ys = [y - origin[1] for _, y in points]
        mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
        return 1e9 * sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / \
            sum((x - mean_x) ** 2 for x in xs)


def one(build, work, **options):
    return Clocks(build, work, {"eth0": options}, ["loop:eth0"])


def assert_reads_true(clocks, port=0):
    """read_time gives what the clock showed at some instant of the call."""
    for _ in range(20):
        call = clocks.probe.read(port)
        same(call.ret, 0, "read_time")
        between(call.time_ns, clocks.device_at(call.before_ns, port) - QUANTUM_NS,
                clocks.device_at(call.after_ns, port) + QUANTUM_NS, "time read")


@tap.case("enable starts the clock at the system's time; read_time within its round trip")
def enable_and_read(build):
    with Work() as work, one(build, work) as clocks:
        assert_reads_true(clocks)
        between(clocks.device_at(time.monotonic_ns()) - time.time_ns(), -NS, NS, "against system")


@tap.case("write_time sets it, before the call returns", 1234567890, 999999999)
@tap.case("write_time sets it to the epoch", 0, 0)
@tap.case("write_time sets it beyond 32 bits of seconds", 0x123456789, 5)
def write(build, seconds, nanoseconds):
    with Work() as work, one(build, work) as clocks:
        call = clocks.probe.write(0, seconds, nanoseconds)
        same(call.ret, 0, "write_time")
        written = seconds * NS + nanoseconds
        low, high = clocks.device_at(call.before_ns), clocks.device_at(call.after_ns)
        between(written, low - QUANTUM_NS, high + QUANTUM_NS, "time written")
        assert_reads_true(clocks)


@tap.case("write_time refuses what no clock shows")
def bad_writes(build):
    with Work() as work, one(build, work) as clocks:
        before = clocks.truth()
        same(clocks.probe.write(0, 5, NS).ret, EINVAL, "write of 1000000000 ns")
        same(clocks.probe.write(0, 5, -1).ret, EINVAL, "write of -1 ns")
        same(clocks.probe.write(0, -1, 0).ret, ERANGE, "write of -1 s")
        same(clocks.probe.write(0, 1 << 48, 0).ret, ERANGE, "write of 2^48 s")
        between(clocks.device_at(before[0]) - before[1], -QUANTUM_NS, QUANTUM_NS, "clock moved by")


@tap.case("adjust_time steps exactly, both ways, from 1 ns to days")
def adjust(build):
    deltas = [1, -1, 7, -7, 999999999, -999999999, NS, -NS, 3 * NS, -3 * NS, 1500000000,
              -1500000000, 86400 * NS + 1, -86400 * NS - 1, 0]
    with Work() as work, one(build, work) as clocks:
        for delta in deltas:
            before_true, before, rate = clocks.truth()
            same(clocks.probe.adjust(0, delta).ret, 0, f"adjust_time({delta})")
            after_true, after, _ = clocks.truth()
            elapsed = after_true - before_true
            stepped = after - before - elapsed - round(elapsed * rate / 1e9)
            between(stepped, delta - QUANTUM_NS, delta + QUANTUM_NS, f"step of {delta}")
        for delta in (1000003, -1000003):
            check_step_sum(clocks, delta)
        same(clocks.probe.adjust(0, (1 << 33) * NS).ret, ERANGE, "adjust by 2^33 s")


def check_step_sum(clocks, delta):
    """A thousand steps add up: an error of one nanosecond each would show above the quantum."""
    before_true, before, rate = clocks.truth()
    for _ in range(1000):
        same(clocks.probe.adjust(0, delta).ret, 0, "adjust_time")
    after_true, after, _ = clocks.truth()
    elapsed = after_true - before_true
    stepped = after - before - elapsed - round(elapsed * rate / 1e9)
    between(stepped, 1000 * delta - QUANTUM_NS, 1000 * delta + QUANTUM_NS, "1000 steps")


@tap.case("adjust_freq: the rate over 2 s of true time is within 1 ppb of what was asked")
def freq(build):
    with Work() as work, one(build, work, osc_ppb=37000) as clocks:
        for ppb in (0, 500000, -500000, 1, -37000):
            same(clocks.probe.freq(0, round(ppb * SCALED_PER_PPB)).ret, 0, f"adjust_freq {ppb}")
            asked = ((1 + 37000e-9) * (1 + ppb * 1e-9) - 1) * 1e9
            between(clocks.measured_ppb(seconds=2), asked - 1, asked + 1, f"ppb, asked {ppb}")


@tap.case("adjust_freq up to the limits; beyond them it is refused and changes nothing")
def freq_limits(build):
    with Work() as work, one(build, work) as clocks:
        for ppb in (MAX_PPB, -MAX_PPB, 12345678, 0):
            same(clocks.probe.freq(0, int(ppb * SCALED_PER_PPB)).ret, 0, f"adjust_freq {ppb}")
            between(clocks.truth()[2], ppb - 1, ppb + 1, "rate of the truth in ppb")
            assert_reads_true(clocks)
        for ppb in (MAX_PPB + 1000, -MAX_PPB - 1000, 10 ** 12):
            same(clocks.probe.freq(0, round(ppb * SCALED_PER_PPB)).ret, ERANGE, f"freq {ppb}")
        between(clocks.truth()[2], -1, 1, "rate afterwards")


@tap.case("commands are polled for: at least one poll each, none times out")
def polls(build):
    with Work() as work, one(build, work) as clocks:
        before = clocks.probe.xstats(0)
        for number in range(100):
            same(clocks.probe.freq(0, number).ret, 0, "adjust_freq")
        after = clocks.probe.xstats(0)
        same(after["ptp_commands"] - before["ptp_commands"], 100, "commands")
        assert after["ptp_polls"] - before["ptp_polls"] >= 100, after["ptp_polls"]
        same(after["ptp_timeouts"], 0, "time-outs")


@tap.case("a command that never ends: -ETIMEDOUT from each call; the next probe starts afresh")
def stuck(build):
    with Work() as work, Model(build, work, {"eth0": {}}, ["loop:eth0"]) as model:
        with Probe(build, work, model) as probe:
            same(probe.simple("enable", 0), 0, "enable")
            model.fault("eth0", "stuck-self-clear", TIMESTAMP_CONTROL, times=0)
            same(probe.freq(0, 65536).ret, ETIMEDOUT, "adjust_freq")
            same(probe.adjust(0, 5).ret, ETIMEDOUT, "adjust_time")
            same(probe.write(0, 5, 5).ret, ETIMEDOUT, "write_time")
            assert probe.xstats(0)["ptp_timeouts"] >= 3
            assert "clk_ptp_ref_i" in probe.log(), probe.log()
        model.clear_fault("eth0", "stuck-self-clear")
        with Probe(build, work, model) as probe:
            same(probe.simple("enable", 0), 0, "enable")
            for call in (probe.write(0, 5, 5), probe.adjust(0, NS), probe.freq(0, 65536)):
                same(call.ret, 0, "a call afterwards")


@tap.case("without enable every call is refused; after disable the clock goes on")
def not_enabled(build):
    with Work() as work, one(build, work) as clocks:
        same(clocks.probe.simple("disable", 0), 0, "disable")
        before_true, before, _ = clocks.truth()
        same(clocks.probe.tx_stamp(0, 0)[0], EINVAL, "read_tx_timestamp when disabled")
        same(clocks.probe.rx_stamp(0, 0)[0], EINVAL, "read_rx_timestamp when disabled")
        same(clocks.probe.simple("restart", 0), 0, "restart")
        same(clocks.probe.simple("enable", 0), 0, "enable again")
        between(clocks.device_at(before_true) - before, -QUANTUM_NS, QUANTUM_NS,
                "disable, restart and enable moved the clock by")
    with Work() as work, Model(build, work, {"eth0": {}}, ["loop:eth0"]) as model, \
            Probe(build, work, model) as probe:
        for ret in (probe.read(0).ret, probe.write(0, 1, 0).ret, probe.adjust(0, 1).ret,
                    probe.freq(0, 1).ret, probe.tx_stamp(0, 0)[0], probe.rx_stamp(0, 0)[0]):
            same(ret, EINVAL, "a call before enable")


# ---- stamps ----

DELAY_NS = 50


def two(build, work, mbps=1000):
    """Clocks of different rate: a stamp of the wrong one cannot pass for the right one."""
    devices = {"eth0": {"osc_ppb": 20000, "link": mbps}, "eth1": {"osc_ppb": -15000, "link": mbps}}
    return Clocks(build, work, devices, [f"cable:eth0,eth1,delay_ns={DELAY_NS}"])


def true_time(clocks, port, stamp_ns):
    """The true time at which a clock showed this."""
    true_ns, device_ns, rate_ppb = clocks.truth(port)
    return true_ns + (stamp_ns - device_ns) / (1 + rate_ppb * 1e-9)


def exchange(clocks, sender, kind, sequence):
    """One stamped message; returns the true times of its two stamps, by the clocks' stamps.

    The driver gives a stamp that was announced 200 us, then counts it as late and goes on without.
    A model that has no CPU for so long is slow, not wrong: the message is sent again.
    """
    for _ in range(3):
        late = clocks.probe.xstats(1 - sender)["rx_q0_stamps_late"]
        times = exchange_once(clocks, sender, kind, sequence, late)
        if times is not None:
            return times
        clocks.repeated += 1
    raise AssertionError("three stamps in a row were late")


def exchange_once(clocks, sender, kind, sequence, late):
    receiver = 1 - sender
    sent = clocks.probe.send(sender, ptp_frame(kind, sequence), True)
    same(sent.ret, 0, "send")
    ret, tx_ns = clocks.probe.tx_stamp(sender)
    same(ret, 0, "read_tx_timestamp")
    got = clocks.probe.receive(receiver)
    if got == (True, False, 0):
        same(clocks.probe.xstats(receiver)["rx_q0_stamps_late"], late + 1,
             "rx_q0_stamps_late after a message without a stamp")
        return None
    assert got == (True, True, got[2]), f"received (PTP, stamped, flags) {got}"
    ret, rx_ns = clocks.probe.rx_stamp(receiver, got[2])
    same(ret, 0, "read_rx_timestamp")
    same(clocks.probe.rx_stamp(receiver, got[2])[0], EINVAL, "the same RX stamp again")
    same(clocks.probe.tx_stamp(sender, 0)[0], EINVAL, "the same TX stamp again")
    left = true_time(clocks, sender, tx_ns)
    # Not before it was sent, and soon afterwards.
    between(left, sent.before_ns - QUANTUM_NS, sent.before_ns + NS, "true time of departure")
    return left, true_time(clocks, receiver, rx_ns)


@tap.case("stamps of 40 messages both ways over 50 ns of cable, at 10 Mb/s", 10)
@tap.case("stamps of 40 messages both ways over 50 ns of cable, at 100 Mb/s", 100)
@tap.case("stamps of 40 messages both ways over 50 ns of cable, at 1000 Mb/s", 1000)
def stamps(build, mbps):
    """As true as the steps of the clocks allow, and the steps even out."""
    with Work() as work, two(build, work, mbps) as clocks:
        delays = []
        for sequence in range(40):
            left, arrived = exchange(clocks, sequence % 2, (SYNC, DELAY_REQ)[sequence // 2 % 2],
                                     sequence)
            delays.append(arrived - left)
            between(arrived - left, DELAY_NS - DELAY_ERROR_NS, DELAY_NS + DELAY_ERROR_NS, "delay")
        mean = sum(delays) / len(delays)
        between(mean, DELAY_NS - MEAN_ERROR_NS, DELAY_NS + MEAN_ERROR_NS, "mean delay")


@tap.case("TX stamps against a capture with the true time of each frame, at 100 Mb/s", 100)
@tap.case("TX stamps against a capture with the true time of each frame, at 1000 Mb/s", 1000)
def absolute(build, mbps):
    """An error common to both ends of a cable shows here only."""
    stamped = []
    with Work() as work:
        path = work / "out.pcap"
        with Clocks(build, work, {"eth0": {"link": mbps}}, [f"pcap:eth0,out={path}"]) as clocks:
            for sequence in range(40):
                same(clocks.probe.send(0, ptp_frame(SYNC, sequence), True).ret, 0, "send")
                ret, stamp_ns = clocks.probe.tx_stamp(0)
                same(ret, 0, "read_tx_timestamp")
                stamped.append(true_time(clocks, 0, stamp_ns))
            clocks.model.wire("eth0", action="flush")
        errors = [ours - true for ours, true in zip(stamped, pcap.times_ns(path))]
    same(len(errors), 40, "frames")
    for error in errors:
        between(error, -DELAY_ERROR_NS, DELAY_ERROR_NS, "error of a stamp in ns")
    between(sum(errors) / len(errors), -MEAN_ERROR_NS, MEAN_ERROR_NS, "mean error in ns")


@tap.case("messages that are no events are PTP and not stamped; other frames are neither")
def unstamped(build):
    with Work() as work, two(build, work) as clocks:
        other = bytes(12) + b"\x88\xb5" + bytes(46)
        for frame, is_ptp in ((ptp_frame(ANNOUNCE), True), (other, False)):
            same(clocks.probe.send(0, frame, False).ret, 0, "send")
            got = clocks.probe.receive(1)
            assert got is not None, "nothing arrived"
            same(got[:2], (is_ptp, False), "received (PTP, stamped)")


@tap.case("no stamp for who did not ask; unread stamps come in order; then there is none")
def unasked(build):
    with Work() as work, two(build, work) as clocks:
        same(clocks.probe.send(0, ptp_frame(SYNC), False).ret, 0, "send without asking")
        same(clocks.probe.tx_stamp(0, 50000)[0], EINVAL, "read_tx_timestamp")
        sent = []
        for sequence in range(3):
            sent.append(clocks.probe.send(0, ptp_frame(SYNC, sequence), True))
            same(clocks.probe.send(0, ptp_frame(SYNC, 99), False).ret, 0, "send without asking")
        for call in sent:
            ret, stamp_ns = clocks.probe.tx_stamp(0)
            same(ret, 0, "read_tx_timestamp")
            between(true_time(clocks, 0, stamp_ns), call.before_ns - QUANTUM_NS,
                    call.after_ns + NS // 10, "true time of departure")
        same(clocks.probe.tx_stamp(0, 50000)[0], EINVAL, "read_tx_timestamp when all are read")


@tap.case("unread stamps do not outlive a restart of the port")
def stale(build):
    with Work() as work, two(build, work) as clocks:
        same(clocks.probe.send(0, ptp_frame(SYNC), True).ret, 0, "send")
        got = clocks.probe.receive(1)
        same(got[:2], (True, True), "received (PTP, stamped)")
        for port in (0, 1):
            same(clocks.probe.simple("restart", port), 0, "restart")
        same(clocks.probe.tx_stamp(0, 20000)[0], EINVAL, "TX stamp of before the restart")
        same(clocks.probe.rx_stamp(1, got[2])[0], EINVAL, "RX stamp of before the restart")
        left, arrived = exchange(clocks, 0, SYNC, 1)
        between(arrived - left, DELAY_NS - DELAY_ERROR_NS, DELAY_NS + DELAY_ERROR_NS, "delay")


def deliver(clocks, sequence):
    """A Sync from port 0 as port 1 gets it: whether it is stamped."""
    same(clocks.probe.send(0, ptp_frame(SYNC, sequence), False).ret, 0, "send")
    got = clocks.probe.receive(1)
    assert got is not None and got[0], f"received (PTP, stamped, flags) {got}"
    return got[1]


@tap.case("an RX stamp later than the driver waits: delivered without it; the next one is right")
def late_rx_stamp(build):
    with Work() as work, two(build, work) as clocks:
        clocks.model.fault("eth1", "late-rx-stamp", 50000000)
        same(deliver(clocks, 1), False, "stamped")
        same(clocks.probe.xstats(1)["rx_q0_stamps_late"], 1, "rx_q0_stamps_late")
        time.sleep(0.1)
        for sequence in range(300):  # more than the ring holds
            exchange(clocks, 0, SYNC, sequence)


@tap.case("RX stamps a little late: each is delivered stamped or counted, none is mixed up")
def little_late(build):
    with Work() as work, two(build, work) as clocks:
        unstamped_ones = 0
        for sequence in range(50):
            clocks.model.fault("eth1", "late-rx-stamp", 20000)
            unstamped_ones += not deliver(clocks, sequence)
            time.sleep(0.001)
            exchange(clocks, 0, SYNC, sequence)
        same(clocks.probe.xstats(1)["rx_q0_stamps_late"], unstamped_ones + clocks.repeated,
             "rx_q0_stamps_late")


@tap.case("the device dropped the RX stamp", 0, "rx_q0_stamps_late", 0)
@tap.case("the RX stamp is corrupt", 1, "rx_q0_stamps_bad", 1)
@tap.case("the RX stamp was announced and never comes", 2, "rx_q0_stamps_late", 1)
def missing_rx_stamp(build, arg, xstat, count):
    with Work() as work, two(build, work) as clocks:
        clocks.model.fault("eth1", "missing-rx-stamp", arg)
        same(deliver(clocks, 1), False, "stamped")
        same(clocks.probe.xstats(1)[xstat], count, xstat)
        for sequence in range(300):
            exchange(clocks, 0, SYNC, sequence)


@tap.case("a TX stamp that was not captured: none is read, and the next one is right")
def missing_tx_stamp(build):
    with Work() as work, two(build, work) as clocks:
        clocks.model.fault("eth0", "missing-tx-stamp")
        same(clocks.probe.send(0, ptp_frame(SYNC), True).ret, 0, "send")
        same(clocks.probe.tx_stamp(0, 50000)[0], EINVAL, "read_tx_timestamp")
        same(clocks.probe.xstats(0)["tx_q0_stamps_missed"], 1, "tx_q0_stamps_missed")
        assert clocks.probe.receive(1) is not None
        exchange(clocks, 0, SYNC, 1)


if __name__ == "__main__":
    tap.run(Build.from_arguments())
