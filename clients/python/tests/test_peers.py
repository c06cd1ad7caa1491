# SPDX-License-Identifier: Apache-2.0
"""Subscriptions and commands with a peer that is no daemon."""

import asyncio
import tempfile
import threading
import time
import unittest

from bench import PATIENCE, Impostor
from glimpse import (
    AsyncControl,
    AsyncSubscription,
    BackOff,
    Control,
    Disconnected,
    Filter,
    Hello,
    Position,
    ProtocolError,
    Refusal,
    RefusedError,
    Subscription,
    Track,
    UnavailableError,
)
from test_lines import encoded

HELLO = b'{"v":1,"type":"hello","run_id":"ab","next_seq":1}\n'
QUICK = BackOff(0.001, 0.004)
GARBAGE = [b"\xff\n", b"{\n", b'{"type":"a","x":NaN}\n', b"[]\n", b"x" * (2 << 20), b'{"type":"upd']


class PeerTests(unittest.TestCase):
    def impostor(self, data, piece=1 << 16, stays=False):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        impostor = Impostor(folder.name, data, piece, stays)
        self.addCleanup(impostor.close)
        return impostor.path

    def events(self, path, count, **arguments):
        """The first events of both kinds of subscription, which must be equal."""
        with Subscription(path, back_off=QUICK, **arguments) as subscription:
            events = [event for event, _ in zip(subscription, range(count))]

        async def read():
            async with AsyncSubscription(path, back_off=QUICK, **arguments) as subscription:
                return [await subscription.__anext__() for _ in range(len(events))]

        others = asyncio.run(read())
        self.assertEqual([type(event) for event in events], [type(event) for event in others])
        self.assertEqual([getattr(event, "reason", None) for event in events], [getattr(event, "reason", None) for event in others])
        return events

    def test_bad_bytes_are_a_protocol_error_and_a_new_connection(self):
        for data in GARBAGE:
            hello, lost, again = self.events(self.impostor(HELLO + data), 3)
            self.assertIsInstance(hello, Hello)
            self.assertIsInstance(lost.error, ProtocolError, data[:20])
            self.assertIsInstance(again, Hello)

    def test_lines_that_come_byte_by_byte_are_whole(self):
        events = self.events(self.impostor(HELLO + encoded(seq=1) + b"\n", piece=1), 3)
        self.assertEqual([type(event) for event in events], [Hello, Track, Disconnected])
        self.assertIsInstance(events[2].error, UnavailableError)

    def test_lines_that_were_read_do_not_come_again(self):
        data = HELLO + encoded(seq=1) + b"\n" + encoded(seq=2) + b"\n"
        path = self.impostor(data)
        with Subscription(path, back_off=QUICK) as subscription:
            numbers = [event.seq for event, _ in zip(subscription, range(9)) if isinstance(event, Track)]
            self.assertEqual(numbers, [1, 2])
            self.assertEqual(subscription.position, Position("ab", 2))

    def test_a_refused_request_ends_the_subscription(self):
        path = self.impostor(HELLO + b'{"v":1,"type":"error","reason":"no such kind"}\n')
        with Subscription(path, Filter(kinds=["x"])) as subscription:
            self.assertIsInstance(next(subscription), Hello)
            with self.assertRaisesRegex(RefusedError, "no such kind"):
                next(subscription)
            self.assertEqual(list(subscription), [])

    def test_a_connection_that_is_not_admitted_is_tried_again(self):
        events = self.events(self.impostor(b'{"v":1,"type":"error","reason":"too many"}\n'), 3)
        self.assertEqual([type(event) for event in events], [Refusal, Disconnected, Refusal])

    def test_without_a_daemon_the_delays_double(self):
        with Subscription("/nowhere/e.sock", back_off=BackOff(0.001, 0.01)) as subscription:
            delays = [next(subscription).retry_after for _ in range(6)]
        for delay, expected in zip(delays, [0.001, 0.002, 0.004, 0.008, 0.01, 0.01]):
            self.assertTrue(expected * 0.75 <= delay <= expected * 1.25, delays)
        with Subscription("/nowhere/e.sock", reconnects=False) as subscription:
            events = list(subscription)
        self.assertEqual([event.retry_after for event in events], [None])
        with Subscription("/nowhere/e.sock", reconnects=False) as subscription:
            with self.assertRaises(UnavailableError):
                subscription.follow(lambda track: None)

    def test_another_thread_closes_a_waiting_subscription(self):
        for path in (self.impostor(HELLO, stays=True), "/nowhere/e.sock"):
            subscription, events = Subscription(path, back_off=BackOff(600, 600)), []
            thread = threading.Thread(target=lambda: events.extend(subscription), daemon=True)
            thread.start()
            time.sleep(0.2)
            subscription.close()
            thread.join(PATIENCE)
            self.assertFalse(thread.is_alive())
            self.assertEqual(len(events), 1)

    def test_arguments_that_are_no_json_are_value_errors(self):
        for filter in (Filter(min_confidence=float("nan")), Filter(kinds=["x" * 70_000]), Filter(labels=["\ud800"])):
            with self.assertRaises(ValueError):
                Subscription("/nowhere/e.sock", filter)

    def test_a_reply_that_is_none_is_a_protocol_error(self):
        for data in [*GARBAGE, b'{"ok":1}\n']:
            path = self.impostor(data)
            with self.assertRaises(ProtocolError):
                Control(path).status()
            with self.assertRaises(ProtocolError):
                asyncio.run(AsyncControl(path).status())

    def test_a_command_without_an_answer_is_unavailable(self):
        for path in (self.impostor(b""), "/nowhere/c.sock"):
            with self.assertRaises(UnavailableError):
                Control(path, timeout=0.2).status()
            with self.assertRaises(UnavailableError):
                asyncio.run(AsyncControl(path, timeout=0.2).status())


if __name__ == "__main__":
    unittest.main()
