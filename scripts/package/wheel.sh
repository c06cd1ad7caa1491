#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the wheel of clients/python, without the network and with Debian's own Python.
# Usage: scripts/package/wheel.sh FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The wheel keeps the modes of its files.
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# setuptools writes beside its sources.
cp -r clients/python "$work/source"
chmod -R u=rwX,go=rX "$work/source"
find "$work/source" -name __pycache__ -prune -exec rm -rf {} +
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(dpkg-parsechangelog -S Timestamp)} /usr/bin/python3 -m pip wheel --quiet --no-deps \
    --no-build-isolation --no-index --no-cache-dir --disable-pip-version-check --wheel-dir "$1" "$work/source"
