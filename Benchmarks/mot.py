#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Glimpse's tracker beside its peers on MOTChallenge detections: a Markdown table.

  mot.py CORPUS --scorer mot_eval.py [--strides 1,2,5] [--sequences] [--no-peers]

CORPUS has a folder for each sequence with det.txt, gt.txt and seqinfo.ini. Each tracker processes the second half of
each sequence, with every frame, every second and every fifth, and is scored on this half. The peers are those of the
PyPI package `trackers` with the package's defaults and the actual frame rate. The script makes an environment for the
peers on its first run. Run it in the project's folder.
"""
import argparse, configparser, glob, json, os, subprocess, sys

import environment

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'mot')
PACKAGES = ['trackers==2.6.1', 'numpy', 'scipy']
PEERS = ['SORT', 'ByteTrack', 'OC-SORT', 'C-BIoU', 'BoT-SORT without pixels']
METRICS = ['HOTA', 'DetA', 'AssA', 'MOTA', 'IDF1', 'FP', 'FN', 'IDSW', 'Frag', 'MT', 'ML', 'res_ids']


class Sequence:
    def __init__(self, folder):
        self.folder, self.name = folder, os.path.basename(folder)
        info = configparser.ConfigParser()
        info.read(self.path('seqinfo.ini'))
        self.rate = float(info['Sequence']['frameRate'])
        self.length = int(info['Sequence']['seqLength'])
        self.width, self.height = int(info['Sequence']['imWidth']), int(info['Sequence']['imHeight'])
        self.first = self.length // 2 + 2  # the scorer's second half

    def path(self, name):
        return os.path.join(self.folder, name)

    def detections(self):
        frames = {}
        with open(self.path('det.txt')) as lines:
            for line in lines:
                values = [float(v) for v in line.split(',')[:7]]
                frames.setdefault(int(values[0]), []).append(values[2:7])
        return frames


def sequences(corpus):
    return [Sequence(os.path.join(corpus, name)) for name in sorted(os.listdir(corpus))
            if os.path.exists(os.path.join(corpus, name, 'det.txt'))]


def build():
    # SwiftPM 6.3 does not recompile a program after a change of a module that it imports only through a re-export
    # (Tracking through Glimpse). The program then reads values by their old layout, and its results are wrong. A
    # touched source forces the compilation.
    for source in glob.glob(os.path.join(HERE, 'Sources', 'glimpse-bench', '*.swift')):
        os.utime(source)
    subprocess.check_call(['swift', 'build', '-c', 'release', '--package-path', HERE, '--product', 'glimpse-bench'],
                          stdout=sys.stderr)


def run_glimpse(sequence, stride, preset, out):
    binary = os.path.join(HERE, '.build', 'release', 'glimpse-bench')
    subprocess.check_call([
        binary, 'mot', '--det', sequence.path('det.txt'), '--seqinfo', sequence.path('seqinfo.ini'), '--first',
        str(sequence.first), '--stride', str(stride), '--preset', preset, '--out', out])


def run_peer(name, sequence, stride, out):
    import numpy as np
    import supervision as sv
    import trackers
    classes = dict(zip(PEERS, ['SORTTracker', 'ByteTrackTracker', 'OCSORTTracker', 'CBIoUTracker', 'BoTSORTTracker']))
    options = {'enable_cmc': False} if name.startswith('BoT') else {}
    tracker = getattr(trackers, classes[name])(frame_rate=sequence.rate / stride, **options)
    frames = sequence.detections()
    with open(out, 'w') as result:
        for frame in range(sequence.first, sequence.length + 1, stride):
            rows = np.array(frames.get(frame, []), dtype=float).reshape(-1, 5)
            rows = rows[rows[:, 4] >= 0.1]  # what Glimpse ignores too
            boxes = np.concatenate([rows[:, :2], rows[:, :2] + rows[:, 2:4]], axis=1)
            tracked = tracker.update(sv.Detections(xyxy=boxes, confidence=rows[:, 4]))
            for box, number in zip(tracked.xyxy, tracked.tracker_id):
                if number >= 0:
                    x, y, right, bottom = box
                    result.write(f'{frame},{number},{x:.2f},{y:.2f},{right - x:.2f},{bottom - y:.2f},1,-1,-1,-1\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--strides', default='1,2,5')
    parser.add_argument('--sequences', action='store_true', help='also a row for each sequence')
    parser.add_argument('--no-peers', action='store_true')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, PACKAGES)
    build()
    names = ['Glimpse `object`', 'Glimpse `erratic`'] + ([] if options.no_peers else PEERS)
    print('| every | tracker | ' + ' | '.join(METRICS[:-1]) + ' | ids |')
    print('|---|---|' + '---|' * len(METRICS))
    for stride in map(int, options.strides.split(',')):
        for name in names:
            scores = []
            for sequence in sequences(options.corpus):
                out = os.path.join(SCRATCH, f'{sequence.name}-{stride}.txt')
                if name.startswith('Glimpse'):
                    run_glimpse(sequence, stride, name.split('`')[1], out)
                else:
                    run_peer(name, sequence, stride, out)
                score = json.loads(subprocess.check_output([
                    sys.executable, options.scorer, '--gt', sequence.path('gt.txt'), '--res', out, '--half', 'val',
                    '--stride', str(stride), '--json']))
                scores.append(score)
                if options.sequences:
                    print(row(stride, f'{name}, {sequence.name}', [score]))
            print(row(stride, name, scores), flush=True)


def row(stride, name, scores):
    """Means of the rates, sums of the counts."""
    def cell(metric):
        values = [score[metric] for score in scores]
        return f'{sum(values) / len(values):.2f}' if isinstance(values[0], float) else str(sum(values))
    return f'| {stride} | {name} | ' + ' | '.join(map(cell, METRICS)) + ' |'


if __name__ == '__main__':
    main()
