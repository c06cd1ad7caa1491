#!/usr/bin/env python3
"""Logs arrivals and departures: a line for each detected face, and a line with its duration when the face leaves.

    door_log.py [SOCKET [POSITION-FILE]]

Needs only Python 3.8. After a restart of the daemon the program connects again. With a position file, the program's
next start resumes after the last logged event, as far as the daemon's journal goes back.
"""

import json
import os
import socket
import sys
import time


def events(path, position, wanted):
    """Yields the daemon's events for ever, over any number of connections. `position` is (run_id, seq) or None."""
    delay = 0.1
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                request = {"subscribe": wanted}
                if position:
                    request["run_id"], request["after"] = position
                connection.sendall(json.dumps(request).encode() + b"\n")
                for line in connection.makefile("rb"):
                    event = json.loads(line)
                    if event["type"] == "hello":
                        print(f"connected to {event['server']}", file=sys.stderr, flush=True)
                        delay = 0.1
                        run = event["run_id"]
                        # Until the first event comes, this is the position to resume from.
                        position = position or (run, event["next_seq"] - 1)
                    elif event["type"] == "gap" and event["reason"] == "other_run":
                        # The daemon was restarted. All events of its journal follow.
                        position = (run, 0)
                    elif event["type"] == "error":
                        print(f"refused: {event['reason']}", file=sys.stderr, flush=True)
                    if "seq" in event:
                        position = (event["run_id"], event["seq"])
                    yield event, position
                print(f"{path}: the connection is gone; trying again", file=sys.stderr, flush=True)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}; trying again", file=sys.stderr, flush=True)
        time.sleep(delay)
        delay = min(delay * 2, 10)


def load(file):
    try:
        with open(file, encoding="utf-8") as text:
            run, seq = text.read().split()
            return run, int(seq)
    except (OSError, ValueError):
        return None


def save(file, position):
    """Replaces the file atomically, so that a power cut leaves the old file."""
    with open(file + ".new", "w", encoding="utf-8") as text:
        text.write(f"{position[0]} {position[1]}\n")
    os.replace(file + ".new", file)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "/run/glimpsed/events.sock"
    file = sys.argv[2] if len(sys.argv) > 2 else None
    wanted = {"kinds": ["face"], "types": ["detected", "completed"]}
    for event, position in events(path, load(file) if file else None, wanted):
        if event["type"] == "gap":
            print(f"some events were lost: {event['reason']}", file=sys.stderr)
        elif event["type"] == "detected":
            print(f"{event['time'][:19]} {event['pipeline']}: face {event['track']['id']} came", flush=True)
        elif event["type"] == "completed":
            seconds = event["duration_ms"] / 1000
            print(
                f"{event['time'][:19]} {event['pipeline']}: face {event['track']['id']} left after {seconds:.1f} s",
                flush=True,
            )
        if file and "seq" in event:
            save(file, position)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
