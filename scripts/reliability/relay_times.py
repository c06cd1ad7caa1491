#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long Home Assistant would show something old after a restart of the relay, the daemon or the broker.

Each time a person is in view when the part is killed, and gone when the part starts again. The script measures the
time from that start until Home Assistant's topic says OFF, or the pipeline's status says offline. It also measures how
long after `online` the last entity was described. It fails above 5 s and 2 s.

Needs Debian's mosquitto and a debug build. Run it by .deps/paho/bin/python, which scripts/relay.sh makes.
"""
import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import paho.mqtt.client as mqtt
from brokers import Mosquitto, wait
from daemon import ROOT, Daemon

# Nobody is in view for 3 s, then one person for 2 s.
PIPELINE = (
    "# script: connect\n# script: detector face yes\n"
    + 1000 * "# script: sleep 3000\n# script: tracks 1\n# script: sleep 2000\n# script: pictures 1\n"
    + '[source]\nkind = "test"\n[face]\n')
PLACE = "glimpse/hall/door"


class Home(threading.Thread):
    """Stands for Home Assistant: keeps the newest payload of each topic, and the time when it came."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.topics, self.is_closed = port, {}, False
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.on_connect = lambda client, *_: client.subscribe([("homeassistant/#", 1), ("glimpse/#", 1)])
        self.client.on_message = lambda client, data, message: self.take(message)
        self.start()

    def run(self):
        while not self.is_closed:
            try:
                self.client.connect("127.0.0.1", self.port, keepalive=5)
                while self.client.loop(0.02) == mqtt.MQTT_ERR_SUCCESS and not self.is_closed:
                    pass
            except OSError:
                time.sleep(0.02)

    def take(self, message):
        self.topics[message.topic] = (message.payload, time.monotonic())

    def value(self, topic):
        return self.topics.get(topic, (b"", 0))[0]

    @property
    def shows_nobody(self):
        return self.value(f"{PLACE}/face/occupancy") == b"OFF" or self.value(f"{PLACE}/status") == b"offline"

    @property
    def shows_somebody(self):
        return self.value(f"{PLACE}/face/occupancy") == b"ON" and self.value(f"{PLACE}/status") == b"online"


class Truth(threading.Thread):
    """Whether a subscriber of the event socket sees a person."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.daemon_under_test, self.is_somebody = daemon, False
        self.start()

    def run(self):
        while True:
            try:
                peer = self.daemon_under_test.connect("e.sock")
                peer.sendall(b'{"subscribe":{"types":["detected","completed"],"passive":true}}\n')
                for line in peer.makefile("rb"):
                    if b'"type":"detected"' in line:
                        self.is_somebody = True
                    elif b'"type":"completed"' in line:
                        self.is_somebody = False
            except OSError:
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--binaries", default=os.path.join(ROOT, ".build", "debug"))
    options = parser.parse_args()
    daemon = Daemon(
        {"door": PIPELINE}, {"workers": "crash_limit = 1000"}, options.binaries,
        {"GLIMPSED_WORKER": os.path.join(options.binaries, "ScriptedWorker")})
    daemon.connect("e.sock").close()
    broker = Mosquitto(tempfile.mkdtemp(dir=daemon.folder))
    os.mkdir(os.path.join(daemon.folder, "relay"))
    configuration = daemon.write(
        "relay.toml",
        'events = "e.sock"\ncontrol = "r.sock"\nstate_dir = "relay"\nbox = "hall"\n[[mqtt]]\nname = "home"\n'
        f'url = "mqtt://127.0.0.1:{broker.ports[0]}"\n')
    log = open(os.path.join(daemon.folder, "relay.log"), "ab")
    relay = None

    def start_relay():
        nonlocal relay
        relay = subprocess.Popen(
            [os.path.join(options.binaries, "glimpsed-relay"), "--config", configuration], stderr=log)

    def stop_relay():
        relay.send_signal(signal.SIGKILL)
        relay.wait()

    parts = {
        "relay": (stop_relay, start_relay), "daemon": (daemon.kill, daemon.start),
        "broker": (broker.stop, broker.start)}
    home, truth = Home(broker.ports[0]), Truth(daemon)
    start_relay()
    wait(lambda: home.value("glimpse/hall/status") == b"online", "online")
    begin = home.topics["glimpse/hall/status"][1]
    time.sleep(3)
    last = max(at for topic, (_, at) in home.topics.items() if topic.startswith("homeassistant/"))
    count = sum(topic.startswith("homeassistant/") for topic in home.topics)
    print(f"{count} entities; the last came {max(0, last - begin):.2f} s after online")
    has_failed = last - begin > 2
    print("| killed | times | nobody is shown after, median s | at most s |\n|---|---|---|---|")
    try:
        for name, (stop, start) in parts.items():
            found = []
            for _ in range(options.rounds):
                wait(lambda: truth.is_somebody and home.shows_somebody, "a person in view and shown", 120)
                stop()
                # The daemon takes the person along. For the others the person leaves.
                if name != "daemon":
                    wait(lambda: not truth.is_somebody, "the person leaves")
                truth.is_somebody = False
                start()
                begin = time.monotonic()
                wait(lambda: home.shows_nobody, "nobody is shown")
                found.append(time.monotonic() - begin)
            print(f"| {name} | {len(found)} | {statistics.median(found):.2f} | {max(found):.2f} |", flush=True)
            has_failed |= max(found) > 5
    finally:
        home.is_closed = True
        stop_relay()
        daemon.stop()
        broker.stop()
        daemon.remove()
    return has_failed


if __name__ == "__main__":
    sys.exit(main())
