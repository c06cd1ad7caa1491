#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of subscribers that stop reading to other subscribers, and the lines that they receive afterwards.

    Benchmarks/fanout_stall.py [--subscribers 1000] [--stopped 100] [--rate 100] [--stall 30] [--journal-events 65536]
        [--write docs/performance/delivery.md] [--bin DIR]

All subscribers read one track's updates. After a calm of `--stall` seconds, `--stopped` of the processes are stopped
(SIGSTOP) for `--stall` seconds and then continued, at the lowest priority. Prints the other subscribers' latency in the
three phases and the server's memory. Also prints whether a `coalesced` or a `gap` accounts for every sequence number
that the stopped subscribers missed. `--journal-events` makes the journal too short for them. Exits with 1 if a number
is missing, or if a stopped subscriber costs the server 1 MiB.
"""
import argparse, os, signal, subprocess, sys, tempfile, time
import fanout


def phase(name, run, processes, binaries, seconds):
    """Starts fresh readers, so that each phase has its own latencies. Returns the row and the server's memory in MiB.
    """
    command = [f'{binaries}/reader', 'glimpsed', run.address]
    readers = [subprocess.Popen([*command, '10'], stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    for reader in readers:
        reader.stdout.readline()
    time.sleep(0.5)
    before = fanout.cpu_seconds(run.process.pid)
    time.sleep(seconds)
    cpu = fanout.cpu_seconds(run.process.pid) - before
    memory = fanout.resident_kib(run.process.pid) / 1024
    current, run.readers = run.readers, readers
    histogram = fanout.histogram_of(run.results())
    run.readers = current
    deliveries = sum(histogram.values())
    return f'| {name} | {fanout.quantile(histogram, 0.5)} | {fanout.quantile(histogram, 0.99)} | {cpu / deliveries * 1e6:.2f} | {memory:.1f} |', memory


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--subscribers', type=int, default=1000)
    arguments.add_argument('--stopped', type=int, default=100)
    arguments.add_argument('--rate', type=int, default=100)
    arguments.add_argument('--stall', type=int, default=30)
    arguments.add_argument('--journal-events', type=int, default=65536)
    arguments.add_argument('--bin', default=f'{fanout.ROOT}/.build/release')
    arguments.add_argument('--write', metavar='FILE', help='put the table between the marks of "fanout stall" of this file')
    options = arguments.parse_args()
    lines = []

    def tell(line):
        print(line, flush=True)
        lines.append(line + '\n')

    with tempfile.TemporaryDirectory(prefix='fanout-bin-') as binaries:
        fanout.build(binaries)
        os.symlink(os.path.abspath(f'{options.bin}/glimpsed'), f'{binaries}/glimpsed')
        with fanout.Run('glimpsed', binaries, options.rate, 1, 3 * options.stall + 20) as run:
            run.start(options.subscribers, f'journal_events = {options.journal_events}')
            run.subscribe(options.stopped, 'checked')
            stopped, others = run.readers, (options.subscribers - options.stopped) // 10
            run.publish()
            tell('| phase | p50 us | p99 us | CPU s per million deliveries | server MiB |\n|---|---|---|---|---|')
            row, calm = phase('calm', run, others, binaries, options.stall)
            tell(row)
            for reader in stopped:
                reader.send_signal(signal.SIGSTOP)
            row, memory = phase(f'{options.stopped} stopped', run, others, binaries, options.stall)
            tell(row)
            for reader in stopped:
                # A hundred processes must not compete with the others for the processors: the latency is to be the
                # server's alone.
                os.setpriority(os.PRIO_PROCESS, reader.pid, 19)
                reader.send_signal(signal.SIGCONT)
            tell(phase('they go on', run, others, binaries, options.stall)[0])
            # The server releases freed memory once every ten seconds.
            time.sleep(12)
            tell(f'| at the end | | | | {fanout.resident_kib(run.process.pid) / 1024:.1f} |')
            peers = [peer for result in run.results() for peer in result['peers']]
        missing = [peer['last'] - peer['first'] + 1 - peer['lines'] - peer['coalesced'] - peer['lost'] for peer in peers]
        tell(f'\n{len(peers)} stopped: {sum(peer["lines"] for peer in peers)} lines, {sum(peer["coalesced"] for peer in peers)} updates coalesced, '
             f'{sum(peer["lost"] for peer in peers)} in gaps, {sum(map(abs, missing))} unaccounted for, '
             f'{sum(peer["faults"] for peer in peers)} out of order; {(memory - calm) / options.stopped * 1024:.0f} KiB for each. {fanout.machine()}.')
    if options.write:
        fanout.write_block(options.write, 'fanout stall', ''.join(lines))
    sys.exit(1 if any(missing) or any(peer['faults'] for peer in peers) or memory - calm >= options.stopped else 0)


if __name__ == '__main__':
    main()
