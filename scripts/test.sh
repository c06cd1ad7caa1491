#!/usr/bin/env bash
# Runs all tests, and repeats the failed tests at the end, because people read the last lines of a thousand.
#
#   scripts/test.sh [OPTION...]     options of `swift test`: --filter NAME, --skip-build
#
# .build/test.log keeps the complete output. The terminal shows the first 1,000 characters of each line, because a
# test's argument may be a file of megabytes.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
log=.build/test.log
cut='s/^(.{1000}).+/\1.../'
status=0
# Tests run one after the other. Many tests wait for processes, and two processors cannot run these tests in parallel
# within any deadline.
"${SWIFT:-swift}" test --disable-xctest --no-parallel "$@" 2>&1 | tee "$log" | sed -u -E "$cut" || status=$?
if ((status != 0)); then
    printf '\n==> What did not hold:\n'
    # An issue with its explanation, then the runner's closing line, or the last output of a runner without one.
    {
        awk '/^✘ .* recorded an issue/ { print; more = 1; next } /^↳/ && more { print; next } { more = 0 }' "$log"
        grep -E 'Test run with [0-9]+ tests?' "$log" || tail -n 20 "$log"
    } | sed -E "$cut"
fi
exit "$status"
