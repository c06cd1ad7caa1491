#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs coverage-guided fuzzing with libFuzzer, one target after the other, and prints a line for each.
#
#   scripts/fuzz-guided.sh [SECONDS [TARGET...]]     SECONDS for each target; without targets all of them
#
# The inputs start from Tests/Seeds/TARGET and Tests/Seeds/guided-TARGET. At the end, the fewest inputs with all
# coverage replace guided-TARGET/corpus.base64, which has an input a line. An input that ends the process or breaks a
# property becomes a seed in guided-TARGET.
# GLIMPSE_FUZZ_SANITIZE=address adds the address sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."

# libFuzzer stores the input of a failure. Swift's own report would come before that.
export SWIFT_BACKTRACE=enable=no

seconds=${1:-60}
shift || true
swift=${SWIFT:-swift}
scratch=.build/fuzz
sanitizers=(--sanitize fuzzer)
if [[ -n ${GLIMPSE_FUZZ_SANITIZE:-} ]]; then
    scratch+=-$GLIMPSE_FUZZ_SANITIZE
    sanitizers+=(--sanitize "$GLIMPSE_FUZZ_SANITIZE")
fi
# The most bytes of an input that a corpus keeps, so that the corpora stay small in the repository.
most_bytes=2048
# The most bytes of a corpus file.
most_corpus=24000

GLIMPSE_FUZZ_GUIDED=1 "$swift" build --configuration release --scratch-path "$scratch" "${sanitizers[@]}" \
    -Xswiftc -enable-testing --product GuidedFuzzTests ${FUZZ_JOBS:+-j "$FUZZ_JOBS"} >&2
fuzzer=$PWD/$scratch/release/GuidedFuzzTests

declare -A longest
while read -r name bytes; do longest[$name]=$bytes; done < <("$fuzzer")
targets=("$@")
if ((${#targets[@]} == 0)); then mapfile -t targets < <(printf '%s\n' "${!longest[@]}" | sort); fi

# Writes each line of a target's stored corpus, and each of its other seeds, as a file.
unpack() {
    local target=$1 folder=$2 seed line
    for seed in Tests/Seeds/"$target"/* Tests/Seeds/guided-"$target"/*; do
        case $seed in
            *.base64) while read -r line; do base64 -d <<<"$line" >"$folder/$(sha1sum <<<"$line" | cut -c 1-40)"; done <"$seed" ;;
            *.jsonl) while read -r line; do printf %s "$line" >"$folder/$(sha1sum <<<"$line" | cut -c 1-40)"; done <"$seed" ;;
            *) [[ -f $seed ]] && cp "$seed" "$folder/" ;;
        esac
    done
}

# Stores the smallest inputs of a folder as lines, up to a size.
pack() {
    local folder=$1 file=$2 input
    for input in $(find "$folder" -type f -size +0c -size -$((most_bytes + 1))c -printf '%s %f\n' | sort -n | cut -d ' ' -f 2); do
        base64 -w 0 "$folder/$input"
        echo
    done | awk -v most=$most_corpus '{ bytes += length($0) + 1; if (bytes <= most) print }' >"$file"
}

failed=()
for target in "${targets[@]}"; do
    [[ -n ${longest[$target]:-} ]] || { echo "no target $target; they are: ${!longest[*]}" >&2; exit 2; }
    export GLIMPSE_FUZZ_TARGET=$target
    work=$PWD/$scratch/$target
    kept=Tests/Seeds/guided-$target
    mkdir -p "$work/corpus" "$work/found" "$kept"
    unpack "$target" "$work/corpus"
    GLIMPSE_FUZZ_WORDS=1 "$fuzzer" >"$work/words"
    options=(-max_len="${longest[$target]}" -rss_limit_mb=2048 -timeout=25 -verbosity=1)
    dictionary=()
    [[ -s $work/words ]] && dictionary=(-dict="$work/words")
    status=0
    started=$SECONDS
    "$fuzzer" "${options[@]}" "${dictionary[@]}" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="$work/found/" "$work/corpus" >"$work/log" 2>&1 </dev/null || status=$?
    elapsed=$((SECONDS - started))
    findings=0
    for input in "$work"/found/*; do
        [[ -f $input ]] || continue
        findings=$((findings + 1))
        seed=$kept/$(sha256sum "$input" | cut -c 1-16)
        mv "$input" "$seed"
        echo "kept as $seed" >&2
    done
    if ((status)); then
        failed+=("$target")
        grep -E 'broken property|Fatal|ERROR|SUMMARY' "$work/log" | head -n 5 >&2 || tail -n 20 "$work/log" >&2
    fi
    rm -rf "$work/smallest"
    mkdir "$work/smallest"
    if "$fuzzer" "${options[@]}" -merge=1 "$work/smallest" "$work/corpus" >"$work/merge.log" 2>&1 </dev/null; then
        pack "$work/smallest" "$kept/corpus.base64"
    fi
    runs=$(sed -nE 's/^stat::number_of_executed_units: +([0-9]+)/\1/p' "$work/log" | tail -n 1)
    edges=$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$work/log" | tail -n 1)
    printf '%-10s %10s runs  %6s/s  %6s edges  %5s inputs, %4s kept  %s findings  %5d s\n' "$target" "${runs:-?}" \
        $((${runs:-0} / (elapsed > 0 ? elapsed : 1))) "${edges:-?}" "$(find "$work/smallest" -type f | wc -l)" \
        "$(wc -l <"$kept/corpus.base64")" "$findings" "$elapsed"
done
if ((${#failed[@]})); then
    echo "failed: ${failed[*]}"
    exit 1
fi
