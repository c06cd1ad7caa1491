#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests in a browser the camera's own video: the boxes of each presented frame, and the switch to pictures and back.

A simulated network camera sends numbered pictures as H.264, which show a QR code at a place that the number tells.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request

import marked_film
from browsers import BROWSERS, arguments
from check import check, finish
from frames_test import NEAR, READ, distance, look, show
from live_page import PATIENCE, ROOT, LivePage, wait_until
from webdriver import free_port

SAMPLES = 200
CLOSE = 0.008
"""Seconds between the time of a presented frame and that of its event, at most."""
SHARE = 0.99
"""The share of the presented frames that have exactly their own boxes."""

CAMERA = """
[source]
kind = "rtsp"
url = "rtsp://127.0.0.1:{port}/test"
user = "viewer"
password_file = "{password}"
ring = "10s"

[barcode]
formats = ["qr_code"]
"""
CLIP = """
[clip]
on = ["barcode"]
before = "1s"
after = "1s"
"""
MASK = """
[[mask]]
name = "neighbour"
polygon = [[0.9, 0.0], [1.0, 0.0], [1.0, 0.16], [0.9, 0.16]]
"""


@contextlib.contextmanager
def camera(folder, port):
    """A network camera that sends the pictures of a folder."""
    program = [ROOT / "Tests" / "Support" / "rtsp-server.py", str(port), "basic", "640x360", "geheim42",
               os.path.join(folder, "%03d.pgm")]
    server = subprocess.Popen(["/usr/bin/python3", *program], stdout=subprocess.PIPE)
    try:
        assert server.stdout.readline() == b"ready\n"
        yield
    finally:
        server.kill()
        server.wait()


def collect(page, looked, lines):
    """Notes the times of the frames that the detector has looked at, and the lines of tracks in view by time."""
    with contextlib.suppress(OSError):  # The page has ended.
        for line in page.lines("pipelines=film&frames=1"):
            if line["type"] == "frame":
                looked.add(line["frame"]["pts_ns"])
            elif line["type"] in ("detected", "update"):
                lines[line["frame"]["pts_ns"]] = line


def is_right(frame, line, side):
    """Whether a frame has the whole box of its own line, and no other."""
    if not line or not frame["box"]:
        return not line and not frame["box"]
    scale = frame["width"] / line["frame"]["width"]
    code = marked_film.box(frame["number"], side)
    return (distance(frame["box"], [value * scale for value in corners(line)]) <= NEAR and code is not None
            and distance(frame["box"], [value * scale for value in code]) <= READ)


