#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trials of the barcode reader of streams on made films: a Markdown table.

The trials count wrong values, late symbols, lost tracks and false codes.

  barcode_trials.py [--kinds retail,logistic,shaken,scroll,entering,panel,texture] [--seeds N] [--first N]
      [--photographs FOLDER ...] [--films FILE ...] [--set KEY=VALUE ...] [--peers [--before WORKER]]

Run it in the project's folder after `make build`. It makes an environment with PyPI's numpy and opencv on its first
run, and the films with ffmpeg. `--photographs` and `--films`: pictures and films without a code, as further textures.
`--peers` compares with zxing-cpp and zbar (Debian's libzbar0) instead, and with the worker `--before`. GLIMPSED_WORKER
names another worker.
"""
import argparse, glob, json, os, re, subprocess, sys

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'barcode-trials')
PACKAGES = ['zxing-cpp==3.1.1', 'numpy', 'opencv-python-headless', 'pillow']
#: A search that reads what a single frame shows.
SINGLE_FRAMES = ['barcode.scan="frame"', 'barcode.effort="thorough"']
#: A symbol is steadily readable if single frames read it in so many of the first frames.
STEADY_FRAMES, STEADY_READS = 6, 5
WORKER = os.environ.get('GLIMPSED_WORKER', '.build/release/glimpsed-worker')


def events(path, settings, worker=WORKER):
    command = [worker, 'pipeline', os.path.join(HERE, 'empty.toml'), '--source', path, '--set', 'barcode.enabled=true']
    for setting in settings:
        command += ['--set', setting]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return [e for e in map(json.loads, output.splitlines()) if 'track' in e]


def film(trial):
    """Makes the trial's film, once, and its truth."""
    base = os.path.join(SCRATCH, re.sub(r'\W+', '-', trial.name))
    if not os.path.exists(base + '.json'):
        trial.prepare(WORKER, SCRATCH)
        codec = ['libx264', '-preset', 'veryfast', '-threads', '1', '-b:v', str(trial.rate)] if trial.rate else ['ffv1']
        writer = subprocess.Popen(
            ['ffmpeg', '-nostdin', '-loglevel', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'gray', '-s', '%dx%d' % trial.size,
             '-r', '30', '-i', '-', '-pix_fmt', 'yuv420p' if trial.rate else 'gray', '-c:v', *codec, base + '.mkv'],
            stdin=subprocess.PIPE)
        for number in range(trial.frames):
            writer.stdin.write(trial.frame(number).tobytes())
        writer.stdin.close()
        if writer.wait():
            raise SystemExit('ffmpeg failed')
        with open(base + '.json', 'w') as file:
            json.dump([trial.truth(n) for n in range(trial.frames)], file)
    with open(base + '.json') as file:
        return base + '.mkv', json.load(file)


def readable(path):
    """The frames in which the search of single frames reads each text: `scan = "frame"`, effort `thorough`."""
    kept = path.removesuffix('.mkv') + '.frames.json'
    if not os.path.exists(kept):
        reads = {}
        for e in events(path, SINGLE_FRAMES):
            if e['type'] == 'update' and 'raw' in e.get('barcode', {}):
                reads.setdefault(e['barcode']['raw'], []).append(e['frame']['seq'] - 1)
        with open(kept, 'w') as file:
            json.dump(reads, file)
    with open(kept) as file:
        return json.load(file)


def is_in(event, corners):
    xs, ys, b = [c[0] for c in corners], [c[1] for c in corners], event['box']
    x, y = b['x'] + b['w'] / 2, b['y'] + b['h'] / 2
    return min(xs) - 8 <= x <= max(xs) + 8 and min(ys) - 8 <= y <= max(ys) + 8


class Total:
    """Sums over the trials of one kind."""

    def __init__(self):
        self.films = self.read = self.wrong_films = self.wrong_lines = self.false = self.symbols = self.unread = 0
        self.unreadable = self.steady = self.steady_late = 0
        self.seconds, self.delays, self.notes = 0.0, [], []

    def add(self, trial, truth, found, reads=None):
        """`reads`: frames by text, if delays count from the first frame that shows the symbol well enough."""
        self.films += 1
        self.seconds += len(truth) / 30
        texts = {text for frame in truth for _, text, _ in frame}
        said = [e for e in found if e['type'] in ('detected', 'update', 'missing') and 'raw' in e.get('barcode', {})]
        wrong = [e for e in said if e['barcode']['raw'] not in texts]
        if wrong:
            self.wrong_films += 1
            self.wrong_lines += len(wrong)
            self.notes.append(f'{trial}: {sorted({e["barcode"]["raw"] for e in wrong})}, not {sorted(texts)}: {len(wrong)} lines')
        self.read += bool(texts & {e['barcode']['raw'] for e in said})
        undecoded = {e['track']['id'] for e in found} - {e['track']['id'] for e in said}
        self.false += len(undecoded)
        if undecoded and not texts:
            self.notes.append(f'{trial}: {len(undecoded)} undecoded tracks')
        for text in texts:
            self.follow(trial, text, truth, said, reads)

    def follow(self, trial, text, truth, said, reads):
        """Notes the delay of the symbol after it came wholly into view."""
        views = {n: c for n, frame in enumerate(truth) for _, t, c in frame if t == text}
        first, is_steady = min(views), False
        if reads is not None:
            first = next((n for n in reads.get(text, []) if n in views), None)
            if first is None:
                self.unreadable += 1
                return
            is_steady = sum(n in reads[text] for n in range(first, first + STEADY_FRAMES)) >= STEADY_READS
        seen = [e['frame']['seq'] - 1 for e in said if e['type'] == 'update' and e['barcode']['raw'] == text]
        self.symbols += 1
        # The symbol may be read before it is wholly in view by the truth, or never if it leaves at once.
        after = [n for n in seen if n >= first]
        if not after and reads is not None and max(views) - first <= 5:
            return  # the symbol or the film has gone before it can be late
        self.steady += is_steady
        if is_steady and (not after or after[0] - first > 5):
            self.steady_late += 1
            self.notes.append(f'{trial}: {text} is late though single frames read it steadily')
        if not after:
            self.unread += 1
            if reads is not None:
                self.notes.append(f'{trial}: {text} never read, in view {min(views)} to {max(views)}, readable at {first}')
            return
        self.delays.append(after[0] - first)
        if after[0] - first > 5:
            self.notes.append(f'{trial}: {text} {after[0] - first} frames late, at {after[0]}')


def back_in_view(found, text):
    """The first frame with an update after the panel has passed, and the ids, in a film of the panel."""
    own = [e for e in found if e.get('barcode', {}).get('raw') == text]
    ids = {e['track']['id'] for e in own}
    after = [e['frame']['seq'] - 1 for e in own if e['type'] == 'update' and e['frame']['seq'] - 1 >= 121]
    hidden = [e for e in own if e['type'] == 'update' and 103 <= e['frame']['seq'] - 1 < 121]
    return (after[0] if after else None), len(ids), len(hidden)


def compare(trials, options):
    import barcode_peers
    workers = {barcode_peers.GLIMPSE: WORKER, barcode_peers.BEFORE: options.before}
    workers = {reader: worker for reader, worker in workers.items() if worker}
    print(barcode_peers.HEAD)
    for kind in options.kinds.split(','):
        comparison = barcode_peers.Comparison(workers)
        for trial in trials[kind](range(options.first, options.first + options.seeds)):
            comparison.add(trial, *film(trial), events, options.settings)
        print(comparison.table(kind), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--kinds', default='retail,scroll,entering,panel,texture')
    parser.add_argument('--seeds', type=int, default=2, help='number of seeds')
    parser.add_argument('--first', type=int, default=0, help='the first seed')
    parser.add_argument('--photographs', nargs='*', default=[])
    parser.add_argument('--films', nargs='*', default=[])
    parser.add_argument('--set', action='append', default=[], dest='settings')
    parser.add_argument('--notes', action='store_true', help='name the trials that went wrong')
    parser.add_argument('--single-frames', action='store_true',
                        help='count delays from the first frame in which a search of single frames reads the symbol')
    parser.add_argument('--peers', action='store_true')
    parser.add_argument('--before', help='a worker of an earlier version')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)
    sys.path.insert(0, HERE)
    import barcode_trial_films as films
    os.makedirs(SCRATCH, exist_ok=True)
    photographs = sorted(p for folder in options.photographs for p in glob.glob(os.path.join(folder, '*.*')))
    trials = {'retail': films.retail, 'logistic': films.logistic, 'shaken': films.shaken, 'scroll': films.scroll,
              'entering': films.entering, 'panel': films.panel, 'texture': lambda seeds: films.textures(seeds, photographs)}
    if options.peers:
        compare(trials, options)
        return
    print('| trials | films | seconds | read | films with a wrong value | lines | symbols | never read | late, mean | late, most | over 5 frames | of those steadily readable | not readable | undecoded tracks a minute |')
    print('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|')
    for kind in options.kinds.split(','):
        total = Total()
        for trial in trials[kind](range(options.first, options.first + options.seeds)):
            path, truth = film(trial)
            found = events(path, options.settings)
            total.add(trial.name, truth, found, readable(path) if options.single_frames else None)
            if kind == 'panel':
                total.notes.append(f'{trial.name}: back, ids, updates while hidden: {back_in_view(found, truth[0][0][1])}')
        if kind == 'texture':
            for path in options.films:
                found = events(path, options.settings)
                frames = max((e['frame']['seq'] for e in found), default=0) or 1
                total.add(path, [[]] * max(frames, 60), found)
        d = total.delays
        late = (f'{sum(d) / len(d):.1f} | {max(d)} | {sum(n > 5 for n in d)}' if d else '| |').replace('| |', ' | | ')
        print(f'| {kind} | {total.films} | {total.seconds:.0f} | {total.read} | {total.wrong_films} | {total.wrong_lines} | '
              f'{total.symbols} | {total.unread} | {late} | {total.steady_late} of {total.steady} | {total.unreadable} | {60 * total.false / total.seconds:.1f} |', flush=True)
        if options.notes:
            print('\n'.join('  ' + note for note in total.notes), flush=True)


if __name__ == '__main__':
    main()
