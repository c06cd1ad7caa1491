#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes zeros over Swift's hashes of its modules, which serve its next build, and over the linker's hash of the file.
# The hashes differ from folder to folder, and no program reads them. objcopy could remove the sections, but would
# remove the read-only relocations (RELRO) too.
#
# Usage: scripts/package/without-hashes.sh FILE...
set -euo pipefail

zeros=$(mktemp)
trap 'rm -f "$zeros"' EXIT
for file; do
    mode=$(stat -c %a "$file")
    for section in .swift_modhash .note.gnu.build-id; do
        [[ $(readelf -SW "$file") == *" $section "* ]] || continue
        objcopy --dump-section "$section=$zeros" "$file"
        # A note keeps its head: whose it is, of which kind, and how long.
        kept=$([[ $section == .note* ]] && echo 16 || echo 0)
        size=$(stat -c %s "$zeros")
        truncate --size="$kept" "$zeros"
        truncate --size="$size" "$zeros"
        objcopy --update-section "$section=$zeros" "$file"
    done
    chmod "$mode" "$file"
done
