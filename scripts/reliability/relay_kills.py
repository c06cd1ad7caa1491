#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills glimpsed-relay, the daemon and the broker at random under load, and counts at a consumer.

First the broker is away for --outage seconds, while events come. Then follow the kills, each with SIGKILL, in a random
order. The script fails in these cases:

- an event of the daemon's journal is missing at the consumer
- an event of a pipeline comes after a later one
- two messages with one (run_id, seq) differ, or an event has two positions
- the relay reports a gap

A publisher that forgets runs beside the relay, and is killed with it. The script prints its losses.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

from brokers import Mosquitto, NatsCluster, wait
from consumer import Consumer
from daemon import ROOT, Daemon

TYPES = ["detected", "completed"]
PIPELINES = 2


class Bench:
    def __init__(self, options):
        self.random = random.Random(options.seed)
        self.program = options.relay or os.path.join(options.binaries, "glimpsed-relay")
        # Two lines for each life.
        pause = round(1000 * 2 * PIPELINES / options.rate)
        text = f'# script: connect\n# script: lives 1000000000 {pause}\n[source]\nkind = "test"\n[face]\n'
        self.daemon = Daemon(
            {f"p{index}": text for index in range(PIPELINES)},
            {"retention": 'events = ["7d", "4GiB"]', "workers": "crash_limit = 1000"}, options.binaries,
            {"GLIMPSED_WORKER": os.path.join(options.binaries, "ScriptedWorker")})
        self.daemon.connect("e.sock").close()
        self.broker = {"mosquitto": Mosquitto, "nats": NatsCluster}[options.broker](self.daemon.folder)
        os.mkdir(os.path.join(self.daemon.folder, "relay"))
        urls = ", ".join(f'"mqtt://127.0.0.1:{port}"' for port in self.broker.ports)
        self.configuration = self.daemon.write(
            "relay.toml",
            f'events = "e.sock"\ncontrol = "r.sock"\nstate_dir = "relay"\nbox = "hall"\n[[mqtt]]\nname = "home"\n'
            f'url = [{urls}]\ntypes = {json.dumps(TYPES)}\nstart = "oldest"\nreplay_rate = 2000\n')
        self.consumer = Consumer("counter", "glimpse/hall/+/event", self.broker.ports)
        self.gaps = Consumer("gaps", "glimpse/hall/gap", self.broker.ports)
        self.other = Consumer("other", "forgetful", self.broker.ports, is_lasting=False)
        self.log = open(os.path.join(self.daemon.folder, "relay.log"), "ab")
        self.start_relay()

    def start_relay(self):
        self.relay = subprocess.Popen([self.program, "--config", self.configuration], stderr=self.log)
        self.forgetful = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "forgetful.py"),
             os.path.join(self.daemon.folder, "e.sock"), "forgetful", *map(str, self.broker.ports)])

    def stop_relay(self):
        for process in (self.relay, self.forgetful):
            process.kill()
            process.wait()

    def kill(self, victim):
        if victim == "relay":
            self.stop_relay()
            self.start_relay()
        elif victim == "daemon":
            self.daemon.kill()
            self.daemon.start()
        else:
            self.broker.kill(self.random)

    def journal(self):
        """The positions of the events in the daemon's journal until now, in order."""
        peer = self.daemon.connect("e.sock")
        positions = []
        with peer, peer.makefile("rwb") as stream:
            last = json.loads(stream.readline())["next_seq"] - 1
            stream.write(json.dumps({"subscribe": {"types": TYPES, "passive": True}, "after": 0}).encode() + b"\n")
            stream.flush()
            for raw in stream:
                line = json.loads(raw)
                # A killed daemon can leave a gap of an update that it had not written.
                if line["type"] == "gap" and not set(line.get("lost", TYPES)).isdisjoint(TYPES):
                    raise SystemExit(f"the journal is too small for this run: {line}")
                if line["type"] not in TYPES:
                    continue
                if line["seq"] > last:
                    break
                positions.append((line["run_id"], line["seq"]))
        return positions

    def catch_up(self, limit):
        newest = self.journal()[-1][1]
        wait(lambda: self.consumer.newest >= newest, "the consumer has all events", limit)

    def stop(self):
        self.stop_relay()
        self.daemon.stop()
        self.broker.stop()
        self.daemon.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--broker", choices=["mosquitto", "nats"], default="mosquitto")
    parser.add_argument("--rate", type=int, default=100, help="lines a second")
    parser.add_argument("--outage", type=float, default=0, help="seconds without the broker")
    for victim, count in (("relay", 100), ("daemon", 20), ("broker", 20)):
        parser.add_argument(f"--{victim}-kills", type=int, default=count)
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--relay", help="another glimpsed-relay than that of --binaries, such as a release build")
    parser.add_argument("--binaries", default=os.path.join(ROOT, ".build", "debug"))
    options = parser.parse_args()
    bench = Bench(options)
    try:
        return check(bench, options)
    finally:
        bench.stop()


def check(bench, options):
    wait(lambda: bench.consumer.newest > 0, "the first event")
    print(f"{options.broker}, {options.rate} lines a second", flush=True)
    if options.outage:
        bench.broker.stop()
        time.sleep(options.outage)
        bench.broker.start()
        begin = time.monotonic()
        bench.catch_up(600)
        print(f"the broker was away for {options.outage:.0f} s; all events were at the consumer "
              f"{time.monotonic() - begin:.1f} s after its return", flush=True)
    kills = {victim: getattr(options, f"{victim}_kills") for victim in ("relay", "daemon", "broker")}
    victims = [victim for victim, count in kills.items() for _ in range(count)]
    bench.random.shuffle(victims)
    for index, victim in enumerate(victims):
        bench.kill(victim)
        before = len(bench.consumer.payloads)
        # A broker that dies before its consumer is back would lose messages that it has acknowledged.
        wait(lambda: len(bench.consumer.payloads) > before + 3, f"events after kill {index + 1}, of the {victim}", 300)
        time.sleep(bench.random.uniform(0, 0.3))
        if index % 20 == 19:
            print(f"{index + 1} kills", file=sys.stderr, flush=True)
    bench.catch_up(300)
    return report(bench, kills)


def report(bench, kills):
    expected = set(bench.journal())
    bench.catch_up(300)
    missing = expected - bench.consumer.payloads.keys()
    lost = expected - bench.other.payloads.keys()
    hidden, disorder = bench.consumer.events_with_two_positions(), bench.consumer.disorder()
    print(f"kills: {', '.join(f'{victim} {count}' for victim, count in kills.items())}")
    print(f"events {len(expected)}: missing {len(missing)}, out of order {disorder}, received twice "
          f"{bench.consumer.twice}, of these with another content {len(bench.consumer.changed)}, "
          f"events with two positions {len(hidden)}, gaps {len(bench.gaps.gaps)}")
    print(f"the publisher that forgets lost {len(lost)}")
    has_failed = bool(missing or disorder or bench.consumer.changed or hidden or bench.gaps.gaps)
    if has_failed:
        print(f"missing: {sorted(missing)[:10]}; two positions: {hidden[:10]}")
    return has_failed


if __name__ == "__main__":
    sys.exit(main())
