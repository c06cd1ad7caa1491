# SPDX-License-Identifier: Apache-2.0
"""soak_detector.py: a detector as a program that does everything wrong that it can, now and then."""
import json
import random
import sys
import time

GOOD = {"detections": [{"box": [40, 40, 80, 60], "confidence": 0.9, "attributes": {"value": "box"}}]}


def answer(frame):
    fault = random.random()
    if fault < 0.002:
        sys.exit(3)
    if fault < 0.003:
        time.sleep(3600)
    if fault < 0.005:
        return "this is no answer"
    if fault < 0.007:
        return json.dumps({**GOOD, "frame": frame + 1})
    if fault < 0.008:
        return "x" * (2 << 20)
    if fault < 0.02:
        return json.dumps({"frame": frame, "detections": [{"box": [-1e9, 0, 1e300, 2], "confidence": 7}]})
    return json.dumps({**GOOD, "frame": frame} if frame % 100 < 50 else {"frame": frame, "detections": []})


def main():
    sys.stdin.readline()
    print(json.dumps({"ready": True, "name": "misbehaving"}), flush=True)
    for line in sys.stdin:
        print(answer(json.loads(line)["frame"]), flush=True)


if __name__ == "__main__":
    main()
