# SPDX-License-Identifier: Apache-2.0
"""The other side of the protocol for tests: a sealed ring on descriptor 3, one line each way."""

import fcntl
import json
import mmap
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DETECTORS = Path(__file__).resolve().parents[1]
SLOTS = 4
PATIENCE = 120
"""Seconds until a test gives up. Busy machines are slow."""
F_SEAL_FUTURE_WRITE = 0x10
LAUNCHER = "import os, sys; ring = int(sys.argv[1]); os.dup2(ring, 3); os.execvp(sys.argv[2], sys.argv[2:])"


class Host:
    """Runs a detector's command. `answer` gives it a frame and returns its line."""

    def __init__(self, command, width, height, format="gray8", stride=None, changes=None, first=None):
        self.width, self.height, self.format = width, height, format
        self.stride = stride or width * (3 if format == "rgb24" else 1)
        self.rows = height + ((height + 1) // 2 if format == "nv12" else 0)
        self.slot_bytes = self.rows * self.stride
        self.number = 0
        ring = os.memfd_create("frames", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
        os.ftruncate(ring, SLOTS * self.slot_bytes)
        self.memory = mmap.mmap(ring, SLOTS * self.slot_bytes)
        # The mapping above stays writable.
        fcntl.fcntl(ring, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | F_SEAL_FUTURE_WRITE)
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, str(ring), *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, pass_fds=(ring,), bufsize=0,
            env={**os.environ, "PYTHONPATH": str(DETECTORS)},
        )  # fmt: skip
        os.close(ring)
        line = {"protocol": 1, "slots": SLOTS, "slot_bytes": self.slot_bytes, **self.shape(), **(changes or {})}
        self.send(json.dumps(line).encode() if first is None else first)

    def shape(self):
        return {"width": self.width, "height": self.height, "stride": self.stride, "format": self.format}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.errors):
            file.close()

    def send(self, line):
        try:
            self.process.stdin.write(line + b"\n")
        except BrokenPipeError:
            pass

    def line(self):
        """The next line as a value, or None at the end of the output."""
        line, deadline = b"", time.monotonic() + PATIENCE
        while not line.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise TimeoutError(f"no line in {PATIENCE} s: {self.complaint()}")
            part = self.process.stdout.read(1)
            if not part:
                assert not line, line
                return None
            line += part
        return json.loads(line)

    def ready(self):
        line = self.line()
        assert line and line["ready"] is True, (line, self.complaint())
        return line

    def answer(self, pixels, **changes):
        """The detections in a frame. `pixels` are the whole slot."""
        self.number += 1
        slot = self.number % SLOTS
        self.memory[slot * self.slot_bytes : slot * self.slot_bytes + len(pixels)] = pixels
        frame = {"frame": self.number, "slot": slot, **self.shape(), "time_ns": self.number * 500_000_000, **changes}
        self.send(json.dumps(frame).encode())
        line = self.line()
        if line is None:
            return None
        assert line["frame"] == self.number, line
        return line["detections"]

    def end(self):
        """Ends the input; the exit status."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def complaint(self):
        """Standard error. Call it after the end."""
        self.errors.seek(0)
        return self.errors.read().decode()
