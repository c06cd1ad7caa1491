# SPDX-License-Identifier: Apache-2.0
"""Starts, queries, measures and stops a separate glimpsed in its own folder."""
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Daemon:
    """`config` is the text of a daemon's file without its sockets: {table: lines}. Pipelines are {name: text}."""

    def __init__(self, pipelines, config=None, binaries=None, environment=None):
        self.folder = tempfile.mkdtemp(prefix="glimpse-")
        self.binaries = binaries or os.path.join(ROOT, ".build", "release")
        tables = {"daemon": "", "events": "", "control": "", "workers": "", **(config or {})}
        tables["events"] += '\nsocket = "e.sock"\ngroup = ""'
        tables["control"] += '\nsocket = "c.sock"\ngroup = ""'
        tables["daemon"] += '\nstate_dir = "state"'
        os.mkdir(os.path.join(self.folder, "pipelines"))
        self.write("config.toml", "".join(f"[{name}]\n{lines}\n" for name, lines in tables.items()))
        for name, text in pipelines.items():
            self.pipeline(name, text)
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.environment = {**os.environ, **(environment or {})}
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [os.path.join(self.binaries, "glimpsed"), "run", "--config", os.path.join(self.folder, "config.toml")],
            stdout=subprocess.DEVNULL, stderr=self.log, env=self.environment, start_new_session=True)
        self.control = None

    def kill(self):
        """Kills the daemon with SIGKILL. Its workers end when they notice."""
        self.process.kill()
        self.process.wait()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def pipeline(self, name, text):
        return self.write(f"pipelines/{name}.toml", text)

    def connect(self, name):
        for _ in range(500):
            try:
                peer = socket.socket(socket.AF_UNIX)
                peer.connect(os.path.join(self.folder, name))
                return peer
            except OSError:
                peer.close()
                time.sleep(0.02)
        raise SystemExit(f"the daemon does not serve:\n{self.errors()}")

    def ask(self, request):
        """Asks once more over a new connection, because the daemon closes one that was silent for a minute."""
        for _ in range(2):
            if self.control is None:
                self.control = self.connect("c.sock").makefile("rwb")
            try:
                self.control.write(json.dumps(request).encode() + b"\n")
                self.control.flush()
                if answer := self.control.readline():
                    return json.loads(answer)
            except OSError:
                pass
            self.control = None
        raise SystemExit(f"the daemon does not answer:\n{self.errors()}")

    def status(self):
        return {pipeline["name"]: pipeline for pipeline in self.ask({"status": True})["pipelines"]}

    def errors(self):
        with open(self.log.name, errors="replace") as file:
            return file.read()

    def stop(self):
        """Stops the daemon in order. Returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            status = self.process.wait()
        self.log.close()
        return status

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Subscriber(threading.Thread):
    """Reads every line, and remembers what is asked of it. Lines carry `at`, the monotonic time of their arrival."""

    def __init__(self, daemon, keep=lambda line: line["type"] == "source", after=0, rest=0.0):
        super().__init__(daemon=True)
        self.socket = daemon.connect("e.sock")
        self.socket.sendall(b'{"after":%d}\n' % after)
        self.keep, self.rest = keep, rest
        self.lines, self.gaps, self.newest, self.count = [], [], None, 0
        # Numbers that neither a gap nor `coalesced` accounts for.
        self.unexplained = 0
        self.changed = threading.Condition()
        self.start()

    def run(self):
        with self.socket.makefile("rb") as stream:
            for raw in stream:
                line = json.loads(raw)
                line["at"] = time.monotonic()
                with self.changed:
                    self.take(line)
                    self.changed.notify_all()
                if self.rest:
                    time.sleep(self.rest)

    def take(self, line):
        self.count += 1
        if line["type"] == "gap":
            self.gaps.append(line)
            self.newest = line.get("to", self.newest)
        elif "seq" in line:
            # The number of an update that was coalesced is missing before other lines than the one that says so.
            if self.newest is not None:
                self.unexplained += line["seq"] - self.newest - 1 - line.get("coalesced", 0)
            self.newest = line["seq"]
        if self.keep(line):
            self.lines.append(line)

    def wait(self, is_wanted, start=0, limit=60):
        """Returns the index of the first kept line from `start` on that meets the condition."""
        deadline = time.monotonic() + limit
        with self.changed:
            while True:
                for index in range(start, len(self.lines)):
                    if is_wanted(self.lines[index]):
                        return index
                    start = index + 1
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"not within {limit} s; the last lines: {self.lines[-5:]}")
                self.changed.wait(left)

    def close(self):
        """Ends the connection; closing alone would leave it to the reading thread."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class CheckedReader:
    """Reads the whole stream in a process of its own that keeps up, and has it proven or refuted (reader.py)."""

    def __init__(self, daemon, record=None):
        daemon.connect("e.sock").close()
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "reader.py"),
             os.path.join(daemon.folder, "e.sock"), os.path.join(daemon.binaries, "glimpsed"),
             *([record] if record else [])],
            stdout=subprocess.PIPE)

    def finish(self):
        """Returns the reader's findings after the end of the daemon."""
        return json.loads(self.process.communicate(timeout=60)[0])


def zygote(daemon):
    """The process of which the daemon's workers are copies; None without one."""
    for path in glob.glob("/proc/[0-9]*"):
        try:
            words = open(f"{path}/cmdline", "rb").read().split(b"\0")
            parent = int(open(f"{path}/stat").read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if words[1:2] == [b"zygote"] and parent == daemon.process.pid:
            return int(os.path.basename(path))
    return None


def footprint(process):
    """Returns descriptors, threads and private bytes of a process, or None after its end."""
    try:
        pages = open(f"/proc/{process}/statm").read().split()
        return {
            "fds": len(os.listdir(f"/proc/{process}/fd")),
            "threads": len(os.listdir(f"/proc/{process}/task")),
            "rss": (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGESIZE"),
        }
    except (OSError, IndexError):
        return None


def zombies(parent):
    """Returns children that stay zombies. Zombies of a moment do not count."""
    for _ in range(50):
        if not (count := count_zombies(parent)):
            break
        time.sleep(0.05)
    return count


def count_zombies(parent):
    count = 0
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            fields = open(path).read().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        count += fields[0] == "Z" and int(fields[1]) == parent
    return count


def percentiles(values):
    values = sorted(values)
    pick = lambda share: values[min(len(values) - 1, int(share * len(values)))]  # noqa: E731
    return f"median {pick(0.5):.2f}, 95 % {pick(0.95):.2f}, longest {values[-1]:.2f} s"
