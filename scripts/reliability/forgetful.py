#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""forgetful.py SOCKET TOPIC PORT...: publishes events and forgets them, as simple publishers do.

It subscribes without a position, publishes with QoS 0, and connects again when a connection is lost.
"""
import json
import socket
import sys
import time

import paho.mqtt.client as mqtt


def publish(path, topic, client):
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)
        peer.sendall(b'{"subscribe":{"types":["detected","completed"],"passive":true}}\n')
        with peer.makefile("rb") as stream:
            for line in stream:
                if json.loads(line)["type"] in ("detected", "completed"):
                    client.publish(topic, line)


def main():
    path, topic, ports = sys.argv[1], sys.argv[2], [int(port) for port in sys.argv[3:]]
    for attempt in range(1 << 30):
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        try:
            client.connect("127.0.0.1", ports[attempt % len(ports)], keepalive=5)
            # paho connects again by itself, at first after 1 s.
            client.reconnect_delay_set(0.1, 1)
            client.loop_start()
            while True:
                try:
                    publish(path, topic, client)
                except (OSError, ValueError):
                    pass
                time.sleep(0.1)
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
