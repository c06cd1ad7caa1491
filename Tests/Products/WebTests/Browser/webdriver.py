# SPDX-License-Identifier: Apache-2.0
"""A client of Chromium in the W3C protocol "WebDriver", as far as the page's tests need it."""

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


class Problem(Exception):
    pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Driver:
    """The methods of every browser."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def press(self, *keys):
        self.act({"type": "key", "id": "keys"}, [
            {"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")])

    def click(self, x, y):
        """Clicks at a point of the window in CSS pixels."""
        self.act({"type": "pointer", "id": "mouse"}, [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}])

    def until(self, script, *arguments, seconds=60):
        """Waits until a function's body returns a true value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.1)
        shown = self.run("return `${location.href}: ${document.body?.innerText.slice(0, 1000)}`")
        raise Problem(f"still not after {seconds} s: {script}\nThe page is {shown}")


class Browser(Driver):
    """A headless Chromium. `theme` is light or dark. Nothing moves, so that no colour is measured half-way."""

    name = "Chromium"

    def __init__(self, theme="light", width=1280, height=800):
        port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.root = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
        options = {"args": arguments, "binary": shutil.which("chromium")}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"script": 120000}}
        for attempt in range(100):
            with contextlib.suppress(OSError):
                session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
                break
            if attempt == 99:
                raise Problem("chromedriver does not answer")
            time.sleep(0.1)
        self.session = f"/session/{session['sessionId']}"
        self.resize(width, height)
        features = [{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        self.develop("Emulation.setEmulatedMedia", {"features": features})

    def close(self):
        with contextlib.suppress(Problem, OSError):
            self.send("DELETE", self.session)
        self.driver.terminate()
        self.driver.wait()

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=150) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Problem(json.load(error)["value"]["message"]) from None

    def develop(self, command, parameters):
        return self.send("POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.develop("Emulation.setDeviceMetricsOverride", size)

    def open(self, address):
        self.send("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        """The value that a function's body returns."""
        return self.send("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """The value that a function's body gives to its last argument."""
        return self.send("POST", f"{self.session}/execute/async", {"script": script, "args": list(arguments)})

    def act(self, source, actions):
        self.send("POST", f"{self.session}/actions", {"actions": [{**source, "actions": actions}]})

    def complaints(self):
        """The errors of the console since the last call."""
        entries = self.send("POST", f"{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("GET", f"{self.session}/screenshot")))
