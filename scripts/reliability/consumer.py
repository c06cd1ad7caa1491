# SPDX-License-Identifier: Apache-2.0
"""Consumers at a broker that count events."""
import json
import threading
import time

import paho.mqtt.client as mqtt


class Consumer(threading.Thread):
    """Receives every message of a topic, in a session that the broker keeps while it connects again."""

    def __init__(self, name, topic, ports, is_lasting=True):
        super().__init__(daemon=True)
        self.topic, self.ports, self.is_closed = topic, ports, False
        # The payloads by (run_id, seq), and the positions of each pipeline as they first came.
        self.payloads, self.orders = {}, {}
        self.twice, self.changed, self.gaps, self.newest = 0, [], [], 0
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, client_id=name, clean_session=not is_lasting,
            protocol=mqtt.MQTTv311)
        self.client.on_connect = lambda client, *_: client.subscribe(topic, 1)
        self.client.on_message = lambda client, data, message: self.take(message)
        self.start()

    def run(self):
        attempt = 0
        while not self.is_closed:
            try:
                self.client.connect("127.0.0.1", self.ports[attempt % len(self.ports)], keepalive=5)
                while self.client.loop(0.2) == mqtt.MQTT_ERR_SUCCESS and not self.is_closed:
                    pass
            except OSError:
                pass
            attempt += 1
            time.sleep(0.02)

    def take(self, message):
        line = json.loads(message.payload)
        if "seq" not in line:
            self.gaps.append(line)
            return
        key = (line["run_id"], line["seq"])
        if key in self.payloads:
            self.twice += 1
            if self.payloads[key] != message.payload:
                self.changed.append(key)
            return
        self.payloads[key] = message.payload
        self.orders.setdefault(line["pipeline"], []).append(key)
        self.newest = max(self.newest, line["seq"])

    def events_with_two_positions(self):
        """An event is a step of one track's life: the same step at another position would be a hidden duplicate."""
        steps, found = {}, []
        for key, payload in list(self.payloads.items()):
            line = json.loads(payload)
            step = (key[0], line["pipeline"], line["type"], line["track"]["id"])
            if steps.setdefault(step, key) != key:
                found.append(step)
        return found

    def disorder(self):
        """The number of events that came after a later one of their pipeline."""
        return sum(
            later[0] == earlier[0] and later[1] < earlier[1]
            for order in self.orders.values() for earlier, later in zip(order, order[1:]))
