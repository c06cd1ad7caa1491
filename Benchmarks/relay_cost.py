#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""relay_cost.py [--count 100000] [--rates 0 2000] [--relay FILE]: measures glimpsed-relay at Debian's mosquitto.

This program takes the daemon's place. It has COUNT lines of tracks in its journal, and makes 100 new lines a second. A
fresh relay delivers them with each replay_rate. Prints processor time for each message, resident memory, the time until
the backlog was delivered, and how long new events came on `event` after `live`. Run it with
.deps/paho/bin/python, which scripts/relay.sh makes.
"""
import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts", "reliability"))

import paho.mqtt.client as mqtt  # noqa: E402
from brokers import Mosquitto, wait  # noqa: E402

HELLO = ('{{"v":1,"type":"hello","server":"bench","run_id":"r","next_seq":{next},"pipelines":[{{"name":"door",'
         '"state":"connected","detectors":[{{"name":"face","kind":"face"}}]}}]}}\n')
LINE = ('{{"v":1,"seq":{seq},"run_id":"r","type":"{type}","pipeline":"door","time":"{time}","clock":"arrival",'
        '"frame":{{"epoch":1,"seq":{seq},"pts_ns":33333333,"width":1280,"height":720}},"detector":"face","kind":"face",'
        '"track":{{"id":"{id}","age_frames":2,"hits":2,"missing_frames":0,"first_seen":"{time}","last_seen":"{time}",'
        '"focus":true}},"box":{{"x":101.5,"y":50,"w":80,"h":90.25}},"nbox":{{"x":0.079,"y":0.069,"w":0.0625,"h":0.125}},'
        '"velocity":{{"x":3,"y":-1.5}},"confidence":0.875,"count":2,"face":{{"landmarks":{{"left_eye":{{"x":120,"y":70}}}},'
        '"euler":{{"z":4.5}}}}}}\n')


def line(sequence):
    now = time.time_ns()
    text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now // 10**9)) + f".{now % 10**9:09d}Z"
    kind = "detected" if sequence % 2 else "completed"
    return LINE.format(seq=sequence, type=kind, id=(sequence + 1) // 2, time=text).encode()


class Journal:
    """Serves the event socket."""

    def __init__(self, path, count):
        self.lines, self.live = [line(sequence) for sequence in range(1, count + 1)], []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        for work in (self.accept, self.add):
            threading.Thread(target=work, daemon=True).start()

    def add(self):
        while True:
            time.sleep(0.01)
            self.lines.append(line(len(self.lines) + 1))

    def accept(self):
        while True:
            threading.Thread(target=self.serve, args=[self.listener.accept()[0]], daemon=True).start()

    def serve(self, peer):
        try:
            newest = len(self.lines)
            peer.sendall(HELLO.format(next=newest + 1).encode())
            request = json.loads(peer.makefile().readline())
            place = newest
            if "after" in request:
                after = request["after"]
                place = after["seq"] if isinstance(after, dict) else after
            else:
                # One follows `hello`, and one the request.
                peer.sendall(2 * f'{{"v":1,"type":"state","as_of":{newest},"tracks":[]}}\n'.encode())
            while True:
                batch = self.lines[place:place + 200]
                place += len(batch)
                if batch:
                    peer.sendall(b"".join(batch))
                else:
                    time.sleep(0.005)
        except (OSError, ValueError):
            peer.close()


class Watcher:
    """Notes when the events of now came."""

    def __init__(self, port):
        self.seen = {"event": {}, "live": {}}
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.on_connect = lambda client, *_: client.subscribe(
            [("glimpse/hall/+/event", 0), ("glimpse/hall/+/live", 0)])
        self.client.on_message = lambda client, data, message: self.take(message)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def take(self, message):
        start = message.payload.index(b'"seq":') + 6
        sequence = int(message.payload[start:message.payload.index(b",", start)])
        self.seen[message.topic.rsplit("/", 1)[1]][sequence] = time.monotonic()

    def stop(self):
        self.client.loop_stop()
        self.client.disconnect()


def usage(process):
    """Returns the processor time in seconds, the resident memory and its highest value in MiB."""
    fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
    memory = {row.split(":")[0]: row.split() for row in open(f"/proc/{process}/status")}
    ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return ticks, int(memory["VmRSS"][1]) / 1024, int(memory["VmHWM"][1]) / 1024


def state(folder):
    """Returns what the relay's control socket says about its one destination."""
    try:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(os.path.join(folder, "r.sock"))
            return json.loads(peer.makefile().readline())["destinations"][0]
    except (OSError, ValueError):
        return {"sent": 0}


def measure(folder, journal, port, relay, rate, discovery):
    name = os.path.join(folder, f"r{rate}{discovery}")
    os.mkdir(name)
    with open(f"{name}.toml", "w") as file:
        file.write(
            f'events = "e.sock"\ncontrol = "r.sock"\nstate_dir = "{name}"\nbox = "hall"\n[[mqtt]]\nname = "home"\n'
            f'url = "mqtt://127.0.0.1:{port}"\ntypes = ["detected", "completed"]\nstart = "oldest"\n'
            f'discovery = "{discovery}"\nreplay_rate = {rate}\n')
    watcher = Watcher(port) if rate and discovery else None
    process = subprocess.Popen([relay, "--config", f"{name}.toml"], stderr=subprocess.DEVNULL)
    try:
        observe(folder, journal, process, watcher, rate, discovery)
    finally:
        process.terminate()
        process.wait()


def observe(folder, journal, process, watcher, rate, discovery):
    begin, target = time.monotonic(), len(journal.lines)
    wait(lambda: state(folder).get("cursor", {}).get("seq", 0) >= target, "the backlog", 600)
    took, sent = time.monotonic() - begin, state(folder)["sent"]
    seconds, memory, highest = usage(process.pid)
    print(f"replay_rate {rate}, discovery {discovery or 'none'}: {sent} messages in {took:.1f} s ({sent / took:.0f} a "
          f"second), {1e6 * seconds / sent:.1f} us of processor time each, {memory:.1f} MiB resident (at most "
          f"{highest:.1f})", flush=True)
    if watcher:
        time.sleep(5)
        watcher.stop()
        if not watcher.seen["live"]:
            raise SystemExit("nothing came on `live`")
        both = sorted(watcher.seen["event"].keys() & watcher.seen["live"].keys())
        delays = [watcher.seen["event"][sequence] - watcher.seen["live"][sequence] for sequence in both]
        print(f"  {len(both)} new events: on `event` after `live` by at most {max(delays):.1f} s, at the end by "
              f"{delays[-1] * 1000:.0f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--rates", type=int, nargs="*", default=[0, 2000])
    parser.add_argument("--discovery", choices=["homeassistant", ""], nargs="*", default=["", "homeassistant"])
    parser.add_argument("--relay", default=os.path.join(ROOT, ".build", "release", "glimpsed-relay"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="glimpse-") as folder:
        journal = Journal(os.path.join(folder, "e.sock"), options.count)
        broker = Mosquitto(folder)
        try:
            for rate in options.rates:
                for discovery in options.discovery:
                    measure(folder, journal, broker.ports[0], options.relay, rate, discovery)
        finally:
            broker.stop()


if __name__ == "__main__":
    main()
