# SPDX-License-Identifier: Apache-2.0
"""Values of the text reader: patterns, readings, attributes. No library is needed."""

import json
import re
import unittest
from typing import NamedTuple

from text_reader.patterns import Patterns
from text_reader.reading import LONGEST, Reading, ReadWord, attributes, is_text, reading, within


class Word(NamedTuple):
    """As the recognizer's, whose module needs its library."""

    value: str
    confidence: float
    box: tuple
    line: int
    language: str


def read(*lines, confidence=0.9):
    return Reading(tuple(tuple(ReadWord(w, confidence, (0, 0, 0.5, 1)) for w in line.split()) for line in lines), "eng")


class ReadingTests(unittest.TestCase):
    def test_a_value_has_a_line_for_each_line(self):
        found = attributes(read("Gate 15", "closed"), Patterns())
        self.assertEqual(found["value"], "Gate 15\nclosed")
        self.assertEqual([line["value"] for line in found["lines"]], ["Gate 15", "closed"])
        words = [(word["value"], word["line"]) for word in found["words"]]
        self.assertEqual(words, [("Gate", 0), ("15", 0), ("closed", 1)])
        self.assertEqual(found["language"], "eng")
        self.assertNotIn("redacted", found)

    def test_allow_and_deny_choose_values(self):
        for patterns, admitted in (
            (Patterns(allow=["^closed$"]), True), (Patterns(allow=["^Gate$"]), False),
            (Patterns(allow=["x", "15"]), True), (Patterns(allow=["Gate"], deny=["15"]), False),
            (Patterns(deny=["close"]), False), (Patterns(deny=["x"]), True),
        ):  # fmt: skip
            self.assertEqual(attributes(read("Gate 15", "closed"), patterns) is not None, admitted, vars(patterns))
        with self.assertRaises(re.error):
            Patterns(allow=["("])

    def test_a_redacted_part_is_in_no_member(self):
        patterns = Patterns(redact=["[A-Z]{2}[0-9]{2} [0-9 ]+", "Anna\\s+\\w+"])
        found = attributes(read("IBAN DE89 3704", "of Anna Holm"), patterns)
        text = json.dumps(found)
        for secret in ("DE89", "3704", "Anna", "Holm"):
            self.assertNotIn(secret, text)
        self.assertEqual(found["value"], "IBAN **** ****\nof **** ****")
        self.assertIs(found["redacted"], True)

    def test_a_redacted_match_across_lines_is_masked_in_both(self):
        found = attributes(read("secret", "word"), Patterns(redact=["(?s)t.w"]))
        self.assertEqual([word["value"] for word in found["words"]], ["secre*", "*ord"])

    def test_long_attributes_are_shortened_to_fit(self):
        found = attributes(read(*["word of a long page of text"] * 100), Patterns())
        size = len(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode())
        self.assertLessEqual(size, LONGEST)
        self.assertIs(found["shortened"], True)
        found = attributes(read("Ω" * 40_000), Patterns())
        self.assertLessEqual(len(json.dumps(found, ensure_ascii=False).encode()), LONGEST)
        self.assertTrue(found["value"].startswith("ΩΩΩ"))

    def test_signs_without_letters_are_no_text(self):
        for value, expected in (("|~ =", 0), ("a", 0), ("a|~=", 0), ("B2", 1), ("日本", 1), ("-- 12 --", 0)):
            self.assertEqual(is_text(value, 0.95), expected, value)

    def test_single_signs_at_a_lines_ends_are_dirt(self):
        line = [Word(value, 0.95, (10 * n, 0, 9, 9), 0, "eng") for n, value in enumerate("| 4:49 & north ; |".split())]
        self.assertEqual(reading(line, (0, 0, 60, 10), (0, 0), 1).value, "4:49 & north")
        self.assertEqual(reading(line[:1], (0, 0, 60, 10), (0, 0), 1), Reading())

    def test_a_short_line_needs_more_confidence(self):
        for value, confidence, expected in (("iw", 0.88, 0), ("15", 0.95, 1), ("Gate 15", 0.5, 1), ("Gate 15", 0.2, 0)):
            self.assertEqual(is_text(value, confidence), expected, value)

    def test_boxes_are_fractions_of_the_region(self):
        # A word at 20, 10 of a picture that was scaled by two, whose corner is at 90, 40 of the frame.
        self.assertEqual(within((100, 40, 50, 20), (20, 10, 60, 20), (90, 40), 2), (0.0, 0.25, 0.6, 0.5))
        self.assertEqual(within((100, 40, 50, 20), (-100, -100, 999, 999), (90, 40), 2), (0, 0, 1, 1))
