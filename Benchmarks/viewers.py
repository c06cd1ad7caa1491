#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The processor time that viewers of a pipeline's pictures cost: in the worker, and in glimpsed-web.

  viewers.py [--bin .build/release] [--seconds 10] [--rounds 3] [--rate 15] [--video]

Runs a separate daemon in a temporary folder with the built-in scene at 1280x720 and 15 frames a second, and
glimpsed-web. Viewers ask for 640 pixels and 10 pictures a second over HTTP. The numbers of viewers take turns, so that
other work on the machine reaches all of them. The third column is the median difference from no viewer in the same
round. In the first row, of every fifth round, glimpsed-web does not run.

--rate is the detector's `max_rate`, in frames a second. A detector that seldom runs leaves less noise beside the
viewers' cost.

With --video: a simulated network camera of 1280x720, 15 frames a second and 2 Mbit/s, whose own video the viewers get.
Prints also the time from each request to its first key frame.
"""
import argparse, glob, http.client, os, socket, statistics, subprocess, tempfile, threading, time

PIPELINE = '''[source]
kind = "test"
pattern = "scene"
width = 1280
height = 720
fps = 15
[barcode]
max_rate = {rate}
'''
CAMERA = '''[source]
kind = "rtsp"
url = "rtsp://127.0.0.1:{port}/test"
user = "viewer"
password_file = "{password}"
ring = "10s"
[barcode]
'''
CONFIG = '''[daemon]
state_dir = "state"
[events]
socket = "e.sock"
group = ""
[control]
socket = "c.sock"
group = ""
'''


class Viewer(threading.Thread):
    query = 'width=640&rate=10'

    def __init__(self, port):
        super().__init__(daemon=True)
        self.begin = time.monotonic()
        self.connection = http.client.HTTPConnection('127.0.0.1', port, timeout=30)
        self.connection.request('GET', f'/api/pipelines/scene/stream?{self.query}')
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()
        self.bytes, self.pictures, self.is_over = 0, 0, False
        self.start()

    def run(self):
        try:
            while not self.is_over:
                length = int.from_bytes(self.take(4), 'big')
                header = self.take(length)
                self.take(int(header.split(b'"bytes":')[1].split(b'}')[0]))
                self.pictures += 1
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            pass

    def take(self, count):
        bytes = self.answer.read(count)
        if len(bytes) < count:
            raise ValueError
        return bytes

    def end(self):
        self.is_over = True
        self.connection.sock and self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.join(10)


class VideoViewer(Viewer):
    query = 'mode=h264'
    first = []
    """Milliseconds from each request to the end of the first key frame."""

    def run(self):
        try:
            while not self.is_over:
                head = self.take(8)
                self.take(int.from_bytes(head[:4], 'big') - 8)
                if head[4:] == b'mdat':
                    if not self.pictures:
                        self.first.append(1000 * (time.monotonic() - self.begin))
                    self.pictures += 1
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            pass


def camera(folder):
    """Starts a network camera. Returns its process and its port."""
    film = f'{folder}/film.mkv'
    caps = 'video/x-raw,format=I420,width=1280,height=720,framerate=15/1'
    text = (f'videotestsrc num-buffers=3000 pattern=ball ! {caps} ! openh264enc gop-size=30 bitrate=2000000 rate-control=bitrate '
            f'! h264parse ! matroskamux ! filesink location={film}')
    subprocess.run(['gst-launch-1.0', '-q', *text.split()], check=True, stderr=subprocess.DEVNULL)
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    server = os.path.join(os.path.dirname(__file__), '../Tests/Support/rtsp-server.py')
    process = subprocess.Popen(['/usr/bin/python3', server, str(port), 'basic', '1280x720', 'geheim42', film],
                               stdout=subprocess.PIPE)
    process.stdout.readline()
    return process, port


def measure(make, count, port, worker, page, seconds):
    """Milliseconds a second of the worker and of the page, and pictures a second of each viewer."""
    viewers = [make(port) for _ in range(count)]
    time.sleep(1)
    begin = milliseconds(worker), milliseconds(page), sum(v.pictures for v in viewers), time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - begin[3]
    figures = ((milliseconds(worker) - begin[0]) / took, (milliseconds(page) - begin[1]) / took,
               (sum(v.pictures for v in viewers) - begin[2]) / took / max(1, count))
    for viewer in viewers:
        viewer.end()
    time.sleep(0.5)
    return figures


def milliseconds(process):
    """The processor time of a process to the nanosecond, with its threads that have ended; 0 without a process.

    Counts of clock ticks are too coarse for a thread that wakes for 30 microseconds. The number is the process's clock,
    as clock_getcpuclockid(3) makes it.
    """
    return 1000 * time.clock_gettime(~process << 3 | 2) if process else 0


def child_of(process):
    for path in glob.glob('/proc/[0-9]*/stat'):
        try:
            with open(path) as file:
                fields = file.read().rsplit(')', 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            return int(path.split('/')[2])
    return None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--bin', default='.build/release')
    arguments.add_argument('--seconds', type=float, default=10)
    arguments.add_argument('--rounds', type=int, default=3)
    arguments.add_argument('--rate', type=int, default=15)
    arguments.add_argument('--video', action='store_true')
    options = arguments.parse_args()
    folder_of_programs = os.path.abspath(options.bin)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f'{folder}/pipelines')
        with open(f'{folder}/pipelines/scene.toml', 'w') as file:
            source = camera(folder) if options.video else None
            with open(os.open(f'{folder}/password', os.O_CREAT | os.O_WRONLY, 0o600), 'w') as password:
                password.write('geheim42\n')
            file.write(CAMERA.format(port=source[1], password=f'{folder}/password') if source else PIPELINE.format(rate=options.rate))
        with open(f'{folder}/config.toml', 'w') as file:
            file.write(CONFIG)
        open(f'{folder}/web.toml', 'w').close()
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        daemon = subprocess.Popen([f'{folder_of_programs}/glimpsed', 'run', '--config', f'{folder}/config.toml'],
                                  stderr=subprocess.DEVNULL)

        def start_page():
            return subprocess.Popen(
                [f'{folder_of_programs}/glimpsed-web', '--config', f'{folder}/web.toml', '--listen', f'127.0.0.1:{port}',
                 '--events', f'{folder}/e.sock', '--control', f'{folder}/c.sock', '--links', f'{folder}/l.sock',
                 '--page', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'web')], stderr=subprocess.DEVNULL)

        page = start_page()
        try:
            time.sleep(5)
            worker = child_of(daemon.pid)
            rows = {}
            make = VideoViewer if source else Viewer
            for turn in range(options.rounds):
                if turn % 5 == 0:
                    page.terminate()
                    page.wait(30)
                    rows.setdefault('no page', []).append(measure(make, 0, port, worker, None, options.seconds))
                    page = start_page()
                    time.sleep(5)
                for count in (0, 1, 10):
                    rows.setdefault(count, []).append(measure(make, count, port, worker, page.pid, options.seconds))
            rest = [figures[0] for figures in rows[0]]
            print('| viewers | worker, ms of CPU a second | more than without | page, ms a second | pictures a second each |')
            print('|---|---|---|---|---|')
            for count, all_figures in rows.items():
                own, of_page, rate = (statistics.median(column) for column in zip(*all_figures))
                beside = rest[::5] if count == 'no page' else rest
                more = statistics.median(figures[0] - none for figures, none in zip(all_figures, beside))
                print(f'| {count} | {own:.0f} | {more:.1f} | {of_page:.1f} | {rate:.1f} |')
            with open(f'/proc/{page.pid}/status') as file:
                print(next(line.strip() for line in file if line.startswith('VmRSS')))
            if VideoViewer.first:
                print(f'first key frame: median {statistics.median(VideoViewer.first):.0f} ms, at most {max(VideoViewer.first):.0f} ms')
        finally:
            for program in (page, daemon, *(source[:1] if source else ())):
                program.terminate()
                program.wait(30)


if __name__ == '__main__':
    main()
