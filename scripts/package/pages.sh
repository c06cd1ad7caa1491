#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of the documents that install and upgrade the package, inside of the system that boot.sh has booted.
# Usage: systemd/tests/boot.sh ROOT scripts/package/pages.sh systemd/tests/check.sh glimpsed_VERSION_ARCH.deb \
#            older.deb *.md docs scripts -- PACKAGE...
#        the PACKAGEs include Python
set -uo pipefail
# shellcheck source=systemd/tests/check.sh
source "$(dirname "$0")/check.sh"

quietly apt-get -q -y install "$@"
check 'the commands of the documents work' '[1-9]* blocks * 0 complaints' \
    "$(/checks/scripts/page_commands.py --runner package --bin /usr/bin 2>&1)"
finish
