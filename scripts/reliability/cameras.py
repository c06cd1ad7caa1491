#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""cameras.py [ROUNDS=20] [--transport tcp|udp] [--binaries DIR]: ROUNDS of each fault of a network camera, in turn.

The camera is killed, frozen, started again on its port, refuses the password, or comes back with larger pictures."""
import argparse
import os
import signal
import socket
import subprocess
import sys
import time

from daemon import ROOT, Daemon, Subscriber, percentiles


class Camera:
    def __init__(self, port, size="320x240", password="geheim42"):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", os.path.join(ROOT, "Tests/Support/rtsp-server.py"), str(port), "basic", size, password],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdout.readline()
        self.since = time.monotonic()

    def kill(self):
        self.process.kill()
        self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Run:
    def __init__(self, options):
        self.port = free_port()
        self.camera = Camera(self.port)
        self.daemon = Daemon(
            {}, {"workers": 'restart_backoff = ["200ms", "1s"]', "daemon": "watch_files = false"}, options.binaries)
        secret = self.daemon.write("secrets/door", "geheim42\n")
        self.daemon.pipeline(
            "door",
            f'[source]\nkind = "rtsp"\nurl = "rtsp://127.0.0.1:{self.port}/test"\nuser = "viewer"\npassword_file = "{secret}"\n'
            f'transport = "{options.transport}"\nlatency = "50ms"\nstall_limit = "1s"\n[barcode]\n')
        self.reader = Subscriber(self.daemon)
        self.daemon.ask({"reload": True})
        self.at = self.reader.wait(lambda line: line["state"] == "connected")
        self.recovered = {}

    def wait(self, state, error=None):
        self.at = self.reader.wait(
            lambda line: line["state"] == state and (error is None or error in line.get("error", "")), self.at + 1)
        return self.reader.lines[self.at]

    def back(self, fault, since):
        """Waits for the pipeline after its camera has returned."""
        self.recovered.setdefault(fault, []).append(self.wait("connected")["at"] - since)

    def killed(self):
        self.camera.kill()
        self.wait("lost")
        self.camera = Camera(self.port)
        self.back("killed, and started again on its port", self.camera.since)

    def away(self):
        self.camera.kill()
        self.wait("lost")
        self.wait("lost", "check that the camera is switched on")
        self.camera = Camera(self.port)
        self.back("switched off until a try has failed", self.camera.since)

    def frozen(self):
        self.camera.process.send_signal(signal.SIGSTOP)
        self.wait("stalled")
        self.wait("lost", "no frame for 2.0 seconds")
        self.camera.process.send_signal(signal.SIGCONT)
        self.back("frozen (SIGSTOP) until it was given up", time.monotonic())

    def refused(self):
        self.camera.kill()
        self.wait("lost")
        self.camera = Camera(self.port, password="another")
        self.wait("lost", "Unauthorized (rtspsrc); check the user and the password")
        self.camera.kill()
        self.camera = Camera(self.port)
        self.back("refused the password", self.camera.since)

    def resized(self, size):
        self.camera.kill()
        self.wait("lost")
        self.camera = Camera(self.port, size)
        self.back("came back with other pictures", self.camera.since)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rounds", nargs="?", type=int, default=20)
    parser.add_argument("--transport", choices=["tcp", "udp"], default="tcp")
    parser.add_argument("--binaries")
    options = parser.parse_args()
    run = Run(options)
    for number in range(options.rounds):
        for fault in (run.killed, run.away, run.frozen, run.refused):
            fault()
        run.resized(["640x480", "320x240", "176x144"][number % 3])
        print(f"round {number + 1}", file=sys.stderr)
    gaps, disabled = len(run.reader.gaps) + run.reader.unexplained, sum(line["state"] == "disabled" for line in run.reader.lines)
    status = run.daemon.stop()
    run.camera.kill()
    run.daemon.remove()
    late = 0
    for fault, times in run.recovered.items():
        late += sum(taken > 2 for taken in times)
        print(f"{options.transport}: {fault}, {len(times)} times: connected after {percentiles(times)}")
    print(f"{options.transport}: over 2 s: {late}; gaps {gaps}, disabled {disabled}, exit status {status}")
    return bool(late or gaps or disabled or status)


if __name__ == "__main__":
    sys.exit(main())
