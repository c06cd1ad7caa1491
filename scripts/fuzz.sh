#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every suite with more random input than `make test`, one after the other, and prints each result.
#
#   scripts/fuzz.sh [SCALE [PATTERN]]     SCALE times the seeds and rounds of `make test`, of suites whose names match
set -euo pipefail
cd "$(dirname "$0")/.."

export GLIMPSE_FUZZ_SCALE=${1:-20}
pattern=${2:-.}
swift=${SWIFT:-swift}

# A suite is named like its file; those that take part count their rounds by `Fuzz`.
mapfile -t suites < <(grep -rlE '\bFuzz\.(rounds|seeds|scale)\b' Tests | sed -E 's,^Tests/[^/]+/([^/]+)/([^/]+)\.swift$,\1.\2,' | { grep -E "$pattern" || true; } | sort)
"$swift" build --build-tests

failed=()
# The current input is written thousands of times a second, so its folder is in memory.
folder=$(mktemp -d -p /dev/shm)
log=$folder/log
export GLIMPSE_FUZZ_KEEP=$folder/inputs
mkdir "$GLIMPSE_FUZZ_KEEP"
trap 'rm -rf "$folder"' EXIT
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
        # An input that ended the process or broke a rule becomes a seed.
        for input in "$GLIMPSE_FUZZ_KEEP"/*; do
            [[ -f $input ]] || continue
            name=${input##*/}
            seed=Tests/Seeds/${name%@*}/$(sha256sum "$input" | cut -c 1-16)
            mkdir -p "${seed%/*}"
            mv "$input" "$seed"
            echo "kept as $seed"
        done
        grep -E '✘|error:|Fatal|crash' -A 2 "$log" | head -n 40 || tail -n 40 "$log"
    fi
    printf '%-45s %3s tests  %5d s  %s\n' "$suite" "${tests:-0}" $((SECONDS - started)) "$verdict"
done
if ((${#failed[@]})); then
    echo "failed: ${failed[*]}"
    exit 1
fi
