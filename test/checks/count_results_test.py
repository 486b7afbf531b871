# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""The counter of results itself: TAP cases, plain programs, skips, crashes, CI."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COUNTER = pathlib.Path(__file__).parents[1] / "count_results.py"


def count(tests, status="0", **env):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
        for test in tests:
            print(json.dumps({"name": "t", "returncode": 0, **test}), file=log)
        log.flush()
        run = subprocess.run(
            [sys.executable, COUNTER, log.name, status],
            capture_output=True,
            text=True,
            check=False,
            env={**{k: v for k, v in os.environ.items() if k != "DWMAC_CI"}, **env},
        )
    return run.returncode, run.stdout.splitlines()


class CountResults(unittest.TestCase):
    def test_tap_counts_cases(self):
        tap = "1..3\nok 1 - a\nok 2 - b\nok 3 - c # SKIP no netns\n"
        code, out = count([{"result": "OK", "stdout": tap}])
        self.assertEqual((code, out[-1]), (0, "2 passed, 0 failed, 1 skipped"))
        self.assertIn("skipped: t: c: no netns", out)

    def test_tap_failure(self):
        tap = "ok 1 - a\nnot ok 2 - b\n#  because\n# of c\nok 3 - d\n# no\n1..3\n"
        code, out = count([{"result": "FAIL", "stdout": tap}], "1")
        self.assertEqual((code, out[-1]), (1, "2 passed, 1 failed, 0 skipped"))
        self.assertEqual(out[:-1], ["failed: t: b: ", "    #  because", "    # of c"])

    def test_tap_crash_is_a_failure_too(self):
        tap = "1..2\nok 1 - a\n"
        code, out = count([{"result": "ERROR", "stdout": tap, "returncode": -11}], "1")
        self.assertEqual((code, out[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_cmocka_counts_cases(self):
        said = "[ RUN      ] a\n[       OK ] a\n[ RUN      ] b\n[  FAILED  ] b\n"
        more = "[==========] 2 test(s) run.\n[  FAILED  ] 1 test(s)\n[  FAILED  ] b\n"
        code, out = count([{"result": "FAIL", "stdout": said, "stderr": more}], "1")
        self.assertEqual((code, out[-1]), (1, "1 passed, 1 failed, 0 skipped"))
        self.assertIn("failed: t: b: failed", out)
        code, out = count([{"result": "OK", "stdout": "[       OK ] a\n[  SKIPPED ] c\n"}])
        self.assertEqual((code, out[-1]), (0, "1 passed, 0 failed, 1 skipped"))

    def test_cmocka_crash_is_a_failure(self):
        said = "[       OK ] a\n[ RUN      ] b\n"
        code, out = count([{"result": "FAIL", "stdout": said, "returncode": -6}], "1")
        self.assertEqual((code, out[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_plain_programs(self):
        tests = [{"result": "OK"}, {"result": "TIMEOUT"}, {"result": "SKIP", "stdout": "x\nwhy\n"}]
        code, out = count(tests, "1")
        self.assertEqual((code, out[-1]), (1, "1 passed, 1 failed, 1 skipped"))
        self.assertIn("skipped: t: why", out)

    def test_expected_failure_passes_whatever_it_said(self):
        tap = "not ok 1 - a\n1..1\n"
        code, out = count([{"result": "EXPECTEDFAIL", "stdout": tap, "returncode": 1}])
        self.assertEqual((code, out[-1]), (0, "1 passed, 0 failed, 0 skipped"))
        code, out = count([{"result": "UNEXPECTEDPASS", "stdout": "ok 1 - a\n1..1\n"}], "1")
        self.assertEqual((code, out[-1]), (1, "0 passed, 1 failed, 0 skipped"))

    def test_nothing_ran_is_a_failure(self):
        self.assertEqual(count([])[0], 1)

    def test_ci_refuses_skips(self):
        skip = [{"result": "SKIP", "stdout": "why\n"}, {"result": "OK"}]
        self.assertEqual(count(skip)[0], 0)
        self.assertEqual(count(skip, DWMAC_CI="1")[0], 1)

    def test_status_of_meson_counts(self):
        self.assertEqual(count([{"result": "OK"}], "2")[0], 1)


if __name__ == "__main__":
    unittest.main()
