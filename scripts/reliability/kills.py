#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kills.py [COUNT=1000] [--binaries DIR]: kills a real worker COUNT times, and reports the effects."""
import argparse
import os
import signal
import subprocess
import sys
import time

from daemon import Daemon, Subscriber, footprint, percentiles, zombies


def source(folder, worker):
    """A symbol that stays in view, so that every frame has an update."""
    picture = os.path.join(folder, "symbol.pgm")
    subprocess.run([worker, "symbol", "qr_code", "a symbol", "--output", picture], check=True)
    return (
        f'[source]\nkind = "launch"\nlaunch = "filesrc location={picture} ! pnmdec ! imagefreeze is-live=true'
        ' ! video/x-raw,framerate=15/1"\n[barcode]\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--binaries")
    options = parser.parse_args()
    daemon = Daemon(
        {},
        {
            "workers": 'restart_backoff = ["1ms", "1ms"]\ncrash_limit = 1000\ncrash_window = "1ms"',
            "events": 'journal_bytes = "1MiB"',
        }, options.binaries)
    text = source(daemon.folder, os.path.join(daemon.binaries, "glimpsed-worker"))
    for name in ("door", "porch"):
        daemon.pipeline(name, text)
    daemon.ask({"reload": True})
    reader = Subscriber(
        daemon, keep=lambda line: line["type"] == "source" or line["type"] == "update")
    first_update = lambda epoch: lambda line: (  # noqa: E731
        line["type"] == "update" and line["pipeline"] == "door" and line["frame"]["epoch"] == epoch)
    index = reader.wait(first_update(1))
    reader.wait(lambda line: line["type"] == "update" and line["pipeline"] == "porch")
    noticed, recovered, samples = [], [], []
    for kill in range(options.count):
        killed = time.monotonic()
        os.kill(daemon.status()["door"]["pid"], signal.SIGKILL)
        lost = reader.wait(lambda line: line.get("state") == "lost" and line["pipeline"] == "door", index + 1)
        index = reader.wait(first_update(kill + 2), lost)
        noticed.append(reader.lines[lost]["at"] - killed)
        recovered.append(reader.lines[index]["at"] - reader.lines[lost]["at"])
        # A worker that is starting has all its descriptors after a moment: it has sent an update.
        samples.append(footprint(daemon.process.pid))
        if kill % 50 == 49:
            print(f"{kill + 1}: {samples[-1]}", file=sys.stderr)
    left = zombies(daemon.process.pid)
    porch = [line for line in reader.lines if line["pipeline"] == "porch"]
    frames = [line["frame"]["seq"] for line in porch if line["type"] == "update"]
    restarts = daemon.status()["porch"]["restarts"]
    missing = frames[-1] - frames[0] + 1 - len(set(frames))
    status = daemon.stop()
    first, last = samples[min(20, len(samples) - 1)], samples[-1]
    print(f"{options.count} kills: noticed after: {percentiles(noticed)}; next update after that: {percentiles(recovered)}")
    print(f"supervisor: descriptors {first['fds']} to {last['fds']}, threads {first['threads']} to {last['threads']}, "
          f"private memory {first['rss'] >> 10} to {last['rss'] >> 10} KiB, zombies {left}, exit status {status}")
    print(f"the other pipeline: {restarts} restarts, {missing} of {len(set(frames)) + missing} frames without an update, which it dropped itself; "
          f"the subscriber: {len(reader.gaps)} gaps and {reader.unexplained} lines missing in {reader.newest} lines")
    daemon.remove()
    return bool(left or restarts or reader.gaps or reader.unexplained or status or last["fds"] > first["fds"] + 6)


if __name__ == "__main__":
    sys.exit(main())
