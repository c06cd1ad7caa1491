# SPDX-License-Identifier: Apache-2.0
"""Where a subscription starts, and what it lets through."""

from dataclasses import dataclass, fields
from typing import Any, Dict, Optional, Sequence

from .wire import encode_object


@dataclass(frozen=True)
class Position:
    """The last event that was read: the daemon's run and the number in it. Its text is `RUN_ID SEQ`."""

    run_id: str
    seq: int

    def __str__(self) -> str:
        return f"{self.run_id} {self.seq}"

    @staticmethod
    def parse(text: str) -> "Position":
        """Reads the text of a position. Raises ValueError."""
        run_id, seq = text.split()
        return Position(run_id, int(seq))


@dataclass(frozen=True)
class Filter:
    """Selects events: all conditions must hold. None is no condition. docs/reference/events.md defines each one.

    `update_hz` and `frame_hz` are lines per second of the frames' time. `min_confidence` is 0..1. `value_regex` is a
    POSIX extended regular expression. `explain` asks for lines that say why detections are not tracked. `passive` is
    True for a subscriber that is no reason to run a pipeline that runs on demand.
    """

    pipelines: Optional[Sequence[str]] = None
    kinds: Optional[Sequence[str]] = None
    types: Optional[Sequence[str]] = None
    labels: Optional[Sequence[str]] = None
    min_confidence: Optional[float] = None
    value_regex: Optional[str] = None
    update_hz: Optional[float] = None
    zones: Optional[Sequence[str]] = None
    lines: Optional[Sequence[str]] = None
    stages: Optional[bool] = None
    frames: Optional[bool] = None
    frame_hz: Optional[float] = None
    explain: Optional[bool] = None
    passive: Optional[bool] = None

    @property
    def members(self) -> Dict[str, Any]:
        """The conditions by their names in the stream; empty for a filter that lets everything through."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in values if value is not None}


def request_line(filter: Filter, position: Optional[Position]) -> bytes:
    """Returns the first line of a connection, or no bytes if none is needed.

    Raises ValueError for NaN and infinities, and for a line that the daemon would refuse as too long.
    """
    members: Dict[str, Any] = {}
    if filter.members:
        members = {"subscribe": filter.members, "state": True}
    if position is not None:
        members.update(after=position.seq, run_id=position.run_id)
    if not members:
        return b""
    line = encode_object(members)
    if len(line) > 64 * 1024:
        raise ValueError("the filter is longer than 64 KiB")
    return line
