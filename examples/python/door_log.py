#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs arrivals and departures: a line for each detected face, and a line with its duration when the face leaves.

    door_log.py [SOCKET [POSITION-FILE]]

Needs the package python3-glimpse-client (clients/python). After a restart of the daemon the program connects again.
With a position file, the program's next start resumes after the last logged event, as far as the daemon's journal goes
back.
"""

import os
import sys

from glimpse import DEFAULT_SOCKET, Disconnected, Filter, Gap, Hello, Position, Refusal, Subscription, Track


def load(file):
    try:
        with open(file, encoding="utf-8") as text:
            return Position.parse(text.read())
    except (OSError, ValueError):
        return None


def save(file, position):
    """Replaces the file atomically, so that a power cut leaves the old file."""
    with open(file + ".new", "w", encoding="utf-8") as text:
        text.write(f"{position}\n")
    os.replace(file + ".new", file)


def complain(text):
    print(text, file=sys.stderr, flush=True)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else DEFAULT_SOCKET
    file = sys.argv[2] if len(sys.argv) > 2 else None
    wanted = Filter(kinds=["face"], types=["detected", "completed"])
    for event in Subscription(path, wanted, after=load(file) if file else None):
        if isinstance(event, Disconnected):
            complain(f"{event.reason}; trying again")
            continue
        if isinstance(event, Hello):
            complain(f"connected to {event.server}")
        elif isinstance(event, Refusal):
            complain(f"refused: {event.reason}")
        elif isinstance(event, Gap):
            complain(f"some events were lost: {event.reason}")
        elif isinstance(event, Track):
            end = "came" if event.type == "detected" else f"left after {event.duration_ms / 1000:.1f} s"
            print(f"{event.time[:19]} {event.pipeline}: face {event.track.id} {end}", flush=True)
        if file and event.position:
            save(file, event.position)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
