#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many cameras a machine carries: a Markdown table of CPU, memory, delay and losses by the number of cameras.

  cameras.py [--cameras 1,2,4,8,16,32,64] [--minutes 5] [--bin .build/release] [--detectors face,barcode] [--peers]

Run it in the project's folder. A server on this machine (cameras_server.py) sends a film of 50 s to each camera. The
film has 1280x720, 15 frames a second and a key frame every two seconds. It shows noise, and a face for five of the 50
seconds. One daemon has a pipeline with `idle = "keyframes"` for each camera. The option --peers runs other programs on
as many cameras (cameras_peer.py), one process each. The server's own CPU is in no row, but it takes part of the
machine.

CPU is user and system time of all processes of a program, in cores. Memory is private memory of all of them, at the
end, and its growth since a quarter of the time. Age is from the capture of a frame to its line at a subscriber. Frames
of a change that came while a camera idled are up to a key frame's distance old. Dropped frames are those that a newer
one replaced before a detector was free. Peers look at frames, of which `seen` is the part. Needs python3-gi,
gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-bad.
"""
import argparse, array, contextlib, datetime, json, os, signal, socket, subprocess, sys, tempfile, threading, time


import cameras_peer
from idle import RATE, free_port, make_film

HERE = os.path.dirname(os.path.abspath(__file__))
FILM_SECONDS = 50
WARM_UP = 60
"""Seconds after the last camera has connected, until every picture has been at rest once."""
TICKS = os.sysconf('SC_CLK_TCK')


class Subscriber(threading.Thread):
    """Measures the age of every line of a track."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.ages, self.detected = array.array('f'), 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(b'{}\n')
        self.start()

    def run(self):
        for line in self.socket.makefile('rb'):
            now, event = time.time(), json.loads(line)
            if 'track' not in event or event['type'] == 'completed':
                continue
            self.detected += event['type'] == 'detected'
            taken = datetime.datetime.fromisoformat(event['time'][:26] + '+00:00').timestamp()
            self.ages.append(now - taken)

    def percentile(self, part):
        """In milliseconds."""
        ages = sorted(self.ages)
        return 1000 * ages[int(part * (len(ages) - 1))] if ages else float('nan')


def family(root):
    """A process and its descendants."""
    parents = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        with contextlib.suppress(OSError, IndexError), open(f'/proc/{name}/stat') as file:
            parents[int(name)] = int(file.read().rsplit(')', 1)[1].split()[1])
    found = [root]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found


def cpu(processes):
    """User and system time in seconds."""
    ticks = 0
    for process in processes:
        with contextlib.suppress(OSError), open(f'/proc/{process}/stat') as file:
            fields = file.read().rsplit(')', 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def private(processes):
    """Private memory in MiB."""
    total = 0
    for process in processes:
        with contextlib.suppress(OSError), open(f'/proc/{process}/smaps_rollup') as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith('Private_'))
    return total / 1024


def watch(processes, seconds):
    """CPU in cores, private memory at the end, and its growth since a quarter of the time."""
    begin, start = cpu(processes), time.monotonic()
    time.sleep(seconds / 4)
    early = private(processes)
    time.sleep(max(0, start + seconds - time.monotonic()))
    late, used = private(processes), cpu(processes) - begin
    return used / (time.monotonic() - start), late, late - early


