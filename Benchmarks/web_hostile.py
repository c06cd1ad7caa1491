#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile clients of the live page: effects on events, on honest viewers, and on the memory of glimpsed-web.

  web_hostile.py [--bin .build/release] [--seconds 60] [--clients 50]

Clients in turns read a stream not at all, send a header byte by byte, send headers of 64 KiB, or name wrong hosts. Or
they ask in a loop, try paths, send an endless body, or connect and say nothing. The ages of events at a subscriber of
the event socket, and an honest viewer's pictures, are compared with those of the same time before.

The clients stand for other machines. So they run in a process of their own with the lowest priority. glimpsed-web runs
with niceness 14. Its weight of 45 of 1024 is about the share that the unit has: CPUWeight=5 of 100. As in the unit, it
may not raise its priority again, which libdispatch's threads would do.
"""
import argparse, json, multiprocessing, os, random, socket, subprocess, tempfile, threading, time

from viewers import CONFIG, PIPELINE, Viewer

PATHS = ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '//', '/api/pipelines/%00/picture.jpg', '/api/history?limit=-1',
         '/api/pipelines/../picture.jpg', '/' + 'a' * 7000, '/modules/..%2fweb.toml', '/api/events?types=nothing']

SHARE = ([] if os.geteuid() else ['setpriv', '--bounding-set=-sys_nice']) + ['nice', '-n', '14']


def request(path, *headers, host='localhost'):
    return '\r\n'.join([f'GET {path} HTTP/1.1', f'Host: {host}', *headers, '', '']).encode()


def trouble(kind, port, end):
    while time.monotonic() < end:
        try:
            with socket.create_connection(('127.0.0.1', port), timeout=5) as peer:
                if kind == 0:
                    peer.sendall(request('/api/pipelines/scene/stream?rate=30&width=1280'))
                    time.sleep(min(10, max(0, end - time.monotonic())))
                elif kind == 1:
                    for byte in request('/', 'X-Slow: ' + 'x' * 200):
                        peer.send(bytes([byte]))
                        time.sleep(0.2)
                elif kind == 2:
                    peer.sendall(request('/', 'X-Long: ' + 'x' * 65536))
                    peer.recv(4096)
                elif kind == 3:
                    peer.sendall(request('/', host='evil.example'))
                    peer.recv(4096)
                elif kind == 4:
                    for _ in range(50):
                        peer.sendall(request('/'))
                        peer.recv(65536)
                elif kind == 5:
                    peer.sendall(request(random.choice(PATHS)))
                    peer.recv(4096)
                elif kind == 6:
                    peer.sendall(b'POST /api/pipelines/scene/pause HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
                    while time.monotonic() < end:
                        peer.sendall(b'1000\r\n' + b'x' * 4096 + b'\r\n')
                else:
                    time.sleep(min(30, max(0, end - time.monotonic())))
        except OSError:
            time.sleep(0.05)


def clients(count, port, end):
    os.nice(19)
    threads = [threading.Thread(target=trouble, args=(index % 8, port, end), daemon=True) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(40)


def ages(path, seconds):
    """Milliseconds from a frame's arrival to the line of its track at a subscriber."""
    found = []
    end = time.time() + seconds
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)
        peer.settimeout(30)
        peer.sendall(b'{"subscribe":{"types":["update","detected"]}}\n')
        buffer = b''
        while time.time() < end:
            buffer += peer.recv(1 << 16)
            now = time.time()
            *lines, buffer = buffer.split(b'\n')
            for line in lines:
                value = json.loads(line)
                if value['type'] in ('update', 'detected'):
                    seconds_of_day, fraction = value['time'].rstrip('Z').split('.')
                    moment = time.mktime(time.strptime(seconds_of_day, '%Y-%m-%dT%H:%M:%S')) - time.timezone
                    found.append((now - moment - float(f'0.{fraction}')) * 1000)
    return sorted(found)


def resident(process):
    with open(f'/proc/{process}/status') as file:
        return int(next(line for line in file if line.startswith('VmRSS')).split()[1]) / 1024


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--bin', default='.build/release')
    arguments.add_argument('--seconds', type=float, default=60)
    arguments.add_argument('--clients', type=int, default=50)
    options = arguments.parse_args()
    programs = os.path.abspath(options.bin)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f'{folder}/pipelines')
        with open(f'{folder}/pipelines/scene.toml', 'w') as file:
            file.write(PIPELINE)
        with open(f'{folder}/config.toml', 'w') as file:
            file.write(CONFIG)
        open(f'{folder}/web.toml', 'w').close()
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        daemon = subprocess.Popen([f'{programs}/glimpsed', 'run', '--config', f'{folder}/config.toml'],
                                  stderr=subprocess.DEVNULL)
        page = subprocess.Popen(
            SHARE + [f'{programs}/glimpsed-web', '--config', f'{folder}/web.toml', '--listen',
             f'127.0.0.1:{port}', '--events',
             f'{folder}/e.sock', '--control', f'{folder}/c.sock', '--links', f'{folder}/l.sock', '--page',
             os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'web')], stderr=subprocess.DEVNULL)
        try:
            time.sleep(5)
            viewer = Viewer(port)
            time.sleep(1)
            rows = []
            for name, count in (('before', 0), ('with them', options.clients), ('after', 0)):
                end = time.monotonic() + options.seconds
                others = multiprocessing.Process(target=clients, args=(count, port, end), daemon=True)
                others.start()
                seen = viewer.pictures
                found = ages(f'{folder}/e.sock', options.seconds)
                rows.append((name, found[len(found) // 2], found[int(len(found) * 0.99)],
                             (viewer.pictures - seen) / options.seconds, resident(page.pid)))
                others.join(60)
            print('| | age of events, median ms | p99 ms | honest viewer, pictures a second | glimpsed-web, MiB |')
            print('|---|---|---|---|---|')
            for name, median, worst, rate, memory in rows:
                print(f'| {name} | {median:.1f} | {worst:.1f} | {rate:.1f} | {memory:.0f} |')
        finally:
            for program in (page, daemon):
                program.terminate()
                program.wait(30)


if __name__ == '__main__':
    main()
