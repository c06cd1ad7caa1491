#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the reverse proxies of docs/reference/web.md before a real page, with Debian's caddy and nginx.

Each sample runs as it stands in the document: only the port of the page is another one. The test adds ports,
certificates and folders around it.

Usage: proxies_test.py BINARIES
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile

from check import check, finish
from live_page import PATIENCE, ROOT, LivePage, wait_until
from webdriver import free_port

NAME = "glimpse.example"
CAMERA = """
[source]
kind = "test"
pattern = "scene"

[barcode]
"""
TOKEN = "correct-horse-battery-staple"
WEB = f'allowed_hosts = ["{NAME}"]\nmax_viewers = 1\ncommands = true\ntoken_env = "PAGE_TOKEN"\n'
CADDY = """{{
    admin off
    local_certs
    skip_install_trust
    http_port {plain}
    https_port {port}
    storage file_system {folder}/store
}}
{sample}
"""
NGINX = """
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        server_name {name};
        ssl_certificate {folder}/certificate.pem;
        ssl_certificate_key {folder}/key.pem;
        {sample}
    }}
}}
"""


def sample(mark, page):
    """The block of the document that has a text, with the port of this page."""
    document = (ROOT / "docs" / "reference" / "web.md").read_text()
    block, = [block for block in re.findall(r"```text\n(.*?)```", document, re.S) if mark in block]
    return block.replace("127.0.0.1:8420", page.listen)


def caddy(folder, port, page):
    text = CADDY.format(plain=free_port(), port=port, folder=folder, sample=sample(f"{NAME} {{", page))
    pathlib.Path(folder, "Caddyfile").write_text(text)
    # Caddy keeps its state in its home.
    environment = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
    command = ["caddy", "run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile"]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE), f"{folder}/store/pki/authorities/local/root.crt"


def nginx(folder, port, page):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{folder}/key.pem",
         "-out", f"{folder}/certificate.pem"], check=True, capture_output=True)
    text = NGINX.format(port=port, folder=folder, name=NAME, sample=sample("proxy_pass", page))
    pathlib.Path(folder, "nginx.conf").write_text(text)
    os.chmod(folder, 0o755)
    command = ["/usr/sbin/nginx", "-p", folder, "-c", f"{folder}/nginx.conf", "-e", "stderr", "-g", "daemon off;"]
    return subprocess.Popen(command, stderr=subprocess.PIPE), f"{folder}/certificate.pem"


class Visitor:
    """A connection to the proxy by TLS, which knows the proxy by its certificate only."""

    def __init__(self, port, authority):
        context = ssl.create_default_context(cafile=authority)
        plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.connection = http.client.HTTPConnection(NAME)
        self.connection.sock = context.wrap_socket(plain, server_hostname=NAME)

    def request(self, path, method="GET", **headers):
        self.connection.request(method, path, headers=headers or {"Authorization": f"Bearer {TOKEN}"})
        return self.connection.getresponse()

    def close(self):
        self.connection.close()


def status(port, authority, path, method="GET", **headers):
    with contextlib.closing(Visitor(port, authority)) as visitor:
        return visitor.request(path, method, **headers).status


def is_up(port, authority):
    with contextlib.suppress(OSError):
        return os.path.exists(authority) and status(port, authority, "/healthz") == 200


def cookie(port, authority, page):
    """The cookie of a session, by the one-time link and the proxy."""
    program, socket_path = (os.path.join(place, name) for place, name in ((page.binaries, "glimpsed"), (page.folder, "l.sock")))
    link = subprocess.run([program, "web", "open", "--socket", socket_path], check=True, capture_output=True, text=True).stdout
    with contextlib.closing(Visitor(port, authority)) as visitor:
        answer = visitor.request(link.strip().removeprefix(page.address), **{"Accept": "*/*"})
        return (answer.getheader("Set-Cookie") or "").split(";")[0]


def examine(name, start, page):
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        proxy, authority = start(folder, port, page)
        try:
            wait_until(lambda: proxy.poll() is not None or is_up(port, authority), f"{name} to answer")
            check(f"{name} accepts the sample", proxy.poll() is None, proxy.poll() is not None and proxy.stderr.read())
            look(name, port, authority, page)
        finally:
            proxy.terminate()
            proxy.communicate()


def look(name, port, authority, page):
    with contextlib.closing(Visitor(port, authority)) as visitor:
        text = visitor.request("/").read().decode()
        check(f"{name}: the page", "<title>Glimpse</title>" in text, text)
    with contextlib.closing(Visitor(port, authority)) as visitor:
        # There is no other line of these types, so a proxy that waits for more bytes would show nothing.
        answer = visitor.request("/api/events?types=config")
        lines = iter(answer.readline, b"")
        check(f"{name}: events come at once", any(line == b"event: state\n" for line in lines), answer.status)
    with contextlib.closing(Visitor(port, authority)) as visitor:
        answer = visitor.request("/api/pipelines/camera/stream?width=320&rate=15")
        numbers = []
        while len(numbers) < 3:
            header = json.loads(answer.read(int.from_bytes(answer.read(4), "big")))
            check(f"{name}: picture {len(numbers)} is a JPEG", answer.read(header["bytes"])[:2] == b"\xff\xd8")
            numbers.append(header["seq"])
        check(f"{name}: a viewer has the only place", status(port, authority, "/api/pipelines/camera/stream") == 503)
    wait_until(lambda: status(port, authority, "/api/pipelines/camera/picture.jpg") == 200, "the viewer's place")
    check(f"{name}: a viewer that leaves makes room", True)
    session = cookie(port, authority, page)
    check(f"{name}: the one-time link begins a session", session.startswith("glimpse="), session)
    for site, expected in ((f"https://{NAME}", 200), ("https://evil.example", 403)):
        headers = {"Cookie": session, "Origin": site}
        found = status(port, authority, "/api/pipelines/camera/restart", "POST", **headers)
        check(f"{name}: a command from {site} has status {expected}", found == expected, found)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.environ["PAGE_TOKEN"] = TOKEN
    with LivePage(pathlib.Path(sys.argv[1]).resolve(), {"camera": CAMERA}, web=WEB) as page:
        examine("caddy", caddy, page)
        examine("nginx", nginx, page)
    finish()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
