#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads text: a detector for glimpsed on Debian's tesseract-ocr.

    [external.text]
    kind = "text"
    command = ["python3", "/usr/share/glimpsed/detectors/tesseract.py", "--lang", "eng"]
    format = "gray8"
    width = 1280
    max_rate = 2

Each block of lines is a detection. Its attributes are `value` (the lines), `language`, and `lines` and `words` with
`value`, `confidence` and `box`. Each `box` there is x, y, width and height as fractions of the block's box.

Lines must be about horizontal. Letters of 12 to 60 pixels in the frame of `width` are read.
"""

import argparse
import re
import sys

import glimpse_detector
from glimpse_detector import Detection


def options():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog="A PATTERN is a regular expression of Python. Each option with one may be given several times.",
    )
    parser.add_argument("--lang", default="eng", help="languages of the text, joined by + (default: %(default)s)")
    for name, help_text in (
        ("--allow", "report only texts that contain one"),
        ("--deny", "report no text that contains one"),
        ("--redact", "replace the characters of each match by *"),
    ):
        parser.add_argument(name, metavar="PATTERN", action="append", default=[], help=help_text)
    for name, unit, default, help_text in (
        ("--min-confidence", "0..1", 0.75, "report no text of less confidence (default: %(default)s)"),
        ("--budget", "SECONDS", 1.0, "begin no reading later in a frame (default: %(default)s)"),
    ):
        parser.add_argument(name, metavar=unit, type=float, default=default, help=help_text)
    return parser.parse_args()


def main():
    chosen = options()
    # These load the libraries. --help needs none.
    from text_reader.following import TextReader
    from text_reader.leptonica import Pix
    from text_reader.patterns import Patterns
    from text_reader.reading import attributes
    from text_reader.recognizer import Recognizer

    patterns = Patterns(chosen.allow, chosen.deny, chosen.redact)
    recognizer = Recognizer(chosen.lang)
    reader = TextReader(recognizer, chosen.budget)

    def detect(frame):
        if frame.format == "rgb24":
            # Green is most of the brightness.
            rows = b"".join(bytes(frame.row(y)[1::3]) for y in range(frame.height))
            luma = Pix.of_luma(memoryview(rows), frame.width, frame.height, frame.width)
        else:
            luma = Pix.of_luma(frame.luma, frame.width, frame.height, frame.stride)
        left, top = 0, 0
        if frame.roi:
            left, top = int(frame.roi[0]), int(frame.roi[1])
            luma = luma.clipped((left, top, max(int(frame.roi[2]), 1), max(int(frame.roi[3]), 1)))
        for (x, y, width, height), text in reader.texts(luma):
            found = attributes(text, patterns) if text.confidence >= chosen.min_confidence else None
            if found:
                yield Detection((x + left, y + top, width, height), round(text.confidence, 4), attributes=found)

    try:
        glimpse_detector.run(detect, name="text", model=recognizer.model)
    finally:
        recognizer.close()


if __name__ == "__main__":
    try:
        main()
    except (OSError, re.error, glimpse_detector.ProtocolError) as error:
        sys.exit(f"tesseract.py: {error}")
