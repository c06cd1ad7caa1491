#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes Debian packages from the output of `make build` in .build/package, and checks them with lintian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

destination=$PWD/.build/package
log=$destination/build.log
rm -rf "$destination"
mkdir -p "$destination"
# The builder's own settings must not change the package.
umask 022
LC_ALL=C.UTF-8 TZ=UTC DEB_RULES_REQUIRES_ROOT=no DESTINATION=$destination debian/rules binary >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    echo "deb: error: debian/rules failed; its complete output: $log" >&2
    exit 1
}
debian/rules clean >>"$log" 2>&1
scripts/package/wheel.sh "$destination"
LC_ALL=C.UTF-8 lintian --fail-on error --tag-display-limit 0 --allow-root "$destination"/*.deb
for package in "$destination"/*.deb; do
    printf 'deb: %s  %s  %d KiB, installed %d KiB\n' "$(basename "$package")" "$(sha256sum <"$package" | cut -d ' ' -f 1)" \
        $(($(stat -c %s "$package") / 1024)) "$(dpkg-deb -f "$package" Installed-Size)"
done
