# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The accessibility rules of axe-core, as .deps/axe-core/axe.min.js. Sourced by scripts/setup.sh.

install_axe_core() {
    local requirements=$root/scripts/axe-core-requirements.txt target=$deps/axe-core
    cmp --silent "$requirements" "$target/requirements.txt" && return

    say "fetching axe-core"
    logged python_with_pip -m pip download --dest "$work" --no-deps --require-hashes --only-binary=:all: \
        --requirement "$requirements" ||
        fail "pip could not fetch axe-core" "repair the error of pip above (network, PyPI), then run set-up again"
    rm -rf "$target"
    { logged unzip -q -j "$work"/axe_core_python-*.whl axe_core_python/axe.min.js -d "$work/axe-core" &&
        cp "$requirements" "$work/axe-core/requirements.txt" &&
        mv -T "$work/axe-core" "$target"; } 2>>"$log" || fail_to_write "$target"
}
