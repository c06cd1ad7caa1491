#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints each code once when it comes into view: time, pipeline, symbology and text, separated by tabs.
#
#   codes.sh [SOCKET [POSITION-FILE]]
#
# Needs socat and jq. When the daemon is restarted it connects again and goes on after the last code it has printed.
set -eu

socket=${1:-/run/glimpsed/events.sock}
position=${2:-$(mktemp)}
[ $# -ge 2 ] || trap 'rm -f "$position"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The position file holds the run's id and the number of the last event.
resume() {
    read -r run seq <"$position" 2>/dev/null || return 0
    printf ',"run_id":"%s","after":%s' "$run" "$seq"
}

while :; do
    printf '{"subscribe":{"kinds":["barcode"],"types":["detected"]}%s}\n' "$(resume)" |
        # It sends this one line and then only reads, for as long as the daemon is there.
        socat -t 1000000000 - "UNIX-CONNECT:$socket,shut-none" |
        jq --raw-output --unbuffered '
            if .type == "detected" then [.run_id, .seq, .time, .pipeline, .barcode.format, .barcode.display // ""]
            elif .type == "gap" then ["-", "some events were lost: \(.reason)"]
            elif .type == "error" then ["-", "refused: \(.reason)"]
            elif .type == "hello" then ["-", "connected to \(.server)"]
            else empty end | @tsv' |
        while IFS='	' read -r run seq rest; do
            if [ "$run" = - ]; then
                echo "$seq" >&2
                continue
            fi
            printf '%s\n' "$rest"
            printf '%s %s\n' "$run" "$seq" >"$position.new" && mv "$position.new" "$position"
        done
    sleep 1
done
