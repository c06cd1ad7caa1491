#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prepares a Debian machine with Swift to build, run and test Glimpse. You can run it again at any time.
set -euo pipefail

usage() {
    cat <<'END'
Usage: scripts/setup.sh [--text] [--metrics] [--browser] [--home-assistant] | --package

Installs what Glimpse needs to build, run and be tested:
  Debian packages    those of scripts/apt-packages.txt that are missing (asks sudo when not root)
  OpenVINO           a system-wide one that pkg-config knows, else the pinned wheel, under .deps/
  ZXing              the pinned version, built from source under .deps/ (a minute)
  demo picture       a NASA portrait, under .deps/share/glimpsed/demo/
  typos              the spelling check of `make lint`: the pinned wheel, under .deps/
  models             of models/catalog.toml, under .deps/share/glimpsed/models/; without them faces are found by the cascade

--text also installs tesseract-ocr, which the text reader in detectors/ needs.
--metrics also installs prometheus and the parser of PyPI's prometheus-client, which only tests of the metrics need.
--browser also installs chromium, firefox-esr, caddy, nginx and the rules of axe-core, which only tests of the live page
          need.
--home-assistant also installs Home Assistant's schemas of MQTT, which one test of the relay needs (Python 3.11).
--package installs what `make deb` needs, and nothing else.

Environment:
  GLIMPSE_ZXING=system use Debian's ZXing (1.4 in Debian 12, 2.3 in 13): reads fewer symbols and fewer formats
  GLIMPSE_ZXING=2.3.0  build that one of scripts/zxing-requirements.txt
  GLIMPSE_MODELS=DIR   take the models from this directory and nowhere else
END
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$root/.deps
work=$deps/.work
log=
package_lists=("$root/scripts/apt-packages.txt")

# shellcheck source=scripts/setup/console.sh
source "$root/scripts/setup/console.sh"
# shellcheck source=scripts/setup/packages.sh
source "$root/scripts/setup/packages.sh"
# shellcheck source=scripts/setup/openvino.sh
source "$root/scripts/setup/openvino.sh"
# shellcheck source=scripts/setup/zxing.sh
source "$root/scripts/setup/zxing.sh"
# shellcheck source=scripts/setup/typos.sh
source "$root/scripts/setup/typos.sh"
# shellcheck source=scripts/setup/demo-picture.sh
source "$root/scripts/setup/demo-picture.sh"
# shellcheck source=scripts/setup/prometheus-client.sh
source "$root/scripts/setup/prometheus-client.sh"
# shellcheck source=scripts/setup/axe-core.sh
source "$root/scripts/setup/axe-core.sh"
# shellcheck source=scripts/setup/home-assistant.sh
source "$root/scripts/setup/home-assistant.sh"
# shellcheck source=scripts/setup/models.sh
source "$root/scripts/setup/models.sh"

main() {
    local only_package='' with_metrics='' with_browser='' with_home_assistant='' option
    for option; do
        case $option in
            --text) package_lists+=("$root/scripts/text-packages.txt") ;;
            --metrics) with_metrics=1 package_lists+=("$root/scripts/metrics-packages.txt") ;;
            --browser) with_browser=1 package_lists+=("$root/scripts/browser-packages.txt") ;;
            --home-assistant) with_home_assistant=1 ;;
            --package) only_package=1 package_lists=("$root/scripts/package/apt-packages.txt") ;;
            -h | --help) usage; exit 0 ;;
            *) usage >&2; exit 64 ;;
        esac
    done

    command -v swift >/dev/null ||
        fail "Swift is not on PATH" "install Swift 6.2 or later (https://www.swift.org/install) and put its usr/bin on PATH"
    open_deps
    install_packages
    [[ -z $only_package ]] || return 0
    install_openvino
    install_zxing
    install_typos
    [[ -z $with_metrics ]] || install_prometheus_client
    [[ -z $with_browser ]] || install_axe_core
    [[ -z $with_home_assistant ]] || install_home_assistant
    install_demo_picture
    install_models
    printf 'setup: ready (%s; %s; demo picture; %s)\n' "$openvino_state" "$zxing_state" "$models_state"
}

# Makes .deps/ and locks it against other runs of set-up.
open_deps() {
    { mkdir -p "$deps" && : >>"$deps/.lock"; } 2>/dev/null || fail_to_write "$deps"
    exec 9>"$deps/.lock"
    flock --nonblock 9 || { say "waiting for another set-up to finish"; flock 9; }
    { : >"$deps/setup.log" && rm -rf "$work" && mkdir "$work"; } 2>/dev/null || fail_to_write "$deps"
    log=$deps/setup.log
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

main "$@"
