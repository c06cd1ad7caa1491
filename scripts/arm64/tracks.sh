#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the tracker and what it needs for arm64 as Embedded Swift, whose library every Swift has. Then replays random
# scenes of its tests and the recorded detections of MOT17, by qemu-user, and with Swift as it is here. The outputs have
# to be equal in each byte.
#
# Usage: scripts/arm64/tracks.sh [FOLDER]      default: mot in the corpora of the tests' data
#
# Needs gcc-aarch64-linux-gnu and qemu-user. Each folder of FOLDER has det.txt and seqinfo.ini.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

corpus=${1:-${GLIMPSE_SHARED:-../shared}/corpora/mot}
[[ -d $corpus ]] || { echo "arm64: error: no recorded detections in $corpus" >&2; exit 1; }
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
library=$swift/lib/swift/embedded/aarch64-none-none-elf
modules=(SHA2 BinaryFormat Observations JSONLines Tracking)
work=$PWD/.build/arm64/tracks
rm -rf "$work"
mkdir -p "$work"/{sources,embedded,native}

# compile FOLDER MODULE SOURCE... -- FLAG...
compile() {
    local folder=$work/$1 module=$2 sources=()
    shift 2
    while [[ $1 != -- ]]; do sources+=("$1"); shift; done
    swiftc -O -wmo -parse-as-library -swift-version 6 -package-name glimpse -I "$folder" -module-name "$module" "${@:2}" \
        -emit-object -o "$folder/$module.o" -emit-module -emit-module-path "$folder/$module.swiftmodule" "${sources[@]}"
}
embedded=(-target aarch64-none-none-elf -enable-experimental-feature Embedded
    -Xcc -fmodule-map-file=scripts/arm64/embedded/module.modulemap -Xcc -isystem -Xcc /usr/aarch64-linux-gnu/include)

# The tests' own scenes.
scenes=(Tests/Tracking/TrackingTests/{RandomScene,FrameTable}.swift)
for folder in native embedded; do
    flags=()
    [[ $folder == native ]] || flags=("${embedded[@]}")
    compile "$folder" GlimpseTesting Sources/Testing/GlimpseTesting/SeededRandom.swift -- "${flags[@]}"
done
for module in "${modules[@]}"; do
    copy=$work/sources/$module
    cp -r Sources/*/"$module" "$copy"
    compile native "$module" "$copy"/*.swift --
    # Embedded Swift has neither Foundation nor key paths as functions.
    rm -f "$copy"/{JSONText,CustomFeature,JSONMembers}.swift
    # shellcheck disable=SC2016 # not a name of the shell
    sed -i -E 's/allSatisfy\(\\\.([A-Za-z]+)\)/allSatisfy({ $0.\1 })/' "$copy"/*.swift
    [[ ! -e scripts/arm64/embedded/$module.swift ]] || cp "scripts/arm64/embedded/$module.swift" "$copy/Embedded.swift"
    compile embedded "$module" "$copy"/*.swift -- "${embedded[@]}"
done
compile native tracks scripts/arm64/tracks.swift "${scenes[@]}" --
compile embedded tracks scripts/arm64/tracks.swift "${scenes[@]}" -- "${embedded[@]}"
swiftc -o "$work/native/tracks" "$work"/native/*.o
# GNU's linker wants to copy metadata that it may not copy.
aarch64-linux-gnu-gcc -static -fuse-ld=lld -B"$swift/bin" -o "$work/embedded/tracks" "$work"/embedded/*.o "$library/libswiftUnicodeDataTables.a" -lm

# compare NAME ARGUMENT...: prints the number of changes.
compare() {
    "$work/native/tracks" "${@:2}" >"$work/native.txt"
    qemu-aarch64 "$work/embedded/tracks" "${@:2}" >"$work/embedded.txt"
    cmp "$work/native.txt" "$work/embedded.txt" >&2 || { echo "arm64: error: $1: other tracks" >&2; exit 1; }
    echo $(($(wc -l <"$work/native.txt") - 1))
}
random=$(compare "random scenes" 400)
recorded=0 sequences=0
for information in "$corpus"/*/seqinfo.ini; do
    folder=$(dirname "$information")
    value() { tr -d '\r' <"$information" | sed -n "s/^$1=//p"; }
    count=$(compare "$folder" "$folder/det.txt" "$(value imWidth)" "$(value imHeight)" "$(value frameRate)" "$(value seqLength)")
    recorded=$((recorded + count)) sequences=$((sequences + 1))
done
echo "${#modules[@]} Swift modules: aarch64; equal in each bit: $recorded changes of tracks in $sequences sequences, $random in 400 random scenes"
