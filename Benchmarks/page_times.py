#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The times that a person waits for the live page, in Chromium on the loopback.

  page_times.py [--bin .build/release] [--seconds 20] [--rounds 10]

Runs a separate daemon with the built-in scene at 1280x720 and 15 frames a second, and glimpsed-web. Measures, in ms:

  capture to screen   from the arrival of a frame in the worker to the animation frame after its picture is drawn
  first picture       from the click on a pipeline's name in the view Events to that animation frame
  start on a phone    from the begin of the navigation to the pipeline's state on the wall, and to its first picture.
                      Without a cache, at 360x740, with four times CPU throttling
"""
import argparse
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / 'Tests' / 'Products' / 'WebTests' / 'Browser'))

from live_page import LivePage  # noqa: E402
from viewers import PIPELINE  # noqa: E402
from webdriver import Browser  # noqa: E402

CAPTURE = '''
const [seconds, done] = arguments;
const captured = new Map();
const source = new EventSource("/api/events?pipelines=scene&frames=1");
source.onmessage = ({ data }) => {
  const line = JSON.parse(data);
  if (line.frame) captured.set(`${line.frame.epoch}/${line.frame.seq}`, Date.parse(line.time));
};
const shown = [];
const canvas = document.querySelector("canvas");
const name = () => `${canvas.dataset.epoch}/${canvas.dataset.seq}`;
new MutationObserver(() => requestAnimationFrame(() => shown.push([name(), Date.now()])))
  .observe(canvas, { attributes: true, attributeFilter: ["data-seq"] });
setTimeout(() => {
  source.close();
  const known = shown.filter(([name]) => captured.has(name));
  done([known.map(([name, time]) => time - captured.get(name)), shown.length]);
}, 1000 * seconds);
'''
CLICK = '''
const done = arguments[0];
const begin = performance.now();
const look = () => {
  if (document.querySelector("main canvas")?.dataset.seq) done(performance.now() - begin);
  else requestAnimationFrame(look);
};
[...document.querySelectorAll("nav a")].find((link) => link.innerText === "scene").click();
requestAnimationFrame(look);
'''
START = '''
window.times = {};
const look = () => {
  if (!times.state && /connected/.test(document.querySelector("article .note")?.innerText ?? "")) times.state = performance.now();
  if (!times.picture && document.querySelector("article canvas")?.dataset.seq) times.picture = performance.now();
  if (!times.state || !times.picture) requestAnimationFrame(look);
};
requestAnimationFrame(look);
'''


def capture(page, seconds):
    with Browser() as browser:
        browser.open(f'{page.address}/#/camera/scene')
        browser.until("return document.querySelector('canvas')?.dataset.seq")
        return browser.run_later(CAPTURE, seconds)


def clicks(page, rounds):
    with Browser() as browser:
        found = []
        for _ in range(rounds):
            browser.open(f'{page.address}/#/events')
            browser.until("return [...document.querySelectorAll('nav a')].some((link) => link.innerText === 'scene')")
            time.sleep(1)
            found.append(browser.run_later(CLICK))
        return found


def starts(page, rounds):
    with Browser(width=360, height=740) as browser:
        browser.develop('Network.enable', {})
        browser.develop('Network.setCacheDisabled', {'cacheDisabled': True})
        browser.develop('Emulation.setCPUThrottlingRate', {'rate': 4})
        browser.develop('Page.addScriptToEvaluateOnNewDocument', {'source': START})
        found = []
        for _ in range(rounds):
            browser.open('about:blank')
            browser.open(page.address)
            found.append(browser.until('return times.state && times.picture && [times.state, times.picture]'))
        return found


def row(name, values):
    values = sorted(values)
    print(f'| {name} | {len(values)} | {statistics.median(values):.0f} | {values[int(len(values) * 0.95)]:.0f} |', flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('--bin', default='.build/release')
    arguments.add_argument('--seconds', type=float, default=20)
    arguments.add_argument('--rounds', type=int, default=10)
    options = arguments.parse_args()
    with LivePage(pathlib.Path(options.bin).resolve(), {'scene': PIPELINE}) as page:
        print('| | times | median ms | p95 ms |')
        print('|---|---|---|---|')
        latencies, shown = capture(page, options.seconds)
        row('capture to screen', latencies)
        row('first picture after the click', clicks(page, options.rounds))
        found = starts(page, options.rounds)
        row("start on a phone: the pipeline's state", [state for state, _ in found])
        row('start on a phone: the first picture', [picture for _, picture in found])
        print(f'\n{len(latencies)} of {shown} presented pictures have a line of their own frame')


if __name__ == '__main__':
    main()
