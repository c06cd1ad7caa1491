#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes scripts/link-order.txt: the functions that the daemon runs for events, those with most instructions first.

    Benchmarks/link_order.py [--bin .build/release]

scripts/share.py gives the list to the linker, which puts these functions beside each other. Needs gcc, valgrind and the
release build. It counts instructions in three cells of the fan-out table, and takes a minute. Functions that
the list does not know stay where they were, so the list may be older than the code.
"""
import argparse, collections, os, re, subprocess, tempfile, time

import fanout

CELLS = (1, 1), (1, 10), (10, 10)


def profile(folder, subscribers, burst):
    """The instructions of each function of the programs in `folder`, as a share of all."""
    with fanout.Run('glimpsed', folder, 20 * burst, burst, 12) as run:
        run.start(subscribers, seconds=120, is_full=True)
        run.subscribe(subscribers)
        run.publish()
        time.sleep(4)
        for options in (['-i', 'on'], ['-i', 'off'], ['-d', 'events']):
            subprocess.check_call(['callgrind_control', *options, str(run.process.pid)], stdout=subprocess.DEVNULL)
            time.sleep(6 if 'on' in options else 1)
        with open(f'{folder}/profile.{run.process.pid}.1') as file:
            counts = instructions(file)
    total = sum(counts.values())
    return {name: count / total for (name, program), count in counts.items() if program.startswith(folder)}


def instructions(lines):
    """Reads a file of callgrind (its manual, "Callgrind Format Specification"): the own instructions of functions."""
    names, counts, of = {'fn': {}, 'ob': {}}, collections.Counter(), {}
    for line in lines:
        if match := re.match(r'(c?)(fn|ob)=\((\d+)\)(?: (.*))?', line):
            is_callee, kind, number, name = match.groups()
            if name:
                names[kind][number] = name
            if not is_callee:
                of[kind] = names[kind][number]
        elif line.startswith('calls='):
            next(lines)  # That line is of the callee.
        elif line[0] in '+-*0123456789' and 'fn' in of:
            # A recursion has an apostrophe and its depth behind the name.
            counts[of['fn'].split("'")[0], of['ob']] += int(line.split()[1])
    return counts


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--bin', default=f'{fanout.ROOT}/.build/release', help='folder with glimpsed')
    source = arguments.parse_args().bin
    shares = collections.Counter()
    with tempfile.TemporaryDirectory(prefix='link-order-') as folder:
        fanout.build(folder)
        for name, copy in (('glimpsed', 'stripped'), ('libglimpsed.so', 'libglimpsed.so')):
            subprocess.check_call(['strip', '-g', '-o', f'{folder}/{copy}', f'{source}/{name}'])
        with open(f'{folder}/glimpsed', 'w') as file:
            file.write('#!/bin/sh\nexec valgrind -q --tool=callgrind --demangle=no --instr-atstart=no '
                       f'--callgrind-out-file={folder}/profile.%p {folder}/stripped "$@"\n')
        os.chmod(f'{folder}/glimpsed', 0o755)
        for cell in CELLS:
            shares.update(profile(folder, *cell))
    with open(f'{fanout.ROOT}/scripts/link-order.txt', 'w') as file:
        file.writelines(name + '\n' for name, _ in sorted(shares.items(), key=lambda item: (-item[1], item[0])))
    print(f'{len(shares)} functions')


if __name__ == '__main__':
    main()
