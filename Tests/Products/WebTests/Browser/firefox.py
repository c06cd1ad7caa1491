# SPDX-License-Identifier: Apache-2.0
"""A client of Firefox in the W3C protocol "WebDriver BiDi", with the methods of `webdriver.Browser`."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

from webdriver import Driver, Problem, free_port
from websocket import WebSocket

PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    # No transition, so that no colour is measured half-way.
    "ui.prefersReducedMotion": 1,
    # A proxy that does not exist. Firefox sends to it all but the requests to the loopback.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}
THEMES = {"dark": 0, "light": 1}
PATIENCE = 150


class Firefox(Driver):
    """A headless Firefox. `theme` is light or dark."""

    name = "Firefox"

    def __init__(self, theme="light", width=1280, height=800):
        self.profile = tempfile.mkdtemp(prefix="glimpse-firefox-")
        preferences = {**PREFERENCES, "layout.css.prefers-color-scheme.content-override": THEMES[theme]}
        lines = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in preferences.items())
        pathlib.Path(self.profile, "user.js").write_text("".join(lines))
        port = free_port()
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.profile, f"--remote-debugging-port={port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.errors = 0, []
        try:
            self.connection = self.connect(port)
            self.send("session.new", capabilities={})
            self.send("session.subscribe", events=["log.entryAdded"])
            # The first tab of a headless window has no focus, so that no element in it shows its own.
            self.context = self.send("browsingContext.create", type="tab")["context"]
            self.resize(width, height)
        except BaseException:
            self.end()
            raise

    def connect(self, port):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return WebSocket(port, "/session", PATIENCE)
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise Problem("Firefox does not answer") from None
                time.sleep(0.2)

    def close(self):
        self.connection.close()
        self.end()

    def end(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, **parameters):
        self.number += 1
        self.connection.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.connection.receive())
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise Problem(message["message"])
                return message["result"]

    def resize(self, width, height):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def open(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def call(self, function, arguments):
        result = self.send(
            "script.callFunction", functionDeclaration=function, awaitPromise=True, target={"context": self.context},
            arguments=[{"type": "string", "value": json.dumps(arguments)}])
        if result["type"] == "exception":
            raise Problem(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def run(self, script, *arguments):
        """The value that a function's body returns."""
        body = f"(text) => JSON.stringify((function () {{\n{script}\n}}).apply(window, JSON.parse(text)) ?? null)"
        return self.call(body, arguments)

    def run_later(self, script, *arguments):
        """The value that a function's body gives to its last argument."""
        promise = f"new Promise((done) => (function () {{\n{script}\n}}).apply(window, [...JSON.parse(text), done]))"
        return self.call(f"async (text) => JSON.stringify((await {promise}) ?? null)", arguments)

    def act(self, source, actions):
        self.send("input.performActions", context=self.context, actions=[{**source, "actions": actions}])

    def complaints(self):
        """The errors of the console since the last call."""
        self.run("return 0")
        found, self.errors = self.errors, []
        return found

    def picture(self, path):
        data = self.send("browsingContext.captureScreenshot", context=self.context)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
