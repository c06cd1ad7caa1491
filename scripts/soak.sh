#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a daemon through the faults of eight hours in MINUTES (20), and draws its resources: docs/soak.svg and
# .build/soak.csv.
#
#   scripts/soak.sh [MINUTES]
#
# Only the picture needs matplotlib: a pinned version in a virtual environment under .deps/.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.deps/soak
requirements=scripts/reliability/requirements.txt
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
    cp "$requirements" "$venv/requirements.txt"
fi
exec "$venv/bin/python" scripts/reliability/soak.py "${1:-20}" --csv .build/soak.csv --plot docs/soak.svg
