# SPDX-License-Identifier: Apache-2.0
"""A real daemon in a folder of its own, and `glimpsed-web` on a port of the loopback."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request

from webdriver import free_port

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.append(str(ROOT / "scripts" / "reliability"))

from daemon import Daemon  # noqa: E402

PATIENCE = 120
"""Seconds until a test gives up. Busy machines are slow."""


class LivePage(Daemon):
    """`web` is the text of the page's file. `config` and `environment` are those of Daemon."""

    def __init__(self, binaries, pipelines, web="", config=None, environment=None):
        config = config or {"retention": 'events = ["1h", "16MiB"]'}
        super().__init__(pipelines, config, str(binaries), environment)
        for name in ("e.sock", "c.sock"):
            self.connect(name).close()
        self.listen = f"127.0.0.1:{free_port()}"
        self.address = f"http://{self.listen}"
        self.write("web.toml", web)
        self.start_page()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop_page()
        self.stop()
        self.remove()

    def start_page(self):
        def at(name):
            return os.path.join(self.folder, name)

        self.web = subprocess.Popen(
            [os.path.join(self.binaries, "glimpsed-web"), "--config", at("web.toml"), "--listen", self.listen,
             "--events", at("e.sock"), "--control", at("c.sock"), "--links", at("l.sock"), "--page", str(ROOT / "web")],
            stdout=subprocess.DEVNULL, stderr=self.log)
        wait_until(self.is_healthy, "the page to answer")

    def is_healthy(self):
        if self.web.poll() is not None:
            raise AssertionError(f"glimpsed-web has ended:\n{self.errors()}")
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop_page(self):
        self.web.send_signal(signal.SIGTERM)
        self.web.wait(PATIENCE)

    def streams(self):
        """The number of connections to the daemon's control socket. A stream of pictures keeps one."""
        socket = os.path.join(self.folder, "c.sock")
        with open("/proc/net/unix") as file:
            return sum(fields[-1] == socket and fields[5] == "03" for fields in map(str.split, file))

    def lines(self, query):
        """Yields the lines of the stream of events, until the page ends."""
        with urllib.request.urlopen(f"{self.address}/api/events?{query}", timeout=PATIENCE) as stream:
            for line in stream:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])


def wait_until(condition, what, seconds=PATIENCE):
    """Waits for a condition. Returns its first value that is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.1)
    raise AssertionError(f"waited {PATIENCE} s in vain for {what}")
