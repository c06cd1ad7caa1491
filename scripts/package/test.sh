#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the packages of `make deb` on a bare Debian: from `apt install` to `apt purge`, an upgrade under load, and the
# checks of the units.
# Usage: [OLDER=FILE.deb] scripts/package/test.sh [SUITE]      default: bookworm
# OLDER is the package from which to upgrade; without it, the new one with an older version.
# Needs root, mmdebstrap, and at first the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    printf 'package-test: error: %s\n' "$*" >&2
    exit 1
}

suite=${1:-bookworm} root=${ROOT:-$PWD/.build/roots/${1:-bookworm}}
package=$(compgen -G '.build/package/glimpsed_*.deb') || fail "there is no package in .build/package: run make deb first"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=(python3-gi gir1.2-gst-rtsp-server-1.0 gstreamer1.0-tools)
scripts/package/clean-root.sh "$suite" "$root" "$package" libmosquitto1 "${tools[@]}" >"$work/log" 2>&1 || { tail "$work/log" >&2; fail "no bare Debian"; }

older=$work/older.deb
dpkg-deb -R "${OLDER:-$package}" "$work/older"
sed -i 's/^Version: .*/&~older/' "$work/older/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 -b "$work/older" "$older" >/dev/null

echo "==> life ($suite)"
systemd/tests/boot.sh "$root" scripts/package/life.sh systemd/tests/check.sh "$package" .build/package/glimpsed-{relay,web}_*.deb
echo "==> pages ($suite)"
systemd/tests/boot.sh "$root" scripts/package/pages.sh systemd/tests/check.sh "$package" "$older" ./*.md docs scripts -- "${tools[@]}"
echo "==> upgrade ($suite)"
systemd/tests/boot.sh "$root" scripts/package/upgrade.sh systemd/tests/check.sh "$package" "$older"
echo "==> units ($suite)"
mkdir "$work/var-log"
LOG=$work/var-log systemd/tests/boot.sh "$root" scripts/package/units.sh systemd/tests/check{s,}.sh systemd/tests/cases.sh systemd/tests/*.py \
    Tests/Support/rtsp-server.py "$package" -- "${tools[@]}"
