#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The installed daemon under its installed units, inside of the system that boot.sh has booted.
# Usage: systemd/tests/boot.sh / systemd/tests/checks.sh FILE... [-- SECTION...]
# shellcheck disable=SC2317 # functions are called by the names that are selected
set -uo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=systemd/tests/check.sh
source "$here/check.sh"
trap 'cp /tmp/watched /tmp/rest /tmp/collected /var/log 2>/dev/null; journalctl --boot --output short-monotonic --no-pager >/var/log/journal.log 2>&1' EXIT

unit=glimpsed.service
subscriber=$here/subscriber.py
sockets=(glimpsed.socket glimpsed-control.socket)

# said PATTERN: prints the first line of the service's log since the section began that matches, after its priority.
# Waits for systemd-journald, which is behind on a busy machine.
log_of() {
    journalctl --sync
    journalctl --unit "$unit" --since "@$since" --no-pager --output json | jq -r '"<\(.PRIORITY)>\(.MESSAGE)"'
}
said() { log_of | grep -m 1 -- "$1"; }

# begin NAME: the daemon is stopped and has no state, its sockets listen, its configuration is empty.
begin() {
    section=$1
    systemctl stop "${sockets[@]}" "$unit" 2>/dev/null
    rm -rf /etc/systemd/system/glimpsed.service.d /etc/glimpsed/pipelines/*
    find /var/lib/private/glimpsed -mindepth 1 -delete 2>/dev/null
    systemctl daemon-reload
    systemctl reset-failed "$unit" "${sockets[@]}" 2>/dev/null
    systemctl start "${sockets[@]}"
    printf '[retention]\nevents = ["7d", "64MiB"]\n[daemon]\nlog_level = "info"\n' >/etc/glimpsed/config.toml
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

all=(activation readiness reload journal restarts watchdog kill configuration stop disk camera work external relay web shares sandbox documents)
(($#)) || set -- "${all[@]}"
for name; do
    begin "$name"
    "check_$name"
done
begin end
check_failed_units
finish
