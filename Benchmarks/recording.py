#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the processor time of the journal on disk and of a tape: with and without, in turns of one run.

    Benchmarks/recording.py [--rounds 5] [--seconds 6] [--frames 3000] [--bin DIR]

Journal: the daemon alone, a scripted worker's updates of 300 bytes and one subscriber; with retention.events its
writer's thread is in it. Tape: the whole of glimpsed-worker on the built-in scene with its barcode reader, in the
foreground; an event is a line.
"""
import argparse, os, resource, shutil, statistics, subprocess, tempfile, time

from fanout import ROOT, Run, build, cpu_seconds


def journal(binaries, events, burst, seconds):
    """Processor seconds of the daemon for a million events."""
    with Run('glimpsed', binaries, 1000, burst, seconds) as run:
        run.start(1, events)
        run.subscribe(1)
        # The cost of the start does not count.
        time.sleep(1)
        before = cpu_seconds(run.process.pid)
        run.publish()
        time.sleep(seconds + 1.5)
        used = cpu_seconds(run.process.pid) - before
        (result,) = run.results()
        return used / result['deliveries'] * 1e6


def tape(binaries, folder, frames, record):
    """Processor seconds of a run for a million lines, and the bytes of a line on the tape."""
    file, path = f'{folder}/scene.toml', f'{folder}/scene.tape'
    with open(file, 'w') as text:
        text.write(f'[source]\nkind = "test"\nframes = {frames}\nwidth = 320\nheight = 240\n[barcode]\neffort = "fast"\n')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [f'{binaries}/glimpsed-worker', 'pipeline', file] + (['--record', path] if record else [])
    lines = subprocess.run(command, check=True, capture_output=True).stdout.count(b'\n')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return used / lines * 1e6, os.path.getsize(path) / lines if record else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=6)
    parser.add_argument('--frames', type=int, default=3000)
    parser.add_argument('--bin', default=f'{ROOT}/.build/release')
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='recording-')
    try:
        binaries = f'{folder}/bin'
        os.makedirs(binaries)
        build(binaries)
        for name in ('glimpsed', 'glimpsed-worker'):
            os.symlink(f'{os.path.abspath(arguments.bin)}/{name}', f'{binaries}/{name}')
        print('| kept on | without | with | ratio |\n|---|---|---|---|')
        for burst, words in ((1, 'one at a time'), (10, 'in tens')):
            plain, kept = [], []
            for _ in range(arguments.rounds):
                plain.append(journal(binaries, '', burst, arguments.seconds))
                kept.append(journal(binaries, '[retention]\nevents = ["7d", "64MiB"]', burst, arguments.seconds))
            row(f'journal, 1,000 a second, {words}', plain, kept)
        plain, kept = [], []
        for _ in range(arguments.rounds):
            plain.append(tape(binaries, folder, arguments.frames, False)[0])
            seconds, size = tape(binaries, folder, arguments.frames, True)
            kept.append(seconds)
        row(f'tape, {size:.0f} bytes an event', plain, kept)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def row(words, plain, kept):
    """Medians, and the median of the rounds' own ratios."""
    ratio = statistics.median(b / a for a, b in zip(plain, kept))
    print(f'| {words} | {statistics.median(plain):.2f} | {statistics.median(kept):.2f} | {ratio:.2f} |', flush=True)


if __name__ == '__main__':
    main()
