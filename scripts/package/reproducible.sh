#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that the packages do not depend on the place, the time and the user of their build. Builds this commit again
# from scratch in another folder, with another user name, time zone, locale and umask. Compares the packages with
# .build/package.
#
# Usage: scripts/package/reproducible.sh
#
# Needs the packages that `make deb` made of this commit, and takes a whole release build. The other folder's path is as
# long as this one's. Swift 6.3 writes the length of a file's path, though not the path, into code that calls
# withoutActuallyEscaping.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    printf 'reproducible: error: %s\n' "$*" >&2
    exit 1
}

first=$PWD/.build/package
compgen -G "$first/*.deb" >/dev/null || fail "there are no packages in .build/package: run make deb first"
[[ -z $(git status --porcelain) ]] || fail "there are changes that are not committed"

letters=$((${#PWD} - 5))
((letters >= 3 && letters < 256)) || fail "there is no folder below /tmp whose path is as long as that of $PWD"
printf -v second '%*s' "$letters" ''
second=/tmp/${second// /x}
mkdir "$second" || fail "$second is in the way"
work=$(mktemp -d)
trap 'rm -rf "$work" "$second"' EXIT
git clone --quiet --shared . "$second"
cp -a .deps "$second/.deps"
# Fetches Swift packages of equal versions.
cp Package.resolved "$second"

(
    umask 077
    cd "$second"
    export TZ=Pacific/Kiritimati LC_ALL=C LOGNAME=nobody USER=nobody
    make --silent build
    scripts/package/build.sh
) >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "the second build failed"; }

for package in "$first"/*.deb; do
    other=$second/.build/package/$(basename "$package")
    if ! cmp --quiet "$package" "$other"; then
        mkdir -p "$work/first" "$work/second"
        dpkg-deb -R "$package" "$work/first"
        dpkg-deb -R "$other" "$work/second"
        diff --recursive --brief "$work/first" "$work/second" | sed "s|$work/||g" >&2 || true
        fail "$(basename "$package") differs"
    fi
    echo "reproducible: $(sha256sum <"$package" | cut -d ' ' -f 1)  $(basename "$package")"
done
