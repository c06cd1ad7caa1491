#!/usr/bin/env python3
"""A kiosk's screen on a terminal: prints a line for each change of a live search.

    kiosk.py [EVENTS-SOCKET [CONTROL-SOCKET [CATALOGUE]]]

Needs only Python 3.8, and a pipeline with a [search] table (pipelines/search.toml). A catalogue is a text file with
lines "KEY<tab>TITLE". The key is a barcode's text or an object's label. With a catalogue the program is the search
engine too (engine = "subscriber"). After a restart of the daemon the program connects again, and shows the current
state of the session. Control characters in a code's text are not shown.
"""

import json
import socket
import sys
import time


def show(text):
    print("".join(c if c.isprintable() else "?" for c in text), flush=True)


def events(path):
    """Yields the search lines of the daemon for ever, over as many connections as needed.

    The lines in a `state` are the newest ones.
    """
    delay = 0.1
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                connection.sendall(b'{"subscribe":{"types":["search"]}}\n')
                for line in connection.makefile("rb"):
                    event = json.loads(line)
                    if event["type"] == "hello":
                        print(f"connected to {event['server']}", file=sys.stderr, flush=True)
                        delay = 0.1
                    yield event
                    for search in event.get("searches", []):
                        yield {"type": "search", **search}
        except (OSError, ValueError) as error:
            print(f"{path}: {error}; trying again", file=sys.stderr, flush=True)
        time.sleep(delay)
        delay = min(delay * 2, 10)


def load(file):
    with open(file, encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t", 1) for line in lines if "\t" in line)


def names(event):
    """The known keys of the object to look for, best first."""
    if "barcode" in event:
        return [event["barcode"].get("raw") or event["barcode"].get("display") or ""]
    return [label["text"] for label in event.get("object", {}).get("labels", [])]


def answer(path, event, catalogue):
    """Answers a search from the catalogue. The daemon's reply says whether it passed the answer on."""
    results = [
        {"id": name, "title": catalogue[name], "confidence": 1 / place}
        for place, name in enumerate(names(event), start=1)
        if name in catalogue
    ]
    request = {"result": {"pipeline": event["pipeline"], "search": event["search"], "results": results}}
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(path)
        connection.sendall(json.dumps(request).encode() + b"\n")
        reply = json.loads(connection.makefile("rb").readline())
        if not reply["ok"]:
            print(f"{path}: {reply['error']}", file=sys.stderr, flush=True)


def screen(event):
    """The line that a kiosk would show."""
    state, hint = event["state"], event["hint"]["text"]
    if state in ("confirming", "too_small"):
        return f"[{'#' * int(event['progress'] * 10):<10}] {hint}"
    if state == "searched" and "results" in event:
        return "Found: " + ", ".join(result["title"] for result in event["results"])
    if state == "searched" and event["outcome"] == "value":
        return "Found: " + (names(event) or [""])[0]
    if "help" in event["hint"]:
        return f"{hint}. Help: {event['hint']['help']}"
    return hint


def main():
    arguments = sys.argv[1:] + ["/run/glimpsed/events.sock", "/run/glimpsed/control.sock"][len(sys.argv) - 1 :]
    catalogue = load(arguments[2]) if len(arguments) > 2 else None
    shown, answered = {}, {}
    for event in events(arguments[0]):
        if event["type"] == "hello":
            shown, answered = {}, {}
        if event["type"] != "search":
            continue
        line = screen(event)
        if line and line != shown.get(event["pipeline"]):
            show(f"{event['pipeline']}: {line}")
        shown[event["pipeline"]] = line
        # The line repeats when the object's picture is ready.
        if catalogue is not None and event["state"] == "searching" and event["search"] != answered.get(event["pipeline"]):
            answered[event["pipeline"]] = event["search"]
            try:
                answer(arguments[1], event, catalogue)
            except (OSError, ValueError) as error:
                print(f"{arguments[1]}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
