# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The spelling check `typos`, as .deps/typos/typos. Sourced by scripts/setup.sh.

install_typos() {
    local requirements=$root/scripts/typos-requirements.txt target=$deps/typos
    [[ -x $target/typos ]] && cmp --silent "$requirements" "$target/requirements.txt" && return

    say "fetching typos (8 MB)"
    logged python_with_pip -m pip download --dest "$work" --no-deps --require-hashes --only-binary=:all: \
        --requirement "$requirements" ||
        fail "pip could not fetch typos" "repair the error of pip above (network, PyPI), then run set-up again"
    rm -rf "$target"
    { mkdir -p "$work/typos" &&
        logged unzip -q -j "$work"/typos-*.whl 'typos-*/scripts/typos' -d "$work/typos" &&
        chmod +x "$work/typos/typos" && cp "$requirements" "$work/typos/requirements.txt" &&
        mv -T "$work/typos" "$target"; } 2>>"$log" || fail_to_write "$target"
}
