# SPDX-License-Identifier: Apache-2.0
"""Glimpse beside zxing-cpp and zbar on the trials' films: what `barcode_trials.py --peers` prints.

The peers read each frame for itself with their defaults, and their CPU is that of the calls alone. CPU of Glimpse is
that of the process, less that of a process that decodes the film and reads next to nothing.

Films are in three classes: the better peer reads the symbols in at least one of twenty frames, in fewer, or in none.
"""
import re, resource, subprocess, time

import barcodes

GLIMPSE, BEFORE, ZXING, ZBAR = READERS = 'Glimpse', 'Glimpse before', 'zxing-cpp', 'zbar'
CLASSES = ['at least 1 of 20', 'fewer', 'none']
RATE = 30


def key(format, text):
    """A symbol's text, of retail codes the number that it stands for."""
    if format not in barcodes.RETAIL:
        return barcodes.plain(text)
    number = (barcodes.expanded(text) or [text])[0] if format == 'upc_e' else text
    return number if len(number) == 8 else number.rjust(13, '0')


class Reads:
    """The reads of one reader in one film: (frame, key), and the CPU seconds."""

    def __init__(self):
        self.frames, self.cpu = set(), 0.0

    def add(self, frame, format, text):
        self.frames.add((frame, key(format, text)))


def by_peers(path, size):
    import numpy, zxingcpp, zbar
    width, height = size
    film = subprocess.Popen(['ffmpeg', '-nostdin', '-loglevel', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
                            stdout=subprocess.PIPE)
    reads, scanner, number = {ZXING: Reads(), ZBAR: Reads()}, zbar.Scanner(), 0
    while len(data := film.stdout.read(width * height)) == width * height:
        luma = numpy.frombuffer(data, numpy.uint8).reshape(height, width)
        for reader, read in ((ZXING, zxingcpp.read_barcodes), (ZBAR, scanner.read)):
            start = time.process_time()
            found = read(luma)
            reads[reader].cpu += time.process_time() - start
            for symbol in found:
                if reader == ZXING:
                    reads[ZXING].add(number, re.sub('[^a-z0-9]', '_', str(symbol.format).lower()), symbol.text)
                else:
                    reads[ZBAR].add(number, symbol[0], symbol[1].decode('utf-8', 'replace'))
        number += 1
    film.wait()
    return reads


def by_glimpse(path, workers, events, settings):
    def spent(worker, *more):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = events(path, [*settings, *more], worker)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, found
    idle, _ = spent(workers[GLIMPSE], 'barcode.max_rate=0.001')
    result = {}
    for reader, worker in workers.items():
        reads = result[reader] = Reads()
        reads.cpu, found = spent(worker)
        reads.cpu -= idle
        for event in found:
            if event['type'] in ('detected', 'update') and 'raw' in event.get('barcode', {}):
                reads.add(event['frame']['seq'] - 1, event['barcode']['format'], event['barcode']['raw'])
    return result


class Sum:
    """One reader's results on the films of one class."""

    def __init__(self):
        self.first, self.seen, self.wrong, self.wrong_films, self.cpu = [], 0, 0, 0, 0.0


class Comparison:
    """`workers`: those of Glimpse by reader."""

    def __init__(self, workers):
        self.workers = workers
        self.readers = [reader for reader in READERS if reader in (*workers, ZXING, ZBAR)]
        self.films, self.frames, self.visible = ({name: 0 for name in CLASSES} for _ in range(3))
        self.sums = {(name, reader): Sum() for name in CLASSES for reader in self.readers}
        self.symbols = {name: 0 for name in CLASSES}

    def add(self, trial, path, truth, events, settings):
        reads = by_glimpse(path, self.workers, events, settings) | by_peers(path, trial.size)
        views = {}
        for number, frame in enumerate(truth):
            for format, text, _ in frame:
                views.setdefault(key(format, text), []).append(number)
        visible = sum(map(len, views.values()))
        right = {reader: {text: sorted(n for n in numbers if (n, text) in reads[reader].frames) for text, numbers in views.items()}
                 for reader in self.readers}
        share = max(sum(map(len, right[peer].values())) / max(1, visible) for peer in (ZXING, ZBAR))
        name = CLASSES[0 if share >= 0.05 else 1 if share else 2]
        self.films[name] += 1
        self.frames[name] += len(truth)
        self.visible[name] += visible
        self.symbols[name] += len(views)
        for reader in self.readers:
            total = self.sums[name, reader]
            total.cpu += reads[reader].cpu
            wrong = sum(text not in views for _, text in reads[reader].frames)
            total.wrong += wrong
            total.wrong_films += wrong > 0
            for text, numbers in views.items():
                total.seen += len(right[reader][text])
                if right[reader][text]:
                    total.first.append((right[reader][text][0] - numbers[0]) / RATE)

    def table(self, kind):
        lines = []
        for name in CLASSES:
            for reader in self.readers if self.films[name] else ():
                total, first = self.sums[name, reader], sorted(self.sums[name, reader].first)
                within = sum(seconds <= 1 for seconds in first)
                middle = f'{first[len(first) // 2]:.2f}' if first else ''
                share = 100 * total.seen / max(1, self.visible[name])
                lines.append(f'| {kind} | {name} | {self.films[name]} | {reader} | {len(first)} of {self.symbols[name]} | {within} | {middle} | '
                             f'{share:.1f} | {total.wrong_films} / {total.wrong} | {1000 * total.cpu / self.frames[name]:.2f} | '
                             f'{total.cpu / self.sums[name, ZXING].cpu:.2f} |')
        return '\n'.join(lines)


HEAD = ('| films | single frames read by the better peer | films | reader | symbols read | within 1 s | first read, s, median | frames % '
        '| films with a wrong value / frames | CPU ms a frame | CPU, ratio |\n' + '|---' * 11 + '|')
