# SPDX-License-Identifier: Apache-2.0
"""Lines as values, and bytes that are no lines."""

import json
import random
import unittest

from bench import ROOT
from glimpse import Other, ProtocolError, State, Track, nanoseconds, parse_line
from glimpse.wire import BLOCK, LONGEST_LINE, LineCutter

TRACK = {
    "v": 1, "type": "update", "seq": 7, "run_id": "ab", "pipeline": "door", "time": "1970-01-01T00:00:01.200000000Z",
    "clock": "file", "detector": "barcode", "kind": "barcode",
    "frame": {"epoch": 1, "seq": 19, "pts_ns": 1200000000, "width": 1280, "height": 720},
    "track": {"id": "1", "age_frames": 1, "hits": 1, "missing_frames": 0, "first_seen": "a", "last_seen": "b"},
    "box": {"x": 0, "y": 591, "w": 189, "h": 38}, "count": 1,
    "barcode": {"format": "qr_code", "raw": "https://a.example", "value_format": "url", "url": {"url": "https://a.example"}},
}  # fmt: skip


def encoded(**changes):
    return json.dumps({**TRACK, **changes}).encode()


class LineTests(unittest.TestCase):
    def test_each_event_line_of_the_documents_is_decoded(self):
        count = 0
        for page in sorted((ROOT / "docs").rglob("*.md")):
            for text in page.read_text(encoding="utf-8").splitlines():
                if text.startswith('{"v":1,') and '"type":"' in text and '"type":"reply"' not in text:
                    line = parse_line(text.encode())
                    self.assertIsNone(getattr(line, "problem", None), text)
                    count += not isinstance(line, Other)
        self.assertGreater(count, 5)

    def test_a_track_line_has_its_members(self):
        line = parse_line(encoded())
        self.assertIsInstance(line, Track)
        self.assertEqual((line.box.w, line.track.id, line.value), (189.0, "1", "https://a.example"))
        self.assertEqual(line.barcode.value, {"url": "https://a.example"})
        self.assertEqual((str(line.position), line.time_ns), ("ab 7", 1_200_000_000))
        hash(line)

    def test_unknown_members_and_types_are_kept(self):
        line = parse_line(encoded(new={"a": 1}))
        self.assertIsInstance(line, Track)
        self.assertEqual(line.json["new"], {"a": 1})
        line = parse_line(encoded(type="parcel"))
        self.assertEqual((type(line), line.type, line.problem), (Other, "parcel", None))

    def test_a_known_type_with_odd_content_is_other(self):
        for changes in ({"track": 3}, {"frame": None}, {"box": {"x": "a", "y": 0, "w": 0, "h": 0}}, {"count": 1.5}):
            line = parse_line(encoded(**changes))
            self.assertIsInstance(line, Other, changes)
            self.assertEqual(line.problem.split(":")[0], next(iter(changes)))
            self.assertEqual(line.position.seq, 7)

    def test_another_kind_has_attributes(self):
        line = parse_line(encoded(kind="plate", plate={"value": "B GL 2026"}, barcode=None))
        self.assertEqual((line.attributes, line.value, line.barcode), ({"value": "B GL 2026"}, "B GL 2026", None))

    def test_the_description_of_a_completed_track_may_be_in_last(self):
        form = {**TRACK, "type": "completed", "last": TRACK["barcode"], "reason": "gone"}
        del form["barcode"]
        self.assertEqual(parse_line(json.dumps(form).encode()).barcode.format, "qr_code")

    def test_tracks_of_a_state_say_whether_they_are_missing(self):
        entry = {key: value for key, value in TRACK.items() if key not in ("type", "seq")}
        away = {**entry, "track": {**TRACK["track"], "missing_frames": 2}}
        line = parse_line(json.dumps({"v": 1, "type": "state", "as_of": 9, "tracks": [entry, away]}).encode())
        self.assertIsInstance(line, State)
        self.assertEqual([track.type for track in line.tracks], ["update", "missing"])
        self.assertEqual((line.tracks[0].type, dict(line.tracks[0].json)), ("update", entry))

    def test_lines_that_are_none_are_protocol_errors(self):
        nested = b'{"type":' + b"[" * 200_000 + b"]" * 200_000 + b"}"
        for line in (
            b"", b"{", b"[]", b"7", b"null", b"{}", b'{"type":1}', b'{"type":"a"', b'{"type":"a"}x', b"\xff\xfe{}",
            b'{"type":"\xe9"}', b'{"type":"a","x":NaN}', b'{"type":"a","x":-Infinity}', b'{"type":"a","x":1e999}',
            b'{"type":"a","x":' + b"9" * 100_000 + b"}", b'{"type":"a","x":"\\ud800"}', b'{"type":"a","seq":"7"}',
            b'{"type":"a","seq":1.5}', b'{"type":"a\x00"}', nested,
        ):  # fmt: skip
            with self.assertRaises(ProtocolError, msg=line[:80]):
                parse_line(line)

    def test_random_changes_of_a_line_give_a_line_or_a_protocol_error(self):
        random_source = random.Random(24)
        whole = encoded()
        outcomes = set()
        for _ in range(3000):
            line = bytearray(whole)
            for _ in range(random_source.randint(1, 4)):
                line[random_source.randrange(len(line))] = random_source.randrange(256)
            try:
                outcomes.add(type(parse_line(bytes(line))))
            except ProtocolError:
                outcomes.add(ProtocolError)
        self.assertEqual(outcomes, {Track, Other, ProtocolError})

    def test_a_time_is_nanoseconds_since_1970(self):
        self.assertEqual(nanoseconds("2026-11-20T08:00:00.123456789Z"), 1795161600123456789)
        for text in ("", "2026-11-20T08:00:00Z", "2026-11-20T08:00:00.12345678xZ", "2026-13-20T08:00:00.123456789Z"):
            self.assertIsNone(nanoseconds(text), text)


class LineCutterTests(unittest.TestCase):
    def test_lines_come_out_whole_however_the_bytes_are_cut(self):
        random_source = random.Random(5)
        data = b"".join(b"x" * random_source.randint(0, 50) + b"\n" for _ in range(500))
        for most in (1, 7, 1000):
            cutter, lines, start = LineCutter(), [], 0
            while start < len(data):
                end = start + random_source.randint(1, most)
                cutter.append(data[start:end])
                start = end
                while (line := cutter.next()) is not None:
                    lines.append(line)
            self.assertEqual(lines, data.split(b"\n")[:-1])
            self.assertFalse(cutter.holds_half_a_line)

    def test_a_line_over_the_limit_is_an_error(self):
        cutter = LineCutter()
        cutter.append(b"x" * LONGEST_LINE + b"\n")
        self.assertEqual(len(cutter.next()), LONGEST_LINE)
        with self.assertRaises(ProtocolError):
            for _ in range(LONGEST_LINE // BLOCK + 1):
                cutter.append(b"x" * BLOCK)
                cutter.next()


if __name__ == "__main__":
    unittest.main()
