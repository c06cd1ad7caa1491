#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills glimpsed-relay, the daemon and the broker under load, and counts at a consumer (reliability/relay_kills.py).
#
#   scripts/relay.sh [OPTION...]       such as --broker nats --outage 600; --help lists the options
#
# Needs Debian's mosquitto or nats-server, and a debug build. The consumer's library is installed in .deps/paho.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.deps/paho
requirements=scripts/reliability/relay-requirements.txt
if ! cmp --silent "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
    cp "$requirements" "$venv/requirements.txt"
fi
exec "$venv/bin/python" scripts/reliability/relay_kills.py "$@"
