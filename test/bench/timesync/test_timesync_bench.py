# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""test_timesync_bench.py PROGRAM: runs the bench quickly and checks what it hands over. TAP.

How long something took depends on what else the machine does; that a command never ends before
the played hardware lets it, and that the first test comes before 1.6 us are over, does not.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
OPS = ("adjust_freq", "adjust_time", "write_time")
METHODS = ("polled", "interval_5us", "fixed_10ms")
HARDWARE_US = (0, 1.6)
REGISTER_US = (0, 1)
FIGURES = ("polls", "call_us_p50", "call_us_p99", "call_us_max", "hardware_late_us_p50")


def run(*args):
    return subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=100,
                          check=False)


def measure():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows")
        done = run("--quick", "--hardware-us", "0,1.6", "--register-us", "0,1", "--rows", file)
        assert done.returncode == 0, done.stderr
        with open(file, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines], done.stdout


def subject(row):
    return row["op"], row["method"], row["hardware_us"], row["register_us"]


def every_subject_has_one_row(rows, table):
    wanted = set(itertools.product(OPS, METHODS, HARDWARE_US, REGISTER_US))
    assert {subject(row) for row in rows} == wanted
    assert len(rows) == len(wanted)
    assert all(row["transport"] == "mapped" for row in rows)
    for op in OPS:
        assert table.count(op + " ") == len(wanted) / len(OPS)


def every_row_has_its_figures(rows, _table):
    for row in rows:
        for key in FIGURES:
            assert isinstance(row[key], (int, float)), (key, row)
        assert row["call_us_p50"] <= row["call_us_p99"] <= row["call_us_max"], row
        assert row["polls"] >= 1, row
        assert 0 <= row["timeouts"] <= row["calls"], row


def no_command_ends_before_the_hardware(rows, _table):
    for row in rows:
        assert row["call_us_p50"] >= row["hardware_us"], row
        assert row["hardware_late_us_p50"] >= 0, row


def polls_at_once_and_again(rows, _table):
    # With free reads, the first test of 1.6 us of hardware finds the command running.
    for row in rows:
        if row["hardware_us"] == 1.6 and row["register_us"] == 0:
            if row["method"] != "fixed_10ms":
                assert row["polls"] >= 2, row


def fixed_wait_costs_what_it_says(rows, _table):
    slow = [row["call_us_max"] for row in rows if row["method"] == "fixed_10ms"
            and row["hardware_us"] == 1.6 and row["register_us"] == 0]
    assert max(slow) >= 10000, slow


def usage_errors(_rows, _table):
    for args in (["--rounds", "0"], ["--rounds", "x"], ["--hardware-us", "1,,2"],
                 ["--hardware-us", "-1"], ["--register-us", "nan"], ["--none"], ["argument"]):
        done = run(*args)
        assert done.returncode == 2 and done.stderr, (args, done)
    assert run("--help").returncode == 0
    assert run("--version").stdout.startswith("timesync-bench ")


def unwritable_rows_are_told(_rows, _table):
    done = run("--rounds", "1", "--slow-rounds", "1", "--rows", "/nonexistent/rows")
    assert done.returncode == 1 and "/nonexistent/rows" in done.stderr, done


CASES = (every_subject_has_one_row, every_row_has_its_figures,
         no_command_ends_before_the_hardware, polls_at_once_and_again,
         fixed_wait_costs_what_it_says, usage_errors, unwritable_rows_are_told)


def main():
    if len(os.sched_getaffinity(0)) < 2:
        print("1..0 # SKIP needs two CPUs")
        return 0
    print(f"1..{len(CASES)}")
    rows, table = measure()
    failed = 0
    for number, case in enumerate(CASES, 1):
        try:
            case(rows, table)
            print(f"ok {number} - {case.__name__}")
        except AssertionError as why:
            print(f"not ok {number} - {case.__name__}: {why}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
