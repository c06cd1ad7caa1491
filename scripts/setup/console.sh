# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Messages and errors of set-up. Sourced by scripts/setup.sh.

say() { printf 'setup: %s\n' "$*"; }

warn() { printf 'setup: warning: %s\n' "$*" >&2; }

# fail ERROR REMEDY: ends set-up with an error.
fail() {
    if [[ -s $log ]]; then
        printf 'setup: the last lines of %s:\n' "$log" >&2
        tail -n 12 "$log" | sed 's/^/    /' >&2
    fi
    printf 'setup: error: %s\nsetup: %s\n' "$1" "$2" >&2
    exit 1
}

fail_to_write() { fail "cannot write to $1" "make it writable for $(id -un) and free 300 MB, then run set-up again"; }

# logged COMMAND...: runs the command with its output in the log, and without set-up's lock.
logged() { "$@" >>"$log" 2>&1 </dev/null 9>&-; }

# has_sha256 FILE HASH: whether FILE exists and has the hash.
has_sha256() { [[ -f $1 ]] && [[ $(sha256sum "$1" | cut -d ' ' -f 1) == "$2" ]]; }
