#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds those C and C++ shims for arm64 whose libraries need no arm64 system. The reader has to find the same symbols
# there, by qemu-user, as here. arm64/tracks.sh compares the tracker's results, as Embedded Swift. The other Swift
# modules would need Swift for arm64.
#
# Usage: scripts/arm64.sh
#
# Needs scripts/setup.sh, gcc-aarch64-linux-gnu, g++-aarch64-linux-gnu, qemu-user, cmake and the network (PyPI).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    printf 'arm64: error: %s\n' "$*" >&2
    exit 1
}

for tool in aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64 cmake; do
    command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user cmake"
done
work=$PWD/.build/arm64
mkdir -p "$work"

# The shims that need no other library, and CZXing.
version=$(sed -n 's/^zxing-cpp==\([0-9.]*\).*/\1/p' scripts/zxing-requirements.txt | head -n 1)
if [[ ! -e $work/zxing/lib/libZXing.a ]]; then
    grep "^zxing-cpp==$version " scripts/zxing-requirements.txt >"$work/requirements.txt"
    python3 -m pip --quiet download --dest "$work" --no-deps --require-hashes --no-binary zxing-cpp --requirement "$work/requirements.txt"
    tar -xzf "$work/zxing_cpp-$version.tar.gz" -C "$work"
    # shellcheck source=/dev/null # linted with scripts/setup.sh
    source scripts/setup/zxing.sh
    CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ cmake_zxing "$work/zxing_cpp-$version/core" "$work/zxing-build" "$work/zxing" >"$work/log" 2>&1 ||
        { tail "$work/log" >&2; fail "ZXing could not be built"; }
fi

shims=(CCascade CErrorReport CMotion COneHeap CProcess CProgramHost CSandbox CTOML CZXing)
includes=()
for folder in Sources/Libraries/*/include; do includes+=("-I$folder"); done
# compile TRIPLET FOLDER INCLUDE: makes an object of each source of the shims.
compile() {
    local source object count=0
    mkdir -p "$2"
    for shim in "${shims[@]}"; do
        for source in Sources/Libraries/"$shim"/*.c*; do
            object=$2/$shim-$(basename "$source").o
            case $source in
                *.cpp) "$1g++" -std=c++17 -O2 -Wall -Wno-deprecated-declarations -Wno-psabi -Werror "${includes[@]}" "-I$3" -c "$source" -o "$object" ;;
                *) "$1gcc" -std=gnu17 -O2 -Wall -Wno-format-truncation -Werror "${includes[@]}" -c "$source" -o "$object" ;;
            esac
            count=$((count + 1))
        done
    done
    echo "$count sources of ${#shims[@]} shims: $("$1gcc" -dumpmachine)"
}
# link TRIPLET FOLDER ZXING
link() {
    "$1g++" -std=c++20 -O2 -Wall -Werror -ISources/Libraries/CZXing/include scripts/arm64/symbols.cpp "$2"/CZXing-*.o "$2"/CErrorReport-*.o \
        "$3/lib/libZXing.a" -static -o "$2/symbols"
}
compile aarch64-linux-gnu- "$work/objects" "$work/zxing/include"
link aarch64-linux-gnu- "$work/objects" "$work/zxing"
compile '' "$work/native" .deps/zxing/include
link '' "$work/native" .deps/zxing

"$work/native/symbols" >"$work/native.txt"
qemu-aarch64 "$work/objects/symbols" >"$work/arm64.txt"
# The last digits of corners may differ: the processors round sums of products differently.
python3 - "$work/native.txt" "$work/arm64.txt" <<'END'
import itertools, sys

def words(line):
    for word in line.split():
        try:
            yield float(word) if "." in word else word
        except ValueError:
            yield word

here, there = ([list(words(line)) for line in open(name)] for name in sys.argv[1:])
largest = 0.0
for a, b in itertools.zip_longest(here, there, fillvalue=[]):
    near = len(a) == len(b) and all(abs(x - y) <= 0.25 if isinstance(x, float) and isinstance(y, float) else x == y for x, y in zip(a, b))
    if not near:
        sys.exit(f"arm64: error: here {a}, there {b}")
    largest = max([largest, *(abs(x - y) for x, y in zip(a, b) if isinstance(x, float))])
print(f"{here[-1][0]} symbols read and followed alike; the largest difference of a corner is {largest:.2f} pixels")
END
scripts/arm64/tracks.sh
