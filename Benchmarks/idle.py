#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU of workers on a network camera whose picture is at rest, but for a visit of five seconds: a Markdown table.

  idle.py [--bin .build/release] [--seconds 81]

Run it in the project's folder after `make build`. A server on this machine sends a film of 1280x720 with 15 frames a
second and a key frame every two seconds. It shows a test picture with noise, and a face for five seconds. The workers
of one daemon watch it at the same time, so that what else the machine does falls on all of them alike. Needs
python3-gi, gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-bad. CPU is user and system time of a worker, from eight
seconds after the start to three before the end: one visit in 70 s.
"""
import argparse, collections, json, os, socket, subprocess, tempfile, threading, time

ROWS = {
    'gate off': ['gate.enabled = false'],
    'gate': [],
    'gate, `idle = "keyframes"`': ['idle = "keyframes"', 'idle_after = "1s"'],
    'the same, `gate.refresh = "5s"`': ['idle = "keyframes"', 'idle_after = "1s"', 'gate.refresh = "5s"'],
}
PIPELINES = {'face': '[face]\n', 'object': '[object]\n', 'barcode': '[barcode]\n',
             'all three': '[face]\n[object]\n[barcode]\n'}
VISIT = 5
START = 8
RATE = 15


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
    """User and system time of a process in seconds, those of its ended threads included. See clock_getcpuclockid(3)."""
    whole_process = 2
    return time.clock_gettime(~process << 3 | whole_process)


def private(process):
    """Private memory in MiB."""
    with open(f'/proc/{process}/smaps_rollup') as file:
        return sum(int(line.split()[1]) for line in file if line.startswith('Private_')) / 1024


def count_tracks(path, detected):
    """Counts the `detected` lines of each pipeline, in a thread of its own."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(b'{"after":0}\n')
    for event in map(json.loads, connection.makefile('rb')):
        if event['type'] == 'detected':
            detected[event['pipeline']] += 1


def watch_film(programs, film, settings, folder):
    """Starts a camera that sends a film, and a daemon with a pipeline camera0, camera1, ... for each of the settings.

    `settings`: keys of `[source]`, then other tables. Returns the processes of the camera and of the daemon.
    """
    port = free_port()
    camera = subprocess.Popen(
        ['/usr/bin/python3', 'Tests/Support/rtsp-server.py', str(port), 'basic', '320x240', 'geheim42', film],
        stdout=subprocess.PIPE)
    camera.stdout.readline()
    secret = os.path.join(folder, 'password')
    with open(os.open(secret, os.O_CREAT | os.O_WRONLY, 0o600), 'w') as file:
        file.write('geheim42\n')
    os.mkdir(f'{folder}/pipelines')
    for number, text in enumerate(settings):
        with open(f'{folder}/pipelines/camera{number}.toml', 'w') as file:
            file.write(f'[source]\nkind = "rtsp"\nurl = "rtsp://127.0.0.1:{port}/test"\nuser = "viewer"\n'
                       f'password_file = "{secret}"\n{text}')
    with open(f'{folder}/config.toml', 'w') as file:
        file.write('[daemon]\nstate_dir = "state"\n[events]\nsocket = "e.sock"\ngroup = ""\n'
                   '[control]\nsocket = "c.sock"\ngroup = ""\n')
    daemon = subprocess.Popen([f'{programs}/glimpsed', 'run', '--config', f'{folder}/config.toml'],
                              stderr=subprocess.DEVNULL)
    return camera, daemon


def processes(programs, folder):
    """The workers' processes by pipeline."""
    answer = subprocess.run([f'{programs}/glimpsed', 'status', '--json', '--socket', f'{folder}/c.sock'],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return {each['name']: each['pid'] for each in json.loads(answer)['pipelines']}


def measure(programs, film, seconds, folder):
    settings = {(detector, row): '\n'.join(keys) + f'\n{table}'
                for detector, table in PIPELINES.items() for row, keys in ROWS.items()}
    names = {key: f'camera{number}' for number, key in enumerate(settings)}
    server, daemon = watch_film(programs, film, settings.values(), folder)
    results, detected = {key: {} for key in names}, collections.Counter()
    start = time.monotonic()
    # The start, which a camera has once, does not count. At rest: until five seconds before the visit.
    times = {'started': START, 'begin': 10, 'end': (seconds - VISIT) // 2 - 5, 'whole': seconds - 3}
    for name, moment in times.items():
        time.sleep(max(0, start + moment - time.monotonic()))
        if name == 'started':
            workers = processes(programs, folder)
            threading.Thread(target=count_tracks, args=(f'{folder}/e.sock', detected), daemon=True).start()
        for key, pipeline in names.items():
            results[key][name] = cpu(workers[pipeline])
            results[key][f'memory at {name}'] = private(workers[pipeline])
    daemon.terminate()
    daemon.wait()
    server.kill()
    span = times['end'] - times['begin']
    for key, result in results.items():
        result['visit'] = result['whole'] - result['started']
        result['rest'] = (result['end'] - result['begin']) / span * 1000
        result['detected'] = detected[names[key]]
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default='.build/release')
    parser.add_argument('--seconds', type=int, default=81)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        film = os.path.join(folder, 'film.mkv')
        make_film(film, options.seconds)
        results = measure(options.bin, film, options.seconds, folder)
    print('| detector | source | CPU s | ratio | CPU ms a second at rest | private MiB before the visit | after it | tracks |')
    print('|---|---|---|---|---|---|---|---|')
    for (pipeline, row), result in results.items():
        first = results[pipeline, 'gate off']['visit']
        print(f'| {pipeline} | {row} | {result["visit"]:.2f} | {result["visit"] / first:.2f} | {result["rest"]:.1f} | '
              f'{result["memory at end"]:.1f} | {result["memory at whole"]:.1f} | {result["detected"]} |')


if __name__ == '__main__':
    main()
