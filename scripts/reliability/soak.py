#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""soak.py [MINUTES=120] [--binaries DIR] [--csv FILE] [--plot FILE.svg]: a whole box under the faults of a year.

A daemon has 16 pipelines: network cameras, films and test pictures, with masks, blur, clips and a detector that
misbehaves. Two browsers look at its page, and a relay serves a broker. Subscribers come and go, read slowly, or are
hostile. The script kills workers, reloads, pulls the cameras' cable, restarts the broker, fills the disk, and sets the
wall clock (soak_faults.py).

A reader that keeps up checks the whole stream (reader.py). Every event that it saw has to be at the broker. Each
process is sampled: private memory, descriptors, threads. The exit status is 1 after a gap, a violation or growth. It is
1 too if an event is missing at the broker, after a zombie, or after a restart of the undisturbed worker. Needs root,
mosquitto, chromium, firefox-esr, and what Benchmarks/cameras.py needs.
"""
import argparse
import csv
import os
import random
import sys
import tempfile
import threading
import time

from soak_box import Box  # It adds the folders of the other modules.
from soak_faults import ROUNDS, WEIGHTS, Browsing
from soak_report import growth, plot

from browsers import BROWSERS
from daemon import footprint, zombies, zygote

SAMPLE_SECONDS = 5


class Soak:
    def __init__(self, options, folder):
        self.chance = random.Random(1)
        self.box = Box(options.binaries, folder)
        self.box.visitors = []
        self.done = {fault.__name__: 0 for fault in [*WEIGHTS, *ROUNDS]}
        self.failures, self.is_over = [], False

    def act(self, fault):
        """Causes one fault. judge() prints the script's own failures."""
        try:
            fault(self.box, self.chance)
            self.done[fault.__name__] += 1
        except Exception as problem:
            self.failures.append(f"{fault.__name__}: {problem!r}")

    def rounds(self):
        while not self.is_over:
            for fault in ROUNDS:
                self.act(fault)
                self.rest(self.chance.uniform(5, 25))

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < end:
            time.sleep(0.1)

    def processes(self):
        """The process of each part by its name."""
        found = {"supervisor": self.box.process.pid, "web": self.box.web.pid, "relay": self.box.relay.pid}
        if process := zygote(self.box):
            found["zygote"] = process
        for name, pipeline in self.box.status().items():
            if pipeline.get("pid"):
                found[name] = pipeline["pid"]
        return found

    def sample(self, elapsed):
        answer = self.box.ask({"status": True})
        for name, process in self.processes().items():
            if use := footprint(process):
                # Each subscriber has a descriptor, and the number of subscribers is random.
                if name == "supervisor":
                    use["fds"] -= answer["subscribers"]
                yield {"seconds": round(elapsed, 1), "name": name, "process": process, **use}

    def run(self, minutes):
        began, samples, next_sample = time.monotonic(), [], 0.0
        people = [Browsing(self.box, kind, random.Random(name)) for name, kind in BROWSERS.items()]
        lasting = threading.Thread(target=self.rounds)
        lasting.start()
        while (elapsed := time.monotonic() - began) < minutes * 60:
            if elapsed >= next_sample:
                next_sample = max(next_sample + SAMPLE_SECONDS, elapsed)
                samples += self.sample(elapsed)
                if len(samples) % 2000 < 16:
                    print(f"{elapsed / 60:.0f} minutes", file=sys.stderr, flush=True)
            time.sleep(self.chance.uniform(0.3, 1.2))
            self.act(self.chance.choices(list(WEIGHTS), WEIGHTS.values())[0])
        self.is_over = True
        lasting.join()
        for person in people:
            person.is_over = True
        for person in people:
            person.join(180)
        for visitor in self.box.visitors:
            visitor.close()
        self.views = {person.kind.name: (person.views, person.problems) for person in people}
        return samples


def judge(soak, samples, options):
    """Prints the findings. Returns whether the run failed."""
    box, status = soak.box, soak.box.status()
    left, restarts = zombies(box.process.pid), status["steady"]["restarts"]
    page = box.is_healthy()
    events, missing = box.missing_at_broker()
    exit_status, story = box.finish()
    disorder, gaps = box.consumer.disorder(), box.told_gaps.gaps
    print(f"{options.minutes:g} minutes: " + ", ".join(f"{name} {count}" for name, count in soak.done.items()))
    print("pages: " + ", ".join(f"{name} {views}" for name, (views, _) in soak.views.items()))
    problems = soak.failures + [text for _, texts in soak.views.values() for text in texts]
    print("".join(f"  {text[:300]}\n" for text in problems), end="")
    print(f"restarts of workers: {sum(each['restarts'] for each in status.values())}, of the steady one: {restarts}; "
          f"zombies {left}; the page answers: {page}; exit status {exit_status}")
    print(f"the reader that keeps up: {story['said']}; gaps {len(story['gaps'])}, updates coalesced {story['coalesced']}")
    print("".join(f"  {gap}\n" for gap in story["gaps"][:10]), end="")
    print(f"at the broker: {events} events, missing {len(missing)}, out of order {disorder}, received twice "
          f"{box.consumer.twice}, gaps {len(gaps)}")
    is_bad = bool(left or restarts or exit_status or not page or problems or story["gaps"] or not story["conforms"]
                  or missing or disorder or gaps or not events)
    return growth(samples, options.minutes * 60 / 6, options.minutes * 60 / 2) or is_bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="?", type=float, default=120)
    parser.add_argument("--binaries")
    parser.add_argument("--csv", default="soak.csv")
    parser.add_argument("--plot")
    options = parser.parse_args()
    options.binaries = os.path.abspath(options.binaries or ".build/release")
    with tempfile.TemporaryDirectory(prefix="glimpse-soak-") as folder:
        soak = Soak(options, folder)
        try:
            samples = soak.run(options.minutes)
            with open(options.csv, "w", newline="") as file:
                writer = csv.DictWriter(file, samples[0].keys())
                writer.writeheader()
                writer.writerows(samples)
            is_bad = judge(soak, samples, options)
        finally:
            soak.is_over = True
            with open(f"{options.csv}.log", "w") as file:
                file.write(soak.box.errors())
            soak.box.remove()
    print("holds" if not is_bad else "DOES NOT HOLD")
    if options.plot:
        plot(samples, options.plot)
    return is_bad


if __name__ == "__main__":
    sys.exit(main())
