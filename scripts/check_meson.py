# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""check_meson.py FILE…: the form of meson files that DPDK asks for.

Four spaces, no tabs, no blanks at line ends; a files() list over several lines has one file a
line, in order, with a comma after the last.
"""
import re
import sys

FILES = re.compile(r"files\(\n(.*?)\n\s*\)", re.S)
ENTRY = re.compile(r"^\s+'([^']+)'(,?)$")


def offences(text):
    for number, line in enumerate(text.splitlines(), 1):
        if "\t" in line:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "blank at the end of the line"
        if len(line) > 100:
            yield number, "longer than 100 columns"
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent % 4:
            yield number, f"indented by {indent}, not by a multiple of 4"
    for match in FILES.finditer(text):
        number = text.count("\n", 0, match.start()) + 2
        names = []
        for offset, line in enumerate(match.group(1).splitlines()):
            entry = ENTRY.match(line)
            if line.strip().startswith("#"):
                continue
            if not entry or not entry.group(2):
                yield number + offset, "not one 'file', a line"
                continue
            names.append(entry.group(1))
        if names != sorted(names):
            yield number, "files are not in order"
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield text.count("\n"), "does not end in one newline"


def main():
    bad = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for number, what in offences(file.read()):
                print(f"{path}:{number}: {what}")
                bad = True
    sys.exit(bad)


if __name__ == "__main__":
    main()
