# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""count_results.py TESTLOG.JSON MESON-STATUS

Sums up a run of `meson test`: programs that speak TAP and cmocka's count by their cases, all
others as one.
Says why each skipped case was skipped and ends with `N passed, N failed, N skipped`.
"""
import json
import os
import re
import sys
from itertools import islice, takewhile

CASE = re.compile(r"^(not )?ok\b\s*\d*\s*(?:- )?([^#]*)(?:#\s*(SKIP)\b\s*(.*))?$", re.I)
CMOCKA = re.compile(r"^\[ +(OK|SKIPPED|FAILED) +\] (\w+)$", re.M)
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#\s*SKIP\b\s*(.*))?$", re.I)


class Sum:
    def __init__(self):
        self.passed = self.failed = 0
        self.skips = []
        self.failures = []

    def skip(self, name, why):
        self.skips.append((name, why or "gave no reason"))

    def fail(self, name, why):
        self.failed += 1
        self.failures.append((name, why))

    def tap(self, name, lines):
        """Counts the cases of one program; returns how many of them failed."""
        bad = 0
        for index, line in enumerate(lines):
            plan = PLAN.match(line)
            if plan and plan.group(1) == "0":
                self.skip(name, plan.group(2))
            case = CASE.match(line)
            if not case:
                continue
            title = f"{name}: {case.group(2).strip()}"
            if (case.group(3) or "").upper() == "SKIP":
                self.skip(title, case.group(4))
            elif case.group(1):
                said = takewhile(lambda text: text.startswith("#"), lines[index + 1 :])
                self.fail(title, "".join(f"\n    {text}" for text in islice(said, 8)) or "not ok")
                bad += 1
            else:
                self.passed += 1
        return bad

    def cmocka(self, name, cases):
        """Likewise. A case that failed is named again in cmocka's summary, hence the set."""
        failed = {title for result, title in cases if result == "FAILED"}
        self.passed += sum(1 for result, _ in cases if result == "OK")
        for title in sorted(failed):
            self.fail(f"{name}: {title}", "failed")
        for title in [title for result, title in cases if result == "SKIPPED"]:
            self.skip(f"{name}: {title}", "")
        return len(failed)

    def add(self, test):
        name, result = test["name"], test["result"]
        lines = test.get("stdout", "").splitlines()
        cases = CMOCKA.findall(test.get("stdout", "") + "\n" + test.get("stderr", ""))
        if result == "EXPECTEDFAIL":
            self.passed += 1
        elif result == "UNEXPECTEDPASS":
            self.fail(name, "passed, but must fail")
        elif any(PLAN.match(line) for line in lines):
            bad = self.tap(name, lines)
            if result not in ("OK", "SKIP") and not bad:
                self.fail(name, f"{result}, status {test.get('returncode')}")
        elif cases:
            bad = self.cmocka(name, cases)
            if result != "OK" and not bad:
                self.fail(name, f"{result}, status {test.get('returncode')}")
        elif result == "OK":
            self.passed += 1
        elif result == "SKIP":
            said = [line for line in lines if line.strip()]
            self.skip(name, said[-1].strip() if said else "")
        else:
            self.fail(name, f"{result}, status {test.get('returncode')}")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: count_results.py TESTLOG.JSON MESON-STATUS")
    total = Sum()
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            if line.strip():
                total.add(json.loads(line))
    for name, why in total.skips:
        print(f"skipped: {name}: {why}")
    for name, why in total.failures:
        print(f"failed: {name}: {why}")
    ran = total.passed + total.failed + len(total.skips)
    bad = total.failed > 0 or sys.argv[2] != "0" or ran == 0
    if ran == 0:
        print("no test ran")
    if total.skips and os.environ.get("DWMAC_CI") == "1":
        print("DWMAC_CI=1: skips count as failure")
        bad = True
    print(f"{total.passed} passed, {total.failed} failed, {len(total.skips)} skipped")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
