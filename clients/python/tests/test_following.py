# SPDX-License-Identifier: Apache-2.0
"""The order of the calls of `follow`, over random losses of a simulated stream."""

import random
import unittest

from bench import Recorders
from glimpse import Disconnected, Filter, UnavailableError, parse_line
from glimpse.following import Following
from glimpse.wire import encode_object

try:
    import hypothesis
    from hypothesis import strategies
except ImportError:
    hypothesis = None


class Stream:
    """A daemon that makes legal lives, and forgets the lines that a test hides."""

    def __init__(self, random_source, reuses_ids=True):
        self.random = random_source
        self.reuses_ids = reuses_ids
        self.run = 1
        self.seq = 0
        self.count = 0
        # The phase of each live track.
        self.live = {}

    def line(self, type, **members):
        return parse_line(encode_object({"v": 1, "type": type, "run_id": f"run{self.run}", **members}))

    def members(self, id):
        missing = 1 if self.live.get(id) == "missing" else 0
        track = {"id": id, "age_frames": 1, "hits": 1, "missing_frames": missing, "first_seen": "a", "last_seen": "b"}
        frame = {"epoch": 1, "seq": 1, "pts_ns": 0, "width": 1, "height": 1}
        return {"pipeline": "door", "detector": "d", "kind": "face", "frame": frame, "track": track}

    def track(self, type, id):
        self.seq += 1
        self.live[id] = type
        line = self.line(type, seq=self.seq, reason="gone", **self.members(id))
        if type == "completed":
            del self.live[id]
        return line

    def step(self):
        """Returns the lines of the next step of one track."""
        if not self.live or (len(self.live) < 8 and self.random.random() < 0.2):
            self.count += 1
            id = str(self.count) if self.reuses_ids else f"{self.run}.{self.count}"
            return [self.track("detected", id), self.track("update", id)]
        id = self.random.choice(list(self.live))
        return [self.track(self.random.choice(["update", "update", "missing", "completed"]), id)]

    def hello(self):
        return self.line("hello", next_seq=self.seq + 1)

    def state(self):
        tracks = [self.members(id) for id in self.live]
        cut = self.random.randint(0, len(tracks))
        return [
            self.line("state", as_of=self.seq, tracks=tracks[:cut], more=True),
            self.line("state", as_of=self.seq, tracks=tracks[cut:]),
        ]

    def restart(self):
        self.run += 1
        self.seq = self.count = 0
        self.live = {}


class FollowingTests(unittest.TestCase):
    def simulate(self, seed):
        stream, recorders, others = Stream(random.Random(seed), reuses_ids=seed % 2 == 0), Recorders(), []
        following = Following(Filter(), None, recorders.make, others.append)
        wants_state = False

        def take(lines):
            nonlocal wants_state
            for line in lines:
                wants_state = following.take(line) or wants_state

        def connect(backlog):
            """The lines of a new connection: `state` comes before the journal's."""
            take([stream.hello(), *stream.state(), *backlog])

        for _ in range(stream.random.randint(0, 20)):
            stream.step()
        connect([])
        for _ in range(60):
            event = stream.random.random()
            if event < 0.8:
                take(stream.step())
            elif event < 0.88:
                # A lost connection. The journal has every line.
                take([Disconnected(UnavailableError("gone"), retry_after=0.1)])
                connect([line for _ in range(stream.random.randint(0, 9)) for line in stream.step()])
            elif event < 0.94:
                # A gap hides lines. The daemon answers a request for the `state`.
                first = stream.seq + 1
                for _ in range(stream.random.randint(1, 9)):
                    stream.step()
                take([stream.line("gap", **{"from": first, "to": stream.seq, "reason": "slow"})])
                self.assertTrue(wants_state)
                later = [line for _ in range(stream.random.randint(0, 3)) for line in stream.step()]
                take([*later, *stream.state()])
                wants_state = False
            else:
                take([Disconnected(UnavailableError("gone"), retry_after=0.1)])
                stream.restart()
                for _ in range(stream.random.randint(0, 9)):
                    stream.step()
                connect([])
        take([stream.line("ping")])
        self.assertEqual(len(recorders.live), len(stream.live), seed)
        following.end()
        recorders.check(self)
        if not stream.reuses_ids:
            ids = [recorder.tracks[0].track.id for recorder in recorders]
            self.assertEqual(len(ids), len(set(ids)), "a track has two objects")
        self.assertFalse(any(type(event).__name__ == "Track" for event in others))
        return {recorder.reason for recorder in recorders}

    def test_each_track_has_a_legal_life_over_any_losses(self):
        reasons = set()
        for seed in range(400):
            with self.subTest(seed=seed):
                reasons |= self.simulate(seed)
        self.assertEqual(reasons, {"gone", "lost", "unfollowed"})

    @unittest.skipUnless(hypothesis, "needs hypothesis")
    def test_any_order_of_lines_gives_legal_lives(self):
        step = strategies.tuples(
            strategies.sampled_from(["detected", "update", "missing", "completed", "gap", "state", "hello", "ping"]),
            strategies.integers(1, 3),
        )

        @hypothesis.settings(max_examples=300, deadline=None)
        @hypothesis.given(strategies.lists(step, max_size=40))
        def check(steps):
            stream, recorders = Stream(random.Random(0)), Recorders()
            following = Following(Filter(), None, recorders.make, lambda event: None)
            for type, number in steps:
                if type == "gap":
                    stream.seq += number
                    line = stream.line("gap", reason="slow", to=stream.seq)
                elif type == "state":
                    line = stream.line("state", as_of=stream.seq, tracks=[stream.members(str(number))])
                elif type == "hello":
                    stream.run = number
                    line = stream.hello()
                elif type == "ping":
                    line = stream.line("ping")
                else:
                    line = stream.track(type, str(number))
                following.take(line)
            following.end()
            recorders.check(self)

        check()

    def test_a_filter_without_a_type_of_track_lines_is_refused(self):
        with self.assertRaises(ValueError):
            Following(Filter(types=["detected", "completed"]), None, lambda track: None, lambda event: None)

    def test_a_track_of_no_interest_has_no_object(self):
        stream = Stream(random.Random(1))
        following = Following(Filter(), None, lambda track: None, lambda event: None)
        for line in [stream.hello(), *stream.step(), *stream.step()]:
            following.take(line)
        following.end()


if __name__ == "__main__":
    unittest.main()
