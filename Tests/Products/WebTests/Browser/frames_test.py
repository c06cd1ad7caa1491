#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests in a browser that boxes lie where the pixels say, on the frame that they belong to.

The pictures of the pipeline carry their number, and show a QR code at a place that the number tells.
"""

import os
import pathlib
import sys
import tempfile
import threading

import marked_film
from browsers import BROWSERS, arguments
from check import check, finish
from live_page import PATIENCE, LivePage, wait_until

SAMPLES = 60
NEAR = 2.0
"""Pixels between a drawn box and the box of its event, at most."""
READ = 4.0
"""Pixels between a drawn box and the code, at most. The code moves 10 pixels from each picture to the next."""

FILM = """
[source]
kind = "images"
path = "{folder}"
pace = "realtime"
loop = true
fps = 8

[barcode]
formats = ["qr_code"]
"""
REFUSING = FILM + 'allow = ["^another value$"]\n'
DOCK = """
[source]
kind = "test"
pattern = "ball"
width = 320
height = 180
fps = 2

[barcode]
max_rate = 1
"""
DOCKS = [f"dock-{number}" for number in range(1, 8)]


def look(browser, side, count, is_dashed=False):
    """Returns what the canvas shows, for so many pictures that follow one another."""
    script = (pathlib.Path(__file__).parent / "read_canvas.js").read_text()
    marks = {"bits": marked_film.BITS, "cell": marked_film.CELL, "left": marked_film.MARKS[0],
             "top": marked_film.MARKS[1], "side": side, "isDashed": is_dashed}
    return browser.run_later(script, count, PATIENCE * 900, marks)


def show(browser, page, view):
    browser.open("about:blank")
    browser.open(f"{page.address}/#/{view}")


def collect(page, lines):
    try:
        for line in page.lines("pipelines=film&types=detected,update"):
            if line["type"] in ("detected", "update"):
                lines[line["frame"]["epoch"], line["frame"]["seq"]] = line
    except OSError:
        pass  # The page has ended.


def distance(drawn, expected):
    return max(abs(a - b) for a, b in zip(drawn, expected))


def boxes(browser, page, side):
    lines = {}
    threading.Thread(target=collect, args=(page, lines), daemon=True).start()
    wait_until(lambda: lines, "the first track")
    show(browser, page, "camera/film")
    found = look(browser, side, SAMPLES)
    check("pictures follow one another", len(found) == SAMPLES, len(found))
    from_events, from_codes, strays = [0.0], [0.0], []
    boxed = [each for each in found if each["box"]]
    for each in boxed:
        line = wait_until(lambda: lines.get((each["epoch"], each["seq"])), f"the line of {each}")
        event, scale = line["box"], each["width"] / line["frame"]["width"]
        corners = [event["x"], event["y"], event["x"] + event["w"], event["y"] + event["h"]]
        from_events.append(distance(each["box"], [value * scale for value in corners]))
        code = marked_film.box(each["number"], side)
        if code:
            from_codes.append(distance(each["box"], [value * scale for value in code]))
        else:
            strays.append(each)
    coded = [each for each in found if marked_film.box(each["number"], side)]
    print(f"   {len(boxed)} of {len(coded)} pictures with a code have a whole box, at most {max(from_events):.1f} pixels from its event "
          f"and {max(from_codes):.1f} from the code")
    check("boxes were compared", len(boxed) >= SAMPLES // 3, len(boxed))
    check("each box is that of its event", max(from_events) <= NEAR, max(from_events))
    check("each box is where its picture has the code", max(from_codes) <= READ, max(from_codes))
    check("a picture without the code has no whole box", not strays, strays)


def explanations(browser, page, side):
    """A code that `allow` refuses is no track. The switch shows it, with the key that decided."""
    show(browser, page, "camera/refusing")
    found = look(browser, side, 10, is_dashed=True)
    check("nothing is explained unasked", not any(each["box"] for each in found), found)
    browser.run("[...document.querySelectorAll('button')].find((each) => each.innerText === 'Why not?').click()")
    browser.until(
        "return document.querySelector('[aria-label=\"Detections that are not tracked\"]')?.innerText.includes(arguments[0])",
        "its value matches no pattern", seconds=PATIENCE)
    key = browser.run("return document.querySelector('[aria-label=\"Detections that are not tracked\"] code').innerText")
    check("the list names the key that decided", key == "allow", key)
    far = []
    for each in look(browser, side, SAMPLES, is_dashed=True):
        code = marked_film.box(each["number"], side)
        if each["box"] and code:
            far.append(distance(each["box"], [value * each["width"] / marked_film.WIDTH for value in code]))
    check("boxes of refused codes were compared", len(far) >= SAMPLES // 3, len(far))
    print(f"   {len(far)} boxes of refused codes, at most {max(far, default=0):.1f} pixels from the code")
    check("each is where its picture has the code", max(far, default=0) <= READ, far)
    browser.run("[...document.querySelectorAll('button')].find((each) => each.innerText === 'Why not?').click()")
    found = look(browser, side, 10, is_dashed=True)
    check("the switch turns explanations off", not any(each["box"] for each in found[2:]), found)


def wall(browser, page):
    """More cameras than a browser opens connections to a server."""
    show(browser, page, "wall")
    browser.until(
        "const shown = [...document.querySelectorAll('article canvas')].filter((each) => each.dataset.seq);"
        "return shown.length === arguments[0]", len(DOCKS), seconds=PATIENCE)
    check("the wall shows the picture of each camera", True)
    before = browser.run("return document.querySelector('article canvas').dataset.seq")
    browser.until("return document.querySelector('article canvas').dataset.seq !== arguments[0]", before, seconds=PATIENCE)
    answer = browser.run_later("const done = arguments[0]; fetch('/healthz').then((answer) => done(answer.status))")
    check("there is a connection left for others", answer == 200, answer)


def texts(browser, page):
    for view in ("wall", "camera/film", "events", "history"):
        show(browser, page, view)
        browser.until("return document.querySelector('main')?.innerText.includes(arguments[0])", marked_film.TEXT, seconds=PATIENCE)
        check(f"{view}: a code's text is no HTML", browser.run("return document.getElementById('injected') === null"))


def pauses(browser, page, side):
    show(browser, page, "camera/film")
    look(browser, side, 5)
    page.stop_page()
    says = "return document.querySelector(arguments[0])?.innerText.includes(arguments[1])"
    browser.until(says, ".stage .message", "paused", seconds=PATIENCE)
    browser.until(says, "#connection", "trying again", seconds=PATIENCE)
    check("without the server the picture is paused", True)
    page.start_page()
    browser.until(says, "#connection", "connected", seconds=PATIENCE)
    browser.until("return document.querySelector('.stage .message').innerText === ''", seconds=PATIENCE)
    # The code is absent from 20 pictures.
    found = look(browser, side, 30)
    check("with the server the pictures go on", len(found) == 30, len(found))
    check("so do the boxes", any(each["box"] for each in found), found)


def main():
    options = arguments(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as outer:
        folder = os.path.join(outer, "film")
        os.mkdir(folder)
        side = marked_film.write(folder, options.binaries)
        pipelines = {"film": FILM.format(folder=folder), "refusing": REFUSING.format(folder=folder)}
        with LivePage(options.binaries, pipelines) as page, BROWSERS[options.browser]() as browser:
            boxes(browser, page, side)
            explanations(browser, page, side)
            texts(browser, page)
            pauses(browser, page, side)
    with LivePage(options.binaries, {name: DOCK for name in DOCKS}) as page, BROWSERS[options.browser]() as browser:
        wall(browser, page)
    finish()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
