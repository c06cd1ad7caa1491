# SPDX-License-Identifier: Apache-2.0
"""The text reader with Tesseract, on pictures that GStreamer renders."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from host import DETECTORS, Host
from pages import HEIGHT, WIDTH, moved, noisy, page

NEEDED = "GLIMPSE_REQUIRE_TESSERACT" in os.environ or shutil.which("tesseract") is not None
if NEEDED:
    from text_reader.following import TextReader
    from text_reader.leptonica import Pix
    from text_reader.patterns import Patterns
    from text_reader.reading import attributes
    from text_reader.recognizer import Recognizer
    from text_reader.regions import regions

SIGN = (60, 60, 33, "Gate 15 closed\nBerlin 14:35")
NOTE = (80, 250, 22, "Please return\nto the office")


def luma(picture, width=WIDTH, height=HEIGHT):
    return Pix.of_luma(memoryview(picture), width, height, width)


@unittest.skipUnless(NEEDED, "tesseract-ocr is not installed")
class TextTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recognizer = Recognizer("eng")
        cls.addClassCleanup(cls.recognizer.close)

    def reader(self, **options):
        return TextReader(self.recognizer, **{"budget": 1000.0, **options})

    def values(self, reader, picture):
        return sorted(reading.value for _, reading in reader.texts(luma(picture)))

    def test_regions_are_blocks_of_lines(self):
        found = regions(luma(page(SIGN, NOTE)))
        self.assertEqual(len(found), 2, found)
        for region, (x, y, size, text) in zip(found, (SIGN, NOTE)):
            left, top, width, height = region.box
            self.assertTrue(abs(left - x) < size and y <= top < y + size / 2, found)
            self.assertTrue(2 * size < height < 2.7 * size and width > 5 * size, found)
            self.assertTrue(0.5 * size < region.line_height < 1.3 * size, found)

    def test_lines_of_8_to_64_pixels_are_read(self):
        for size in (11, 16, 22, 33, 44, 66, 88):
            with self.subTest(size=size):
                picture = page((30, 30, size, "Track 9"), (30, 200, size, "closed"))
                self.assertEqual(self.values(self.reader(), noisy(picture, size)), ["Track 9", "closed"])

    def test_bright_letters_on_dark_ground_are_read(self):
        self.assertEqual(self.values(self.reader(), page(SIGN, ground=0x28, ink=0xE6)), [SIGN[3]])

    def test_a_region_is_read_once(self):
        reader, picture = self.reader(), page(SIGN, NOTE)
        for seed in range(20):
            self.assertEqual(self.values(reader, noisy(picture, seed)), [SIGN[3], NOTE[3]])
        self.assertEqual(reader.reads, 2)

    def test_a_region_that_moves_is_not_read_again(self):
        reader, picture = self.reader(), page(SIGN)
        for seed in range(20):
            shown = moved(noisy(picture, seed), 13 * seed, 5 * seed)
            [(box, reading)] = reader.texts(luma(shown))
            self.assertEqual(reading.value, SIGN[3])
            self.assertTrue(abs(box[0] - SIGN[0] - 13 * seed) < 12 and abs(box[1] - 66 - 5 * seed) < 12, box)
        self.assertEqual(reader.reads, 1)

    def test_a_region_that_changes_is_read_again(self):
        reader = self.reader()
        for minute in (35, 36, 38, 39, 33):
            text = f"Gate 15 closed\nBerlin 14:{minute}"
            for seed in range(3):
                self.assertEqual(self.values(reader, noisy(page((60, 60, 33, text)), seed)), [text])
        self.assertEqual(reader.reads, 5)

    def test_a_blurred_moment_keeps_the_text(self):
        reader, picture = self.reader(), page(NOTE)
        self.assertEqual(self.values(reader, picture), [NOTE[3]])
        blurred = page(NOTE, blur=3.5)
        self.assertNotEqual(self.values(self.reader(), blurred), [NOTE[3]], "the picture is too sharp for this test")
        for value in self.values(reader, blurred):
            self.assertEqual(value, NOTE[3])
        self.assertEqual(self.values(reader, picture), [NOTE[3]])

    def test_a_region_that_leaves_and_returns_keeps_its_reading(self):
        reader, picture = self.reader(), page(SIGN)
        self.values(reader, picture)
        for _ in range(5):
            self.assertEqual(self.values(reader, page(NOTE)), [NOTE[3]])
        self.assertEqual(self.values(reader, picture), [SIGN[3]])
        self.assertEqual(reader.reads, 2)

    def test_a_place_without_text_waits_longer_after_each_attempt(self):
        reader = self.reader()
        for seed in range(64):
            # Bars whose pattern changes with each frame.
            row = noisy(bytes(240), seed)[:120]
            bars = b"".join(bytes([(0x28 if row[i // 2] % 2 else 0xD0)]) for i in range(240))
            picture = bytearray(bytes([0xC8]) * (WIDTH * HEIGHT))
            for y in range(100, 120):
                picture[y * WIDTH + 100 : y * WIDTH + 340] = bars
            self.assertEqual(self.values(reader, bytes(picture)), [])
        self.assertTrue(3 <= reader.reads <= 12, reader.reads)

    def test_reading_stops_at_the_budget_and_goes_on_in_the_next_frame(self):
        now = iter(range(1000))
        reader = self.reader(budget=1.5, clock=lambda: next(now))
        picture = page(SIGN, NOTE, (400, 150, 22, "North"), (400, 300, 22, "South"))
        counts = [len(self.values(reader, picture)) for _ in range(4)]
        self.assertEqual(counts, [1, 2, 3, 4])

    def test_a_reading_that_takes_too_long_is_tried_again_later(self):
        reader, picture = self.reader(budget=0.0005, clock=lambda: 0), page(SIGN)
        for _ in range(5):
            self.assertEqual(self.values(reader, picture), [])
        self.assertEqual(reader.reads, 2, "the first frame, and the third after it")
        reader.budget = 1000
        self.assertIn([SIGN[3]], [self.values(reader, picture) for _ in range(5)])

    def test_nothing_grows_over_a_thousand_frames(self):
        reader, pictures = self.reader(), [luma(page(SIGN, (60, 200, 22, f"Train {n}"))) for n in range(5)]
        sizes = []
        for number in range(1000):
            reader.texts(pictures[number % 5])
            if number in (100, 999):
                with open("/proc/self/statm", encoding="ascii") as file:
                    sizes.append(int(file.read().split()[1]) * 4)
        self.assertLess(sizes[1] - sizes[0], 4096, sizes)
        self.assertLessEqual(len(reader.known), 16)


@unittest.skipUnless(NEEDED, "tesseract-ocr is not installed")
class ProgramTests(unittest.TestCase):
    def command(self, *options):
        return [sys.executable, str(DETECTORS / "tesseract.py"), *options]

    def test_the_program_answers_with_texts_words_and_boxes(self):
        picture = page(SIGN, NOTE)
        with Host(self.command(), WIDTH, HEIGHT) as host:
            ready = host.ready()
            self.assertEqual(ready["name"], "text")
            self.assertRegex(ready["model"], "^tesseract 5.* eng$")
            sign, note = host.answer(picture)
            self.assertEqual([sign["attributes"]["value"], note["attributes"]["value"]], [SIGN[3], NOTE[3]])
            self.assertGreater(sign["confidence"], 0.85)
            words = {word["value"]: word for word in sign["attributes"]["words"]}
            self.assertEqual(list(words), ["Gate", "15", "closed", "Berlin", "14:35"])
            # The second line begins below the middle, and the time stands behind the city.
            self.assertGreater(words["14:35"]["box"][1], 0.5)
            self.assertGreater(words["14:35"]["box"][0], words["Berlin"]["box"][0] + words["Berlin"]["box"][2])
            self.assertEqual(host.end(), 0)
            self.assertEqual(host.complaint(), "")

    def test_nv12_with_padded_rows_is_read_too(self):
        picture, stride = page(SIGN), WIDTH + 24
        rows = b"".join(picture[y * WIDTH : (y + 1) * WIDTH] + bytes(24) for y in range(HEIGHT))
        with Host(self.command(), WIDTH, HEIGHT, "nv12", stride) as host:
            host.ready()
            [found] = host.answer(rows + bytes([128]) * (stride * HEIGHT // 2))
            self.assertEqual(found["attributes"]["value"], SIGN[3])

    def test_rgb24_is_read_too(self):
        with Host(self.command(), WIDTH, HEIGHT, "rgb24") as host:
            host.ready()
            [found] = host.answer(b"".join(bytes([pixel]) * 3 for pixel in page(SIGN)))
            self.assertEqual(found["attributes"]["value"], SIGN[3])

    def test_the_region_of_interest_bounds_the_search(self):
        picture = page(SIGN, NOTE)
        with Host(self.command(), WIDTH, HEIGHT) as host:
            host.ready()
            everywhere = host.answer(picture)
            [found] = host.answer(picture, roi=[0, 200, WIDTH, 160])
            self.assertEqual(found["attributes"]["value"], NOTE[3])
            self.assertAlmostEqual(found["box"][1], everywhere[1]["box"][1], delta=3)

    def test_patterns_choose_and_mask(self):
        picture = page(SIGN, NOTE)
        with Host(self.command("--allow", "Gate", "--redact", r"\d\d:\d\d"), WIDTH, HEIGHT) as host:
            host.ready()
            [found] = host.answer(picture)
            self.assertEqual(found["attributes"]["value"], "Gate 15 closed\nBerlin *****")
            self.assertNotIn("14:35", str(found))

    def test_the_program_has_one_thread_no_child_and_no_other_file(self):
        with Host(self.command(), WIDTH, HEIGHT) as host:
            host.ready()
            self.assertTrue(host.answer(page(SIGN)))
            process = f"/proc/{host.process.pid}"
            self.assertEqual(os.listdir(f"{process}/task"), [str(host.process.pid)])
            with open(f"{process}/task/{host.process.pid}/children", encoding="ascii") as file:
                self.assertEqual(file.read(), "")
            files = [os.readlink(f"{process}/fd/{number}") for number in os.listdir(f"{process}/fd")]
            known = f"pipe:|/memfd:frames|{re.escape(tempfile.gettempdir())}/"
            self.assertEqual([name for name in files if not re.match(known, name)], [])

    def test_a_mistake_costs_one_line(self):
        for options, complaint in (
            (["--lang", "xyz"], "tesseract.py: Tesseract has no model of xyz: install tesseract-ocr-xyz"),
            (["--deny", "("], "tesseract.py: missing ), unterminated subpattern at position 0"),
        ):
            with self.subTest(options=options), Host(self.command(*options), 64, 48) as host:
                self.assertEqual(host.process.wait(120), 1)
                self.assertEqual(host.complaint().splitlines()[-1], complaint)

    def test_the_help_needs_no_library(self):
        result = subprocess.run(self.command("--help"), stdout=subprocess.PIPE, check=True, text=True)
        self.assertIn("--redact PATTERN", result.stdout)


@unittest.skipUnless(NEEDED, "tesseract-ocr is not installed")
class RealAttributesTests(unittest.TestCase):
    def test_a_page_full_of_words_fits_into_an_answer(self):
        text = "\n".join("the quick brown fox jumps over the lazy dog and returns" for _ in range(16))
        picture = page((10, 10, 16, text))
        recognizer = Recognizer("eng")
        self.addCleanup(recognizer.close)
        [(_, reading)] = TextReader(recognizer, budget=1000).texts(luma(picture))
        found = attributes(reading, Patterns())
        self.assertGreater(found["value"].count("quick brown fox"), 12)
