# SPDX-License-Identifier: Apache-2.0
"""The package with a real daemon: resumption over kills, a slow reader, lives over kills, commands, asyncio."""

import asyncio
import os
import random
import re
import subprocess
import sys
import threading
import time
import unittest

from bench import BINARIES, PATIENCE, ROOT, DaemonTest, Recorders, glimpse, scene, wait_until
from glimpse import Control, Disconnected, Filter, Gap, Hello, Position, RefusedError, Source, Track

SYNC, DISK = 'journal_sync = "20ms"', 'events = ["7d", "64MiB"]'


class SubscriptionTests(DaemonTest):
    def test_the_versions_of_package_and_daemon_are_equal(self):
        version = subprocess.run([f"{BINARIES}/glimpsed", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(version.stdout.strip(), glimpse.__version__)

    def test_a_filter_applies_from_the_first_event_on(self):
        self.run_daemon()
        for filter, expected in ((Filter(types=["detected"]), {"detected"}), (Filter(kinds=["barcode"]), None)):
            subscription, types = self.subscribe(filter=filter), set()
            while len(types) < 1 or (expected is None and "missing" not in types):
                types.add(self.first(subscription, lambda event: isinstance(event, Track)).type)
            self.assertTrue(expected is None or types == expected, types)

    def test_a_filter_that_the_daemon_does_not_understand_is_refused(self):
        self.run_daemon()
        with self.assertRaisesRegex(RefusedError, "min_confidence"):
            list(self.subscribe(filter=Filter(min_confidence=7)))

    def test_a_later_subscription_gets_what_was_missed(self):
        self.run_daemon()
        with self.subscribe() as subscription:
            self.first(subscription, lambda event: isinstance(event, Track))
            position = Position.parse(str(subscription.position))
        # Others read on meanwhile.
        last = self.first(self.subscribe(after=position), lambda event: event.seq == position.seq + 40)
        numbers = []
        later = self.subscribe(after=position)
        self.first(later, lambda event: event.seq and (numbers.append(event.seq) or event.seq == last.seq))
        self.assertEqual(numbers, list(range(position.seq + 1, last.seq + 1)))

    def test_killed_daemons_cost_no_line_that_the_journal_has(self):
        self.run_daemon(SYNC, retention=DISK)
        subscription, events, kills = self.subscribe(), [], 0
        random_source = random.Random(9)
        for event in subscription:
            events.append(event)
            tracks = sum(isinstance(event, Track) for event in events)
            if isinstance(event, Track) and tracks > 60 * (kills + 1):
                if kills == 3:
                    break
                kills += 1
                time.sleep(random_source.uniform(0, 0.1))
                self.daemon.kill()
                threading.Timer(random_source.uniform(0, 0.5), self.daemon.start).start()
        self.assertEqual(kills, 3, self.daemon.errors()[-2000:])
        self.assertGreaterEqual(sum(isinstance(event, Disconnected) for event in events), 3)
        # One run, and each number once, or in a gap of updates.
        self.assertEqual(len({event.run_id for event in events if isinstance(event, Hello)}), 1)
        expected = events[0].next_seq
        for event in events:
            if isinstance(event, Gap):
                self.assertLessEqual(set(event.lost or ()), {"update", "missing"}, event)
                self.assertLessEqual(event.from_seq, expected)
                expected = max(expected, event.to_seq + 1)
            elif not isinstance(event, Disconnected) and event.seq is not None:
                self.assertEqual(event.seq, expected, event)
                expected += 1
        # The journal has no other line than those that were read.
        read = {event.seq: event.json for event in events if not isinstance(event, Disconnected) and event.seq}
        journal = {}
        again = self.subscribe(after=Position(events[0].run_id, events[0].next_seq - 1))
        self.first(again, lambda event: event.seq and journal.update({event.seq: event.json}) or event.seq == expected - 1)
        self.assertLessEqual(set(journal), set(read))
        self.assertEqual({seq: line["type"] for seq, line in journal.items()}, {seq: read[seq]["type"] for seq in journal})

    def test_a_daemon_without_a_disk_journal_begins_another_run(self):
        self.run_daemon()
        subscription = self.subscribe()
        first = self.first(subscription, lambda event: isinstance(event, Hello))
        self.first(subscription, lambda event: isinstance(event, Track))
        self.daemon.kill()
        self.daemon.start()
        gap = self.first(subscription, lambda event: isinstance(event, Gap))
        self.assertEqual(gap.reason, "other_run")
        event = self.first(subscription, lambda event: not isinstance(event, Disconnected) and event.seq is not None)
        self.assertEqual(event.seq, 1)
        self.assertNotEqual(event.run_id, first.run_id)

    def test_a_slow_reader_gets_a_gap_that_names_what_it_lost(self):
        self.run_flood()
        subscription = self.subscribe()
        begin = self.first(subscription, lambda event: isinstance(event, Track)).seq
        # The socket holds some 170 lines, the journal 50.
        control = Control(self.commands)
        self.assertTrue(wait_until(lambda: control.status()["next_seq"] > begin + 2000))
        newest, gaps, seen = begin, [], 0
        for event in subscription:
            if isinstance(event, Gap):
                gaps.append(event)
                self.assertEqual(event.from_seq, newest + 1)
                self.assertEqual(sum(event.lost.values()), event.to_seq - event.from_seq + 1)
                newest = event.to_seq
            elif event.seq is not None:
                # Coalesced updates are in no gap.
                self.assertGreater(event.seq, newest)
                newest, seen = event.seq, seen + 1
            if gaps and newest > begin + 2000:
                break
        self.assertTrue(gaps)
        self.assertEqual({gap.reason for gap in gaps}, {"slow"})
        self.assertLess(seen, 2000)


class PageTests(DaemonTest):
    def test_each_program_of_the_reference_runs(self):
        self.run_daemon()
        page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
        readme = (ROOT / "clients/python/README.md").read_text(encoding="utf-8")
        programs = re.findall(r"^```python\n(.*?)^```", page + readme, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(programs), 5)
        for program in programs:
            # This daemon has other sockets, another pipeline and no faces.
            program = program.replace("Subscription(", f"Subscription({self.events!r}, ").replace('"face"', '"barcode"')
            program = program.replace("Control()", f"Control({self.commands!r})").replace("front-door", "door")
            program += "\nprint(picture)" if "picture" in program else ""
            process = subprocess.Popen(
                [sys.executable, "-u", "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT / "clients/python/src")},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
            timer = threading.Timer(PATIENCE, process.kill)
            timer.start()
            first = process.stdout.readline()
            process.terminate()
            errors = process.communicate()[1]
            timer.cancel()
            self.assertTrue(first, f"{program}\n{errors}")


class FollowTests(DaemonTest):
    def follow(self, recorders, others, **arguments):
        subscription = self.subscribe(**arguments)
        thread = threading.Thread(target=subscription.follow, args=(recorders.make, others), daemon=True)
        thread.start()
        return subscription, thread

    def kill_at_random(self, recorders, kills, seed):
        random_source = random.Random(seed)
        for _ in range(kills):
            before = sum(len(recorder.calls) for recorder in recorders)
            self.assertTrue(wait_until(lambda: sum(len(recorder.calls) for recorder in recorders) > before + 5))
            time.sleep(random_source.uniform(0, 0.4))
            self.daemon.kill()
            time.sleep(random_source.uniform(0, 0.3))
            self.daemon.start()

    def lives_over_kills(self, events, reasons, seed, retention=""):
        self.run_daemon(events, {"door": scene(30), "gate": scene(20)}, retention)
        recorders, others = Recorders(), []
        subscription, thread = self.follow(recorders, others.append)
        self.kill_at_random(recorders, 6, seed)
        hello = sum(isinstance(event, Hello) for event in others)
        self.assertTrue(wait_until(lambda: sum(isinstance(event, Hello) for event in others) >= max(hello, 7)))
        self.assertTrue(wait_until(lambda: recorders.live))
        subscription.close()
        thread.join(PATIENCE)
        recorders.check(self)
        found = {recorder.reason for recorder in recorders}
        self.assertLessEqual(found, {"gone", "unfollowed", "end_of_stream", *reasons})
        self.assertTrue(found & reasons, found)

    def test_lives_go_on_legally_over_kills_with_a_journal_on_disk(self):
        self.lives_over_kills(SYNC, {"source_lost"}, 3, retention=DISK)

    def test_lives_end_as_lost_when_a_kill_begins_another_run(self):
        self.lives_over_kills("", {"lost"}, 4)

    def test_a_track_that_was_live_before_begins_with_its_state(self):
        self.run_daemon()
        track = self.first(self.subscribe(), lambda event: isinstance(event, Track) and event.track.hits > 3)
        recorders, others = Recorders(), []
        subscription, thread = self.follow(recorders, others.append)
        self.assertTrue(wait_until(lambda: recorders and "UU" in recorders[0].calls))
        subscription.close()
        thread.join(PATIENCE)
        self.assertGreater(recorders[0].tracks[0].track.age_frames, 1, track)
        recorders.check(self)

    def test_a_gap_ends_no_life_wrongly(self):
        self.run_flood()
        recorders, gaps, control = Recorders(), [], Control(self.commands)

        def others(event):
            if isinstance(event, Gap):
                gaps.append(event)
            # The subscriber rests until the journal has moved on.
            elif isinstance(event, Hello):
                wait_until(lambda: control.status()["next_seq"] > event.next_seq + 1500)

        subscription, thread = self.follow(recorders, others)
        self.assertTrue(wait_until(lambda: gaps))
        self.assertTrue(wait_until(lambda: any(len(recorder.calls) > 3 for recorder in recorders)))
        subscription.close()
        thread.join(PATIENCE)
        self.assertFalse(thread.is_alive())
        recorders.check(self)


class CommandTests(DaemonTest):
    def test_commands_have_replies_and_refusals(self):
        self.run_daemon()
        control = Control(self.commands)
        self.assertEqual(control.status()["pipelines"][0]["name"], "door")
        self.assertEqual(control.pause("door")["state"], "paused")
        self.assertEqual(control.resume("door")["pipeline"], "door")
        self.assertEqual(control.reload(dry_run=True)["changed"], [])
        self.assertEqual(control.focus("door", "barcode", "1")["id"], "1")
        self.assertNotIn("id", control.focus("door", "barcode"))
        with open(control.snapshot("door", caption=True)["file"], "rb") as picture:
            self.assertEqual(picture.read(3), b"\xff\xd8\xff")
        self.assertEqual(control.restart("door")["pipeline"], "door")
        for refused in (
            lambda: control.pause("nowhere"), lambda: control.accept("/etc/passwd"), lambda: control.send("dance"),
            lambda: control.search("door"), lambda: control.dismiss("door"), lambda: control.retry("door"),
            lambda: control.select("door", "1"), lambda: control.fail("door", "1", "no answer"),
            lambda: control.answer("door", "1", [{"id": "a", "title": "A", "confidence": 0.5}]),
        ):  # fmt: skip
            with self.assertRaises(RefusedError) as caught:
                refused()
            self.assertNotIn("expected", str(caught.exception).split("unknown command")[0])

    def test_tasks_subscribe_follow_and_command(self):
        self.run_daemon()
        recorders = Recorders()

        async def run():
            control = glimpse.AsyncControl(self.commands)
            follower = glimpse.AsyncSubscription(self.events)
            task = asyncio.ensure_future(follower.follow(recorders.make))
            async with glimpse.AsyncSubscription(self.events, Filter(types=["source"])) as subscription:
                # The first read connects.
                self.assertIsInstance(await subscription.__anext__(), Hello)
                await control.pause("door")
                async for event in subscription:
                    if isinstance(event, Source) and event.state == "paused":
                        break
                await control.resume("door")
                async for event in subscription:
                    if isinstance(event, Source) and event.state == "connected":
                        break
            while not any("UU" in recorder.calls for recorder in recorders):
                await asyncio.sleep(0.02)
            self.daemon.kill()
            self.daemon.start()
            count = len(recorders)
            while len(recorders) == count:
                await asyncio.sleep(0.02)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            follower.close()
            with self.assertRaises(RefusedError):
                await control.pause("nowhere")

        asyncio.run(asyncio.wait_for(run(), PATIENCE))
        recorders.check(self)
        self.assertIn("unfollowed", {recorder.reason for recorder in recorders})


if __name__ == "__main__":
    unittest.main()
