#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all tests, and repeats the failed tests at the end, because people read the last lines of a thousand.
#
#   scripts/test.sh                 builds, then runs each module of tests in a process of its own, JOBS at once.
#                                   JOBS is a variable; its default is one more than the processors
#   scripts/test.sh OPTION...       runs one process with options of `swift test`: --filter NAME, --skip-build
#
# .build/test keeps the complete output, a file for each process. The terminal shows a line for each module. A single
# process shows the first 1,000 characters of each line, because a test's argument may be a file of megabytes.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
logs=.build/test
cut='s/^(.{1000}).+/\1.../'
# Tests of one process run one after the other. Many tests wait for processes, and two processors cannot run the tests
# of a module in parallel within any deadline.
serial=--no-parallel
rm -rf "$logs"
mkdir -p "$logs"

# run_module NAME: runs the tests of one module and prints the runner's closing line. It starts the tests' program
# itself: `swift test` plans the package again, and beside other work it has lost the end of the program's output.
run_module() {
    local log=$logs/$1.log status=0
    "$program" --testing-library swift-testing "$serial" --filter "^$1\\." >"$log" 2>&1 || status=$?
    sed -i 's/\x1b\[[0-9;]*m//g' "$log" # colours
    if ! closing "$log" >/dev/null; then
        printf '%-22s ✘ ended with status %s before the last test\n' "$1" "$status"
        return 1
    fi
    printf '%-22s %s\n' "$1" "$(closing "$log")"
    return "$status"
}

closing() { grep -E 'Test run with [0-9]+ tests?' "$1" | tail -n 1; }

# The modules in order: those that take longest come first, so that no process is left alone at the end.
modules() {
    local first=(
        WebTests ManualTests GlimpseVisionTests EndToEndTests DaemonTests PicturesTests WorkerTests GStreamerSourceTests
        BarcodeStreamTests RelayTests VisionDetectorsTests)
    printf '%s\n' "${first[@]}"
    find Tests -mindepth 2 -maxdepth 2 -type d -name '*Tests' -printf '%f\n' | sort \
        | grep -vxF "$(printf '%s\n' "${first[@]}")"
}

# Each issue with its explanation, then the output's end of a process that ended before the runner's closing line.
failures() {
    awk '/^✘ .* recorded an issue/ { print; more = 1; next } /^↳/ && more { print; next } { more = 0 }' "$@"
    local log
    for log in "$@"; do
        closing "$log" >/dev/null || { printf '%s:\n' "$log" && tail -n 20 "$log"; }
    done
}

start=$SECONDS
status=0
if (($# > 0)); then
    "$swift" test --disable-xctest "$serial" "$@" 2>&1 | tee "$logs/all.log" | sed -u -E "$cut" || status=$?
else
    "$swift" build --build-tests
    program=$("$swift" build --show-bin-path)/GlimpsePackageTests.xctest
    running=0
    for module in $(modules); do
        if ((running == ${JOBS:-$(($(nproc) + 1))})); then
            wait -n || status=1
            running=$((running - 1))
        fi
        run_module "$module" &
        running=$((running + 1))
    done
    for ((; running > 0; running--)); do wait -n || status=1; done
fi
if ((status != 0)); then
    printf '\n==> What did not hold:\n'
    failures "$logs"/*.log | sed -E "$cut"
fi
if (($# == 0)); then
    # The closing lines of all processes as one.
    cat "$logs"/*.log | sed -nE 's/.*Test run with ([0-9]+) tests? in ([0-9]+) suites? (passed|failed).*/\1 \2/p' | awk \
        -v result="$([[ $status == 0 ]] && echo '✔ passed' || echo '✘ failed')" -v seconds=$((SECONDS - start)) \
        '{ tests += $1; suites += $2 } END { split(result, words, " ");
           printf "%s Test run with %d tests in %d suites %s after %d seconds.\n", words[1], tests, suites, words[2], seconds }'
fi
exit "$status"
