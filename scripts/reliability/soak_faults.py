# SPDX-License-Identifier: Apache-2.0
"""The accidents of soak.py. Each is one function of the box and of a source of chance, and lasts at most a minute."""
import contextlib
import http.client
import os
import signal
import socket
import threading
import time
import urllib.request

from daemon import zygote

HOUR = 3600
VICTIMS = ["killed", "moving"]
"""The pipelines whose workers are killed. The others show whether memory grows."""


class Visitor(threading.Thread):
    """Reads and discards all lines. At rest it uses almost no processor time."""

    def __init__(self, daemon, rest):
        super().__init__(daemon=True)
        self.socket, self.rest = daemon.connect("e.sock"), rest
        self.socket.sendall(b'{"after":0}\n')
        self.start()

    def run(self):
        with contextlib.suppress(OSError):
            while self.socket.recv(1024 if self.rest else 1 << 20):
                time.sleep(self.rest)

    def close(self):
        """Closing alone would leave it to the reading thread."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def kill_worker(box, chance):
    process = box.status()[chance.choice(VICTIMS)].get("pid")
    if process:
        with contextlib.suppress(ProcessLookupError):  # It has just ended by itself.
            os.kill(process, chance.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT]))


def kill_zygote(box, chance):
    if process := zygote(box):
        os.kill(process, signal.SIGKILL)


def reload(box, chance):
    line = chance.choice([f"max_rate = {chance.randint(1, 9)}", f'parse_values = {chance.choice(["true", "false"])}'])
    box.pipeline("changed", box.texts["changed"].replace("max_rate = 5", line))
    assert box.ask({"reload": True})["ok"]


def refused_reload(box, chance):
    box.pipeline("changed", box.texts["changed"].replace("max_rate", "max_rat"))
    assert not box.ask({"reload": True})["ok"]
    box.pipeline("changed", box.texts["changed"])


def restart(box, chance):
    box.ask({"restart": {"pipeline": "short"}})


def snapshot(box, chance):
    box.ask({"snapshot": {"pipeline": chance.choice(["steady", "scene", "covered", "masked", "lively"])}})


def visitor(box, chance, rest=0):
    box.visitors.append(Visitor(box, rest))
    if len(box.visitors) > 20:
        box.visitors.pop(chance.randrange(20)).close()


def deaf_visitor(box, chance):
    visitor(box, chance, rest=5)


def hostile_visitor(box, chance):
    """Says what no subscriber says, or nothing, and leaves."""
    with box.connect(chance.choice(["e.sock", "c.sock"])) as peer, contextlib.suppress(OSError):
        peer.settimeout(5)
        peer.sendall(chance.choice([
            b"", b"\0" * 70_000, b'{"subscribe":' + b"[" * 10_000, chance.randbytes(5_000) + b"\n", b'{"after":-1}\n' * 500,
            b'{"subscribe":{"value_regex":"(a*)*b"}}\n', b"GET / HTTP/1.1\r\n\r\n", b'{"state":true}\n' * 2_000]))
        time.sleep(chance.uniform(0, 1))
        peer.recv(1 << 16)


def flood(box, chance):
    """500 connections that come and go."""
    for _ in range(500):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(1)
            peer.connect(os.path.join(box.folder, "e.sock"))


def hostile_viewer(box, chance):
    """Asks for pictures and reads none, or sends half a request."""
    host, port = box.listen.split(":")
    with contextlib.suppress(OSError), socket.create_connection((host, int(port)), 5) as peer:
        peer.sendall(chance.choice([
            b"GET /api/pipelines/lively/stream?rate=30 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /" + b"a" * 9_000,
            b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", chance.randbytes(500)]))
        time.sleep(chance.uniform(0, 15))


def viewer(box, chance):
    """A program that looks at pictures for some seconds."""
    end = time.monotonic() + chance.uniform(1, 20)
    url = f"{box.address}/api/pipelines/{chance.choice(['scene', 'lively', 'covered', 'film'])}/stream?width=320&rate=5"
    with contextlib.suppress(OSError, http.client.HTTPException), urllib.request.urlopen(url, timeout=20) as answer:
        while time.monotonic() < end and answer.read(1 << 14):
            pass


def unplug(box, chance):
    box.cable.plug(False)
    time.sleep(chance.choice([0.2, 2, 8, 20]))
    box.cable.plug(True)


def kill_broker(box, chance):
    box.broker.stop()
    time.sleep(chance.choice([0, 1, 10, 40]))
    box.broker.start()


def fill_disk(box, chance):
    """Fills the disk of the journal, of pictures and of clips, and empties it."""
    path = os.path.join(box.disk, "ballast")
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as file:
        while file.write(bytes(1 << 20)):
            pass
    time.sleep(chance.uniform(5, 30))
    os.unlink(path)


def set_clock(box, chance):
    box.clock.set(chance.choice([-HOUR, -60, -1, 1, 60, HOUR]))
    time.sleep(chance.uniform(2, 30))
    box.clock.set(0)


WEIGHTS = {
    kill_worker: 20, kill_zygote: 1, reload: 15, refused_reload: 5, restart: 10, snapshot: 15, visitor: 15,
    deaf_visitor: 4, hostile_visitor: 8, flood: 1, hostile_viewer: 4, viewer: 6,
}
"""The accidents of each moment, and how often each of them comes."""

ROUNDS = [unplug, kill_broker, fill_disk, set_clock]
"""The accidents that last, one after the other."""


class Browsing(threading.Thread):
    """A person with a browser: opens a view of the page, looks, goes on, and closes the browser after some views."""

    VIEWS = ["wall", "camera/door", "camera/lively", "camera/covered", "camera/scene", "events", "history", "charts", "health"]

    def __init__(self, box, kind, chance):
        super().__init__(daemon=True)
        self.box, self.kind, self.chance = box, kind, chance
        self.views, self.problems, self.is_over = 0, [], False
        self.start()

    def run(self):
        while not self.is_over:
            try:
                with self.kind() as browser:
                    for _ in range(self.chance.randint(2, 6)):
                        self.look(browser)
            except Exception as problem:  # A browser's own fault must not end the run. The result tells it.
                self.problems.append(f"{self.kind.name}: {problem}")
            self.rest(self.chance.uniform(10, 60))

    def look(self, browser):
        if self.is_over:
            return
        view = self.chance.choice(self.VIEWS)
        browser.open("about:blank")
        browser.open(f"{self.box.address}/#/{view}")
        browser.until("return document.querySelector('main')?.innerText.length > 20", seconds=120)
        self.rest(self.chance.uniform(3, 30))
        self.views += 1

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < end:
            time.sleep(0.2)
