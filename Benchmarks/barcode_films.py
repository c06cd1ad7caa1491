#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Barcodes in films: Glimpse beside zxing-cpp and GStreamer's zbar element, frame by frame: Markdown tables.

  barcode_films.py [--clips SUBSTRING]

Run it in the project's folder after `make build`. It makes an environment with PyPI's newest zxing-cpp, numpy and
opencv on its first run, and the clips (needs ffmpeg). GStreamer's element is in gstreamer1.0-plugins-bad and needs
libzbar0.

Seen: the share of the frames with a visible symbol whose text was reported within the symbol. For Glimpse the report is
the track's `update`. Alive: for Glimpse only, with `missing` lines in between. CPU: user and system time a frame. For
zxing-cpp only the calls count. For the others a process that decodes the film and reads nothing is subtracted.
"""
import argparse, json, os, re, resource, subprocess, sys, time

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'barcode-films')
PACKAGES = ['zxing-cpp', 'numpy', 'opencv-python-headless']
WORKER = os.environ.get('GLIMPSED_WORKER', '.build/release/glimpsed-worker')


def cpu_of(command):
    """The process's output and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def box(corners):
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    return min(xs), min(ys), max(xs), max(ys)


def is_in(point, corners):
    left, top, right, bottom = box(corners)
    return left - 4 <= point[0] <= right + 4 and top - 4 <= point[1] <= bottom + 4


class Score:
    """Reads of one reader: `reads[frame]` = [(text, centre or None)], frames from 0."""

    def __init__(self, truth, reads):
        self.visible = self.seen = self.wrong = 0
        texts = {text for frame in truth for _, text, _ in frame}
        for number, frame in enumerate(truth):
            found = reads.get(number, [])
            self.wrong += sum(text not in texts for text, _ in found)
            for _, text, corners in frame:
                self.visible += 1
                self.seen += any(t == text and (c is None or is_in(c, corners)) for t, c in found)

    @property
    def share(self):
        return 100 * self.seen / max(1, self.visible)


def run_ours(clip, *settings):
    command = [WORKER, 'pipeline', os.path.join(HERE, 'empty.toml'), '--source', clip, '--set', 'barcode.enabled=true']
    for setting in settings:
        command += ['--set', setting]
    output, cpu = cpu_of(command)
    seen, alive, ids = {}, {}, set()
    for line in output.splitlines():
        event = json.loads(line)
        if event['type'] not in ('update', 'missing', 'detected') or 'raw' not in event.get('barcode', {}):
            continue
        ids.add(event['track']['id'])
        number = event['frame']['seq'] - 1
        b = event.get('box')
        entry = (event['barcode']['raw'], (b['x'] + b['w'] / 2, b['y'] + b['h'] / 2) if b else None)
        if event['type'] == 'update':
            seen.setdefault(number, []).append(entry)
        alive.setdefault(number, []).append((entry[0], None))
    return seen, alive, len(ids), cpu


def run_zxing(clip, size):
    import numpy as np
    import zxingcpp
    width, height = size
    film = subprocess.Popen(['ffmpeg', '-nostdin', '-loglevel', 'error', '-i', clip, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
                            stdout=subprocess.PIPE)
    reads, cpu, number = {}, 0.0, 0
    while len(data := film.stdout.read(width * height)) == width * height:
        frame = np.frombuffer(data, np.uint8).reshape(height, width)
        start = time.process_time()
        found = zxingcpp.read_barcodes(frame)
        cpu += time.process_time() - start
        for code in found:
            p = code.position
            corners = [(c.x, c.y) for c in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)]
            middle = (sum(c[0] for c in corners) / 4, sum(c[1] for c in corners) / 4)
            reads.setdefault(number, []).append((code.text, middle))
        number += 1
    film.wait()
    return reads, cpu


def gst(clip, *elements):
    return cpu_of(['gst-launch-1.0', '-m', 'filesrc', f'location={clip}', '!', 'decodebin', '!', 'videoconvert', '!',
                   'video/x-raw,format=GRAY8', '!', *elements, 'fakesink', 'sync=false'])


def run_zbar(clip, rate):
    output, cpu = gst(clip, 'videoconvert', '!', 'zbar', '!')
    _, bare = gst(clip, 'videoconvert', '!', 'identity', '!')
    reads = {}
    for line in output.decode(errors='replace').splitlines():
        if 'barcode,' not in line:
            continue
        stamp = re.search(r'timestamp=\(guint64\)(\d+)', line)
        symbol = re.search(r'symbol=\(string\)("(?:[^"\\]|\\.)*"|[^,;]+)', line)
        if stamp and symbol:
            text = symbol.group(1).strip('"').replace('\\', '')
            reads.setdefault(round(int(stamp.group(1)) * 1e-9 * rate), []).append((text, None))
    return reads, cpu - bare


def measure(clip, path, truth, rate):
    n = len(truth)
    idle = run_ours(path, 'barcode.max_rate=0.001')[3]
    seen, alive, ids, cpu = run_ours(path)
    seen_each, alive_each, ids_each, cpu_each = run_ours(path, 'barcode.scan="frame"')
    zxing, zxing_cpu = run_zxing(path, clip.size)
    zbar, zbar_cpu = run_zbar(path, rate)
    ours, each, z, b = Score(truth, seen), Score(truth, seen_each), Score(truth, zxing), Score(truth, zbar)
    mine, without = 1000 * (cpu - idle) / n, 1000 * (cpu_each - idle) / n
    theirs, bars = 1000 * zxing_cpu / n, 1000 * zbar_cpu / n
    print(f'| {clip.name} | {ours.share:.1f} | {Score(truth, alive).share:.1f} | {ids} | {each.share:.1f} | '
          f'{Score(truth, alive_each).share:.1f} | {z.share:.1f} | {b.share:.1f} | {ours.wrong} / {z.wrong} / {b.wrong} | '
          f'{mine:.2f} | {without:.2f} | {theirs:.2f} | {bars:.2f} | {mine / theirs:.2f} |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--clips', default='', help='only clips whose name contains this text')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)
    sys.path.insert(0, HERE)
    import barcode_clips
    from importlib.metadata import version
    os.makedirs(SCRATCH, exist_ok=True)
    print(f'zxing-cpp {version("zxing-cpp")}', file=sys.stderr)
    print('| clip | seen % | alive % | ids | seen %, `frame` | alive % | zxing-cpp | zbar | wrong | CPU ms | `frame` | zxing-cpp | zbar | ratio |')
    print('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|')
    for clip in barcode_clips.CLIPS:
        if options.clips not in clip.name:
            continue
        base = os.path.join(SCRATCH, re.sub(r'\W+', '-', clip.name))
        if not os.path.exists(base + '.json'):
            truth = clip.render(WORKER, SCRATCH, base + '.mp4')
            with open(base + '.json', 'w') as file:
                json.dump(truth, file)
        with open(base + '.json') as file:
            measure(clip, base + '.mp4', json.load(file), barcode_clips.RATE)


if __name__ == '__main__':
    main()
