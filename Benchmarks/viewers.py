#!/usr/bin/env python3
"""The processor time that viewers of a pipeline's pictures cost: in the worker, and in glimpsed-web.

  viewers.py [--bin .build/release] [--seconds 10] [--rounds 3]

Runs a separate daemon in a temporary folder with the built-in scene at 1280x720 and 15 frames a second, and
glimpsed-web. Viewers ask for 640 pixels and 10 pictures a second over HTTP. The numbers of viewers take turns, so that
other work on the machine reaches all of them. The third column compares with no viewer. In the first row glimpsed-web
does not run.
"""
import argparse, glob, http.client, os, socket, statistics, subprocess, tempfile, threading, time

TICKS = os.sysconf('SC_CLK_TCK')

PIPELINE = '''[source]
kind = "test"
pattern = "scene"
width = 1280
height = 720
fps = 15
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
    def __init__(self, port):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection('127.0.0.1', port, timeout=30)
        self.connection.request('GET', '/api/pipelines/scene/stream?width=640&rate=10')
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


def measure(count, port, worker, page, seconds):
    """Milliseconds a second of the worker and of the page, and pictures a second of each viewer."""
    viewers = [Viewer(port) for _ in range(count)]
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
    """The processor time of a process, from proc(5); 0 without a process."""
    if process is None:
        return 0
    with open(f'/proc/{process}/stat') as file:
        fields = file.read().rsplit(')', 1)[1].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / TICKS


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
    options = arguments.parse_args()
    folder_of_programs = os.path.abspath(options.bin)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f'{folder}/pipelines')
        with open(f'{folder}/pipelines/scene.toml', 'w') as file:
            file.write(PIPELINE)
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
            for _ in range(options.rounds):
                page.terminate()
                page.wait(30)
                rows.setdefault('no page', []).append(measure(0, port, worker, None, options.seconds))
                page = start_page()
                time.sleep(5)
                for count in (0, 1, 10):
                    rows.setdefault(count, []).append(measure(count, port, worker, page.pid, options.seconds))
            rest = statistics.median(figures[0] for figures in rows[0])
            print('| viewers | worker, ms of CPU a second | more than without | page, ms a second | pictures a second each |')
            print('|---|---|---|---|---|')
            for count, all_figures in rows.items():
                own, of_page, rate = (statistics.median(column) for column in zip(*all_figures))
                print(f'| {count} | {own:.0f} | {own - rest:.0f} | {of_page:.1f} | {rate:.1f} |')
            with open(f'/proc/{page.pid}/status') as file:
                print(next(line.strip() for line in file if line.startswith('VmRSS')))
        finally:
            for program in (page, daemon):
                program.terminate()
                program.wait(30)


if __name__ == '__main__':
    main()
