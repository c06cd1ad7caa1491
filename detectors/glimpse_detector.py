# SPDX-License-Identifier: Apache-2.0
"""A detector for glimpsed as a program: the protocol of `[external.NAME]`. It needs Python 3.9 and nothing else.

    import glimpse_detector

    def detect(frame):
        brightest = max(frame.luma)
        box = (0, 0, frame.width, frame.height)
        return [glimpse_detector.Detection(box, brightest / 255, attributes={"value": str(brightest)})]

    glimpse_detector.run(detect, name="brightness")

`run` answers each frame of standard input and returns when the input ends. An exception in `detect` ends the program,
and glimpsed starts it again. `print` writes to standard error, because standard output belongs to the protocol.
"""

import json
import mmap
import os
import sys
from typing import Callable, Iterable, NamedTuple, Optional, Sequence, Tuple

PROTOCOL = 1
RING = 3
"""The descriptor of the shared memory with the frames."""
LONGEST_ATTRIBUTES = 16 << 10
"""Bytes of JSON that one detection's attributes may have."""
PLANES = {"gray8": 1, "rgb24": 1, "nv12": 2}


class ProtocolError(Exception):
    """A line or a detection breaks the protocol. The message says which member and why."""


class Detection(NamedTuple):
    """One thing in one frame. All numbers are pixels of the frame that the program received."""

    box: Sequence[float]
    """x, y, width, height: x and y of the upper left corner."""
    confidence: float = 1.0
    """0 to 1."""
    corners: Optional[Sequence[Sequence[float]]] = None
    """Four pairs (x, y), clockwise from the upper left corner of the thing itself."""
    attributes: Optional[dict] = None
    """Any JSON object up to 16 KiB. A string `value` is the payload that tracking compares."""


class Frame:
    """One frame in shared memory. The pixels are valid until `detect` returns."""

    def __init__(self, line, ring, slots, slot_bytes):
        self.number = member(line, "frame", int)
        self.width = member(line, "width", int)
        self.height = member(line, "height", int)
        self.stride = member(line, "stride", int)
        """Bytes from one row to the next. nv12 has one stride for both planes."""
        self.format = member(line, "format", str)
        """`gray8`, `nv12` or `rgb24`."""
        self.time_ns = line.get("time_ns")
        """The frame's time in nanoseconds, or None."""
        self.roi: Optional[Tuple[float, float, float, float]] = line.get("roi") and tuple(line["roi"])
        """x, y, width, height of the region of interest, or None for the whole frame."""
        slot = member(line, "slot", int)
        row = self.width * (3 if self.format == "rgb24" else 1)
        rows = self.height + ((self.height + 1) // 2 if self.format == "nv12" else 0)
        if self.format not in PLANES:
            raise ProtocolError(f"format: {self.format} is not gray8, nv12 or rgb24")
        if not 0 <= slot < slots:
            raise ProtocolError(f"slot: {slot} is not one of {slots}")
        if self.width < 1 or self.height < 1 or self.stride < row or rows * self.stride > slot_bytes:
            raise ProtocolError(f"{self.format} {self.width}x{self.height}, stride {self.stride}: no slot holds that")
        self.data = ring[slot * slot_bytes : slot * slot_bytes + rows * self.stride]
        """All planes as a read-only memoryview of bytes, without a copy."""

    @property
    def luma(self) -> memoryview:
        """The rows of brightness of gray8 and nv12, `stride` bytes each. rgb24 has no such plane: all its rows."""
        return self.data[: self.height * self.stride]

    @property
    def chroma(self) -> memoryview:
        """The rows of U and V in turn of nv12: half as many rows as the luma. Empty for the other formats."""
        return self.data[self.height * self.stride :]

    def row(self, y: int) -> memoryview:
        """Row y of the first plane without its padding."""
        width = self.width * (3 if self.format == "rgb24" else 1)
        return self.data[y * self.stride : y * self.stride + width]


def run(detect: Callable[[Frame], Iterable[Detection]], name: str, model: Optional[str] = None) -> None:
    """Answers every frame with the detections that `detect` returns. Call it once everything is loaded.

    Raises ProtocolError if the input is no protocol of glimpsed, or if a detection cannot be sent.
    """
    # The duplicate is closed on exec, so that no child writes into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        first = sys.stdin.buffer.readline()
        if not first:
            return
        ring, slots, slot_bytes = opened_ring(parsed(first))
        send(answers, {"ready": True, "name": name, **({"model": model} if model else {})})
        for line in sys.stdin.buffer:
            frame = Frame(parsed(line), ring, slots, slot_bytes)
            send(answers, {"frame": frame.number, "detections": [encoded(found) for found in detect(frame)]})
    except BrokenPipeError:
        pass


def opened_ring(line):
    """The shared memory of a first line: (read-only bytes, slots, bytes of a slot)."""
    if line.get("protocol") != PROTOCOL:
        raise ProtocolError(f"protocol: {line.get('protocol')} is not {PROTOCOL}")
    slots, slot_bytes = member(line, "slots", int), member(line, "slot_bytes", int)
    if slots < 1 or slot_bytes < 1:
        raise ProtocolError(f"slots: {slots} of {slot_bytes} bytes are no ring")
    try:
        memory = mmap.mmap(RING, slots * slot_bytes, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    except (OSError, ValueError) as error:
        raise ProtocolError(f"descriptor {RING} is no ring of {slots} times {slot_bytes} bytes: {error}") from error
    return memoryview(memory), slots, slot_bytes


def parsed(line):
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ProtocolError(f"no JSON: {line[:80]!r}: {error}") from error
    if not isinstance(value, dict):
        raise ProtocolError(f"no JSON object: {line[:80]!r}")
    return value


def member(line, name, kind):
    value = line.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ProtocolError(f"{name}: {value!r} is no {kind.__name__}")
    return value


def encoded(found):
    """A detection as a JSON object."""
    answer = {"box": [float(number) for number in found.box], "confidence": float(found.confidence)}
    if len(answer["box"]) != 4:
        raise ProtocolError(f"box: {len(answer['box'])} numbers instead of x, y, width, height")
    if found.corners is not None:
        answer["corners"] = [[float(x), float(y)] for x, y in found.corners]
        if len(answer["corners"]) != 4:
            raise ProtocolError(f"corners: {len(answer['corners'])} pairs instead of 4")
    if found.attributes is not None:
        size = len(text(found.attributes))
        if size > LONGEST_ATTRIBUTES:
            raise ProtocolError(f"attributes: {size} bytes; {LONGEST_ATTRIBUTES} are allowed")
        answer["attributes"] = found.attributes
    return answer


def text(value):
    """Compact JSON in UTF-8. Numbers that JSON does not have are a ProtocolError."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise ProtocolError(f"no JSON can hold the answer: {error}") from error


def send(answers, value):
    answers.write(text(value) + b"\n")
    answers.flush()
