# SPDX-License-Identifier: Apache-2.0
"""The daemon's events as an iterator."""

import socket
import threading
from typing import Callable, Iterator, Optional

from .errors import GlimpseError, RefusedError
from .following import Following, TrackFollower
from .lines import Disconnected, Event, Track
from .request import Filter, Position
from .session import DEFAULT_SOCKET, STATE_REQUEST, BackOff, Session
from .wire import BLOCK


class Subscription(Iterator[Event]):
    """Yields the daemon's events, over as many connections as needed.

    A lost connection is a `Disconnected` value. The next one resumes after the last event, so nothing is lost that the
    daemon's journal has. Events that the journal no longer has are a `Gap` value. The iteration ends after `close`,
    and, with `reconnects=False`, after the first `Disconnected`. It raises RefusedError if the daemon refuses the
    filter or the position, because nothing may come that the filter keeps out.

    It reads one block of 64 KiB ahead: a slow program is a slow subscriber, and the daemon coalesces its updates. One
    thread at a time may iterate. Any thread may call `close`.

    - `socket`: the path of the event socket, at most 107 bytes.
    - `after`: where to start. None starts with the next event.
    """

    _connection: Optional[socket.socket]

    def __init__(
        self,
        socket: str = DEFAULT_SOCKET,
        filter: Filter = Filter(),
        after: Optional[Position] = None,
        back_off: BackOff = BackOff(),
        reconnects: bool = True,
    ) -> None:
        self._path = socket
        self._filter = filter
        self._session = Session(filter, after, back_off, reconnects)
        self._delay: Optional[float] = None
        self._is_over = False
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._connection = None

    @property
    def position(self) -> Optional[Position]:
        """The last event that was read, from which a later subscription resumes. None before the first `hello`."""
        return self._session.position

    def close(self) -> None:
        """Ends the iteration, also while it waits. May be called again, and by any thread."""
        with self._lock:
            self._closed.set()
            if self._connection is not None:
                _shut_down(self._connection)

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._release()

    def __iter__(self) -> "Subscription":
        return self

    def __next__(self) -> Event:
        while not self._is_over and not self._closed.is_set():
            try:
                connection = self._connection or self._connect()
                if connection is None:
                    break
                line = self._session.next()
                if line is not None:
                    return line
                data = connection.recv(BLOCK)
                if data:
                    self._session.receive(data)
                elif not self._closed.is_set():
                    return self._lose(self._session.end())
            except RefusedError:
                self._is_over = True
                self._release()
                raise
            except (OSError, GlimpseError) as error:
                if not self._closed.is_set():
                    return self._lose(error)
        self._release()
        raise StopIteration

    def follow(
        self,
        make: Callable[[Track], Optional[TrackFollower]],
        others: Callable[[Event], None] = lambda event: None,
    ) -> None:
        """Makes one object for each track and calls it about the track's life, until `close`.

        A track that was live before the connection is followed from its newest line on. A lost connection ends no
        track. A track whose end is in a gap is completed with the reason `lost`. Every track has been completed when
        this method returns or raises. All calls come from this thread, in the order of the stream.

        - `make`: returns the object for a new track, or None for a track of no interest.
        - `others`: gets every event that is not about a track.

        Raises ValueError for a filter without all types of track lines, RefusedError, ProtocolError for more than 65536
        live tracks, and errors of the objects. With `reconnects=False` a lost connection raises UnavailableError or
        ProtocolError.
        """
        following = Following(self._filter, self._session.position, make, others)
        try:
            for event in self:
                if following.take(event):
                    self._request_state()
        finally:
            following.end()

    def _connect(self) -> Optional[socket.socket]:
        """Waits for the delay, then connects. Returns None when `close` was called."""
        if self._delay is not None and self._closed.wait(self._delay):
            return None
        self._delay = None
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(self._path)
            connection.sendall(self._session.connected())
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._connection = connection
        return connection

    def _request_state(self) -> None:
        connection = self._connection
        try:
            if connection and connection.send(STATE_REQUEST, socket.MSG_DONTWAIT) == len(STATE_REQUEST):
                return
        except OSError:
            pass
        # The next connection begins with a `state`.
        self._release()

    def _lose(self, error: Exception) -> Disconnected:
        self._release()
        lost = self._session.lose(error, self._path)
        self._delay = lost.retry_after
        self._is_over = lost.retry_after is None
        return lost

    def _release(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None


def _shut_down(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
