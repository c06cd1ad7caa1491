#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The processor time of one scrape of the metrics: of the daemon, and of `glimpsed metrics`.

  scrape.py [--glimpsed .build/release/glimpsed] [--worker .build/debug/ScriptedWorker] [--pipelines 50] [--rounds 100]

Runs a separate daemon in a temporary folder. Each pipeline has three detectors, a zone and a line. Its scripted worker
has counted once and then rests, so that the scrapes are the daemon's only work. The daemon's processor time at rest is
subtracted.
"""
import argparse, glob, json, os, resource, socket, subprocess, tempfile, time

PIPELINE = '''# script: connect
# script: count 100
[source]
kind = "test"
[face]
[barcode]
[object]
[[zone]]
name = "left"
polygon = [[0, 0], [0.5, 0], [0.5, 1]]
[[line]]
name = "gate"
from = [0.5, 0]
to = [0.5, 1]
kinds = ["face", "object"]
'''
CONFIG = '''[daemon]
state_dir = "state"
[events]
socket = "e.sock"
group = ""
[control]
socket = "c.sock"
group = ""
'''


def milliseconds(process):
    """The processor time of all threads, from proc(5)."""
    total = 0
    for path in glob.glob(f'/proc/{process}/task/*/schedstat'):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total / 1e6


def ask(path, request):
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)
        peer.sendall(json.dumps(request).encode() + b'\n')
        blocks = []
        while block := peer.recv(1 << 20):
            blocks.append(block)
            if block.endswith(b'\n'):
                break
        return b''.join(blocks)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--glimpsed', default='.build/release/glimpsed')
    arguments.add_argument('--worker', default='.build/debug/ScriptedWorker')
    arguments.add_argument('--pipelines', type=int, default=50)
    arguments.add_argument('--rounds', type=int, default=100)
    options = arguments.parse_args()
    glimpsed = os.path.abspath(options.glimpsed)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f'{folder}/pipelines')
        for number in range(options.pipelines):
            with open(f'{folder}/pipelines/camera-{number:02}.toml', 'w') as file:
                file.write(PIPELINE)
        with open(f'{folder}/config.toml', 'w') as file:
            file.write(CONFIG)
        daemon = subprocess.Popen(
            [glimpsed, 'run', '--config', f'{folder}/config.toml'], stderr=subprocess.DEVNULL,
            env=dict(os.environ, GLIMPSED_WORKER=os.path.abspath(options.worker)))
        try:
            path = f'{folder}/c.sock'
            while not os.path.exists(path):
                time.sleep(0.05)
            connected = f'"connected"}} 1'.replace('"', '\\"').encode()
            while ask(path, {'metrics': True}).count(connected) < options.pipelines:
                time.sleep(0.2)
            time.sleep(2)
            for form in ('prometheus', 'openmetrics'):
                before, start = milliseconds(daemon.pid), time.monotonic()
                time.sleep(5)
                at_rest = (milliseconds(daemon.pid) - before) / (time.monotonic() - start)
                costs = []
                for _ in range(options.rounds):
                    before, start = milliseconds(daemon.pid), time.monotonic()
                    reply = ask(path, {'metrics': {'format': form}})
                    costs.append(milliseconds(daemon.pid) - before - at_rest * (time.monotonic() - start))
                costs.sort()
                text = json.loads(reply)['text']
                rows = sum(not line.startswith('#') for line in text.splitlines())
                print(f'{form}: {options.pipelines} pipelines, {rows} rows, {len(text)} bytes: daemon median '
                      f'{costs[len(costs) // 2]:.2f} ms, 95th percentile {costs[len(costs) * 95 // 100]:.2f} ms')
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            for _ in range(20):
                subprocess.run(
                    [glimpsed, 'metrics', '--config', f'{folder}/config.toml'], check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            time_used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f'glimpsed metrics: {time_used / 20 * 1000:.1f} ms a run, with its start')
        finally:
            daemon.terminate()
            daemon.wait()


main()
