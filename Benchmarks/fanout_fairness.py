#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of one user's flood of connections to another user: a Markdown table.

    Benchmarks/fanout_fairness.py [--seconds 8] [--bin DIR]

Run it as root: the flood comes from the user `nobody`, and the requests from `daemon`, who connects 50 times a second
(Benchmarks/fanout/asker.c). It has a high priority, so that its own waiting for a processor does not count. Prints the
time from `connect` to the greeting and from a `ping` to its answer, in milliseconds.
"""
import argparse, json, os, pwd, subprocess, tempfile
import fanout

KINDS = [('calm', 0), ('connects', 10000), ('flood', 1000), ('greets', 4), ('crowds', 1), ('crowds', 4), ('deaf', 1), ('calm', 0)]


def started(user, command):
    """A process of the user, which begins with high priority if it is not the flood's."""
    account = pwd.getpwnam(user)

    def become():
        if user == 'daemon':
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.setgroups([])
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)
    return subprocess.Popen(command, preexec_fn=become, stdout=subprocess.PIPE, text=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--seconds', type=int, default=8)
    arguments.add_argument('--bin', default=f'{fanout.ROOT}/.build/release')
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix='fanout-bin-') as binaries:
        os.chmod(binaries, 0o755)
        fanout.build(binaries)
        for name in ('hostile', 'asker'):
            subprocess.check_call(['gcc', '-O2', '-D_GNU_SOURCE', '-o', f'{binaries}/{name}', f'{fanout.HERE}/fanout/{name}.c'])
        os.symlink(os.path.abspath(f'{options.bin}/glimpsed'), f'{binaries}/glimpsed')
        print('| flood | connections | greeting ms, median | p99 | longest | answer ms, median | p99 | longest | refused | server CPU % |\n' + '|---' * 10 + '|')
        with fanout.Run('glimpsed', binaries, 100, 1, (options.seconds + 4) * len(KINDS)) as run:
            os.chmod(run.folder, 0o755)
            run.start(1, 'mode = "0666"')
            run.publish()
            for kind, rate in KINDS:
                before = fanout.cpu_seconds(run.process.pid)
                flood = None
                if kind != 'calm':
                    flood = started('nobody', [f'{binaries}/hostile', kind, run.address, str(options.seconds + 1), str(rate)])
                asker = json.loads(started('daemon', [f'{binaries}/asker', run.address, str(options.seconds)]).communicate()[0])
                cpu = (fanout.cpu_seconds(run.process.pid) - before) / options.seconds
                lines = [json.loads(line) for line in flood.communicate()[0].splitlines()] if flood else []
                times = [f'{value / 1000:.1f}' if value is not None else '' for key in ('greeting', 'answer') for value in asker[key] or [None] * 3]
                print(f'| {kind} {rate or ""} | {sum(line["connections"] for line in lines)} | {" | ".join(times)} | {asker["refused"]} | {100 * cpu:.0f} |',
                      flush=True)


if __name__ == '__main__':
    main()
