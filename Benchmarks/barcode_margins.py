#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Margins of the soft decoder's right and wrong candidates, over pictures and films: a Markdown table.

  barcode_margins.py [CORPUS] [--kinds retail,shaken,texture] [--seeds N] [--first N] [--wrong 5]

CORPUS is that of barcodes.py, and each picture is looked at in four rotations. The films are those of
barcode_trials.py. barcode_margins.cpp prints the candidates, also of places that the reader would have read otherwise.
The script compiles it with the decoder's sources. A candidate whose value the picture or film does not have is wrong.
Run the script in the project's folder after `make build`.
"""
import argparse, collections, glob, os, subprocess, sys

import barcode_peers, barcode_trials, barcodes, environment

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(barcode_trials.SCRATCH, 'barcode_margins')
EDGES = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15]
FORMATS = {1 << 11: 'ean_8', 1 << 12: 'ean_13', 1 << 14: 'upc_e'}


def compile():
    library, error = 'Sources/Libraries/CZXing', 'Sources/Libraries/CErrorReport'
    sources = [os.path.join(HERE, 'barcode_margins.cpp'), *glob.glob(library + '/*.cpp'), *glob.glob(error + '/*.cpp')]
    subprocess.check_call(['c++', '-std=c++20', '-O2', '-w', '-DZX_USE_UTF8', '-I' + library, '-I' + library + '/include',
                           '-I' + error + '/include', '-isystem', '.deps/zxing/include', *sources, '.deps/zxing/lib/libZXing.a',
                           '-o', PROGRAM])


class Margins:
    """Margins by whether the evidence is of several frames and whether the value is right."""

    def __init__(self):
        self.of = collections.defaultdict(list)

    def add(self, name, size, texts, **more):
        output = subprocess.run([PROGRAM, *map(str, size)], stdout=subprocess.PIPE, check=True, **more).stdout.decode()
        for line in output.splitlines():
            kind, _, format, digits, margin = line.split()
            isRight = barcode_peers.key(FORMATS[int(format)], digits) in texts
            self.of[kind, isRight].append((float(margin), name + ' ' + digits))

    def add_pictures(self, corpus):
        for picture in barcodes.pictures(corpus):
            if picture.folder.startswith('multi'):
                continue
            isRetail = picture.folder.startswith(('ean', 'upc'))
            texts = {picture.text[:13] if len(picture.text) > 8 else picture.text} if isRetail else set()
            for degrees in barcodes.ROTATIONS:
                luma = barcodes.turned(picture, degrees).convert('L')
                self.add(picture.path, luma.size, texts, input=luma.tobytes())

    def add_film(self, trial, path, truth):
        texts = {barcode_peers.key(format, text) for frame in truth for format, text, _ in frame}
        film = subprocess.Popen(['ffmpeg', '-nostdin', '-loglevel', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
                                stdout=subprocess.PIPE)
        self.add(trial.name, trial.size, texts, stdin=film.stdout)
        film.wait()

    def table(self):
        kinds = [('picture', 'one picture or frame'), ('film', 'several frames')]
        print('| margin | ' + ' | '.join(f'{name}: {which}' for _, name in kinds for which in ('right', 'wrong')) + ' |\n' + '|---' * 5 + '|')
        for low, high in zip(EDGES, EDGES[1:] + [float('inf')]):
            cells = [sum(low <= margin < high for margin, _ in self.of[kind, isRight]) for kind, _ in kinds for isRight in (True, False)]
            print(f'| {low} to {high} | '.replace(' to inf', ' and more') + ' | '.join(map(str, cells)) + ' |')
        greatest = [max(self.of[kind, False], default=(0, ''))[0] for kind, _ in kinds]
        print(f'| greatest | | {greatest[0]:.1f} | | {greatest[1]:.1f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus', nargs='?')
    parser.add_argument('--kinds', default='retail,shaken,texture')
    parser.add_argument('--seeds', type=int, default=1)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--wrong', type=float, default=5, help='name wrong candidates of at least this margin')
    options = parser.parse_args()
    environment.continue_in(barcode_trials.SCRATCH, barcode_trials.PACKAGES)
    import barcode_trial_films as films
    compile()
    margins = Margins()
    if options.corpus:
        margins.add_pictures(options.corpus)
    trials = {'retail': films.retail, 'shaken': films.shaken, 'texture': films.textures}
    for kind in options.kinds.split(',') if options.seeds else ():
        for trial in trials[kind](range(options.first, options.first + options.seeds)):
            margins.add_film(trial, *barcode_trials.film(trial))
    margins.table()
    for kind in ('picture', 'film'):
        for margin, name in sorted(margins.of[kind, False]):
            if margin >= options.wrong:
                print(kind, margin, name, file=sys.stderr)


if __name__ == '__main__':
    main()
