#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hook.py PORT SECRET-FILE OUTPUT: a webhook's receiver. Appends the types in each signed batch to OUTPUT."""
import hashlib
import hmac
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = open(sys.argv[2], "rb").read().strip()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
        is_signed = hmac.compare_digest(expected, self.headers.get("X-Glimpse-Signature-256", ""))
        if is_signed:
            with open(sys.argv[3], "a") as file:
                file.write(" ".join(sorted({line["type"] for line in json.loads(body)})) + "\n")
        self.send_response(204 if is_signed else 401)
        self.end_headers()


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
