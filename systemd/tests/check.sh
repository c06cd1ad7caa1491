# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that run in a booted system. Gives one line for each check and the exit status. A line is
# "ok NAME -- what was seen" or "FAIL NAME -- what was seen, want PATTERN".

failures=0 count=0

# check NAME PATTERN ACTUAL: the section's name, if any, precedes NAME.
check() {
    count=$((count + 1))
    # shellcheck disable=SC2053 # a pattern
    if [[ $3 == $2 ]]; then
        echo "ok   ${section:+$section: }$1 -- $3"
    else
        echo "FAIL ${section:+$section: }$1 -- $3, want $2"
        failures=$((failures + 1))
    fi
}

# wait_for PATTERN SECONDS COMMAND...: prints the command's output when it matches, or after the deadline.
wait_for() {
    local pattern=$1 end=$((SECONDS + $2)) output
    shift 2
    # shellcheck disable=SC2053
    while output=$("$@" 2>/dev/null); [[ $output != $pattern ]] && ((SECONDS < end)); do sleep 0.1; done
    echo "$output"
}

property() { systemctl show --property "$1" --value "${2:-glimpsed.service}"; }

# quietly COMMAND...: prints the command's output only after a failure.
quietly() {
    local output status=0
    output=$("$@" 2>&1 </dev/null) || status=$?
    ((status == 0)) || echo "$output"
    return "$status"
}

# scene FPS: a pipeline's file, of the built-in scene with its face and symbols.
scene() { printf '[source]\nkind = "test"\nfps = %s\n[face]\n[barcode]\n' "$1"; }

finish() {
    if ((failures > 0)); then
        journalctl --unit glimpsed.service --no-pager --output cat | tail -n 40
    fi
    echo "$count checks, $failures failed, $SECONDS s"
    ((failures == 0))
}
