# SPDX-License-Identifier: Apache-2.0
"""A client of the WebSocket protocol (RFC 6455), as far as WebDriver BiDi needs it."""

import base64
import os
import socket
import struct


class WebSocket:
    """A connection to a path of the loopback that carries texts."""

    TEXT, CLOSE, PING, PONG = 1, 8, 9, 10

    def __init__(self, port, path, patience):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        status = self.file.readline()
        if b" 101 " not in status:
            raise OSError(f"no WebSocket at {path}: {status}")
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, text):
        self.write(self.TEXT, text.encode())

    def write(self, kind, payload):
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, size)
        # One long exclusive or is faster than one for each byte.
        pattern = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(pattern, "big")).to_bytes(size, "big")
        self.socket.sendall(head + mask + masked)

    def receive(self):
        """Returns the next text."""
        parts = []
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126:
                size, = struct.unpack("!H", self.take(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.take(8))
            payload, kind = self.take(size), first & 0x0F
            if kind == self.CLOSE:
                raise OSError("the browser has closed the connection")
            if kind == self.PING:
                self.write(self.PONG, payload)
            elif kind != self.PONG:
                parts.append(payload)
                if first & 0x80:
                    return b"".join(parts).decode()

    def take(self, count):
        data = self.file.read(count)
        if len(data) < count:
            raise OSError("the browser has ended the connection")
        return data
