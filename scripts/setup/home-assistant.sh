# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Home Assistant's schemas of MQTT, as .deps/home-assistant/. Sourced by scripts/setup.sh.

install_home_assistant() {
    local requirements=$root/scripts/home-assistant-requirements.txt target=$deps/home-assistant
    cmp --silent "$requirements" "$target/requirements.txt" && return

    say "fetching Home Assistant (40 MB)"
    logged python_with_pip -m pip install --target "$work/home-assistant" --no-deps --require-hashes \
        --only-binary=:all: --requirement "$requirements" ||
        fail "pip could not fetch Home Assistant" \
            "repair the error of pip above (network, PyPI; the pinned files need Python 3.11), then run set-up again"
    rm -rf "$target"
    { cp "$requirements" "$work/home-assistant/requirements.txt" &&
        mv -T "$work/home-assistant" "$target"; } 2>>"$log" || fail_to_write "$target"
}