def boxes(browser, page, side):
    looked, lines = set(), {}
    threading.Thread(target=collect, args=(page, looked, lines), daemon=True).start()
    wait_until(lambda: lines, "the first track")
    show(browser, page, "camera/film")
    browser.until("return document.querySelector('.mode')?.innerText.includes('video mode')", seconds=PATIENCE)
    look(browser, side, 10)
    found = look(browser, side, SAMPLES)
    check("frames follow one another", len(found) == SAMPLES, len(found))
    wait_until(lambda: max(looked) > max(each["time"] for each in found), "the last lines")
    # The video begins with a key frame that may be older than this subscription.
    found = [each for each in found if each["time"] >= min(looked)]
    # A busy detector leaves frames out. A frame that it left out shows an older box, which is dashed. A frame shows an
    # older box too if its lines come after the time that the page waits for them. Its number then ends in a half.
    late = [each for each in found if not each["box"] and each["seq"] % 1 and lines.get(each["time"])]
    wrong = [each for each in found if each not in late and not is_right(each, lines.get(each["time"]), side)]
    known = [each for each in found if each["time"] in looked]
    boxed = [each for each in known if each["box"]]
    steps = [(b["number"] - a["number"]) % marked_film.LENGTH for a, b in zip(found, found[1:])]
    print(f"   {len(found) - len(wrong)} of {len(found)} frames have exactly their boxes, {len(late)} before they came, {len(boxed)} have one; "
          f"the detector has looked at {len(known)}; {steps.count(1)} of {len(steps)} follow their predecessor at once")
    check("frames have the boxes of that very frame", len(wrong) <= (1 - SHARE) * len(found),
          [(each, lines.get(each["time"])) for each in wrong[:5]])
    check("most frames have boxes", len(boxed) >= SAMPLES // 2, len(boxed))
    check("most frames of the camera are presented", steps.count(1) >= 0.8 * len(steps), steps)


def modes(browser, page):
    says = "return document.querySelector('.mode')?.innerText.includes(arguments[0])"
    change = "document.querySelector('.mode button').click(); return true"
    browser.run(change)
    browser.until(says, "picture mode", seconds=PATIENCE)
    check("the switch shows pictures", browser.until(says, "JPEG pictures, frame", seconds=PATIENCE))
    browser.run(change)
    check("the switch shows the video again", browser.until(says, "video mode", seconds=PATIENCE))
    show(browser, page, "camera/masked")
    check("a masked camera has pictures, and the reason", browser.until(says, "no video: masks", seconds=PATIENCE))
    check("without errors in the console", not browser.complaints(), browser.complaints())


def pauses(browser, page, side):
    show(browser, page, "camera/film")
    look(browser, side, 5)
    page.stop_page()
    says = "return document.querySelector(arguments[0]).innerText.includes(arguments[1])"
    browser.until(says, ".stage .message", "paused", seconds=PATIENCE)
    check("without the server the video is paused", True)
    page.start_page()
    browser.until("return document.querySelector('.stage .message')?.innerText === ''", seconds=PATIENCE)
    check("with the server the video goes on", len(look(browser, side, 20)) == 20)
    check("it is the camera's own video", browser.run(says, ".mode", "video mode"))


def corners(event):
    """The corners of an event's box, as canvases are read: left, top, right, bottom."""
    box = event["box"]
    return [box["x"], box["y"], box["x"] + box["w"], box["y"] + box["h"]]


def clips(browser, page, side):
    listed = f"{page.address}/api/clips?pipeline=film"
    wait_until(lambda: json.load(urllib.request.urlopen(listed))["clips"], "a clip")
    show(browser, page, "history")
    first = "document.querySelector('section[aria-label=Clips] li button')"
    browser.until(f"return {first} !== null", seconds=PATIENCE)
    browser.run(f"{first}.click(); return true")
    browser.until("return document.querySelector('.clip canvas')?.dataset.time", seconds=PATIENCE)
    found = look(browser, side, 60)
    check("a clip plays", len(found) == 60, found)
    boxed = [each for each in found if each["box"]]
    url = browser.run("return performance.getEntriesByType('resource').map((each) => each.name)"
                      ".filter((name) => name.endsWith('.jsonl')).pop()")
    [clip] = [each for each in json.load(urllib.request.urlopen(listed))["clips"] if f"/{each['name']}." in url]
    lines = [json.loads(line) for line in urllib.request.urlopen(url)]
    events = {(line["frame"]["pts_ns"] - clip["pts_ns"]) / 1e9: line for line in lines if line["type"] in ("detected", "update")}

    def strays(each):
        """Whether a box is not that of the event of its frame. An older box would be dashed, and is not read."""
        time = min(events, key=lambda time: abs(time - each["time"]))
        return abs(time - each["time"]) > CLOSE or distance(each["box"], corners(events[time])) > NEAR

    away = [each for each in boxed if strays(each)]
    # A busy detector leaves frames out, and may then follow a code less exactly.
    at_code = [each for each in boxed if (code := marked_film.box(each["number"], side)) and distance(each["box"], code) <= READ]
    print(f"   {len(boxed)} of {len(found)} frames of a clip have a box, {len(away)} not that of their event, {len(at_code)} where the code is")
    check("the boxes of a clip are those of their frames", len(boxed) >= min(20, len(events) // 2) and not away, (away, clip, found[:1]))
    check("the boxes of a clip are where its pictures have the code", len(at_code) >= 0.75 * len(boxed), (clip, boxed))
    check("without errors in the console", not browser.complaints(), browser.complaints())


def main():
    options = arguments(__doc__).parse_args()
    binaries = options.binaries
    with tempfile.TemporaryDirectory() as outer:
        folder, password = os.path.join(outer, "film"), os.path.join(outer, "password")
        os.mkdir(folder)
        side = marked_film.write(folder, binaries)
        with open(os.open(password, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("geheim42\n")
        port = free_port()
        settings = CAMERA.format(port=port, password=password)
        with camera(folder, port), LivePage(
                binaries, {"film": settings + CLIP, "masked": settings + MASK}) as page:
            with BROWSERS[options.browser]() as browser:
                boxes(browser, page, side)
                modes(browser, page)
                clips(browser, page, side)
                pauses(browser, page, side)
    finish()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
