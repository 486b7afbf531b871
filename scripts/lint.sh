#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026, the dwmac-dpdk authors
#
# lint.sh [TOOL…]: each tool over the files that are, or would be, committed.
set -eu -o pipefail
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
cd "$root"

# each COMMAND… — runs it on the files that the patterns in $patterns name, if there are any
each() {
	git ls-files -z -co --exclude-standard -- "${patterns[@]}" | sort -zu |
		xargs -0 -r bash -c 'for f; do shift; [ ! -f "$f" ] || set -- "$@" "$f"; done
			[ $# -eq 0 ] || printf "%s\0" "$@"' list | xargs -0 -r "$@"
}

lint_clang-format() {
	patterns=('*.c' '*.h')
	each clang-format --dry-run -Werror 2>&1 | sed -n 's/:[0-9]*:[0-9]*: error: .*//p' |
		uniq -c | while read -r count file; do
			echo "$file: $count places; clang-format -i $file"
		done
	[ "${PIPESTATUS[0]}" -eq 0 ]
}

lint_cppcheck() {
	patterns=('*.c')
	mkdir -p "$cache/cppcheck"
	# DPDK's and cmocka's headers stay outside: their macros are not ours to judge. cppcheck 2.10
	# is wrong about mmap() of anonymous memory over a mapping, about buffers a callee fills, and (gnu.cfg) about
	# accept4() without address; readdir_r() it asks for is obsolete.
	each cppcheck --quiet --error-exitcode=1 -j 2 --std=c11 --inline-suppr \
		--enable=warning,performance,portability --library=posix \
		--cppcheck-build-dir="$cache/cppcheck" \
		--suppress=missingInclude --suppress=missingIncludeSystem \
		--suppress=leakReturnValNotUsed --suppress=invalidFunctionArg --suppress=readdirCalled --suppress=ctuuninitvar \
		--suppress=unknownMacro --suppress=unmatchedSuppression
}

lint_shellcheck() {
	patterns=('*.sh' dwmac .ci/run)
	each shellcheck --severity=warning -x -P SCRIPTDIR
}

lint_meson() {
	patterns=('*meson.build' meson_options.txt)
	each python3 "$scripts/check_meson.py"
}

lint_python() {
	patterns=('*.py')
	each python3 "$scripts/check_python.py"
}

all=(clang-format cppcheck shellcheck meson python)
[ $# -gt 0 ] || set -- "${all[@]}"
rc=0
for tool in "$@"; do
	declare -F "lint_$tool" >/dev/null || usage_error "no lint '$tool'; there are: ${all[*]}"
	start=$(now_ms)
	if "lint_$tool"; then
		echo "$tool: clean ($(seconds $(($(now_ms) - start))))"
	else
		echo "$tool: objects" >&2
		rc=1
	fi
done
exit $rc
