# SPDX-License-Identifier: Apache-2.0
"""Prints a line for each statement of a test: `ok` or `FAILED`."""

import sys

failures = 0


def check(text, holds, detail=""):
    global failures
    failures += not holds
    print(f"{'ok' if holds else 'FAILED'}: {text}{'' if holds else f': {detail}'}", flush=True)


def finish():
    """Ends the program: with 0 if everything holds."""
    sys.exit(failures != 0)
