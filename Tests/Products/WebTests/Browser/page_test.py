#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests each view of the live page in a browser: by keyboard, on a phone, in both themes, and by the rules of axe.

Exit status: 0 if everything holds.
"""

import pathlib
import sys
import time
import tomllib

from browsers import BROWSERS, arguments
from cameras import PIPELINES, VIEWS
from check import check, finish
from live_page import PATIENCE, ROOT, LivePage, wait_until
from webdriver import Problem

AXE = ROOT / ".deps" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
SIZES = ((1280, 800), (360, 740))
ENTER, TAB, LEFT, RIGHT, DOWN = "\ue007", "\ue004", "\ue012", "\ue014", "\ue015"

FOCUS = """
const focused = document.activeElement;
const style = getComputedStyle(focused);
const area = focused.getBoundingClientRect();
return {
  name: focused.getAttribute("aria-label") ?? focused.innerText, tag: focused.localName,
  isSeen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
    && area.bottom > 0 && area.top < innerHeight && area.right > 0 && area.left < innerWidth,
};
"""

CONTENT = "return document.querySelector('main')?.innerText.includes(arguments[0])"
PICTURE = "return document.querySelector('canvas')?.dataset.seq"
COUNTS = "return ['h1', 'main', 'main h2', 'canvas:not([aria-label])'].map((each) => document.querySelectorAll(each).length)"


def show(browser, page, view):
    browser.open("about:blank")
    browser.open(f"{page.address}/#/{view}")
    browser.until(CONTENT, VIEWS[view], seconds=PATIENCE)


def tab_to(browser, name):
    """Presses Tab until the element of this name has the focus. Returns what had the focus on the way."""
    passed = []
    while len(passed) < 40 and (not passed or passed[-1]["name"] != name):
        browser.press(TAB)
        passed.append(browser.run(FOCUS))
    return passed


def views(browser, page, theme, pictures):
    """Checks each view in each size."""
    axe = AXE.read_text()
    for width, height in SIZES:
        browser.resize(width, height)
        for view in VIEWS:
            show(browser, page, view)
            if view in ("wall", "camera/entrance"):
                browser.until(PICTURE, seconds=PATIENCE)
            if pictures and view == "camera/entrance":
                browser.until("return /[3-9] tracks/.test(document.querySelector('canvas').getAttribute('aria-label'))")
            if view == "charts":
                browser.until("return document.querySelector(`svg[aria-label='Dropped frames a second']`)?.clientWidth > 0", seconds=PATIENCE)
            name = f"{view.replace('/', '-')}-{width}-{theme}"
            if pictures:
                time.sleep(1)
                browser.picture(pictures / f"{name}.png")
            wide = browser.run("return document.documentElement.scrollWidth")
            check(f"{name}: no scrolling sideways", wide <= width, wide)
            counts = browser.run(COUNTS)
            check(f"{name}: one heading, one main, a name for each canvas", counts == [1, 1, 1, 0], counts)
            browser.run(axe)
            found = browser.run_later(
                "axe.run(document, {runOnly: arguments[0]}).then((found) => arguments[1](found.violations))", RULES)
            check(f"{name}: axe finds no fault", not found, [
                (fault["id"], node["html"], node["failureSummary"]) for fault in found for node in fault["nodes"]])
    found = [each for each in browser.complaints() if "Failed to load resource" not in each]
    check(f"{theme}: no error in the console", not found, found)


def keyboard(browser, page):
    show(browser, page, "wall")
    browser.until("return document.querySelector('nav').innerText.includes('garden')", seconds=PATIENCE)
    passed = tab_to(browser, "garden")
    names = ["Skip to the content", "Wall", "Events", "History", "Charts", "Health", "entrance", "garden"]
    check("Tab reaches each view", [each["name"] for each in passed] == names, passed)
    check("the focus is seen", all(each["isSeen"] for each in passed), passed)
    browser.press(ENTER)
    browser.until("return document.querySelector('main h2')?.innerText === 'garden'", seconds=PATIENCE)
    passed = tab_to(browser, "Draw")
    check("Tab goes on in the view", passed[-1]["name"] == "Draw", passed)


def focus(browser, page):
    """Numbers change under the focus of somebody who reads them."""
    for view, name in (("camera/entrance", "Detectors"), ("health", "Facts of the daemon"), ("charts", "Save processing-time.csv")):
        show(browser, page, view)
        browser.until(
            "return [...document.querySelectorAll('main button, main [tabindex]:not([hidden])')]"
            ".some((each) => (each.ariaLabel ?? each.innerText) === arguments[0])", name, seconds=PATIENCE)
        tab_to(browser, name)
        before = browser.run("return document.querySelector('main').innerText")
        browser.until("return document.querySelector('main').innerText !== arguments[0]", before, seconds=PATIENCE)
        found = browser.run(FOCUS)
        check(f"{view}: the focus stays while numbers change", found["name"] == name, found)


def leaving(browser, page):
    """A page that is left ends its streams. The server ends those that nobody reads, but only after 30 s."""
    for visit in range(5):
        show(browser, page, "camera/entrance")
        browser.until(PICTURE, seconds=PATIENCE)
    check("a camera's page holds a connection to the daemon", page.streams() > 0)
    browser.open("about:blank")
    wait_until(lambda: page.streams() == 0, "the streams of pages that were left to end", seconds=20)
    check("a page that is left ends its streams", True)


def drawing(browser, page):
    show(browser, page, "camera/entrance")
    browser.until(PICTURE, seconds=PATIENCE)
    tab_to(browser, "Draw")
    browser.press(ENTER)
    browser.run("document.querySelector('canvas').focus()")
    browser.press(ENTER, *[RIGHT] * 10, ENTER, *[DOWN] * 10, ENTER)
    text = browser.run("return document.querySelector('textarea').value")
    expected = [[0.5, 0.5], [0.6, 0.5], [0.6, 0.6]]
    check("a zone is drawn by keyboard", tomllib.loads(text) == {"zone": [{"name": "door", "polygon": expected}]}, text)

    browser.run("[...document.querySelectorAll('button')].find((each) => each.innerText === 'Clear').click()")
    left, top, width, height = browser.run(
        "document.querySelector('canvas').scrollIntoView({ block: 'center' });"
        "const area = document.querySelector('canvas').getBoundingClientRect();"
        "return [area.left, area.top, area.width, area.height]")
    for x, y in ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75)):
        browser.click(left + x * width, top + y * height)
    text = browser.run("return document.querySelector('textarea').value")
    points = tomllib.loads(text)["zone"][0]["polygon"]
    far = max(abs(a - b) for given, wanted in zip(points, ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75))) for a, b in zip(given, wanted))
    check("a zone is drawn by mouse where the pointer is", len(points) == 3 and far < 0.005, text)


def read_by_keys(browser, chart, wanted):
    """Steps back from a chart's newest place until its numbers name what is wanted.

    The page reads them once a minute.
    """
    drawn = f"document.querySelector(`svg[aria-label='{chart}']`)"
    browser.until(f"return {drawn}?.getBoundingClientRect().width > 0", seconds=PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while True:
        browser.run(f"{drawn}.blur(); {drawn}.focus()")
        # The newest hour may have just begun: then the one before it has what is wanted.
        for _ in range(2):
            browser.press(LEFT)
            told = browser.run("return document.activeElement.parentElement.querySelector('.readout').textContent")
            if wanted in told or time.monotonic() > deadline:
                return told
        time.sleep(1)


def find(browser, condition):
    """Searches the history until the condition holds. A track gets there a moment after its last event."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return browser.until(condition, seconds=10)
        except Problem:
            if time.monotonic() > deadline:
                raise
        browser.run("document.querySelector('form').requestSubmit()")


