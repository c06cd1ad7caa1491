# SPDX-License-Identifier: Apache-2.0
"""A whole box for soak.py: network cameras behind a cable, a daemon on a small disk, its page, a relay and a broker."""
import os
import shutil
import struct
import subprocess
import sys
import time

from brokers import Mosquitto
from consumer import Consumer
from daemon import ROOT, CheckedReader

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(ROOT, "Benchmarks"), os.path.join(ROOT, "Tests/Products/WebTests/Browser")]

from idle import make_film  # noqa: E402
from live_page import LivePage  # noqa: E402

TYPES = ["detected", "completed"]
CAMERAS = 6
RTSP = 554
DISK = 96 << 20
FILM_SECONDS = 50

TABLES = {
    "daemon": 'trial = "5s"',
    # Small limits, so that they are reached long before the end of the warm-up.
    "events": 'journal_bytes = "4MiB"\nqueue = "256KiB"\nstall_limit = "20s"\nmax_per_user = 200',
    "retention": 'events = ["7d", "12MiB"]\nhistory = "1h"\npictures = ["1h", "8MiB"]\nclips = ["1h", "24MiB"]',
    "workers": 'restart_backoff = ["100ms", "1s"]\ncrash_limit = 1000\ncrash_window = "1s"\ncrash_dump = true',
}
IDLE = 'idle = "keyframes"\nidle_after = "1s"\n'
REGION = "polygon = [[0.3, 0.0], [1.0, 0.0], [1.0, 1.0], [0.3, 1.0]]"


class Cable:
    """A network namespace for cameras, and a pair of interfaces that can be pulled out. Needs root."""

    name = "glimpse-soak"
    camera, here = "10.213.77.2", "10.213.77.1"

    def __init__(self):
        self.remove()
        self.ip("netns", "add", self.name)
        self.ip("link", "add", "glsoak0", "type", "veth", "peer", "name", "glsoak1", "netns", self.name)
        self.ip("address", "add", f"{self.here}/30", "dev", "glsoak0")
        self.ip("-n", self.name, "address", "add", f"{self.camera}/30", "dev", "glsoak1")
        self.ip("-n", self.name, "link", "set", "glsoak1", "up")
        self.plug(True)

    def ip(self, *arguments, **options):
        subprocess.run(["ip", *arguments], check=options.get("check", True), stderr=subprocess.DEVNULL)

    def plug(self, is_in):
        self.ip("link", "set", "glsoak0", "up" if is_in else "down")

    def remove(self):
        self.ip("link", "delete", "glsoak0", check=False)
        self.ip("netns", "delete", self.name, check=False)


class WallClock:
    """The wall clock of the daemon and its workers, which can be set (clock.c)."""

    def __init__(self, folder):
        self.library, self.path = os.path.join(folder, "clock.so"), os.path.join(folder, "offset")
        subprocess.run(
            [os.environ.get("CC", "clang"), "-O2", "-fPIC", "-shared", "-o", self.library, os.path.join(HERE, "clock.c")],
            check=True)
        with open(self.path, "wb") as file:
            file.write(bytes(8))
        self.environment = {"LD_PRELOAD": self.library, "CLOCK_OFFSET": self.path}

    def set(self, seconds):
        with open(self.path, "r+b", buffering=0) as file:
            file.write(struct.pack("<q", round(seconds * 1e9)))


