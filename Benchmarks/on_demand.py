# SPDX-License-Identifier: Apache-2.0
"""How long the first subscriber of a pipeline with `source.on_demand` waits: from `connect` to the first `update` line.

  on_demand.py [ROUNDS] [--glimpsed .build/release/glimpsed] [--detectors face,barcode] [--picture FILE.png]

Runs a separate daemon in a temporary folder. The source is live, with 30 frames a second of one picture with a face
(the demo's), so that the first frame has a detection. In the built-in scene the first object comes into view after
1.3 s. The first round finds no compiled models.
"""
import argparse, json, os, socket, subprocess, tempfile, time


def wait_for(path, seconds=20):
    end = time.monotonic() + seconds
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise SystemExit(f'no {path} within {seconds} s')
        time.sleep(0.01)


def connect(path):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    return s


def lines(s):
    rest = b''
    while block := s.recv(65536):
        *whole, rest = (rest + block).split(b'\n')
        yield from map(json.loads, whole)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('rounds', nargs='?', type=int, default=10)
    arguments.add_argument('--glimpsed', default='.build/release/glimpsed')
    arguments.add_argument('--detectors', default='face,barcode')
    arguments.add_argument('--picture', default='.deps/share/glimpsed/demo/astronaut.png')
    options = arguments.parse_args()
    head = f'filesrc location="{os.path.abspath(options.picture)}" ! pngdec ! videoconvert ! imagefreeze is-live=true ! video/x-raw,framerate=30/1'
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f'{folder}/pipelines')
        tables = ''.join(f'[{name}]\n' for name in options.detectors.split(','))
        with open(f'{folder}/pipelines/scene.toml', 'w') as file:
            file.write(f'[source]\nkind = "launch"\nlaunch = \'{head}\'\non_demand = true\nlinger = "100ms"\n{tables}')
        with open(f'{folder}/config.toml', 'w') as file:
            file.write('[daemon]\nstate_dir = "state"\n[events]\nsocket = "e.sock"\ngroup = ""\n[control]\nsocket = "c.sock"\ngroup = ""\n')
        environment = dict(os.environ, CACHE_DIRECTORY=f'{folder}/cache')
        daemon = subprocess.Popen(
            [os.path.abspath(options.glimpsed), 'run', '--config', f'{folder}/config.toml'], env=environment,
            stderr=subprocess.DEVNULL)
        try:
            wait_for(f'{folder}/e.sock')
            waits = []
            for _ in range(options.rounds + 1):
                start = time.monotonic()
                with connect(f'{folder}/e.sock') as s:
                    s.sendall(b'{"subscribe":{}}\n')
                    marks = {}
                    for line in lines(s):
                        marks.setdefault(line.get('state') or line['type'], time.monotonic() - start)
                        if line['type'] == 'update':
                            break
                waits.append(marks)
                time.sleep(1.5)
        finally:
            daemon.terminate()
            daemon.wait()
    print(f"first: {waits[0]['update'] * 1000:.0f} ms to the first update")
    for mark in ('connected', 'update'):
        values = sorted(wait[mark] * 1000 for wait in waits[1:])
        print(f'then {mark}: median {values[len(values) // 2]:.0f} ms, worst {values[-1]:.0f} ms of {len(values)}')


main()
