#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An upgrade under load, inside of the system that boot.sh has booted: does a subscriber lose an event?
# Usage: systemd/tests/boot.sh ROOT scripts/package/upgrade.sh systemd/tests/check.sh OLD.deb NEW.deb
set -uo pipefail
# shellcheck source=systemd/tests/check.sh
source "$(dirname "$0")/check.sh"

# Installs the older version first.
packages=$(for file in /checks/*.deb; do echo "$(dpkg-deb -f "$file" Version) $file"; done | sort -V | cut -d ' ' -f 2)
old=${packages%%$'\n'*} new=${packages##*$'\n'}
pipelines=4 readers=8

quietly apt-get -q -y install "$old"
check 'the older one is installed' "$(dpkg-deb -f "$old" Version)" "$(dpkg-query -W -f '${Version}' glimpsed)"
rm /etc/glimpsed/pipelines/*
for i in $(seq "$pipelines"); do scene 15 >"/etc/glimpsed/pipelines/scene-$i.toml"; done
printf '[snapshot]\non = ["detected"]\n' >>/etc/glimpsed/pipelines/scene-1.toml
printf '[events]\njournal_disk = "256MiB"\n' >/etc/glimpsed/config.toml
quietly systemctl enable --now glimpsed
for i in $(seq "$readers"); do glimpsed watch --json >"/tmp/reader-$i.jsonl" & done
# Connects a new subscriber again and again.
while [[ ! -e /tmp/stop ]]; do
    if timeout 30 glimpsed watch --json 2>/dev/null | head -n 1 | grep -q '"hello"'; then echo hello; else echo refused; fi
done >/tmp/connects &
connector=$!
sleep 10
before=$(tail -n 1 /tmp/reader-1.jsonl | jq .seq)
# The tracks of the history, and the pictures by their contents.
kept() {
    {
        glimpsed history --limit 100000 --json | jq --compact-output '[.run_id, .pipeline, .detector, .id]'
        find /var/lib/private/glimpsed/snapshots -name '*.jpg' -exec sha256sum {} +
    } | sort
}
kept >/tmp/kept-before
check 'there is a history, and there are pictures' 'yes yes' \
    "$(grep -q scene /tmp/kept-before && echo yes) $(grep -q jpg /tmp/kept-before && echo yes)"

start=$(date +%s%N)
quietly apt-get -q -y install "$new"
check 'the newer one is installed' "$(dpkg-deb -f "$new" Version)" "$(dpkg-query -W -f '${Version}' glimpsed)"
echo "     apt: $((($(date +%s%N) - start) / 1000000)) ms"
sleep 10
glimpsed status | head -n 1
kept >/tmp/kept-after
check 'history and pictures are kept' '' "$(comm -23 /tmp/kept-before /tmp/kept-after | head -n 3 | xargs)"
echo "     $(grep -c scene /tmp/kept-before) tracks of the history, $(grep -c jpg /tmp/kept-before) pictures"
touch /tmp/stop
wait "$connector"
systemctl stop glimpsed.socket glimpsed-control.socket glimpsed
pkill -x glimpsed

for i in $(seq "$readers"); do
    lines=/tmp/reader-$i.jsonl
    # A line that was cut at the end of the reader does not count.
    jq -R --raw-output 'fromjson? | select(.seq) | "\(.run_id) \(.seq)"' "$lines" >/tmp/sequence
    check "reader $i: one run, no number missing, twice or out of order" 'runs=1 wrong=0' \
        "runs=$(cut -d ' ' -f 1 /tmp/sequence | sort -u | wc -l) wrong=$(awk 'NR > 1 && $2 != last + 1 { wrong++ } { last = $2 } END { print wrong + 0 }' /tmp/sequence)"
    check "reader $i: no gap, no update in place of others" '0' "$(grep -c -e '"type":"gap"' -e '"coalesced"' "$lines")"
    check "reader $i: events of both" 'yes' "$(tail -n 1 /tmp/sequence | awk -v before="$before" '{ print ($2 > before + 100) ? "yes" : "no" }')"
done
echo "     $(wc -l </tmp/sequence) events, $before of them before the upgrade; two connections: $(grep -c '"hello"' /tmp/reader-1.jsonl) hellos"
check 'its stream conforms' 0 "$(glimpsed conform --open /tmp/reader-1.jsonl >/tmp/conform 2>&1; echo $?; )"
check 'no connect is refused' '0' "$(grep -c refused /tmp/connects)"
echo "     $(grep -c hello /tmp/connects) connects"
finish
