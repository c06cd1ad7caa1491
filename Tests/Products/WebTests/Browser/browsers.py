# SPDX-License-Identifier: Apache-2.0
"""The browsers in which the page is tested, and the arguments of the tests."""

import argparse
import pathlib

from firefox import Firefox
from webdriver import Browser as Chromium

BROWSERS = {"chromium": Chromium, "firefox": Firefox}


def arguments(description):
    """The parser of a test's arguments: the folder of the programs, and the browser."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binaries", type=lambda path: pathlib.Path(path).resolve(),
                        help="has glimpsed, glimpsed-worker and glimpsed-web")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    return parser
