#!/usr/bin/env bash
# Runs every suite with random input far beyond what `make test` does, one after the other, and says how each went.
#
#   scripts/fuzz.sh [SCALE]     SCALE times the seeds and rounds of `make test`
set -euo pipefail
cd "$(dirname "$0")/.."

export GLIMPSE_FUZZ_SCALE=${1:-20}
swift=${SWIFT:-swift}

# A suite is named like its file; those that take part count their rounds by `Fuzz`.
mapfile -t suites < <(grep -rlE '\bFuzz\.(rounds|seeds|scale)\b' Tests | sed -E 's,^Tests/([^/]+)/([^/]+)\.swift$,\1.\2,' | sort)
"$swift" build --build-tests

failed=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "scale $GLIMPSE_FUZZ_SCALE, ${#suites[@]} suites"
for suite in "${suites[@]}"; do
    started=$SECONDS
    status=0
    "$swift" test --skip-build --disable-xctest --no-parallel --filter "^${suite/./\\.}/" >"$log" 2>&1 || status=$?
    tests=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" | tail -n 1)
    if [[ $status == 0 && ${tests:-0} != 0 ]]; then
        verdict=passed
    else
        verdict=FAILED
        failed+=("$suite")
        grep -E '✘|error:|Fatal|crash' -A 2 "$log" | head -n 40 || tail -n 40 "$log"
    fi
    printf '%-45s %3s tests  %5d s  %s\n' "$suite" "${tests:-0}" $((SECONDS - started)) "$verdict"
done
if ((${#failed[@]})); then
    echo "failed: ${failed[*]}"
    exit 1
fi
