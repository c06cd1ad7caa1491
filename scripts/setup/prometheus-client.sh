# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The parsers of prometheus-client, as .deps/prometheus-client/. Sourced by scripts/setup.sh.

install_prometheus_client() {
    local requirements=$root/scripts/prometheus-client-requirements.txt target=$deps/prometheus-client
    cmp --silent "$requirements" "$target/requirements.txt" && return

    say "fetching prometheus-client"
    logged python_with_pip -m pip download --dest "$work" --no-deps --require-hashes --only-binary=:all: \
        --requirement "$requirements" ||
        fail "pip could not fetch prometheus-client" "repair the error of pip above (network, PyPI), then run set-up again"
    rm -rf "$target"
    { logged unzip -q "$work"/prometheus_client-*.whl -d "$work/prometheus-client" &&
        cp "$requirements" "$work/prometheus-client/requirements.txt" &&
        mv -T "$work/prometheus-client" "$target"; } 2>>"$log" || fail_to_write "$target"
}
