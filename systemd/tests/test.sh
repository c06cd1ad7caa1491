#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the units of `make build` under a systemd of their own, installed as `make install` does over this machine's
# root.
#
# Usage: [BINARIES=.build/release] systemd/tests/test.sh [CHECK...]   CHECK: a section of cases.sh; default: all
#
# Needs root, systemd and what scripts/setup.sh installs. Changes nothing outside of .build/systemd, and leaves logs
# there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

systemd/tests/boot.sh --possible
stage=$PWD/.build/systemd/stage log=$PWD/.build/systemd/log
rm -rf .build/systemd
mkdir -p "$stage" "$log"
DESTDIR=$stage PREFIX=/usr UNITDIR=/usr/lib/systemd/system scripts/install.sh "${BINARIES:-.build/release}" >/dev/null
# `make uninstall` leaves the configuration only.
bare=$PWD/.build/systemd/bare
DESTDIR=$bare scripts/install.sh "${BINARIES:-.build/release}" >/dev/null
DESTDIR=$bare scripts/uninstall.sh >/dev/null
left=$(find "$bare" -not -type d -printf '%P ')
[[ $left == "etc/glimpsed/config.toml " ]] || { echo "systemd-test: error: make uninstall leaves $left" >&2; exit 1; }
install -d "$stage/etc/systemd/system/sockets.target.wants"
for socket in glimpsed glimpsed-control; do
    ln -s "/usr/lib/systemd/system/$socket.socket" "$stage/etc/systemd/system/sockets.target.wants/"
done
STAGE=$stage LOG=$log systemd/tests/boot.sh / systemd/tests/checks.sh \
    systemd/tests/{check,cases}.sh systemd/tests/{hook,probe,subscriber}.py Tests/Support/rtsp-server.py ./*.md docs scripts -- "$@"
