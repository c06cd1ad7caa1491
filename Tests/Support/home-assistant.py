#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates discovery messages with Home Assistant's own schemas.

Reads lines "TOPIC PAYLOAD" from standard input. Prints a complaint for each message that Home Assistant would refuse,
and the number of accepted ones. The exit status is 0 without complaints.

Needs the packages of scripts/home-assistant-requirements.txt, which `scripts/setup.sh --home-assistant` installs in
.deps/home-assistant, on PYTHONPATH. Home Assistant itself does not run.
"""

import json
import sys

import voluptuous
from homeassistant.components.mqtt import binary_sensor, event, image, sensor
from homeassistant.components.mqtt.discovery import TOPIC_MATCHER

SCHEMAS = {
    "binary_sensor": binary_sensor.DISCOVERY_SCHEMA,
    "event": event.DISCOVERY_SCHEMA,
    "image": image.DISCOVERY_SCHEMA,
    "sensor": sensor.DISCOVERY_SCHEMA,
}


def complaint(topic, payload):
    prefix, _, rest = topic.partition("/")
    match = TOPIC_MATCHER.match(rest)
    if not match or match.group("component") not in SCHEMAS:
        return "no topic of a component"
    try:
        # The platform is what Home Assistant itself adds to a message.
        SCHEMAS[match.group("component")]({"platform": "mqtt", **json.loads(payload)})
    except (ValueError, voluptuous.Invalid) as error:
        return str(error)
    return None


def main():
    messages = [line.rstrip("\n").partition(" ") for line in sys.stdin]
    complaints = [f"{topic}: {text}" for topic, _, payload in messages if (text := complaint(topic, payload))]
    print("\n".join(complaints + [f"{len(messages) - len(complaints)} accepted, {len(complaints)} refused"]))
    return 1 if complaints or not messages else 0


if __name__ == "__main__":
    sys.exit(main())
