#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results and costs of each `barcode.effort` on the barcode corpus, beside zxing-cpp: a Markdown table.

  barcode_efforts.py CORPUS [--glimpsed .build/release/glimpsed] [--rounds 2]

CORPUS has a folder for each set of images, as for barcodes.py. Right pictures and other reads count as there. CPU of
zxing-cpp is that of one call with its defaults for each decoded picture. CPU of Glimpse is that of the process, less
that of a process that decodes the pictures and reads nothing. The readers take turns, and the least of the rounds
counts. The script makes an environment for zxing-cpp on its first run.
"""
import argparse, os, resource, subprocess, time

import barcodes, environment

EFFORTS = ['adaptive', 'thorough', 'hard']


def spent_by(program, files, *arguments):
    """Returns the CPU seconds of `glimpsed detect` with these arguments, and its lines."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, 'detect', *arguments, '-']
    result = subprocess.run(command, input='\n'.join(files) + '\n', text=True, stdout=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = result.stdout.splitlines()
    if len(lines) != len(files):
        raise SystemExit(f'{program} answered for {len(lines)} of {len(files)} pictures, and ended with {result.returncode}')
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, lines


def spent_by_zxing(files):
    """Returns the CPU seconds of one call with zxing-cpp's defaults for each picture."""
    import numpy, zxingcpp
    from PIL import Image
    spent = 0
    for file in files:
        image = numpy.asarray(Image.open(file).convert('L'))
        start = time.process_time()
        zxingcpp.read_barcodes(image)
        spent += time.process_time() - start
    return spent


def score(pictures, reads):
    """Returns the number of right pictures and of other reads."""
    judged = [picture.judge(each) for picture, each in zip(pictures, reads)]
    return sum(met for met, _ in judged), sum(len(rest) for _, rest in judged)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--glimpsed', default='.build/release/glimpsed')
    parser.add_argument('--rounds', type=int, default=2)
    options = parser.parse_args()
    environment.continue_in(barcodes.SCRATCH, barcodes.PACKAGES)

    pictures = list(barcodes.pictures(options.corpus))
    files = []
    for number, picture in enumerate(pictures):
        files.append(os.path.join(barcodes.SCRATCH, f'{number}-effort.png'))
        barcodes.turned(picture, 0).save(files[-1], compress_level=1)

    spent, scores = {}, {'zxing-cpp 3.1.1': score(pictures, barcodes.read_by_zxing(files))}
    for _ in range(options.rounds):
        times = {'zxing-cpp 3.1.1': spent_by_zxing(files)}
        nothing, _ = spent_by(options.glimpsed, files, '--face', '--set', 'face.enabled=false')
        for effort in EFFORTS:
            seconds, lines = spent_by(options.glimpsed, files, '--barcode', '--set', f'barcode.effort={effort}')
            times[f'`{effort}`'] = seconds - nothing
            scores[f'`{effort}`'] = score(pictures, barcodes.reads_of(lines))
        for reader, seconds in times.items():
            spent[reader] = min(seconds, spent.get(reader, seconds))
    for file in files:
        os.remove(file)

    base = spent['zxing-cpp 3.1.1']
    print(f'| reader | right of {len(pictures)} | other reads | CPU ms a picture | CPU, ratio |\n|---|---|---|---|---|')
    for reader, seconds in spent.items():
        right, others = scores[reader]
        print(f'| {reader} | {right} | {others} | {1000 * seconds / len(pictures):.1f} | {seconds / base:.1f} |')


if __name__ == '__main__':
    main()
