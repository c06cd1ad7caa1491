#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""soak.py [MINUTES=20] [--binaries DIR] [--csv FILE] [--plot FILE.svg]: a daemon under eight hours of faults.

The faults of eight hours are compressed into the time. They are killed workers, lost cameras, files that end and loop,
reloads, and subscribers that come, go and do not read.

Samples descriptors (without those of subscribers), threads and private memory of the supervisor and of one undisturbed
worker. Fits a line to the second half, when all buffers are full. A reader that keeps up checks the whole stream
(reader.py). Exits with 1 after a gap, a violation, growth, a zombie or a restart of the undisturbed worker. Makes a
plot if matplotlib is installed.
"""
import argparse
import csv
import math
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

from daemon import CheckedReader, Daemon, footprint, zombies

SAMPLE_SECONDS = 2
# Growth in an hour. More than this, beyond the noise, is a leak. A leak of 100 bytes an event would be 50 MiB here.
GROWTH = {"rss": 1 << 20, "fds": 1, "threads": 1}


class Visitor(threading.Thread):
    """Reads and discards all lines. At rest it uses almost no processor time."""

    def __init__(self, daemon, rest):
        super().__init__(daemon=True)
        self.socket, self.rest = daemon.connect("e.sock"), rest
        self.socket.sendall(b'{"after":0}\n')
        self.start()

    def run(self):
        while self.socket.recv(1024 if self.rest else 1 << 20):
            time.sleep(self.rest)

    def close(self):
        """Closing alone would leave it to the reading thread."""
        self.socket.shutdown(socket.SHUT_RDWR)


class Soak:
    def __init__(self, options):
        self.random = random.Random(1)
        self.daemon = Daemon(
            {}, {
                "daemon": 'trial = "5s"',
                # Small limits, so that they are reached long before the end of the first half.
                "events": 'journal_bytes = "4MiB"\nqueue = "256KiB"\nstall_limit = "20s"',
                "retention": 'events = ["7d", "2MiB"]',
                "workers": 'restart_backoff = ["100ms", "1s"]\ncrash_limit = 1000\ncrash_window = "1s"\ncrash_dump = true',
            }, options.binaries)
        worker = os.path.join(self.daemon.binaries, "glimpsed-worker")
        picture = os.path.join(self.daemon.folder, "symbol.pgm")
        subprocess.run([worker, "symbol", "qr_code", "a symbol", "--output", picture], check=True)
        film = os.path.join(self.daemon.folder, "film.avi")
        subprocess.run(
            ["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=60", "pattern=ball", "!",
             "video/x-raw,format=I420,width=320,height=240,framerate=30/1", "!", "jpegenc", "!", "avimux", "!",
             "filesink", f"location={film}"], check=True)
        still = (f'kind = "launch"\nlaunch = "filesrc location={picture} ! pnmdec ! imagefreeze is-live=true'
                 ' ! video/x-raw,framerate={rate}/1"')
        # The steady one is left alone, and sees as many frames as in eight hours at five a second; the others have
        # accidents.
        rate = min(240, round(8 * 3600 * 5 / (options.minutes * 60)))
        self.texts = {
            "steady": f"[source]\n{still.format(rate=rate)}\n[barcode]\n",
            "scene": '[source]\nkind = "test"\nwidth = 320\nheight = 240\nfps = 10\n[barcode]\n',
            "killed": f"[source]\n{still.format(rate=10)}\n[barcode]\n",
            "changed": f"[source]\n{still.format(rate=10)}\n[barcode]\nmax_rate = 5\n",
            "looped": f'[source]\nkind = "file"\npath = "{film}"\nloop = true\npace = "realtime"\n[barcode]\nmax_rate = 5\n',
            "short": '[source]\nkind = "test"\nframes = 20\nwidth = 160\nheight = 120\n[barcode]\n',
            "lost": '[source]\nkind = "launch"\nlaunch = "videotestsrc num-buffers=20 is-live=true ! video/x-raw,width=64,height=48"\n[barcode]\n',
        }
        for name, text in self.texts.items():
            self.daemon.pipeline(name, text)
        self.daemon.ask({"reload": True})
        self.reader = CheckedReader(self.daemon)
        self.visitors = []
        self.done = dict.fromkeys(["kills", "reloads", "refused", "restarts", "snapshots", "visitors", "deaf"], 0)

    def act(self):
        """Causes one random fault."""
        what = self.random.random()
        status = self.daemon.status()
        if what < 0.25:
            process = status["killed"].get("pid")
            if process:
                try:
                    os.kill(process, self.random.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT]))
                    self.done["kills"] += 1
                except ProcessLookupError:  # It has just ended by itself.
                    pass
        elif what < 0.5:
            lines = self.random.choice([f"max_rate = {self.random.randint(1, 9)}", f'parse_values = {self.random.choice(["true", "false"])}', "max_rat = 5"])
            self.daemon.pipeline("changed", self.texts["changed"].replace("max_rate = 5", lines))
            reply = self.daemon.ask({"reload": True})
            self.done["reloads" if reply["ok"] else "refused"] += 1
        elif what < 0.6:
            self.daemon.ask({"restart": {"pipeline": "short"}})
            self.done["restarts"] += 1
        elif what < 0.75:
            self.daemon.ask({"snapshot": {"pipeline": self.random.choice(["steady", "scene", "killed"])}})
            self.done["snapshots"] += 1
        else:
            deaf = self.random.random() < 0.2
            self.visitors.append(Visitor(self.daemon, rest=5 if deaf else 0))
            self.done["deaf" if deaf else "visitors"] += 1
            if len(self.visitors) > 20:
                self.visitors.pop(self.random.randrange(20)).close()

    def run(self, minutes):
        began = time.monotonic()
        samples, next_sample = [], 0.0
        while (elapsed := time.monotonic() - began) < minutes * 60:
            if elapsed >= next_sample:
                next_sample += SAMPLE_SECONDS
                status = self.daemon.status()
                sample = {"seconds": round(elapsed, 1), "subscribers": self.daemon.ask({"status": True})["subscribers"]}
                for name, process in (("supervisor", self.daemon.process.pid), ("worker", status["steady"].get("pid"))):
                    use = footprint(process) if process else None
                    for key in ("rss", "fds", "threads"):
                        sample[f"{name}_{key}"] = use[key] if use else ""
                # Each subscriber has a descriptor, and the number of subscribers is random.
                if sample["supervisor_fds"] != "":
                    sample["supervisor_fds"] -= sample["subscribers"]
                samples.append(sample)
            time.sleep(self.random.uniform(0.1, 0.5))
            self.act()
        return samples


WARM_UP, BATCH = 240, 120
# Student's t, 97.5 %, by degrees of freedom.
STUDENT = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.10, 2.09, 2.09]


def slope(samples, key):
    """Units an hour after the journal is full, with the 95 % interval: least squares over the means of two minutes.

    Memory goes up and down in steps that last longer than the distance of samples (batch means: Law, Simulation
    Modeling and Analysis, 9.5.3).
    """
    batches = {}
    for sample in samples:
        if sample["seconds"] >= WARM_UP and sample[key] != "":
            batches.setdefault((sample["seconds"] - WARM_UP) // BATCH, []).append((sample["seconds"] / 3600, sample[key]))
    points = [[sum(column) / len(batch) for column in zip(*batch)] for batch in batches.values() if len(batch) > BATCH / 4]
    n = len(points)
    if n < 4:
        return math.nan, math.nan
    mean_x, mean_y = (sum(p[i] for p in points) / n for i in (0, 1))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    gain = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    square = sum((y - mean_y - gain * (x - mean_x)) ** 2 for x, y in points)
    return gain, STUDENT[min(n - 3, len(STUDENT) - 1)] * math.sqrt(square / (n - 2) / spread)


def plot(samples, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "soak"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(3, 1, sharex=True, figsize=(9, 7), constrained_layout=True)
    minutes = [s["seconds"] / 60 for s in samples]
    for axis, key, label, unit in zip(axes, ("rss", "fds", "threads"), ("private memory, MiB", "descriptors", "threads"), (1 << 20, 1, 1)):
        for name in ("supervisor", "worker"):
            values = [s[f"{name}_{key}"] / unit if s[f"{name}_{key}"] != "" else math.nan for s in samples]
            axis.plot(minutes, values, linewidth=0.8, label=name)
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
        axis.legend(loc="upper left")
    axes[-1].set_xlabel("minutes")
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", nargs="?", type=float, default=20)
    parser.add_argument("--binaries")
    parser.add_argument("--csv", default="soak.csv")
    parser.add_argument("--plot")
    options = parser.parse_args()
    soak = Soak(options)
    samples = soak.run(options.minutes)
    status = soak.daemon.status()
    left, restarts = zombies(soak.daemon.process.pid), status["steady"]["restarts"]
    with open(options.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, samples[0].keys())
        writer.writeheader()
        writer.writerows(samples)
    exit_status = soak.daemon.stop()
    story = soak.reader.finish()
    print(f"{options.minutes:g} minutes: " + ", ".join(f"{count} {name}" for name, count in soak.done.items())
          + f"; restarts of workers: {sum(p['restarts'] for p in status.values())}, of the steady one: {restarts}; zombies {left}; exit status {exit_status}")
    print(f"the reader that keeps up: {story['said']}; gaps {len(story['gaps'])}, updates coalesced {story['coalesced']}")
    print("".join(f"  {gap}\n" for gap in story["gaps"][:10]), end="")
    bad = bool(left or restarts or exit_status or story["gaps"] or not story["conforms"])
    for name in ("supervisor", "worker"):
        for key, unit, label in (("rss", 1024, "private memory, KiB"), ("fds", 1, "descriptors"), ("threads", 1, "threads")):
            gain, interval = slope(samples, f"{name}_{key}")
            values = [s[f"{name}_{key}"] for s in samples if s[f"{name}_{key}"] != ""]
            grows = gain - interval > GROWTH[key]
            bad |= grows
            print(f"{name}: {label}: {min(values) / unit:.0f} to {max(values) / unit:.0f}, "
                  f"{gain / unit:+.1f} +- {interval / unit:.1f} an hour{' (GROWS)' if grows else ''}")
    print("holds" if not bad else "DOES NOT HOLD")
    soak.daemon.remove()
    if options.plot:
        plot(samples, options.plot)
    return bad


if __name__ == "__main__":
    sys.exit(main())
