#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every film of a folder with every kind of tape record, and replays the tape. The replay must give equal bytes
# and a conforming stream. Prints one line for each film, and exits with 1 after a difference.
#
#   scripts/clips.sh [FOLDER]             default: ../shared/media/video
#
# GLIMPSED names the executable. Frames are counted up to the last line with a frame.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
films=${1:-$root/../shared/media/video}
glimpsed=${GLIMPSED:-$root/.build/release/glimpsed}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/clip.toml" <<'TOML'
[face]
mode = "accurate"
[barcode]
effort = "hard"
[object]
model = "yolox_nano"
[scene]
model = "squeezenet"
[search]
source = "any"
engine = "classifier"
reticle = { radius = 0.4 }
cooldown = "1s"
result_time = "1s"
[search.classifier]
model = "squeezenet"
[snapshot]
on = ["detected", "best"]
[[zone]]
name = "left"
polygon = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]
dwell = "500ms"
TOML

failed=0
count=0
printf '%-36s %6s %8s %10s %9s  %s\n' film frames lines bytes tape verdict
for film in "$films"/*.{gif,mkv,mp4}; do
    [[ -f $film ]] || continue
    count=$((count + 1))
    rm -rf "$folder"/{live,again,tape,pictures,errors}
    verdict=same
    "$glimpsed" pipeline "$folder/clip.toml" --source "$film" --explain --pictures "$folder/pictures" \
        --record "$folder/tape" >"$folder/live" 2>"$folder/errors" || verdict="the pipeline failed"
    "$glimpsed" conform <"$folder/live" >>"$folder/errors" 2>&1 || verdict="does not conform"
    "$glimpsed" replay "$folder/tape" >"$folder/again" 2>>"$folder/errors" || verdict="the replay failed"
    cmp "$folder/live" "$folder/again" >>"$folder/errors" 2>&1 || verdict=differs
    frames=$({ grep -oE '"frame":\{"epoch":1,"seq":[0-9]+' "$folder/live" || true; } | cut -d : -f 4 | sort -n | tail -n 1)
    printf '%-36s %6d %8d %10d %9d  %s\n' "$(basename "$film")" "${frames:-0}" "$(wc -l <"$folder/live")" \
        "$(stat -c %s "$folder/live")" "$(stat -c %s "$folder/tape")" "$verdict"
    if [[ $verdict != same ]]; then
        failed=1
        cat "$folder/errors"
    fi
done
if ((count == 0)); then
    echo "no films in $films" >&2
    exit 66
fi
exit "$failed"
