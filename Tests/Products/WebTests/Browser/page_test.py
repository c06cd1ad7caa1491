#!/usr/bin/env python3
"""Tests the live page in Chromium: real daemon, real worker, built-in scene.

Usage: page_test.py BINARIES [PICTURES]

BINARIES has glimpsed, glimpsed-worker and glimpsed-web. PICTURES is a folder that gets a picture of each view.
Exit status: 0 if everything holds.
"""

import contextlib
import pathlib
import signal
import subprocess
import sys
import time
import tomllib

from webdriver import Browser, free_port

HERE = pathlib.Path(__file__).parent
VIEWS = ["wall", "camera/demo", "events", "history", "charts", "health"]


@contextlib.contextmanager
def demo(binaries):
    """Runs the demo, and yields its address."""
    address = f"127.0.0.1:{free_port()}"
    program = subprocess.Popen(
        [binaries / "glimpsed", "demo", "--web", "--listen", address], stderr=subprocess.PIPE, text=True)
    try:
        for line in program.stderr:
            if "the page is at" in line:
                break
        else:
            sys.exit("the demo did not start")
        yield f"http://{address}"
    finally:
        program.send_signal(signal.SIGTERM)
        rest = program.communicate(timeout=60)[1]
        check("the demo ends", program.returncode == 0, rest)


failures = 0


def check(text, holds, detail=""):
    global failures
    failures += not holds
    print(f"{'ok' if holds else 'FAILED'}: {text}{'' if holds else f': {detail}'}", flush=True)


def show(browser, page, view):
    browser.open("about:blank")
    browser.open(f"{page}/#/{view}")
    browser.until("return document.querySelector('main h2') && document.getElementById('connection').textContent.includes('connected')")


def views(page, pictures):
    access = (HERE / "access.js").read_text()
    for theme in ("light", "dark"):
        with Browser(theme) as browser:
            for width, height in ((1280, 800), (360, 740)):
                browser.resize(width, height)
                for view in VIEWS:
                    show(browser, page, view)
                    if view in ("wall", "camera/demo"):
                        browser.until("return document.querySelector('canvas')?.dataset.seq")
                    if view == "camera/demo":
                        browser.until("return /[3-9] tracks/.test(document.querySelector('canvas').getAttribute('aria-label'))")
                    if view == "history":
                        browser.until("return document.querySelector('.entries img')?.naturalWidth > 0", seconds=120)
                    time.sleep(1)
                    name = f"{view.replace('/', '-')}-{width}-{theme}"
                    if pictures:
                        browser.picture(pictures / f"{name}.png")
                    wide = browser.run("return document.documentElement.scrollWidth")
                    check(f"{name}: no scrolling sideways", wide <= width, wide)
                    problems = browser.run(access)
                    check(f"{name}: names, roles and contrast", not problems, problems)
            check(f"{theme}: no error in the console", not (found := browser.complaints()), found)


def boxes(browser, page):
    show(browser, page, "camera/demo")
    browser.until("return document.querySelector('canvas').dataset.seq")
    found = browser.run_later((HERE / "boxes.js").read_text(), 25)
    print(f"   {found['frames']} frames, {found['boxed']} with boxes of whole cards, {found['right']} of {found['boxes']} boxes right, "
          f"worst {found['worst']} pixels")
    check("frames were shown", found["frames"] >= 25, found)
    check("boxes were compared", found["boxes"] >= 20, found)
    check("99 % of the boxes lie on their own frame", found["right"] >= 0.99 * found["boxes"], found.get("wrong"))


def drawing(browser, page):
    show(browser, page, "camera/demo")
    browser.until("return document.querySelector('canvas').dataset.seq")
    browser.run("document.querySelector('nav a:last-of-type').focus()")
    enter, right, down = "\ue007", "\ue014", "\ue015"
    for _ in range(10):
        if browser.run("return document.activeElement.textContent") == "Draw":
            break
        browser.press("\ue004")
    browser.press(enter)
    browser.run("document.querySelector('canvas').focus()")
    browser.press(enter, *[right] * 10, enter, *[down] * 10, enter)
    text = browser.run("return document.querySelector('textarea').value")
    zone = tomllib.loads(text).get("zone", [{}])[0]
    expected = [[0.5, 0.5], [0.6, 0.5], [0.6, 0.6]]
    check("a zone drawn by keyboard", zone == {"name": "door", "polygon": expected}, text)


def lists(browser, page):
    show(browser, page, "events")
    browser.until("return document.querySelectorAll('tbody tr').length > 2", seconds=120)
    browser.run("document.querySelector('tbody button').click()")
    check("a click shows the line", '"type"' in browser.run("return document.querySelector('pre').textContent"))
    show(browser, page, "charts")
    browser.until("return document.querySelector('svg.chart rect title')")
    check("a chart tells its numbers", "barcode" in browser.run("return [...document.querySelectorAll('svg.chart title')].map(e => e.textContent).join()"))


def main():
    binaries = pathlib.Path(sys.argv[1]).resolve()
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with demo(binaries) as page:
        with Browser() as browser:
            boxes(browser, page)
            drawing(browser, page)
            lists(browser, page)
        views(page, pictures)
    sys.exit(failures != 0)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
