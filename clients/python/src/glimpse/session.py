# SPDX-License-Identifier: Apache-2.0
"""A subscription without input and output: bytes in, lines and requests out. Both kinds of subscription use it."""

import random
from dataclasses import dataclass
from typing import Optional

from .errors import GlimpseError, ProtocolError, RefusedError, UnavailableError
from .lines import Disconnected, Gap, Hello, Line, Refusal, State, parse_line
from .request import Filter, Position, request_line
from .wire import LineCutter, encode_object

DEFAULT_SOCKET = "/run/glimpsed/events.sock"
"""The daemon's event socket unless its configuration sets another."""

STATE_REQUEST = encode_object({"state": True})


@dataclass(frozen=True)
class BackOff:
    """The delays between connections in seconds. They double from `first` to `longest`, and vary by 25 %."""

    first: float = 0.1
    longest: float = 10.0


class Session:
    """The reading position over all connections of a subscription. Memory: one line and one block.

    A connection calls `connected`, then `receive` and `next`, then `end` or `lose`.
    """

    def __init__(self, filter: Filter, position: Optional[Position], back_off: BackOff, reconnects: bool) -> None:
        self.position = position
        self._filter = filter
        self._back_off = back_off
        self._reconnects = reconnects
        self._delay = back_off.first
        self._lines = LineCutter()
        self._run: Optional[str] = None
        self._is_admitted = False
        # The `state` after `hello` is about all tracks. A subscription with a filter has asked for another one.
        self._skips_state = False
        # Refuses a filter that cannot be encoded.
        request_line(filter, position)

    def connected(self) -> bytes:
        """Begins a connection. Returns the first line to send, which may be empty."""
        self._lines = LineCutter()
        self._is_admitted = False
        self._skips_state = bool(self._filter.members)
        return request_line(self._filter, self.position)

    def receive(self, data: bytes) -> None:
        """Takes bytes of the connection: at most one block, and only after `next` has returned None."""
        self._lines.append(data)

    def next(self) -> Optional[Line]:
        """Returns the next line for the subscriber, or None until more bytes arrive.

        Raises ProtocolError, and RefusedError if the daemon refuses the filter or the position.
        """
        while True:
            data = self._lines.next()
            if data is None:
                return None
            line = parse_line(data)
            if isinstance(line, Refusal) and self._is_admitted:
                raise RefusedError(line.reason)
            if self._take(line):
                return line

    def end(self) -> GlimpseError:
        """Returns the reason why the connection has ended, when the daemon has closed it."""
        if self._lines.holds_half_a_line:
            return ProtocolError("the daemon closed the connection in the middle of a line")
        return UnavailableError("the daemon closed the connection")

    def lose(self, error: Exception, path: str) -> Disconnected:
        """Ends the connection. Returns the value for the subscriber, with the delay before the next connection."""
        delay = self._delay * random.uniform(0.75, 1.25)
        self._delay = min(self._delay * 2, self._back_off.longest)
        is_forbidden = isinstance(error, PermissionError)
        if not isinstance(error, GlimpseError):
            error = UnavailableError(f"{path}: {getattr(error, 'strerror', None) or error}")
        return Disconnected(error, is_forbidden, delay if self._reconnects else None)

    def _take(self, line: Line) -> bool:
        """Returns whether the subscriber gets the line."""
        if isinstance(line, Hello):
            self._begin(line)
        elif isinstance(line, State) and self._skips_state:
            self._skips_state = line.more
            return False
        elif isinstance(line, Gap) and line.reason == "other_run" and self._run is not None:
            # All events of the new run's journal follow.
            self.position = Position(self._run, 0)
        elif self._is_admitted and not isinstance(line, State):
            # A daemon that breaks down right after `hello` gets no quick connections.
            self._delay = self._back_off.first
        here = line.position
        if here is None:
            return True
        if self.position is not None and self.position.run_id == here.run_id and here.seq <= self.position.seq:
            return False
        self.position = here
        return True

    def _begin(self, hello: Hello) -> None:
        self._is_admitted = True
        self._run = hello.run_id
        # A connection that is lost before its first event resumes here.
        if self.position is None and hello.run_id is not None and hello.next_seq > 0:
            self.position = Position(hello.run_id, hello.next_seq - 1)
