#!/usr/bin/env bash
# Runs all tests, and after a failure says once more which did not hold: of a thousand lines the last are those that are
# read.
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
# One after the other: many run processes and wait for them, and two processors do not do that side by side within any
# deadline.
"${SWIFT:-swift}" test --disable-xctest --no-parallel "$@" 2>&1 | tee "$log" | sed -u -E "$cut" || status=$?
if ((status != 0)); then
    printf '\n==> What did not hold:\n'
    # An issue with its explanation; then the runner's closing line, or the last words of a runner that has none.
    {
        awk '/^✘ .* recorded an issue/ { print; more = 1; next } /^↳/ && more { print; next } { more = 0 }' "$log"
        grep -E 'Test run with [0-9]+ tests?' "$log" || tail -n 20 "$log"
    } | sed -E "$cut"
fi
exit "$status"
