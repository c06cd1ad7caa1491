#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real page by its OpenAPI description, with valid and invalid requests (`make web-schema`).

Usage: schema_test.py BINARIES SCHEMATHESIS [CASES]

CASES is the number of requests for each operation and phase. Streams without an end are left out.
"""

import pathlib
import subprocess
import sys
import tempfile

from cameras import PIPELINES
from live_page import ROOT, LivePage

ENDLESS = "^/api/events$|^/api/pictures$|/stream$"
# A valid id may have no picture, and a method that a path does not have gets 404.
UNCHECKED = "positive_data_acceptance,unsupported_method"


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    binaries, program = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    cases = sys.argv[3] if len(sys.argv) == 4 else "200"
    with LivePage(binaries, PIPELINES) as page, tempfile.TemporaryDirectory() as folder:
        command = [program, "run", ROOT / "web" / "openapi.json", "--url", page.address, "--max-examples", cases,
                   "--exclude-path-regex", ENDLESS, "--exclude-checks", UNCHECKED,
                   "--generation-database", "none"]
        # The program leaves a cache in its folder.
        status = subprocess.run(command, cwd=folder).returncode
        if not page.is_healthy():
            sys.exit("glimpsed-web is not healthy any more")
    sys.exit(status)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
