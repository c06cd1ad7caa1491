#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The units' checks, with the package in a bare Debian, inside of the system that boot.sh has booted.
# Usage: systemd/tests/boot.sh ROOT scripts/package/units.sh FILE... glimpsed_VERSION_ARCH.deb -- PACKAGE...
#        the FILEs are systemd/tests/checks.sh and what that wants; the PACKAGEs are those that the checks need
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=systemd/tests/check.sh
source ./check.sh

quietly apt-get -q -y install ./glimpsed_*.deb "$@"
exec ./checks.sh
