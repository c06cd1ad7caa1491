#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost of delivery to many subscribers: glimpsed beside Mosquitto, nats-server, redis-server and a bare C loop.

    Benchmarks/fanout.py [--subscribers 1,10,50,100,500,1000] [--bursts 1,10] [--rate 1000] [--seconds 4] [--rounds 3]
        [--write docs/performance/delivery.md] [--servers bare,hop,glimpsed,short,redis,mosquitto,nats] [--bin DIR]

Needs gcc, the three brokers (apt-get install mosquitto nats-server redis-server) and the release build. Up to 100
subscribers, each has its own process. Above that, 100 processes share the subscribers. Lines have 300 bytes and come at
1,000 a second, one at a time and in tens. From 500 subscribers on the rate is 100 a second, because two processors
cannot wake readers for 1,000. `hop` is a C loop that passes on what it reads from the publisher. CPU is the server's
alone. Latency is the time from the making of a line to the end of the reader's read. All servers have the same readers
and the same publisher, except that the bare loop makes its own lines. Servers take turns within a round, each round
begins with another server, and the table has medians over the rounds. The whole table takes twenty-five minutes.
`glimpsed` begins with a full journal, and runs without the calls that its unit's filter refuses. `short` is the same
with the short time slices of the event loop that an administrator may allow.
"""
import argparse, json, os, platform, shutil, signal, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
LINE_BYTES = 300
PROTOCOLS = {'bare': 'raw', 'hop': 'raw', 'glimpsed': 'glimpsed', 'short': 'glimpsed', 'redis': 'redis', 'mosquitto': 'mqtt', 'nats': 'nats'}


def build(folder):
    for name in ('reader', 'publisher', 'bare', 'unit'):
        subprocess.check_call(['gcc', '-O2', '-D_GNU_SOURCE', '-o', f'{folder}/{name}', f'{HERE}/fanout/{name}.c'])


def cpu_seconds(pid):
    """User and system time of all threads, also of ended ones, in seconds, exact to the nanosecond."""
    return time.clock_gettime(~pid << 3 | 2)  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED), include/linux/posix-timers.h


def resident_kib(pid):
    with open(f'/proc/{pid}/status') as file:
        return next(int(line.split()[1]) for line in file if line.startswith('VmRSS'))


def wait_for(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f'{what} did not happen within {seconds} s')
        time.sleep(0.02)


class Run:
    """One server, its readers and its publisher, in a folder of their own."""

    def __init__(self, server, binaries, rate, burst, seconds):
        self.server, self.binaries, self.rate, self.burst, self.seconds = server, binaries, rate, burst, seconds
        self.folder = tempfile.mkdtemp(prefix='fanout-')
        self.address = self.folder + '/socket'
        self.go = self.folder + '/go'
        self.readers, self.publisher = [], None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.readers, self.publisher, getattr(self, 'process', None)]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, connections, events='', seconds=20, is_full=False):
        """is_full: whether the journal of glimpsed is to be full."""
        environment, full = dict(os.environ, FANOUT_GO=self.go), self.folder + '/full'
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        numbers = [str(self.rate), str(self.burst), str(self.seconds)]
        if self.server in ('bare', 'hop'):
            if self.server == 'hop':
                numbers[0] = '0'
            command = [f'{self.binaries}/bare', self.address, str(connections), *numbers, str(LINE_BYTES)]
            quiet = {}
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.process.stdout.readline()
        elif self.server in ('glimpsed', 'short'):
            os.makedirs(f'{self.folder}/pipelines')
            with open(f'{self.folder}/pipelines/fanout.toml', 'w') as file:
                file.write('[source]\nkind = "test"\n[face]\n')
            with open(f'{self.folder}/config.toml', 'w') as file:
                file.write(f'[daemon]\npipelines = "pipelines"\nstate_dir = "{self.folder}"\n[events]\nsocket = "{self.address}"\n'
                           f'group = ""\n{events}\n[control]\nsocket = "{self.folder}/control"\ngroup = ""\n')
            head = len('{"v":1,"seq":10000,"run_id":"0123456789abcdef",')
            environment.update(GLIMPSED_WORKER=f'{self.binaries}/publisher', FANOUT_RATE=numbers[0], FANOUT_BURST=numbers[1],
                               FANOUT_SECONDS=numbers[2], FANOUT_BYTES=str(LINE_BYTES - head))
            if is_full:
                environment['FANOUT_FULL'] = full
            command = [f'{self.binaries}/glimpsed', 'run', '--config', f'{self.folder}/config.toml']
            unit = [f'{self.binaries}/unit'] if self.server == 'glimpsed' else []
            self.process = subprocess.Popen(unit + command, env=environment, **quiet)
        elif self.server == 'redis':
            self.process = subprocess.Popen(['redis-server', '--port', '0', '--unixsocket', self.address, '--save', '', '--appendonly', 'no',
                                             '--maxclients', '20000'], **quiet)
        elif self.server == 'mosquitto':
            with open(f'{self.folder}/conf', 'w') as file:
                file.write(f'listener 0 {self.address}\nallow_anonymous true\nmax_queued_messages 100000\nuser root\n')
            self.process = subprocess.Popen(['mosquitto', '-c', f'{self.folder}/conf'], **quiet)
        elif self.server == 'nats':
            self.address = '14222'
            self.process = subprocess.Popen(['nats-server', '-a', '127.0.0.1', '-p', self.address], **quiet)
        if self.server == 'nats':
            time.sleep(0.5)
        else:
            wait_for(lambda: os.path.exists(self.address), f'the socket of {self.server}', seconds)
            if is_full and self.server in ('glimpsed', 'short'):
                wait_for(lambda: os.path.exists(full), 'a full journal', seconds)
            time.sleep(0.3)

    def subscribe(self, connections, protocol=None):
        processes = min(connections, 100)
        shares = [connections // processes + (i < connections % processes) for i in range(processes)]
        command = [f'{self.binaries}/reader', protocol or PROTOCOLS[self.server], self.address]
        self.readers = [subprocess.Popen([*command, str(share)], stdout=subprocess.PIPE, text=True) for share in shares]
        for reader in self.readers:
            if reader.stdout.readline() != 'ready\n':
                sys.exit(f'a reader could not subscribe to {self.server}')
        time.sleep(0.5)

    def publish(self):
        open(self.go, 'w').close()
        if self.server not in ('bare', 'glimpsed', 'short'):
            self.publisher = subprocess.Popen([f'{self.binaries}/publisher', PROTOCOLS[self.server], self.address, str(self.rate),
                                               str(self.burst), str(self.seconds), str(LINE_BYTES)], stdout=self.process.stdin)

    def results(self):
        for reader in self.readers:
            reader.send_signal(signal.SIGTERM)
        return [json.loads(reader.communicate()[0]) for reader in self.readers]


def quantile(histogram, share):
    left = sum(histogram.values()) * share
    for start in sorted(histogram):
        left -= histogram[start]
        if left <= 0:
            return start
    return 0


def histogram_of(results):
    total = {}
    for result in results:
        for start, count in result['latency'].items():
            total[int(start)] = total.get(int(start), 0) + count
    return total


def machine():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        model = next((line.split(':')[1].strip() for line in file if line.startswith('model name')), platform.machine())
    return f'{model}, {os.cpu_count()} processors, {time.strftime("%Y-%m-%d")}'


def write_block(path, name, text):
    """Puts text between the marks of `name` of a file."""
    with open(path, encoding='utf-8') as file:
        head, start, rest = file.read().partition(f'<!-- {name} -->\n')
    rest, end, tail = rest.partition(f'<!-- end {name} -->')
    if not end:
        sys.exit(f'{path} has no block "{name}"')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(head + start + text + end + tail)


def measure(server, binaries, connections, rate, burst, seconds):
    with Run(server, binaries, rate, burst, seconds) as run:
        run.start(connections, is_full=True)
        run.subscribe(connections)
        before = cpu_seconds(run.process.pid)
        run.publish()
        time.sleep(seconds + 0.7)
        cpu = cpu_seconds(run.process.pid) - before
        results = run.results()
    deliveries = sum(result['deliveries'] for result in results)
    histogram = histogram_of(results)
    return dict(cpu=cpu / deliveries * 1e6 if deliveries else float('nan'), p50=quantile(histogram, 0.5), p99=quantile(histogram, 0.99),
                missing=rate * seconds * connections - deliveries, bytes=sum(result['bytes'] for result in results) / max(deliveries, 1))


def row(servers, rounds):
    """Each cell: CPU, what that is of the bare loop's, latencies; and how many lines did not come."""
    median = {server: {key: statistics.median(each[server][key] for each in rounds) for key in rounds[0][server]} for server in servers}
    cells = []
    for server in servers:
        values = median[server]
        ratio = f' ({values["cpu"] / median["bare"]["cpu"]:.2f})' if 'bare' in median and server != 'bare' else ''
        missing = f', {values["missing"]:.0f} missing' if values['missing'] else ''
        cells.append(f'{values["cpu"]:.2f}{ratio}, {values["p50"]:.0f}/{values["p99"]:.0f}{missing}')
    return cells


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--subscribers', default='1,10,50,100,500,1000')
    arguments.add_argument('--bursts', default='1,10')
    arguments.add_argument('--rate', type=int, default=1000, help='lines a second, for up to 100 subscribers')
    arguments.add_argument('--seconds', type=int, default=4)
    arguments.add_argument('--rounds', type=int, default=3)
    arguments.add_argument('--servers', default='bare,hop,glimpsed,short,redis,mosquitto,nats')
    arguments.add_argument('--bin', default=f'{ROOT}/.build/release', help='folder with glimpsed')
    arguments.add_argument('--write', metavar='FILE', help='put the table between the marks of "fanout" of this file')
    options = arguments.parse_args()
    servers = options.servers.split(',')
    lines = []

    def tell(line):
        print(line, flush=True)
        lines.append(line + '\n')

    with tempfile.TemporaryDirectory(prefix='fanout-bin-') as binaries:
        build(binaries)
        os.symlink(os.path.abspath(f'{options.bin}/glimpsed'), f'{binaries}/glimpsed')
        tell('| subscribers, events at a time | ' + ' | '.join(servers) + ' |\n|' + '---|' * (len(servers) + 1))
        for connections in map(int, options.subscribers.split(',')):
            rate = options.rate if connections <= 100 else 100
            for burst in map(int, options.bursts.split(',')):
                rounds = []
                for number in range(options.rounds):
                    first = number % len(servers)
                    rounds.append({server: measure(server, binaries, connections, rate, burst, options.seconds)
                                   for server in servers[first:] + servers[:first]})
                tell(f'| {connections}, {burst} | ' + ' | '.join(row(servers, rounds)) + ' |')
        rounds = 'one round' if options.rounds == 1 else f'medians of {options.rounds} rounds'
        tell(f'\n{machine()}; {rounds} of {options.seconds} s.')
    if options.write:
        write_block(options.write, 'fanout', ''.join(lines))


if __name__ == '__main__':
    main()
