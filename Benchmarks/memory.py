#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Private memory of a worker whose camera shows nothing new, and where it is: a Markdown table.

  memory.py CLIP.mp4 [--worker .build/release/glimpsed-worker] [--seconds 12]

CLIP is a film at rest; it is played in real time, again and again. Private memory is what no file backs (RssAnon): the
median of 40 samples of the last 4 s. Heap, maps and relocations are those of one moment at the end. Maps are
allocations of their own, stacks and compiled code. Relocations are pages of libraries that the loader wrote to.
"""
import argparse, collections, os, re, statistics, subprocess, tempfile, time

ROWS = {
    'a test picture, no network': ('kind = "test"\nwidth = 1280\nheight = 720\nfps = 15', '[barcode]\nmax_rate = 0.001'),
    'H.264, no network': (None, '[barcode]\nmax_rate = 0.001'),
    'H.264, barcode': (None, '[barcode]'),
    'H.264, face, no gate': (None, '[source.gate]\nenabled = false\n[face]'),
    'H.264, face': (None, '[face]'),
    'H.264, face and barcode': (None, '[face]\n[barcode]'),
    'H.264, object, no gate': (None, '[source.gate]\nenabled = false\n[object]'),
    'H.264, object': (None, '[object]'),
}


def private(process):
    with open(f'/proc/{process}/status') as status:
        return int(re.search(r'RssAnon:\s+(\d+)', status.read()).group(1)) / 1024


def parts(process):
    sums, part = collections.Counter(), None
    with open(f'/proc/{process}/smaps') as maps:
        for line in maps:
            if header := re.match(r'[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)', line):
                name = header.group(1)
                part = 'heap' if name == '[heap]' else 'relocations' if name.startswith('/') else 'maps'
            elif line.startswith('Anonymous:'):
                sums[part] += int(line.split()[1]) / 1024
    return sums


def measure(worker, clip, source, detectors, seconds):
    source = source or f'kind = "file"\npath = "{clip}"\npace = "realtime"\nloop = true'
    with tempfile.TemporaryDirectory() as folder:
        settings = os.path.join(folder, 'memory.toml')
        with open(settings, 'w') as file:
            file.write(f'[source]\n{source}\n{detectors}\n')
        process = subprocess.Popen([worker, 'pipeline', settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(seconds)
            samples = []
            for _ in range(40):
                samples.append(private(process.pid))
                time.sleep(0.1)
            return samples, parts(process.pid)
        finally:
            process.terminate()
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('clip')
    parser.add_argument('--worker', default='.build/release/glimpsed-worker')
    parser.add_argument('--seconds', type=float, default=12)
    options = parser.parse_args()
    print('| worker | private MiB | least | most | heap | maps | relocations |\n|---|---|---|---|---|---|---|')
    for name, (source, detectors) in ROWS.items():
        samples, where = measure(options.worker, os.path.abspath(options.clip), source, detectors, options.seconds)
        figures = [statistics.median(samples), min(samples), max(samples), *(where[key] for key in ('heap', 'maps', 'relocations'))]
        print(f'| {name} | ' + ' | '.join(f'{figure:.1f}' for figure in figures) + ' |', flush=True)


if __name__ == '__main__':
    main()
