# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
"""check_python.py FILE…: parses, no tabs, no long lines, no unused import."""
import ast
import sys


def offences(path, text):
    try:
        tree = ast.parse(text, path)
    except SyntaxError as error:
        yield error.lineno, error.msg
        return
    for number, line in enumerate(text.splitlines(), 1):
        if "\t" in line:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "blank at the end of the line"
        if len(line) > 100:
            yield number, "longer than 100 columns"
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = (alias.asname or alias.name).split(".")[0]
                if name not in used and name != "*":
                    yield node.lineno, f"{name} is imported and not used"


def main():
    bad = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for number, what in offences(path, file.read()):
                print(f"{path}:{number}: {what}")
                bad = True
    sys.exit(bad)


if __name__ == "__main__":
    main()
