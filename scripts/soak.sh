#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a whole box through faults for MINUTES (120), and draws the resources of its processes: docs/soak.svg and
# .build/soak.csv (reliability/soak.py). Needs root.
#
#   scripts/soak.sh [MINUTES]
#
# The picture and the consumer at the broker have pinned packages in a virtual environment under .deps/.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.deps/soak
requirements=(scripts/reliability/requirements.txt scripts/reliability/relay-requirements.txt)
if ! cat "${requirements[@]}" | cmp --silent - "$venv/requirements.txt"; then
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "${requirements[@]/#/--requirement=}"
    cat "${requirements[@]}" > "$venv/requirements.txt"
fi
exec "$venv/bin/python" scripts/reliability/soak.py "${1:-120}" --csv .build/soak.csv --plot docs/soak.svg
