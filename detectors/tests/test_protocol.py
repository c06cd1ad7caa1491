# SPDX-License-Identifier: Apache-2.0
"""glimpse_detector.py: real programs on a sealed ring."""

import json
import re
import sys
import textwrap
import unittest
import zlib

import glimpse_detector
from host import Host

DESCRIBES = """
    import zlib
    import glimpse_detector
    def detect(frame):
        rows = b"".join(bytes(frame.row(y)) for y in range(frame.height))
        attributes = {"luma": zlib.crc32(frame.luma), "chroma": zlib.crc32(frame.chroma), "rows": zlib.crc32(rows),
                      "time": frame.time_ns, "roi": frame.roi}
        yield glimpse_detector.Detection((0, 1, frame.width, frame.height), 0.5, attributes=attributes)
    glimpse_detector.run(detect, name="describes")
"""


def program(text):
    return [sys.executable, "-c", textwrap.dedent(text)]


def answering(expression):
    """A program whose detections are this expression."""
    return program(
        f"""
        import os, sys, glimpse_detector
        from glimpse_detector import Detection
        glimpse_detector.run(lambda frame: {expression}, name="expression", model="of Python")
        """
    )


class ProtocolTests(unittest.TestCase):
    def test_the_example_of_the_module_runs(self):
        example = re.search(r"\n\n((?:    .*\n|\n)+)", glimpse_detector.__doc__)[1]
        self.assertLess(example.count("\n"), 20)
        with Host(program(example), 8, 2) as host:
            self.assertEqual(host.ready(), {"ready": True, "name": "brightness"})
            answer = host.answer(bytes([9] * 15 + [51]))
            self.assertEqual(answer, [{"box": [0, 0, 8, 2], "confidence": 0.2, "attributes": {"value": "51"}}])
            self.assertEqual(host.end(), 0)

    def test_a_frame_has_the_planes_of_its_format_in_every_slot(self):
        for format, width, height, stride in (
            ("gray8", 1, 1, 1), ("gray8", 64, 48, 64), ("gray8", 61, 47, 64),
            ("nv12", 64, 48, 80), ("nv12", 62, 47, 62),
            ("rgb24", 64, 48, 192), ("rgb24", 33, 21, 128),
        ):  # fmt: skip
            host = Host(program(DESCRIBES), width, height, format, stride)
            with self.subTest(format=format, width=width), host:
                host.ready()
                for number in range(6):
                    pixels = bytes((7 * index + number) % 251 for index in range(host.slot_bytes))
                    luma, chroma = pixels[: height * stride], pixels[height * stride :]
                    row = width * 3 if format == "rgb24" else width
                    rows = b"".join(pixels[y * stride : y * stride + row] for y in range(height))
                    [found] = host.answer(pixels, roi=[1, 2, 3, 4.5])
                    self.assertEqual(found["box"], [0, 1, width, height])
                    crcs = [zlib.crc32(part) for part in (luma, chroma, rows)]
                    self.assertEqual([found["attributes"][name] for name in ("luma", "chroma", "rows")], crcs)
                    self.assertEqual(found["attributes"]["roi"], [1, 2, 3, 4.5])
                    self.assertEqual(found["attributes"]["time"], host.number * 500_000_000)

    def test_a_smaller_frame_may_follow(self):
        with Host(program(DESCRIBES), 64, 48) as host:
            host.ready()
            [found] = host.answer(bytes(range(32)), width=8, height=4, stride=8)
            self.assertEqual(found["attributes"]["luma"], zlib.crc32(bytes(range(32))))

    def test_a_detection_is_sent_with_corners_and_any_text(self):
        corners = "corners=[(0, 0), (1, 0), (1, 1), (0, 1)]"
        with Host(answering(f"[Detection((0, 1, 2, 3), {corners}, attributes={{'value': 'Ω\\n\"'}})]"), 4, 4) as host:
            self.assertEqual(host.ready()["model"], "of Python")
            [found] = host.answer(bytes(16))
            self.assertEqual(found["corners"], [[0, 0], [1, 0], [1, 1], [0, 1]])
            self.assertEqual((found["confidence"], found["attributes"]), (1, {"value": 'Ω\n"'}))

    def test_what_detect_prints_goes_to_standard_error(self):
        with Host(answering("print('seen') or os.system('echo child') or []"), 4, 4) as host:
            host.ready()
            self.assertEqual(host.answer(bytes(16)), [])
            self.assertEqual(host.end(), 0)
            self.assertEqual(sorted(host.complaint().split()), ["child", "seen"])

    def test_no_program_can_write_to_the_ring(self):
        for attempt, error in (
            ("frame.data.__setitem__(0, 1)", "TypeError"),
            ("__import__('mmap').mmap(3, 16)", "PermissionError"),
            ("os.pwrite(3, b'x', 0)", "PermissionError"),
            ("os.ftruncate(3, 1)", "PermissionError"),
        ):
            with self.subTest(attempt), Host(answering(attempt), 4, 4) as host:
                host.ready()
                self.assertIsNone(host.answer(bytes(16)))
                self.assertEqual(host.process.wait(120), 1)
                self.assertIn(error, host.complaint())
                self.assertEqual(host.memory[:16], bytes(16))

    def test_an_exception_ends_the_program_without_half_a_line(self):
        with Host(answering("1 / 0"), 4, 4) as host:
            host.ready()
            self.assertIsNone(host.answer(bytes(16)))
            self.assertEqual(host.process.wait(120), 1)
            self.assertIn("ZeroDivisionError", host.complaint())

    def test_a_detection_that_cannot_be_sent_names_its_member(self):
        for expression, complaint in (
            ("[Detection((0, 0, float('nan'), 1))]", "no JSON can hold the answer"),
            ("[Detection((0, 0, 1))]", "box: 3 numbers"),
            ("[Detection((0, 0, 1, 1), corners=[(0, 0)])]", "corners: 1 pairs"),
            ("[Detection((0, 0, 1, 1), attributes={'value': 'x' * 17000})]", "attributes: 17012 bytes; 16384"),
            ("[Detection((0, 0, 1, 1), attributes={'value': b'x'})]", "no JSON can hold the answer"),
        ):
            with self.subTest(expression), Host(answering(expression), 4, 4) as host:
                host.ready()
                self.assertIsNone(host.answer(bytes(16)))
                self.assertEqual(host.process.wait(120), 1)
                self.assertIn(complaint, host.complaint())

    def test_a_first_line_of_another_protocol_is_an_error(self):
        for first, complaint in (
            (b"x", "no JSON"), (b"[]", "no JSON object"), (b"{}", "protocol: None is not 1"),
            (b'{"protocol":2,"slots":4,"slot_bytes":16}', "protocol: 2 is not 1"),
            (b'{"protocol":1,"slots":4}', "slot_bytes: None is no int"),
            (b'{"protocol":1,"slots":true,"slot_bytes":16}', "slots: True is no int"),
            (b'{"protocol":1,"slots":0,"slot_bytes":16}', "are no ring"),
            (b'{"protocol":1,"slots":4,"slot_bytes":1000000}', "descriptor 3 is no ring"),
        ):  # fmt: skip
            with self.subTest(first), Host(answering("[]"), 4, 4, first=first) as host:
                self.assertIsNone(host.line())
                self.assertEqual(host.process.wait(120), 1)
                self.assertIn(complaint, host.complaint())

    def test_a_frame_outside_the_ring_is_an_error(self):
        for changes in (
            {"slot": 4}, {"slot": -1}, {"slot": "1"}, {"width": 5}, {"height": 5}, {"height": 0}, {"stride": 3},
            {"format": "bgr"}, {"format": "rgb24"}, {"format": "nv12"}, {"frame": None},
            {"width": 1 << 62, "stride": 1 << 62},
        ):  # fmt: skip
            with self.subTest(changes), Host(answering("[]"), 4, 4) as host:
                host.ready()
                self.assertIsNone(host.answer(bytes(16), **changes))
                self.assertEqual(host.process.wait(120), 1)
                self.assertIn("ProtocolError", host.complaint())

    def test_the_program_ends_with_its_host(self):
        with Host(answering("[]"), 4, 4) as host:
            self.assertEqual(host.end(), 0)
        with Host(answering("[]"), 4, 4) as host:
            host.ready()
            host.process.stdout.close()
            host.send(json.dumps({"frame": 1, "slot": 0, **host.shape()}).encode())
            self.assertEqual(host.process.wait(120), 0)
            host.process.stdout = open("/dev/null", "rb")
