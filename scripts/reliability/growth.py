#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py [NAME ...] [--scale 1] [--binaries DIR]: finds memory that grows with the work of a daemon.

The script counts the blocks of malloc (heap.c), because resident memory goes up and down by itself. It counts before
and after thousands of subscribers, reloads, commands, kills, frames and pictures.

Exits with 1 if the number grows. The script first waits for temporary blocks. Threads of libdispatch keep up to 1024
small blocks each and end after five idle seconds, and the event loop's clock ticks. The script judges the number of
blocks, not their size. A leak adds one block an operation, and a table that doubles replaces one block by another.
"""
import argparse
import itertools
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

from daemon import ROOT, Daemon

# Blocks that come and go with ticks, heartbeats and tracks.
NOISE = 24
SETTLE_SECONDS = 7
STILL = 'kind = "test"\nwidth = 160\nheight = 120\nfps = 5\n'
JOURNAL = 'journal_events = 20\njournal_bytes = "64KiB"'
BACKOFF = 'restart_backoff = ["1ms", "1ms"]\ncrash_limit = 1000\ncrash_window = "1ms"'


class Heap:
    """The counting library and its counts."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="glimpse-heap-")
        library = os.path.join(self.folder.name, "heap.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "heap.c")
        # Swift's own library exists on every build machine.
        subprocess.run([os.environ.get("CC", "clang"), "-O2", "-fPIC", "-shared", "-o", library, source], check=True)
        self.prefix = os.path.join(self.folder.name, "count")
        # GLib's own allocator would hide what GStreamer leaks in slabs.
        self.environment = {"LD_PRELOAD": library, "HEAP_COUNT": self.prefix, "G_SLICE": "always-malloc"}

    def blocks(self, process):
        with open(f"{self.prefix}.{process}", "rb") as file:
            return struct.unpack("<q", file.read(8))[0]

    def settled(self, process):
        """Returns the smallest count within a second, after a rest."""
        time.sleep(SETTLE_SECONDS)
        least, end = self.blocks(process), time.monotonic() + 1
        while time.monotonic() < end:
            least = min(least, self.blocks(process))
            time.sleep(0.005)
        return least


def subscriber(daemon, request, answer):
    """Connects, sends `request`, and disconnects after `answer`."""
    with daemon.connect("e.sock") as peer:
        peer.settimeout(20)
        peer.sendall(request)
        got = b""
        while answer not in got:
            piece = peer.recv(1 << 16)
            if not piece:
                raise SystemExit(f"the daemon hung up on {request}")
            got = got[-65_536:] + piece


def connect(daemon, number):
    """Connects unknown peers of five kinds."""
    regex = {"subscribe": {"pipelines": [f"cam-{number}*"], "value_regex": f"^a{{1,{number % 9 + 2}}}b|{number}"}, "state": True}
    request, answer = [
        (b"", b'"hello"'), (b'{"after":', b'"hello"'), (b'{"x":' + b"[" * (number % 50) + b"\n", b'"error"'),
        (b'{"after":0}\n{"state":true}\n', b'"type":"state"'), (json.dumps(regex).encode() + b"\n", b'"type":"state"'),
    ][number % 5]
    subscriber(daemon, request, answer)


def command(daemon, number):
    daemon.ask([
        {"status": True}, {"focus": {"pipeline": "a", "detector": "barcode", "id": str(number)}}, {"pause": {"pipeline": "none"}},
        {"dance": number}, {"accept": {"file": "/etc/passwd"}}, {"status": True, "request": f"x{number}"},
    ][number % 6])


def reload(text, is_good=True):
    def act(daemon, number):
        daemon.pipeline("a", text % (number % 2 + 3))
        if daemon.ask({"reload": True})["ok"] != is_good:
            raise SystemExit("a reload did what it should not")
    return act


def come_and_go(daemon, number):
    """Adds a pipeline with a new name."""
    name = f"guest-{number // 2}"
    if number % 2:
        os.unlink(os.path.join(daemon.folder, "pipelines", f"{name}.toml"))
    else:
        daemon.pipeline(name, f"[source]\n{STILL}[barcode]\n")
    daemon.ask({"reload": True})


def until(is_so):
    end = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit("a worker does not do what it should")
        time.sleep(0.005)


def kill(daemon, _):
    until(lambda: daemon.status()["a"].get("state") == "connected")
    seen = daemon.status()["a"]
    os.kill(seen["pid"], signal.SIGKILL)
    until(lambda: daemon.status()["a"].get("epoch", seen["epoch"]) != seen["epoch"])


def restart(daemon, _):
    daemon.ask({"restart": {"pipeline": "a"}})


def demand(daemon, _):
    subscriber(daemon, b'{"after":0}\n', b'"state":"connected"')
    until(lambda: daemon.status()["a"]["state"] == "paused")


def snapshot(daemon, _):
    if not daemon.ask({"snapshot": {"pipeline": "a"}})["ok"]:
        raise SystemExit("no snapshot")


def watch(daemon, _):
    time.sleep(0.01)


BARCODE = f"[source]\n{STILL}[barcode]\n"
LIVELY = BARCODE.replace("fps = 5", "fps = 100") + '[search]\nsource = "barcode"\ndelay = "0s"\n[[zone]]\nname = "z"\npolygon = [[0, 0], [0.%d, 0], [1, 1]]\n'
CROWD = '[source]\nkind = "test"\nwidth = 320\nheight = 240\nfps = 240\n[face]\n[barcode]\n[[zone]]\nname = "z"\npolygon = [[0, 0], [1, 0], [1, 1]]\n'
# Name: operation, repetitions, pipeline, the daemon's tables, and the process whose heap is counted. A counted worker
# keeps running.
DAEMONS = {
    "subscribers": (connect, 5000, BARCODE, {}, "supervisor"),
    "commands": (command, 6000, BARCODE, {}, "supervisor"),
    "reloads": (reload(BARCODE + "max_rate = %d\n"), 2000, BARCODE, {}, "supervisor"),
    "refused reloads": (reload(BARCODE + "max_rat = %d\n", False), 2000, BARCODE, {}, "supervisor"),
    "new workers by reload": (reload(BARCODE.replace("fps = 5", "fps = %d")), 200, BARCODE, {"daemon": 'trial = "100ms"'}, "supervisor"),
    "names of pipelines": (come_and_go, 400, BARCODE, {}, "supervisor"),
    "kills": (kill, 200, BARCODE, {"workers": BACKOFF + "\ncrash_dump = true"}, "supervisor"),
    "restarts": (restart, 200, BARCODE, {}, "supervisor"),
    "on demand": (demand, 100, BARCODE.replace("fps = 5", 'fps = 5\non_demand = true\nlinger = "0s"'), {}, "supervisor"),
    "events": (watch, 2000, CROWD, {}, "supervisor"),
    "events on disk": (watch, 2000, CROWD, {"events": JOURNAL, "retention": 'events = ["5s", "1MiB"]'}, "supervisor"),
    "readers from disk": (connect, 3000, CROWD, {"events": JOURNAL, "retention": 'events = ["5s", "1MiB"]'}, "supervisor"),
    "frames and heartbeats": (watch, 2000, CROWD, {"workers": "crash_dump = true"}, "worker"),
    "reloads that the worker takes": (reload(LIVELY), 500, LIVELY % 3, {}, "worker"),
    "snapshots": (snapshot, 300, LIVELY % 3, {}, "worker"),
}


def settled(heap, process, daemon, is_quiet):
    if is_quiet:
        daemon.ask({"pause": {"pipeline": "a"}})
    blocks = heap.settled(process)
    if is_quiet:
        daemon.ask({"resume": {"pipeline": "a"}})
    return blocks


def grown(heap, what, options):
    """Returns the growth in blocks after the operations, and the number of operations."""
    act, count, text, tables, whose = what
    count = max(100, int(count * options.scale)) & ~1
    daemon = Daemon(
        {"a": text % 3 if "%d" in text else text}, {"events": JOURNAL, **tables}, options.binaries, heap.environment)
    try:
        process = daemon.process.pid
        daemon.ask({"status": True})
        if whose == "worker":
            until(lambda: daemon.status()["a"].get("state") == "connected")
            process = daemon.status()["a"]["pid"]
        # If events are the operation, they stop during the count.
        is_quiet = text is CROWD and whose == "supervisor"
        numbers = itertools.count()
        for _ in range(max(100, count // 5) & ~1):
            act(daemon, next(numbers))
        before = settled(heap, process, daemon, is_quiet)
        for _ in range(count):
            act(daemon, next(numbers))
        return settled(heap, process, daemon, is_quiet) - before, count
    finally:
        daemon.stop()
        daemon.remove()


FRAMES = {
    "frames with barcodes": "[barcode]\n",
    "frames with faces": "[face]\n",
    "frames with objects": '[object]\nmodel = "motion"\n',
    "frames with all": '[face]\n[barcode]\nreport_undecoded = true\n[object]\nmodel = "motion"\n[[zone]]\nname = "z"\npolygon = [[0, 0], [1, 0], [1, 1]]\ndwell = "1s"\n',
}


def at_end(heap, detectors, frames, options):
    """The blocks that a worker still holds after so many frames, processed as fast as it can."""
    with tempfile.TemporaryDirectory(prefix="glimpse-") as folder:
        file = os.path.join(folder, "a.toml")
        with open(file, "w") as output:
            output.write(f'[source]\nkind = "test"\nwidth = 320\nheight = 240\nframes = {frames}\n{detectors}')
        worker = os.path.join(options.binaries or os.path.join(ROOT, ".build", "release"), "glimpsed-worker")
        process = subprocess.Popen(
            [worker, "pipeline", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, **heap.environment})
        if process.wait():
            raise SystemExit(f"{worker} ended with {process.returncode}")
        return heap.blocks(process.pid)


def frames(heap, detectors, options):
    first, more = 500, int(3000 * options.scale)
    return at_end(heap, detectors, first + more, options) - at_end(heap, detectors, first, options), more


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--binaries")
    options = parser.parse_args()
    heap, bad = Heap(), False
    table = {name: (lambda detectors=text: frames(heap, detectors, options)) for name, text in FRAMES.items()}
    table.update({name: (lambda what=what: grown(heap, what, options)) for name, what in DAEMONS.items()})
    for name, measure in table.items():
        if options.names and not any(name.startswith(wanted) for wanted in options.names):
            continue
        more, count = measure()
        grows = more > NOISE + count // 100
        bad |= grows
        print(f"{name}: {more:+d} blocks in {count}{' (GROWS)' if grows else ''}", flush=True)
    print("holds" if not bad else "DOES NOT HOLD")
    return bad


if __name__ == "__main__":
    sys.exit(main())
