#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""neighbours.py [SECONDS=30] [--count 24] [--binaries DIR]: rates of pipelines while one is killed every second.

The rates are compared with those of a run without kills."""
import argparse
import os
import signal
import sys
import time

from daemon import Daemon, Subscriber

SOURCE = '[source]\nkind = "test"\npattern = "ball"\nwidth = 64\nheight = 48\nfps = 5\n[barcode]\nmax_rate = 5\n'


def run(options, kills):
    names = [f"n{number}" for number in range(1, options.count)]
    daemon = Daemon(
        {name: SOURCE for name in names + ["crasher"]},
        {"workers": 'restart_backoff = ["10ms", "100ms"]\ncrash_limit = 1000\ncrash_window = "1ms"'}, options.binaries)
    reader = Subscriber(daemon)
    index = -1
    for name in names:
        reader.wait(lambda line: line["pipeline"] == name and line["state"] == "connected", limit=240)
    time.sleep(3)
    before, began = daemon.status(), time.monotonic()
    done = 0
    while time.monotonic() - began < options.seconds:
        time.sleep(1)
        process = daemon.status()["crasher"].get("pid") if kills else None
        if process:
            os.kill(process, signal.SIGKILL)
            done += 1
    elapsed, after = time.monotonic() - began, daemon.status()
    rates = {name: (after[name]["source"]["received"] - before[name]["source"]["received"]) / elapsed for name in names}
    processed = {
        name: (after[name]["detectors"][0]["processed"] - before[name]["detectors"][0]["processed"]) / elapsed
        for name in names
    }
    restarts = sum(after[name]["restarts"] for name in names)
    status = daemon.stop()
    daemon.remove()
    return rates, processed, restarts, done, len(reader.gaps) + reader.unexplained, status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", nargs="?", type=int, default=30)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--binaries")
    options = parser.parse_args()
    quiet, with_kills = run(options, False), run(options, True)
    shares = [with_kills[0][name] / quiet[0][name] for name in quiet[0]]
    lanes = [with_kills[1][name] / quiet[1][name] for name in quiet[1]]
    print(f"{options.count} pipelines, {with_kills[3]} kills of one in {options.seconds} s: the others' sources gave "
          f"{100 * min(shares):.1f} to {100 * max(shares):.1f} % of the frames of the run without kills, their detectors looked at "
          f"{100 * min(lanes):.1f} to {100 * max(lanes):.1f} %; restarts of others {with_kills[2]}, gaps {with_kills[4]}, "
          f"exit statuses {quiet[5]} and {with_kills[5]}")
    return bool(min(shares) < 0.95 or with_kills[2] or with_kills[4])


if __name__ == "__main__":
    sys.exit(main())