def run_glimpse(options, port, count, folder):
    os.mkdir(f'{folder}/pipelines')
    tables = ''.join(f'[{name}]\n' for name in options.detectors.split(','))
    for number in range(count):
        with open(f'{folder}/pipelines/camera{number}.toml', 'w') as file:
            file.write(f'[source]\nkind = "rtsp"\nurl = "rtsp://127.0.0.1:{port}/{number}"\nidle = "keyframes"\n{tables}')
    with open(f'{folder}/config.toml', 'w') as file:
        file.write('[daemon]\nstate_dir = "state"\n[events]\nsocket = "e.sock"\ngroup = ""\n'
                   '[control]\nsocket = "c.sock"\ngroup = ""\n')
    daemon = subprocess.Popen([f'{options.bin}/glimpsed', 'run', '--config', f'{folder}/config.toml'],
                              stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60 + 5 * count
        while sum(p['state'] in ('connected', 'idle') for p in status(options, folder)) < count:
            if time.monotonic() > deadline:
                sys.exit('not every camera is connected')
            time.sleep(1)
        time.sleep(WARM_UP)
        before, subscriber = losses(status(options, folder)), Subscriber(f'{folder}/e.sock')
        used, memory, growth = watch(family(daemon.pid), 60 * options.minutes)
        dropped = losses(status(options, folder)) - before
        return [f'{used:.2f}', f'{memory:.0f}', f'{memory / count:.1f}', f'{growth:+.1f}',
                f'{subscriber.percentile(0.5):.0f}', f'{subscriber.percentile(0.99):.0f}', subscriber.detected, dropped,
                '']
    finally:
        daemon.terminate()
        daemon.wait(60)


def status(options, folder):
    answer = subprocess.run([f'{options.bin}/glimpsed', 'status', '--json', '--socket', f'{folder}/c.sock'],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return json.loads(answer)['pipelines'] if answer else []


def losses(pipelines):
    """The frames that detectors asked for and did not get."""
    return sum(detector['dropped']['busy'] for pipeline in pipelines for detector in pipeline['detectors'])


def run_peer(kind, options, port, count):
    python = '/usr/bin/python3' if kind == 'gstreamer' else sys.executable
    peers = [subprocess.Popen([python, f'{HERE}/cameras_peer.py', kind, f'rtsp://127.0.0.1:{port}/{number}'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for number in range(count)]
    start = time.monotonic()
    try:
        time.sleep(20)
        used, memory, growth = watch([peer.pid for peer in peers], 60 * options.minutes)
    finally:
        for peer in peers:
            peer.send_signal(signal.SIGTERM)
    frames = 0
    for peer in peers:
        output = peer.communicate(timeout=60)[0]
        if not output:
            sys.exit(f'the peer {kind} has failed; run cameras_peer.py {kind} URL to see why')
        frames += json.loads(output)['frames']
    seen = frames / (RATE * count * (time.monotonic() - start))
    return [f'{used:.2f}', f'{memory:.0f}', f'{memory / count:.1f}', f'{growth:+.1f}', '', '', '', '', f'{seen:.0%}']


def programs(options):
    yield 'glimpse'
    if options.peers:
        if lacking := cameras_peer.lacking():
            print(f'no row for GStreamer: {" and ".join(lacking)} of gstreamer1.0-opencv and gstreamer1.0-plugins-bad')
        else:
            yield 'gstreamer'
        # Makes the environment of the peer before anything is measured.
        subprocess.run([sys.executable, f'{HERE}/cameras_peer.py', 'prepare'], check=True)
        yield 'python'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--cameras', default='1,2,4,8,16,32,64')
    parser.add_argument('--minutes', type=float, default=5)
    parser.add_argument('--bin', default='.build/release')
    parser.add_argument('--detectors', default='face,barcode')
    parser.add_argument('--peers', action='store_true')
    options = parser.parse_args()
    scratch = os.path.join(HERE, '.build', 'cameras')
    os.makedirs(scratch, exist_ok=True)
    film = os.path.join(scratch, 'film.mkv')
    if not os.path.exists(film):
        make_film(film, FILM_SECONDS)
    kinds = list(programs(options))
    print('| cameras | program | CPU, cores | private MiB | of each camera | growth MiB | age ms, median | p99 | detected '
          '| dropped | seen |')
    print('|---|---|---|---|---|---|---|---|---|---|---|')
    for count in map(int, options.cameras.split(',')):
        for kind in kinds:
            port = free_port()
            server = subprocess.Popen(
                ['/usr/bin/python3', f'{HERE}/cameras_server.py', str(port), str(count), film], stdout=subprocess.PIPE)
            server.stdout.readline()
            try:
                with tempfile.TemporaryDirectory() as folder:
                    row = run_glimpse(options, port, count, folder) if kind == 'glimpse' else run_peer(
                        kind, options, port, count)
            finally:
                server.kill()
                server.wait()
            print(f'| {count} | {kind} | ' + ' | '.join(map(str, row)) + ' |', flush=True)


if __name__ == '__main__':
    main()
