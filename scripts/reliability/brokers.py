# SPDX-License-Identifier: Apache-2.0
"""Brokers of MQTT that can be killed: Debian's mosquitto, and a cluster of three nats-server."""
import os
import random
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

# Debian's mosquitto is in sbin.
PATH = os.environ["PATH"] + ":/usr/sbin"


def free_ports(count):
    """Ports outside the range from which the kernel takes those of connections: a broker that is away keeps its own."""
    ports = []
    while len(ports) < count:
        port = random.randrange(15_000, 32_000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports


def program(name):
    path = shutil.which(name, path=PATH)
    if not path:
        raise SystemExit(f"{name} is absent: apt-get install {name}")
    return path


def wait(is_true, what, limit=60):
    deadline = time.monotonic() + limit
    while not is_true():
        if time.monotonic() > deadline:
            raise SystemExit(f"not within {limit} s: {what}")
        time.sleep(0.05)


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


class Mosquitto:
    """Keeps sessions and queues over a kill, and has no limit that would leave messages in its queue."""

    def __init__(self, folder):
        self.ports = free_ports(1)
        self.configuration = os.path.join(folder, "mosquitto.conf")
        with open(self.configuration, "w") as file:
            file.write(
                f"listener {self.ports[0]} 127.0.0.1\nallow_anonymous true\nuser root\npersistence true\n"
                f"persistence_location {folder}/\nautosave_on_changes true\nautosave_interval 1\n"
                "max_inflight_messages 0\nmax_queued_messages 0\n")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [program("mosquitto"), "-c", self.configuration], stderr=subprocess.DEVNULL)
        wait(lambda: listens(self.ports[0]), "mosquitto")

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def kill(self, chance):
        """Kills the broker, and starts it after a moment."""
        self.stop()
        time.sleep(chance.uniform(0, 0.3))
        self.start()


class NatsCluster:
    """Three nodes with JetStream, each with three copies. A kill is one node's."""

    def __init__(self, folder):
        ports = free_ports(12)
        clients, routes, self.ports, self.monitors = (ports[index::4] for index in range(4))
        routes_text = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
        self.configurations = []
        for index in range(3):
            self.configurations.append(os.path.join(folder, f"n{index}.conf"))
            with open(self.configurations[-1], "w") as file:
                file.write(
                    f'server_name: n{index}\nlisten: "127.0.0.1:{clients[index]}"\n'
                    f'http: "127.0.0.1:{self.monitors[index]}"\n'
                    f'jetstream {{ store_dir: "{folder}/n{index}", max_mem: 64MB, max_file: 1GB }}\n'
                    f'cluster {{ name: glimpse, listen: "127.0.0.1:{routes[index]}", routes: [{routes_text}] }}\n'
                    # One message on its way to a consumer: nats-server sends the others before it repeats a lost one.
                    f'mqtt {{ listen: "127.0.0.1:{self.ports[index]}", stream_replicas: 3, ack_wait: "2s", '
                    'max_ack_pending: 1 }\n')
        self.processes = [None, None, None]
        self.start()

    def start(self):
        for index in range(3):
            self.start_node(index)
        wait(self.is_healthy, "the cluster of nats-server")

    def start_node(self, index):
        self.processes[index] = subprocess.Popen(
            [program("nats-server"), "-c", self.configurations[index]], stderr=subprocess.DEVNULL)

    def is_healthy(self):
        try:
            for port in self.monitors:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
            return True
        except OSError:
            return False

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def kill(self, chance):
        """Kills a node, starts it after some seconds, and gives it 20 s to catch up."""
        index = chance.randrange(3)
        self.processes[index].send_signal(signal.SIGKILL)
        self.processes[index].wait()
        time.sleep(chance.uniform(1, 5))
        self.start_node(index)
        deadline = time.monotonic() + 20
        while not self.is_healthy() and time.monotonic() < deadline:
            time.sleep(0.1)
