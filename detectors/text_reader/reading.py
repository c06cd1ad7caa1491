# SPDX-License-Identifier: Apache-2.0
"""One region's text as a value, and its attributes in an answer."""

import json
from collections import Counter
from difflib import SequenceMatcher
from itertools import groupby
from typing import List, NamedTuple, Tuple

from .patterns import Patterns

LONGEST = 15 << 10
"""Bytes of JSON of one region's attributes. The protocol allows 16 KiB."""
POOR_LINE = 0.3
"""Lines of less confidence are dirt, or the edge of a picture."""
SHORT_LINE, POOR_SHORT_LINE = 3, 0.9
"""Textures are read as lines of fewer letters and less confidence."""


class ReadWord(NamedTuple):
    value: str
    confidence: float
    box: Tuple[float, float, float, float]
    """x, y, width, height as fractions of the region's box."""


class Reading(NamedTuple):
    lines: Tuple[Tuple[ReadWord, ...], ...] = ()
    language: str = ""

    @property
    def value(self) -> str:
        return "\n".join(" ".join(word.value for word in line) for line in self.lines)

    @property
    def confidence(self) -> float:
        """0 to 1: the words' mean, weighted by their lengths."""
        return mean([word for line in self.lines for word in line])

    def resembles(self, other: "Reading") -> bool:
        return SequenceMatcher(None, self.value, other.value, autojunk=False).ratio() >= 0.6


def mean(words) -> float:
    letters = sum(len(word.value) for word in words)
    return sum(word.confidence * len(word.value) for word in words) / letters if letters else 0.0


def reading(words, box, origin, scale) -> Reading:
    """Words of Tesseract as a reading. Empty without text.

    `origin` is the upper left corner of the picture that was read, and `scale` its pixels for each of the frame's.
    """
    lines, languages = [], Counter()
    for _, group in groupby(words, key=lambda word: word.line):
        group = without_strokes(list(group))
        line = tuple(ReadWord(word.value, word.confidence, within(box, word.box, origin, scale)) for word in group)
        if is_text(" ".join(word.value for word in line), mean(line)):
            lines.append(line)
            languages.update(word.language for word in group if word.language)
    return Reading(tuple(lines), languages.most_common(1)[0][0] if languages else "")


def without_strokes(words):
    """Words of one line without single signs at its ends: edges and dirt beside a line are read as strokes."""
    letters = [index for index, word in enumerate(words) if len(word.value) > 1 or word.value.isalnum()]
    return words[letters[0] : letters[-1] + 1] if letters else []


def is_text(value: str, confidence: float) -> bool:
    """Whether a line has two letters or digits, half of it are such, and its confidence is enough for its length."""
    letters = sum(character.isalnum() for character in value)
    if confidence < (POOR_SHORT_LINE if letters < SHORT_LINE else POOR_LINE):
        return False
    return letters >= 2 and 2 * letters >= sum(not character.isspace() for character in value)


def within(box, part, origin, scale):
    left, top = part[0] / scale + origin[0] - box[0], part[1] / scale + origin[1] - box[1]
    edges = left / box[2], top / box[3], (left + part[2] / scale) / box[2], (top + part[3] / scale) / box[3]
    x, y, right, bottom = (min(max(edge, 0.0), 1.0) for edge in edges)
    return (round(x, 4), round(y, 4), round(right - x, 4), round(bottom - y, 4))


def attributes(reading: Reading, patterns: Patterns):
    """The attributes of a detection, or None if the patterns do not admit the value.

    `value` has one line of text for each line. `lines` and `words` have boxes as fractions of the detection's box.
    `redacted` is true where a pattern has masked a part.
    """
    if not reading.lines or not patterns.admits(reading.value):
        return None
    value = patterns.masked(reading.value)
    lines: List[dict] = []
    words: List[dict] = []
    start = 0
    for number, line in enumerate(reading.lines):
        first = start
        for word in line:
            masked = value[start : start + len(word.value)]
            words.append({"value": masked, "confidence": round(word.confidence, 3), "box": word.box, "line": number})
            start += len(word.value) + 1
        lines.append({"value": value[first : start - 1], "confidence": round(mean(line), 3), "box": hull(line)})
    result = {"value": value, "language": reading.language, "lines": lines, "words": words}
    if value != reading.value:
        result["redacted"] = True
    return shortened(result)


def hull(line):
    left, top = min(word.box[0] for word in line), min(word.box[1] for word in line)
    right = max(word.box[0] + word.box[2] for word in line)
    bottom = max(word.box[1] + word.box[3] for word in line)
    return (left, top, round(right - left, 4), round(bottom - top, 4))


def shortened(result):
    """Leaves out words, then lines, then the end of the value, until the attributes fit. `shortened` says so."""
    while len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()) > LONGEST:
        result["shortened"] = True
        longest = next(name for name in ("words", "lines", "value") if result[name])
        result[longest] = result[longest][: len(result[longest]) // 2]
    return result
