#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""daemon_kills.py [COUNT=50] [--sync 200] [--binaries DIR]: kills the daemon COUNT times with the journal on disk.

Each kill comes at another moment.

A subscriber reads every line. After each kill it continues from the beginning of that life of the daemon. A line that
the subscriber saw earlier and does not receive again is lost. The script fails in these cases:

- a number was given twice, or stands for another line
- a lost line is not an update, or is in no `gap`
- the frame of a lost line was captured more than two `--sync` before the last frame: one `--sync`, and the delay of a
  busy machine
"""
import argparse
import json
import random
import sys

from daemon import Daemon, percentiles

PIPELINE = '[source]\nkind = "test"\nfps = 30\n[barcode]\n[face]\n'


def nanoseconds(line):
    """Returns the capture time of the line's frame, within the day."""
    hours, minutes, seconds = line["time"][11:-1].split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000_000_000 + int(float(seconds) * 1e9)


def read(peer, is_last):
    """Returns the lines up to the first one that meets the condition, or to the end."""
    lines = []
    peer.settimeout(60)
    with peer.makefile("rb") as stream:
        for raw in stream:
            if not raw.endswith(b"\n"):
                break
            lines.append(json.loads(raw))
            if is_last(lines[-1]):
                break
    peer.close()
    return lines


def resumed(daemon, request, is_last):
    peer = daemon.connect("e.sock")
    peer.sendall(json.dumps(request).encode() + b"\n")
    return read(peer, is_last)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=50)
    parser.add_argument("--sync", type=int, default=200, help="events.journal_sync in milliseconds")
    parser.add_argument("--binaries")
    options = parser.parse_args()
    daemon = Daemon(
        {name: PIPELINE for name in ("door", "gate", "hall", "yard")},
        {"events": f'journal_sync = "{options.sync}ms"', "retention": 'events = ["7d", "64MiB"]'}, options.binaries)
    try:
        return check(daemon, options)
    finally:
        daemon.kill()
        daemon.remove()


def check(daemon, options):
    faults, spans, losses, seen, run = [], [], [], {}, None
    for kill in range(options.count):
        length = random.randint(20, 90)
        said = resumed(
            daemon, {"after": max(seen, default=0), **({"run_id": run} if run else {})},
            lambda line: line["type"] == "update" and line["frame"]["seq"] >= length)
        run = run or said[0]["run_id"]
        if said[0]["run_id"] != run:
            faults.append(f"kill {kill}: another run")
        before = max(seen, default=0)
        for line in said:
            if line.get("seq", before + 1) <= before:
                faults.append(f"{line['seq']} twice")
        seen.update({line["seq"]: line for line in said if "seq" in line})
        daemon.kill()
        daemon.start()
        newest = max(seen)
        story = resumed(daemon, {"after": before, "run_id": run}, lambda line: line.get("seq", 0) > newest)
        kept = {line["seq"]: line for line in story if "seq" in line}
        gaps = [range(line["from"], line["to"] + 1) for line in story if line["type"] == "gap"]
        lost = [line for number, line in seen.items() if number > before and number not in kept]
        faults += [f"lost {line}" for line in lost if line["type"] != "update"]
        faults += [f"in no gap: {line}" for line in lost if not any(line["seq"] in gap for gap in gaps)]
        faults += [f"{number} is another line" for number, line in kept.items() if seen.get(number, line) != line]
        faults += [f"kill {kill}: {line} says not what is lost" for line in story if line["type"] == "gap" and "lost" not in line]
        told = sum(line.get("lost", {}).get("update", 0) for line in story if line["type"] == "gap")
        if told < len(lost):
            faults.append(f"{len(lost)} lost, and {told} told")
        losses.append(len(lost))
        spans.append((nanoseconds(seen[newest]) - nanoseconds(lost[0])) / 1e9 if lost else 0)
        if kill % 10 == 9:
            print(f"{kill + 1}: {newest} lines", file=sys.stderr)
    status = daemon.stop()
    late = sum(span > options.sync / 1000 for span in spans)
    print(f"{options.count} kills: {sum(losses)} of {len(seen)} lines lost, all of them updates and in a gap"
          if not faults else "\n".join(faults[:20]))
    print(f"captured before the last line: {percentiles(spans)}; {late} times more than {options.sync} ms; exit status {status}")
    return bool(faults or status or max(spans) > 2 * options.sync / 1000)


if __name__ == "__main__":
    sys.exit(main())
