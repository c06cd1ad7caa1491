#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU of workers on a network camera whose picture is at rest, but for a visit of five seconds: a Markdown table.

  idle.py [--worker .build/release/glimpsed-worker] [--seconds 70]

Run it in the project's folder after `make build`. A server on this machine sends a film of 1280x720 with 15 frames a
second and a key frame every two seconds. It shows a test picture with noise, and a face for five seconds. The workers
watch it at the same time, so that what else the machine does falls on all of them alike. Needs python3-gi,
gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-bad. CPU is user and system time of a worker, from five seconds
after its start on.
"""
import argparse, json, os, socket, subprocess, tempfile, time

ROWS = {
    'gate off': ['gate.enabled = false'],
    'gate': [],
    'gate, `idle = "keyframes"`': ['idle = "keyframes"', 'idle_after = "1s"'],
    'the same, `gate.refresh = "5s"`': ['idle = "keyframes"', 'idle_after = "1s"', 'gate.refresh = "5s"'],
}
PIPELINES = {'face': '[face]\n', 'object': '[object]\n', 'barcode': '[barcode]\n'}
VISIT = 5
START = 5
RATE = 15
TICKS = os.sysconf('SC_CLK_TCK')


def make_film(path, seconds):
    caps = f'video/x-raw,format=I420,width=1280,height=720,framerate={RATE}/1,pixel-aspect-ratio=1/1,colorimetry=bt709'
    before = (seconds - VISIT) // 2
    parts = []
    for number, (length, visit) in enumerate([(before, False), (VISIT, True), (seconds - VISIT - before, False)]):
        frames = length * RATE
        face = (f'filesrc location=.deps/share/glimpsed/demo/astronaut.png ! pngdec ! imagefreeze num-buffers={frames}'
                f' ! videoconvert ! videoscale ! video/x-raw,format=AYUV,width=720,height=720,framerate={RATE}/1'
                f' ! m{number}.sink_2') if visit else ''
        parts.append(
            f'compositor name=m{number} sink_1::alpha=0.03 sink_2::xpos=280 ! videoconvert ! {caps}'
            f' ! c. videotestsrc num-buffers={frames} pattern=gradient ! {caps} ! m{number}.sink_0'
            f' videotestsrc num-buffers={frames} pattern=snow ! {caps} ! m{number}.sink_1 {face}')
    command = (f'gst-launch-1.0 -q concat name=c ! openh264enc gop-size=30 bitrate=2000000 ! h264parse ! matroskamux'
               f' ! filesink location={path} {" ".join(parts)}')
    subprocess.run(['sh', '-c', command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as server:
        return server.getsockname()[1]


def cpu(process):
    """User and system time of a process in seconds; None after its end."""
    try:
        with open(f'/proc/{process.pid}/stat') as file:
            fields = file.read().rsplit(')', 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def private(process):
    """Private memory in MiB."""
    with open(f'/proc/{process.pid}/smaps_rollup') as file:
        return sum(int(line.split()[1]) for line in file if line.startswith('Private_')) / 1024


def measure(worker, film, seconds, folder):
    port = free_port()
    server = subprocess.Popen(
        ['/usr/bin/python3', 'Tests/Support/rtsp-server.py', str(port), 'basic', '320x240', 'geheim42', film],
        stdout=subprocess.PIPE)
    server.stdout.readline()
    secret = os.path.join(folder, 'password')
    with open(secret, 'w') as file:
        file.write('geheim42\n')
    os.chmod(secret, 0o600)
    runs = {}
    for pipeline, tables in PIPELINES.items():
        for row, keys in ROWS.items():
            path = os.path.join(folder, f'{len(runs)}.toml')
            with open(path, 'w') as file:
                file.write(f'[source]\nkind = "rtsp"\nurl = "rtsp://127.0.0.1:{port}/test"\nuser = "viewer"\n'
                           f'password_file = "{secret}"\n' + '\n'.join(keys) + f'\n{tables}')
            output = open(path + '.jsonl', 'w+')
            runs[pipeline, row] = (
                subprocess.Popen([worker, 'pipeline', path], stdout=output, stderr=subprocess.DEVNULL), output)
    results = {key: {} for key in runs}
    start = time.monotonic()
    # The start, which a camera has once, does not count. At rest: until five seconds before the visit.
    times = {'started': START, 'begin': 10, 'end': (seconds - VISIT) // 2 - 5, 'whole': seconds - 3}
    for name, moment in times.items():
        time.sleep(max(0, start + moment - time.monotonic()))
        for key, (process, _) in runs.items():
            results[key][name] = cpu(process)
            results[key][f'memory at {name}'] = private(process)
    for key, (process, output) in runs.items():
        process.terminate()
        process.wait()
        output.seek(0)
        events = [json.loads(line) for line in output]
        results[key]['detected'] = [
            event['frame']['seq'] for event in events if event['type'] == 'detected']
    server.kill()
    span = times['end'] - times['begin']
    for result in results.values():
        result['visit'] = result['whole'] - result['started']
        result['rest'] = (result['end'] - result['begin']) / span * 1000
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--worker', default='.build/release/glimpsed-worker')
    parser.add_argument('--seconds', type=int, default=70)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        film = os.path.join(folder, 'film.mkv')
        make_film(film, options.seconds)
        results = measure(options.worker, film, options.seconds, folder)
    print('| detector | source | CPU s | ratio | CPU ms a second at rest | private MiB before the visit | after it | tracks |')
    print('|---|---|---|---|---|---|---|---|')
    for (pipeline, row), result in results.items():
        first = results[pipeline, 'gate off']['visit']
        print(f'| {pipeline} | {row} | {result["visit"]:.2f} | {result["visit"] / first:.2f} | {result["rest"]:.1f} | '
              f'{result["memory at end"]:.1f} | {result["memory at whole"]:.1f} | {len(result["detected"])} |')


if __name__ == '__main__':
    main()
