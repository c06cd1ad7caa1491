#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether place, size and time tell which ended track a new one is again: a Markdown table.

  reentry.py CORPUS --scorer mot_eval.py [--strides 1,2,5]

CORPUS is that of mot.py, and Glimpse's `object` tracks it in the same way, from each sequence's first frame on. Each
new track claims at most one track that ended within 10 s, and each ended track is claimed at most once. The claims have
the greatest sum of scores. The score is `time * place * border * size`, 0 to 1 (see `score`). It is right if
ground truth has one person in the last five boxes of the old track and the first five of the new. Claims with a
track that ground truth lacks are not judged. Run it in the project's folder.
"""
import argparse, collections, math, os, sys

import environment, mot

SCRATCH = os.path.join(mot.HERE, '.build', 'reentry')
REENTRY = 10.0
FLOORS = [0.3, 0.5, 0.7, 0.8, 0.85, 0.9]


class Track:
    """Boxes by time; the first and the last person that ground truth has there."""
    def __init__(self, rows, rate):
        self.begin, self.end = rows[0][0] / rate, rows[-1][0] / rate
        self.first, self.last = rows[0][1:5], rows[-1][1:5]
        self.person = [mostly(row[5] for row in part) for part in (rows[:5], rows[-5:])]
        before = [row for row in rows if self.end - 0.3 <= row[0] / rate < self.end]
        self.velocity = (0.0, 0.0)
        if before:
            (x, y), (u, v), seconds = center(before[0][1:5]), center(self.last), self.end - before[0][0] / rate
            self.velocity = ((u - x) / seconds, (v - y) / seconds)


def mostly(people):
    common = collections.Counter(person for person in people if person is not None).most_common(1)
    return common[0][0] if common else None


def center(box):
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def size(box):
    return math.sqrt(box[2] * box[3])


def score(old, new, width, height):
    """The product of four values from 0 to 1.

    - `time` falls from 1 to a half at 10 s.
    - `place` falls with the distance, in sizes, from the path of the old track. It falls slower after a longer absence.
    - `border` is 0.7 if only one of the two was at the picture's border.
    - `size` is the smaller size over the larger.
    """
    gap = new.begin - old.end
    x, y = center(old.last)
    u, v = min(max(x + old.velocity[0], 0), width) - x, min(max(y + old.velocity[1], 0), height) - y
    a, b = center(new.first)
    length = u * u + v * v
    along = min(max(((a - x) * u + (b - y) * v) / length, 0), 1) if length else 0
    distance = math.hypot(a - x - along * u, b - y - along * v) / (size(old.last) * (1 + gap))

    def is_at_border(box):
        margin = size(box) / 4
        return (box[0] < margin or box[1] < margin or box[0] + box[2] > width - margin
                or box[1] + box[3] > height - margin)
    border = 1 if is_at_border(old.last) == is_at_border(new.first) else 0.7
    sizes = sorted([size(old.last), size(new.first)])
    return (1 - gap / (2 * REENTRY)) * math.exp(-distance * distance) * border * sizes[0] / sizes[1]


def tracks(result, sequence, scorer):
    import numpy as np
    from scipy.optimize import linear_sum_assignment
    people, boxes = collections.defaultdict(list), collections.defaultdict(list)
    with open(sequence.path('gt.txt')) as lines:
        for values in ([float(v) for v in line.split(',')] for line in lines):
            # Pedestrians, people on vehicles, people who stand still.
            if int(values[7]) in (1, 2, 7):
                people[int(values[0])].append(values[1:6])
    with open(result) as lines:
        for values in ([float(v) for v in line.split(',')[:6]] for line in lines):
            boxes[int(values[0])].append(values[1:6])
    rows = collections.defaultdict(list)
    for frame in sorted(boxes):
        seen, known = np.array(boxes[frame]), np.array(people[frame]).reshape(-1, 5)
        overlap = scorer.iou_matrix(known[:, 1:], seen[:, 1:])
        person = {column: int(known[row, 0]) for row, column in zip(*linear_sum_assignment(-overlap))
                  if overlap[row, column] >= 0.5}
        for column, (number, *box) in enumerate(boxes[frame]):
            rows[number].append((frame, *box, person.get(column)))
    return sorted((Track(track, sequence.rate) for track in rows.values()), key=lambda track: track.begin)


def claims(all_tracks, width, height):
    """The score of each claim, and whether the claim is right."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment
    claimed, found = set(), []
    for begin in sorted({track.begin for track in all_tracks}):
        new = [track for track in all_tracks if track.begin == begin]
        # A track ends when it was not seen for a second.
        old = [track for track in all_tracks if 1 < begin - track.end <= REENTRY and id(track) not in claimed]
        scores = np.array([[score(one, other, width, height) for one in old] for other in new]).reshape(len(new), -1)
        for row, column in zip(*linear_sum_assignment(-np.where(scores >= FLOORS[0], scores, 0))):
            if scores[row, column] < FLOORS[0]:
                continue
            claimed.add(id(old[column]))
            left, came = old[column].person[1], new[row].person[0]
            if left is not None and came is not None:
                found.append((scores[row, column], left == came))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--scorer', required=True)
    parser.add_argument('--strides', default='1,2,5')
    options = parser.parse_args()
    environment.continue_in(SCRATCH, ['numpy', 'scipy'])
    sys.path.insert(0, os.path.dirname(os.path.abspath(options.scorer)))
    scorer = __import__(os.path.splitext(os.path.basename(options.scorer))[0])
    mot.build()
    print('| every | ' + ' | '.join(f'score from {floor}' for floor in FLOORS) + ' |')
    print('|---|' + '---|' * len(FLOORS))
    for stride in map(int, options.strides.split(',')):
        found = []
        for sequence in mot.sequences(options.corpus):
            sequence.first = 1
            out = os.path.join(SCRATCH, f'{sequence.name}-{stride}.txt')
            mot.run_glimpse(sequence, stride, 'object', out)
            found += claims(tracks(out, sequence, scorer), sequence.width, sequence.height)
        cells = [[right for score, right in found if score >= floor] for floor in FLOORS]
        print(f'| {stride} | ' + ' | '.join(f'{sum(cell)} of {len(cell)}' for cell in cells) + ' |', flush=True)


if __name__ == '__main__':
    main()
