#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A kiosk's screen on a terminal: prints a line for each change of a live search.

    kiosk.py [EVENTS-SOCKET [CONTROL-SOCKET [CATALOGUE]]]

Needs the package python3-glimpse-client (clients/python), and a pipeline with a [search] table (pipelines/search.toml).
A catalogue is a text file with lines "KEY<tab>TITLE". The key is a barcode's text or an object's label. With a
catalogue the program is the search engine too (engine = "subscriber"). After a restart of the daemon the program
connects again, and shows the current state of the session. Control characters in a code's text are not shown.
"""

import sys
import time

from glimpse import (
    DEFAULT_CONTROL_SOCKET,
    DEFAULT_SOCKET,
    Control,
    Disconnected,
    Filter,
    GlimpseError,
    Hello,
    Search,
    State,
    Subscription,
)


def show(text):
    print("".join(c if c.isprintable() else "?" for c in text), flush=True)


def events(path):
    """Yields the search lines of the daemon for ever, and a `Hello` for each connection.

    A screen shows the present, so a lost connection is not resumed. The lines in a `state` are the newest ones.
    """
    while True:
        with Subscription(path, Filter(types=["search"]), reconnects=False) as lines:
            for event in lines:
                if isinstance(event, Disconnected):
                    print(f"{event.reason}; trying again", file=sys.stderr, flush=True)
                elif isinstance(event, Hello):
                    print(f"connected to {event.server}", file=sys.stderr, flush=True)
                if isinstance(event, (Hello, Search)):
                    yield event
                elif isinstance(event, State):
                    yield from event.searches
        time.sleep(0.5)


def load(file):
    with open(file, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t", 1) for line in lines if "\t" in line)


def names(event):
    """The known keys of the object to look for, best first."""
    if event.barcode:
        return [event.barcode.raw or event.barcode.display or ""]
    return [label.text for label in event.object.labels] if event.object else []


def answer(path, event, catalogue):
    """Answers a search from the catalogue. The daemon's reply says whether it passed the answer on."""
    results = [
        {"id": name, "title": catalogue[name], "confidence": 1 / place}
        for place, name in enumerate(names(event), start=1)
        if name in catalogue
    ]
    try:
        Control(path, timeout=5).answer(event.pipeline, event.search, results)
    except GlimpseError as error:
        print(f"{path}: {error}", file=sys.stderr, flush=True)


def screen(event):
    """The line that a kiosk would show."""
    hint = event.hint.text
    if event.state in ("confirming", "too_small"):
        return f"[{'#' * int(event.progress * 10):<10}] {hint}"
    if event.state == "searched" and event.results:
        return "Found: " + ", ".join(result.title for result in event.results)
    if event.state == "searched" and event.outcome == "value":
        return "Found: " + (names(event) or [""])[0]
    return f"{hint}. Help: {event.hint.help}" if event.hint.help else hint


def main():
    arguments = sys.argv[1:] + [DEFAULT_SOCKET, DEFAULT_CONTROL_SOCKET][len(sys.argv) - 1 :]
    catalogue = load(arguments[2]) if len(arguments) > 2 else None
    shown, answered = {}, {}
    for event in events(arguments[0]):
        if isinstance(event, Hello):
            shown, answered = {}, {}
            continue
        line = screen(event)
        if line and line != shown.get(event.pipeline):
            show(f"{event.pipeline}: {line}")
        shown[event.pipeline] = line
        # The line repeats when the object's picture is ready.
        if catalogue is not None and event.state == "searching" and event.search != answered.get(event.pipeline):
            answered[event.pipeline] = event.search
            answer(arguments[1], event, catalogue)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
