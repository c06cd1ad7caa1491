#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results and costs of each `barcode.effort` on the barcode corpus, beside zxing-cpp and zbar: Markdown tables.

  barcode_efforts.py CORPUS [--glimpsed .build/release/glimpsed] [--rounds 2] [--details]

CORPUS has a folder for each set of images, as for barcodes.py. Right pictures and other reads count as there, but for
add-ons of retail codes, which do not count. CPU of the peers is that of one call with their defaults for each decoded
picture. CPU of Glimpse is that of the process, less that of a process that decodes the pictures and reads nothing. The
readers take turns, and the least of the rounds counts. `--details` names the pictures that a peer reads and
`thorough` does not.

The script makes an environment for zxing-cpp on its first run. zbar is Debian's libzbar0.
"""
import argparse, os, resource, subprocess, time

import barcodes, environment, zbar

EFFORTS = ['adaptive', 'thorough', 'hard']
ZXING, ZBAR = 'zxing-cpp 3.1.1', 'zbar'
OURS, PEERS = ['`thorough`', '`hard`'], [ZXING, ZBAR]
RETAIL = ('ean', 'upc')


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


def spent_on(files, read):
    """Returns the CPU seconds of one call for each picture, and what the calls returned."""
    import numpy
    from PIL import Image
    spent, results = 0, []
    for file in files:
        image = numpy.asarray(Image.open(file).convert('L'))
        start = time.process_time()
        results.append(read(image))
        spent += time.process_time() - start
    return spent, results


def symbol_alone(picture):
    """The picture without the add-on (two or five digits) in its expected text."""
    if picture.folder.startswith(RETAIL) and picture.text and len(picture.text) in (15, 18):
        picture.text = picture.text[:13]
    return picture


def folders(pictures, results):
    """The table by folder. `results`: by reader, a (right, other reads) of each picture."""
    names = sorted({picture.folder for picture in pictures})
    retail = [name for name in names if name.startswith(RETAIL)]
    rows = [(name, {name}) for name in retail] + [('**retail**', set(retail))]
    rows += [(name, {name}) for name in names if name not in retail] + [('**all**', set(names))]
    readers = OURS + PEERS
    print('| folder | images | ' + ' | '.join(readers) + ' | either peer | of these not `thorough` | other reads: '
          + ', '.join(readers) + ' |')
    print('|---' * (len(readers) + 5) + '|')
    for name, group in rows:
        chosen = [i for i, picture in enumerate(pictures) if picture.folder in group]
        right = {reader: {i for i in chosen if results[reader][i][0]} for reader in readers}
        either = right[ZXING] | right[ZBAR]
        others = ' / '.join(str(sum(results[reader][i][1] for i in chosen)) for reader in readers)
        cells = [len(chosen), *(len(right[reader]) for reader in readers), len(either), len(either - right[OURS[0]]), others]
        print(f'| {name} | ' + ' | '.join(map(str, cells)) + ' |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('corpus')
    parser.add_argument('--glimpsed', default='.build/release/glimpsed')
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--details', action='store_true')
    options = parser.parse_args()
    environment.continue_in(barcodes.SCRATCH, barcodes.PACKAGES)

    import zxingcpp
    pictures = [symbol_alone(picture) for picture in barcodes.pictures(options.corpus)]
    files = []
    for number, picture in enumerate(pictures):
        files.append(os.path.join(barcodes.SCRATCH, f'{number}-effort.png'))
        barcodes.turned(picture, 0).save(files[-1], compress_level=1)

    scanner = zbar.Scanner()
    spent, reads = {}, {ZXING: list(barcodes.read_by_zxing(files))}
    for _ in range(options.rounds):
        times = {ZXING: spent_on(files, zxingcpp.read_barcodes)[0]}
        times[ZBAR], symbols = spent_on(files, scanner.read)
        reads[ZBAR] = [[barcodes.Read(format, {data.decode('utf-8', 'replace')}, data) for format, data in each] for each in symbols]
        nothing, _ = spent_by(options.glimpsed, files, '--face', '--set', 'face.enabled=false')
        for effort in EFFORTS:
            seconds, lines = spent_by(options.glimpsed, files, '--barcode', '--set', f'barcode.effort={effort}')
            times[f'`{effort}`'] = seconds - nothing
            reads[f'`{effort}`'] = list(barcodes.reads_of(lines))
        for reader, seconds in times.items():
            spent[reader] = min(seconds, spent.get(reader, seconds))
    for file in files:
        os.remove(file)

    results = {}
    for reader, each in reads.items():
        judged = [picture.judge(found) for picture, found in zip(pictures, each)]
        results[reader] = [(met, len(rest)) for met, rest in judged]
    print(f'| reader | right of {len(pictures)} | other reads | CPU ms a picture | CPU, ratio |\n|---|---|---|---|---|')
    for reader, seconds in spent.items():
        right, others = (sum(each) for each in zip(*results[reader]))
        print(f'| {reader} | {right} | {others} | {1000 * seconds / len(pictures):.1f} | {seconds / spent[ZXING]:.1f} |')
    print()
    folders(pictures, results)
    if options.details:
        for number, picture in enumerate(pictures):
            by = [reader for reader in results if results[reader][number][0]]
            if OURS[0] not in by and (set(by) & set(PEERS) or picture.folder.startswith(RETAIL)):
                print(picture.path, 'read by', by)


if __name__ == '__main__':
    main()
