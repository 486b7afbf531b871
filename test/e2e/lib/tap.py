# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""Cases in the order they are written, told in TAP."""
import sys
import traceback


class Skip(Exception):
    """The case cannot run here; the text says why."""


class Tap:
    def __init__(self):
        self._cases = []

    def case(self, title, *arguments):
        """Decorator. Can be stacked: the function runs once per title, with its arguments."""

        def add(function):
            self._cases.append((title, function, arguments))
            return function

        return add

    def run(self, *shared):
        """Runs all cases with the shared arguments first; ends the program."""
        failed = False
        print(f"1..{len(self._cases)}", flush=True)
        for number, (title, function, arguments) in enumerate(self._cases, 1):
            try:
                function(*shared, *arguments)
                print(f"ok {number} - {title}", flush=True)
            except Skip as skip:
                print(f"ok {number} - {title} # SKIP {skip}", flush=True)
            except Exception as error:
                failed = True
                print(f"not ok {number} - {title}", flush=True)
                diagnose(error)
        sys.exit(1 if failed else 0)


def diagnose(error):
    said = str(error) if isinstance(error, AssertionError) and str(error) else None
    where = traceback.extract_tb(error.__traceback__)
    if said is None:
        said = "".join(traceback.format_exception(error))
    else:
        said += "\n" + "".join(f"  {f.filename}:{f.lineno} {f.name}\n" for f in where[1:])
    for line in said.splitlines():
        print(f"#   {line}", flush=True)


def note(text):
    """A figure for who reads the result; comes before the case's line."""
    print(f"# {text}", flush=True)


def same(got, wanted, what):
    assert got == wanted, f"{what}: {got!r}, want {wanted!r}"


def between(got, low, high, what):
    assert low <= got <= high, f"{what}: {got!r}, want {low!r} … {high!r}"
