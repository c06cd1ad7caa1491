#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A subscriber of the event socket, for checks.sh.

subscriber.py hello                 connects, prints the type of the first line and its delay in whole seconds.
subscriber.py collect SECONDS       prints every line of this time.
subscriber.py rest                  prints "connected", then all lines until the daemon closes the connection.
subscriber.py connect FILE FEWEST   connects repeatedly while FILE exists, and FEWEST times at least. Prints how many
                                    were refused, greeted, or ended first.
"""
import json
import os
import socket
import sys
import time

PATH = "/run/glimpsed/events.sock"


def connect(limit=30):
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(limit)
    peer.connect(PATH)
    return peer


def first_type(peer):
    line = peer.makefile("rb").readline()
    return json.loads(line)["type"] if line else "end"


def collect(seconds):
    peer, end, rest = connect(), time.monotonic() + seconds, b""
    while (left := end - time.monotonic()) > 0:
        peer.settimeout(left)
        try:
            rest += peer.recv(65536)
        except TimeoutError:
            break
    sys.stdout.buffer.write(rest[: rest.rfind(b"\n") + 1])


def connect_while(path, fewest):
    counts = {"connects": 0, "refused": 0, "hello": 0, "end": 0}
    while os.path.exists(path) or counts["connects"] < fewest:
        counts["connects"] += 1
        try:
            kind = first_type(connect())
        except ConnectionRefusedError:
            kind = "refused"
        except (ConnectionResetError, BrokenPipeError):
            kind = "end"
        counts[kind] += 1
        time.sleep(0.02)
    print(" ".join(f"{key}={value}" for key, value in counts.items()))


command, arguments = sys.argv[1], sys.argv[2:]
if command == "hello":
    start = time.monotonic()
    print(first_type(connect()), int(time.monotonic() - start))
elif command == "collect":
    collect(float(arguments[0]))
elif command == "rest":
    peer = connect(None)
    print("connected", flush=True)
    for line in peer.makefile("r"):
        print(line, end="", flush=True)
elif command == "connect":
    connect_while(arguments[0], int(arguments[1]))
