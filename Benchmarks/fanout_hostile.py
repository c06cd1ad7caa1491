#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of hostile subscribers to honest ones.

    Benchmarks/fanout_hostile.py [--subscribers 10] [--rate 1000] [--seconds 8] [--bin DIR]

Ten honest subscribers read 1,000 lines a second while one hostile process after the other does its worst
(Benchmarks/fanout/hostile.c says what). Prints the honest ones' latency and losses, the server's CPU (share of one
processor) and memory, and how often the hostile one was turned away.
"""
import argparse, json, os, subprocess, tempfile, time
import fanout

KINDS = [('calm', 0), ('connects', 10000), ('flood', 1000), ('half', 1000), ('long', 1), ('binary', 1), ('deaf', 1), ('half-closed', 1000), ('calm', 0)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--subscribers', type=int, default=10)
    arguments.add_argument('--rate', type=int, default=1000)
    arguments.add_argument('--seconds', type=int, default=8)
    arguments.add_argument('--bin', default=f'{fanout.ROOT}/.build/release')
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix='fanout-bin-') as binaries:
        fanout.build(binaries)
        subprocess.check_call(['gcc', '-O2', '-D_GNU_SOURCE', '-o', f'{binaries}/hostile', f'{fanout.HERE}/fanout/hostile.c'])
        os.symlink(os.path.abspath(f'{options.bin}/glimpsed'), f'{binaries}/glimpsed')
        print('| hostile | connections | closed by the server | p50 us | p99 us | lines lost | server CPU % | server MiB, descriptors |\n|---|---|---|---|---|---|---|---|')
        with fanout.Run('glimpsed', binaries, options.rate, 1, (options.seconds + 4) * len(KINDS)) as run:
            run.start(options.subscribers)
            for kind, rate in KINDS:
                run.subscribe(options.subscribers, 'checked')
                run.publish()
                pid = run.process.pid
                before, start = fanout.cpu_seconds(pid), time.monotonic()
                if kind == 'calm':
                    time.sleep(options.seconds)
                    said = dict(connections=0, closed=0)
                else:
                    hostile = subprocess.Popen([f'{binaries}/hostile', kind, run.address, str(options.seconds), str(rate)],
                                               stdout=subprocess.PIPE, text=True)
                    time.sleep(options.seconds - 1)
                    said = None
                cpu = (fanout.cpu_seconds(pid) - before) / (time.monotonic() - start)
                memory, descriptors = fanout.resident_kib(pid) / 1024, len(os.listdir(f'/proc/{pid}/fd'))
                said = said or json.loads(hostile.communicate()[0])
                results = run.results()
                histogram = fanout.histogram_of(results)
                lost = sum(peer['last'] - peer['first'] + 1 - peer['lines'] for result in results for peer in result['peers'])
                print(f'| {kind} | {said["connections"]} | {said["closed"]} | {fanout.quantile(histogram, 0.5)} | {fanout.quantile(histogram, 0.99)} | '
                      f'{lost} | {cpu * 100:.0f} | {memory:.1f}, {descriptors} |', flush=True)


if __name__ == '__main__':
    main()
