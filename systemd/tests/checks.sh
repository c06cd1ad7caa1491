#!/usr/bin/env bash
# Runs inside of the system that boot.sh has booted: the installed daemon under its installed units. One line a check: "ok NAME -- what
# was seen" or "FAIL NAME -- what was seen, want PATTERN". Exit status 1 when one failed.
# shellcheck disable=SC2053,SC2317 # patterns stand unquoted; functions are called by the names that are selected
set -uo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
exec > >(tee /var/log/checks.log >/dev/console) 2>&1
trap 'cp /tmp/watched /tmp/rest /tmp/collected /var/log 2>/dev/null; journalctl --boot --output short-monotonic --no-pager >/var/log/journal.log 2>&1; exec >&- 2>&-; sleep 0.3' EXIT

failures=0 count=0
unit=glimpsed.service
subscriber=$here/subscriber.py
sockets=(glimpsed.socket glimpsed-control.socket)

# check NAME PATTERN ACTUAL
check() {
    count=$((count + 1))
    if [[ $3 == $2 ]]; then
        echo "ok   $section: $1 -- $3"
    else
        echo "FAIL $section: $1 -- $3, want $2"
        failures=$((failures + 1))
    fi
}

property() { systemctl show --property "$1" --value "${2:-$unit}"; }

# wait_for PATTERN SECONDS COMMAND...: the command's output when it fits, or at last.
wait_for() {
    local pattern=$1 end=$((SECONDS + $2)) output
    shift 2
    while output=$("$@" 2>/dev/null); [[ $output != $pattern ]] && ((SECONDS < end)); do sleep 0.1; done
    echo "$output"
}

# said PATTERN: what the service's log has since the section began, with its priority in front.
log_of() { journalctl --unit "$unit" --since "@$since" --no-pager --output json | jq -r '"<\(.PRIORITY)>\(.MESSAGE)"'; }
said() { log_of | grep -m 1 -- "$1"; }

# begin NAME: the daemon is stopped and has no state, its sockets listen, its configuration is empty.
begin() {
    section=$1
    systemctl stop "${sockets[@]}" "$unit"
    rm -rf /etc/systemd/system/glimpsed.service.d /etc/glimpsed/pipelines/*
    find /var/lib/private/glimpsed -mindepth 1 -delete 2>/dev/null
    systemctl daemon-reload
    systemctl reset-failed "$unit" "${sockets[@]}" 2>/dev/null
    systemctl start "${sockets[@]}"
    printf '[events]\njournal_disk = "64MiB"\n[daemon]\nlog_level = "info"\n' >/etc/glimpsed/config.toml
    printf '[source]\nkind = "test"\n[barcode]\n' >/etc/glimpsed/pipelines/scene.toml
    sleep 1 # the journal's time stamps are compared by whole seconds
    since=$(date +%s)
}

# drop_in LINES: settings of the service for this section.
drop_in() {
    mkdir -p /etc/systemd/system/glimpsed.service.d
    printf '[Service]\n%s\n' "$1" >>/etc/systemd/system/glimpsed.service.d/checks.conf
    systemctl daemon-reload
}

# shellcheck source=systemd/tests/cases.sh
source "$here/cases.sh"

all=(activation readiness reload journal restarts watchdog kill configuration stop disk camera work shares sandbox)
mapfile -t selected < <(grep . "$here/selected")
((${#selected[@]})) || selected=("${all[@]}")
for name in "${selected[@]}"; do
    begin "$name"
    "check_$name"
done
begin end
check_failed_units
echo "$count checks, $failures failed, $SECONDS s"
exit $((failures > 0))
