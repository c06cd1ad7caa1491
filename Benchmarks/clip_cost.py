#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU of workers that write clips, and of others on the same camera at the same time: a Markdown table.

  clip_cost.py [--bin .build/release] [--seconds 60]

Run it in the project's folder after `make build`. A server on this machine sends a film of 1280x720 and 2 Mbit/s,
with 15 frames a second. It shows noise and a symbol all the time. Six workers of one daemon watch it, and all keep a
ring. Three of them write a clip all the time. All idle, so that little else costs anything. The last but one
column is exact: the time of the thread that writes clips. Needs python3-gi,
gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-bad.
"""
import argparse, contextlib, os, subprocess, tempfile, time

from idle import RATE, cpu, processes, watch_film

CLIP = '[clip]\non = ["barcode"]\nbefore = "5s"\nafter = "5s"\n'
PAIRS = 3
THREAD = 'clips'
"""The name of the thread that writes clips."""
START = 12


def make_film(programs, path, seconds):
    symbol = f'{path}.pgm'
    subprocess.run([f'{programs}/glimpsed-worker', 'symbol', 'qr_code', 'a symbol', '--output', symbol], check=True)
    frames = seconds * RATE
    caps = f'video/x-raw,format=I420,width=1280,height=720,framerate={RATE}/1'
    command = (f'gst-launch-1.0 -q compositor name=m sink_1::alpha=0.03 sink_2::xpos=500 sink_2::ypos=200 sink_2::width=200'
               f' sink_2::height=200 ! videoconvert ! {caps} ! openh264enc gop-size=30 bitrate=2000000 ! h264parse'
               f' ! matroskamux ! filesink location={path}'
               f' videotestsrc num-buffers={frames} pattern=gradient ! {caps} ! m.sink_0'
               f' videotestsrc num-buffers={frames} pattern=snow ! {caps} ! m.sink_1'
               f' filesrc location={symbol} ! pnmdec ! imagefreeze num-buffers={frames} ! video/x-raw,framerate={RATE}/1'
               f' ! videoconvert ! m.sink_2')
    subprocess.run(['sh', '-c', command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def clip_time(process):
    """The CPU time in seconds of the thread that writes a worker's clips."""
    total = 0
    for thread in os.listdir(f'/proc/{process}/task'):
        with contextlib.suppress(OSError):
            with open(f'/proc/{process}/task/{thread}/comm') as name, open(f'/proc/{process}/task/{thread}/schedstat') as times:
                total += int(times.read().split()[0]) / 1e9 if name.read().strip() == THREAD else 0
    return total


def measure(programs, film, seconds, folder):
    source = 'ring = "10s"\nidle = "keyframes"\nidle_after = "1s"\n[barcode]\n'
    server, daemon = watch_film(programs, film, PAIRS * [source, source + CLIP], folder)
    try:
        time.sleep(START)
        workers = sorted(processes(programs, folder).items())
        before, start = [(cpu(process), clip_time(process)) for _, process in workers], time.monotonic()
        time.sleep(seconds)
        span = time.monotonic() - start
        used = [((cpu(process) - earlier) / span * 1000, (clip_time(process) - clips) / span * 1000)
                for (_, process), (earlier, clips) in zip(workers, before)]
        written = [sum(file.stat().st_size for file in os.scandir(f'{folder}/state/clips/{name}'))
                   for name, _ in workers[1::2]]
        return used, written
    finally:
        daemon.terminate()
        daemon.wait()
        server.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default='.build/release')
    parser.add_argument('--seconds', type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        film = os.path.join(folder, 'film.mkv')
        make_film(options.bin, film, options.seconds + START + 5)
        used, written = measure(options.bin, film, options.seconds, folder)
    print('| pair | CPU ms a second without clips | with a clip | more | of its thread | clip, MB |')
    print('|---|---|---|---|---|---|')
    for pair, size in enumerate(written):
        (without, others), (within, threads) = used[2 * pair:2 * pair + 2]
        print(f'| {pair + 1} | {without:.1f} | {within:.1f} | {within - without:.1f} | {threads - others:.2f} | {size / 1e6:.1f} |')


if __name__ == '__main__':
    main()