class Box(LivePage):
    """16 pipelines, and everything that reads from them."""

    def __init__(self, binaries, folder):
        self.clock = WallClock(folder)
        self.film = os.path.join(folder, "film.mkv")
        make_film(self.film, FILM_SECONDS)
        self.cable = Cable()
        self.cameras = subprocess.Popen(
            ["ip", "netns", "exec", Cable.name, "/usr/bin/python3", os.path.join(ROOT, "Benchmarks/cameras_server.py"),
             str(RTSP), str(CAMERAS), self.film, Cable.camera], stdout=subprocess.PIPE)
        self.cameras.stdout.readline()
        super().__init__(binaries, {}, config=TABLES, environment=self.clock.environment)
        self.texts = self.pipelines()
        for name, text in self.texts.items():
            self.pipeline(name, text)
        reply = self.ask({"reload": True})
        if not reply["ok"]:
            raise SystemExit(f"the pipelines are wrong: {reply}")
        self.record = os.path.join(folder, "record")
        self.reader = CheckedReader(self, record=self.record)
        self.broker = Mosquitto(folder)
        self.consumer = Consumer("soak", "glimpse/hall/+/event", self.broker.ports)
        self.told_gaps = Consumer("gaps", "glimpse/hall/gap", self.broker.ports)
        self.start_relay()

    def start(self):
        self.disk = os.path.join(self.folder, "state")
        if not os.path.isdir(self.disk):
            os.mkdir(self.disk)
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "soak", self.disk], check=True)
        super().start()

    def start_relay(self):
        os.mkdir(os.path.join(self.folder, "relay"))
        path = self.write(
            "relay.toml",
            f'events = "e.sock"\ndaemon_control = "c.sock"\ncontrol = "r.sock"\nstate_dir = "relay"\nbox = "hall"\n'
            f'[[mqtt]]\nname = "home"\nurl = "mqtt://127.0.0.1:{self.broker.ports[0]}"\n'
            'types = ["detected", "completed"]\nstart = "oldest"\nreplay_rate = 2000\npictures = true\n')
        self.relay = subprocess.Popen(
            [os.path.join(self.binaries, "glimpsed-relay"), "--config", path], stderr=self.log)

    def pipelines(self):
        worker = os.path.join(self.binaries, "glimpsed-worker")
        symbol, ball = os.path.join(self.folder, "symbol.pgm"), os.path.join(self.folder, "ball.avi")
        subprocess.run([worker, "symbol", "qr_code", "a symbol", "--output", symbol], check=True)
        subprocess.run(
            ["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=60", "pattern=ball", "!",
             "video/x-raw,format=I420,width=320,height=240,framerate=30/1", "!", "jpegenc", "!", "avimux", "!",
             "filesink", f"location={ball}"], check=True)
        detector = os.path.join(HERE, "soak_detector.py")

        def camera(number, keys=""):
            return f'[source]\nkind = "rtsp"\nurl = "rtsp://{Cable.camera}:{RTSP}/{number}"\nstall_limit = "3s"\n{keys}'

        def still(rate):
            return (f'[source]\nkind = "launch"\nlaunch = "filesrc location={symbol} ! pnmdec ! imagefreeze is-live=true'
                    f' ! video/x-raw,framerate={rate}/1"\n')

        def file(path, keys=""):
            return f'[source]\nkind = "file"\npath = "{path}"\nloop = true\npace = "realtime"\n{keys}'

        def test(keys):
            return f'[source]\nkind = "test"\n{keys}'

        small = "width = 320\nheight = 240\nfps = 10\n"
        return {
            "door": camera(0, IDLE + 'ring = "10s"\n') + '[face]\n[clip]\non = ["face"]\nbefore = "3s"\nafter = "2s"\n',
            "yard": camera(1, IDLE) + f'[object]\n[[zone]]\nname = "lawn"\n{REGION}\n',
            "gate": camera(2, IDLE) + "[barcode]\n[face]\n",
            "masked": camera(3, IDLE) + f'[face]\n[snapshot]\non = ["best"]\n[[mask]]\nname = "neighbour"\n{REGION.replace("0.3", "0.8")}\n',
            "covered": camera(4, IDLE) + '[face]\n[privacy]\nblur = ["face"]\n[clip]\ncovered = "encode"\non = ["face"]\n',
            "lively": camera(5, 'transport = "udp"\n') + '[face]\n[snapshot]\non = ["best"]\n[[line]]\nname = "step"\nfrom = [0.5, 0.0]\nto = [0.5, 1.0]\n',
            "looped": file(ball) + "[barcode]\nmax_rate = 5\n",
            "film": file(self.film) + '[face]\n[clip]\ncovered = "encode"\non = ["face"]\nbefore = "2s"\nafter = "1s"\n[privacy]\nblur = ["face"]\n',
            "steady": still(30) + "[barcode]\n",
            "killed": still(10) + "[barcode]\n",
            "changed": still(10) + "[barcode]\nmax_rate = 5\n",
            "scene": test(f'pattern = "scene"\n{small}') + f'[face]\n[barcode]\n[[zone]]\nname = "table"\n{REGION}\n[snapshot]\non = ["best"]\n',
            "short": test("frames = 20\nwidth = 160\nheight = 120\n") + "[barcode]\n",
            "moving": test(f'pattern = "scene"\n{small}') + '[object]\nmodel = "motion"\n',
            "external": test(small) + f'[external.things]\nkind = "thing"\ncommand = ["python3", "{detector}"]\nformat = "gray8"\ntimeout = "2s"\n',
            "lost": '[source]\nkind = "launch"\nlaunch = "videotestsrc num-buffers=20 is-live=true ! video/x-raw,width=64,height=48"\n[barcode]\n',
        }

    def finish(self):
        """Ends everything but the findings. Returns the daemon's exit status, and the reader's findings."""
        self.stop_page()
        status = self.stop()
        story = self.reader.finish()
        self.relay.terminate()
        self.relay.wait(30)
        return status, story

    def missing_at_broker(self, limit=120):
        """The events that the reader has until now, and those of them that do not come to the broker either."""
        with open(self.record) as file:
            wanted = {(line.split()[0], int(line.split()[1])) for line in file if line.endswith("\n")}
        deadline = time.monotonic() + limit
        while (missing := wanted - self.consumer.payloads.keys()) and time.monotonic() < deadline:
            time.sleep(1)
        return len(wanted), missing

    def remove(self):
        for process in (self.relay, self.cameras):
            process.kill()
            process.wait()
        self.broker.stop()
        subprocess.run(["umount", "--lazy", self.disk], check=False)
        self.cable.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