def lists(browser, page):
    show(browser, page, "events")
    button = "[...document.querySelectorAll('tbody button')].find((each) => each.innerText === 'completed')"
    browser.until(f"return {button} !== undefined", seconds=PATIENCE)
    browser.run(f"{button}.click()")
    check("a click shows the line", '"completed"' in browser.run("return document.querySelector('pre').textContent"))
    browser.until("const image = document.querySelector('.detail img'); return !image.hidden && image.naturalWidth > 0", seconds=PATIENCE)
    told = browser.run("return document.querySelector('.detail').innerText")
    check("a click shows the picture of an ended track", "the track's best picture" in told, told)
    check("a click shows the facts and the track so far", "Seen for" in told and "The track so far" in told, told)
    show(browser, page, "events")
    browser.until("return [...document.querySelectorAll('tbody time')].some((each) => Date.parse(each.dateTime) < performance.timeOrigin)", seconds=PATIENCE)
    check("the list begins with past events", True)
    show(browser, page, "history")
    find(browser, "return document.querySelector('.entries img')?.naturalWidth > 0")
    check("the history has pictures", True)
    show(browser, page, "charts")
    for chart, wanted in (("Tracks per hour", "barcode"), ("Median time in each zone in seconds", "table of entrance: "),
                          ("Processing time in milliseconds", " ms"), ("Dropped frames a second", "a second")):
        told = read_by_keys(browser, chart, wanted)
        check(f"{chart}: keys tell the numbers", wanted in told, told)
    read_by_keys(browser, "Tracks per hour", "barcode")
    x, y = browser.run(
        "const chart = document.activeElement; chart.scrollIntoView({ block: 'center' });"
        "const area = chart.getBoundingClientRect();"
        "return [area.left + Number(chart.querySelector('.marker').getAttribute('x1')), area.top + 50]")
    browser.run("document.activeElement.blur()")
    browser.click(x, y)
    told = browser.run("return document.querySelector('.readout').textContent")
    check("the pointer tells the numbers", "barcode" in told, told)
    show(browser, page, "history")
    find(browser, "return document.querySelector('.entries')?.innerText.includes('table ')")
    browser.run("const zone = [...document.querySelectorAll('label')].find((each) => each.innerText.startsWith('Zone')).querySelector('select');"
                "zone.value = 'table'; document.querySelector('form').requestSubmit()")
    browser.until("const entries = [...document.querySelectorAll('.entries li')];"
                  "return entries.length > 0 && entries.every((each) => each.innerText.includes('table '))", seconds=PATIENCE)
    check("the history is searched by zone", True)
    show(browser, page, "health")
    # The daemon and the page are asked separately.
    browser.until(
        "const text = document.querySelector('main').innerText;"
        " return /garden\\s+retrying: /.test(text) && /Page\\s+glimpsed-web 0/.test(text)",
        seconds=PATIENCE)
    text = browser.run("return document.querySelector('main').innerText")
    check("health says what needs attention", "check the camera" in text, text)
    show(browser, page, "wall")
    browser.until(
        "return [...document.querySelectorAll('article')].some((each) => /garden[^]*retrying since .*: .*\\S/.test(each.innerText))",
        seconds=PATIENCE)
    check("an absent camera says why and since when", True)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--pictures", type=pathlib.Path, help="a folder that gets a picture of each view")
    options = parser.parse_args()
    browser_of, pictures = BROWSERS[options.browser], options.pictures
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with LivePage(options.binaries, PIPELINES) as page:
        with browser_of() as browser:
            lists(browser, page)
            keyboard(browser, page)
            focus(browser, page)
            leaving(browser, page)
            drawing(browser, page)
        for theme in ("light", "dark"):
            with browser_of(theme) as browser:
                views(browser, page, theme, pictures)
    finish()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
