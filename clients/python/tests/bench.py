# SPDX-License-Identifier: Apache-2.0
"""A real daemon for the tests, and a peer that sends bytes of the test's choice."""

import os
import re
import socket
import sys
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "clients/python/src"), str(ROOT / "scripts/reliability")]

import glimpse  # noqa: E402
from daemon import Daemon  # noqa: E402

BINARIES = os.environ.get("GLIMPSE_BINARIES", str(ROOT / ".build/release"))
PATIENCE = 120
"""Seconds until a test gives up. Busy machines are slow."""

LIFE = re.compile(r"DU(U|M+U)*M*C$")


def scene(fps=30):
    return f'[source]\nkind = "test"\npattern = "scene"\nwidth = 320\nheight = 240\nfps = {fps}\n[barcode]\n'


def scripted(*commands):
    """A pipeline for a scripted worker."""
    script = "".join(f"# script: {command}\n" for command in ("connect", *commands))
    return f'{script}[source]\nkind = "test"\n[face]\n'


class Recorder(glimpse.TrackFollower):
    """Writes its calls down as letters: D, U, M, C."""

    def __init__(self):
        self.calls = ""
        self.reason = None
        self.tracks = []

    def detected(self, track):
        self.calls += "D"
        self.tracks.append(track)

    def update(self, track):
        self.calls += "U"

    def missing(self, track):
        self.calls += "M"

    def completed(self, track, reason):
        self.calls += "C"
        self.reason = reason


class Recorders(list):
    """Makes recorders and keeps them all."""

    def make(self, track):
        self.append(Recorder())
        return self[-1]

    def check(self, test):
        for recorder in self:
            test.assertRegex(recorder.calls, LIFE)

    @property
    def live(self):
        return [recorder for recorder in self if recorder.reason is None]


class DaemonTest(unittest.TestCase):
    """A test with a daemon that `run_daemon` starts. It ends, and its folder goes, with the test."""

    def run_daemon(self, events="", pipelines=None, retention="", environment=None):
        self.daemon = Daemon(
            pipelines or {"door": scene()}, {"events": events, "retention": retention}, binaries=BINARIES,
            environment=environment)
        self.addCleanup(self.daemon.remove)
        self.addCleanup(self.daemon.stop)
        self.events = os.path.join(self.daemon.folder, "e.sock")
        self.commands = os.path.join(self.daemon.folder, "c.sock")
        self.daemon.connect("e.sock").close()
        self.daemon.connect("c.sock").close()

    def run_flood(self):
        """A daemon with more lines than a reader that rests can get, also on a busy machine."""
        self.run_daemon(
            'journal_events = 50\nqueue = "64KiB"',
            {"door": scripted("tracks 2", "updates 1000000000 20"), "gate": scripted("lives 1000000000 5 1")},
            environment={"GLIMPSED_WORKER": f"{BINARIES}/ScriptedWorker"})

    def subscribe(self, **arguments):
        subscription = glimpse.Subscription(self.events, **arguments)
        timer = threading.Timer(PATIENCE, subscription.close)
        timer.daemon = True
        timer.start()
        self.addCleanup(timer.cancel)
        self.addCleanup(subscription.__exit__)
        return subscription

    def first(self, subscription, condition):
        for event in subscription:
            if condition(event):
                return event
        self.fail(f"the event did not come within {PATIENCE} s:\n{self.daemon.errors()[-2000:]}")


class Impostor:
    """A server that sends `data` to each peer in pieces of `piece` bytes, and closes the connection or `stays`."""

    def __init__(self, folder, data, piece=1 << 16, stays=False):
        self.path = os.path.join(folder, "impostor.sock")
        self._data, self._piece, self._stays = data, piece, stays
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(self.path)
        self._socket.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            with peer:
                try:
                    for start in range(0, len(self._data), self._piece):
                        peer.sendall(self._data[start : start + self._piece])
                    if not self._stays:
                        peer.shutdown(socket.SHUT_WR)
                    while peer.recv(4096):
                        pass
                except OSError:
                    pass

    def close(self):
        # A blocked `accept` ends by shutdown only.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def wait_until(condition, seconds=PATIENCE):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()
