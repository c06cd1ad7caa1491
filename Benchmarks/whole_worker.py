#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU a frame of a whole worker, start and decoding included, on a clip with a face and three codes: a Markdown table.

  whole_worker.py [--clip CLIP.mp4] [--runs 9] [--worker .build/release/glimpsed-worker] [--before WORKER]

Run it in the project's folder after `make build`. Without --clip it makes one of 300 frames of 1280x720 (needs ffmpeg).
The settings take turns, so that other load of the machine affects all of them alike. CPU is user and system time of
the process. With --before, an older worker takes turns with the new one, and a second table compares the two.
"""
import argparse, json, os, subprocess
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
SCRATCH = os.path.join(HERE, '.build', 'whole-worker')
CODES = [('qr_code', 'https://glimpse.example/demo'), ('ean_13', '4006381333931'), ('data_matrix', 'GLIMPSE-DEMO-0042')]
ROWS = {
    'decoding alone': ['barcode.enabled=true', 'barcode.max_rate=0.001'],
    'face': ['face.enabled=true'],
    'barcode': ['barcode.enabled=true'],
    'face and barcode': ['face.enabled=true', 'barcode.enabled=true'],
}


def make_clip(worker):
    clip = os.path.join(SCRATCH, 'clip.mp4')
    if not os.path.exists(clip):
        os.makedirs(SCRATCH, exist_ok=True)
        pictures = [os.path.join(SCRATCH, form + '.pgm') for form, _ in CODES]
        for (form, text), picture in zip(CODES, pictures):
            subprocess.check_call([worker, 'symbol', form, text, '--output', picture])
        subprocess.check_call(['scripts/make-clip.sh', clip, '.deps/share/glimpsed/demo/astronaut.png', *pictures])
    return clip


def run(worker, clip, settings):
    """Returns CPU seconds, the number of frames, the updates of faces and of barcodes, and the peak memory in KiB."""
    command = [worker, 'pipeline', os.path.join(HERE, 'empty.toml'), '--source', clip]
    for setting in settings:
        command += ['--set', setting]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    events = [json.loads(line) for line in output.splitlines()]
    updates = [event for event in events if event['type'] == 'update']
    return (usage.ru_utime + usage.ru_stime,
            max(event.get('frame', {}).get('seq', 0) for event in events),
            sum('face' in event for event in updates), sum('barcode' in event for event in updates),
            usage.ru_maxrss)


def compare(before, now, frames):
    """Prints the older worker beside the new one. The ratio is the median over the rounds."""
    print('\n| detectors | CPU ms a frame, before | now | ratio | peak MiB, before | now |\n|---|---|---|---|---|---|')
    for name in ROWS:
        old, new = ([1000 * row[0] / frames for row in rows[name]] for rows in (before, now))
        memory = [median(row[4] for row in rows[name]) / 1024 for rows in (before, now)]
        ratio = median(b / a for a, b in zip(old, new))
        print(f'| {name} | {median(old):.2f} | {median(new):.2f} | {ratio:.2f} | {memory[0]:.0f} | {memory[1]:.0f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--clip')
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--worker', default='.build/release/glimpsed-worker')
    parser.add_argument('--before', metavar='WORKER', help='an older worker to compare with')
    options = parser.parse_args()
    clip = options.clip or make_clip(options.worker)
    results = {name: [] for name in ROWS}
    older = {name: [] for name in ROWS}
    for _ in range(options.runs):
        for name, settings in ROWS.items():
            if options.before:
                older[name].append(run(options.before, clip, settings))
            results[name].append(run(options.worker, clip, settings))
    frames = max(result[1] for rows in results.values() for result in rows)
    print(f'{frames} frames, {options.runs} runs\n')
    print('| detectors | CPU ms a frame, least | median | most | updates of faces | of barcodes |\n|---|---|---|---|---|---|')
    for name, rows in results.items():
        costs = sorted(1000 * row[0] / frames for row in rows)
        print(f'| {name} | {costs[0]:.2f} | {costs[len(costs) // 2]:.2f} | {costs[-1]:.2f} | {rows[0][2]} | {rows[0][3]} |')
    if options.before:
        compare(older, results, frames)


if __name__ == '__main__':
    main()
