# SPDX-License-Identifier: Apache-2.0
"""Subscriptions and commands for asyncio. They behave as `Subscription` and `Control` do."""

import asyncio
from typing import Any, AsyncIterator, Awaitable, Callable, Mapping, Optional

from .commands import Commands, Reply, decode_reply, encode_command
from .errors import GlimpseError, ProtocolError, RefusedError, UnavailableError
from .following import Following, TrackFollower
from .lines import Disconnected, Event, Track
from .request import Filter, Position
from .session import DEFAULT_SOCKET, STATE_REQUEST, BackOff, Session
from .wire import BLOCK, LineCutter


class AsyncSubscription(AsyncIterator[Event]):
    """`Subscription` as an asynchronous iterator.

    One task at a time may iterate, and cancelling that task is the way to end the iteration. Leave it by `async with`
    or call `close`. It reads at most 512 KiB ahead: the buffers of asyncio.
    """

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
        self._reader: Optional[asyncio.StreamReader] = None
        self._writer: Optional[asyncio.StreamWriter] = None

    @property
    def position(self) -> Optional[Position]:
        """The last event that was read, from which a later subscription resumes. None before the first `hello`."""
        return self._session.position

    def close(self) -> None:
        """Closes the connection. The iteration ends; a task that waits in it has to be cancelled."""
        self._is_over = True
        self._release()

    async def __aenter__(self) -> "AsyncSubscription":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def __aiter__(self) -> "AsyncSubscription":
        return self

    async def __anext__(self) -> Event:
        while not self._is_over:
            try:
                reader = self._reader or await self._connect()
                line = self._session.next()
                if line is not None:
                    return line
                data = await reader.read(BLOCK)
                if data:
                    self._session.receive(data)
                elif not self._is_over:
                    return self._lose(self._session.end())
            except RefusedError:
                self.close()
                raise
            except (OSError, GlimpseError) as error:
                if not self._is_over:
                    return self._lose(error)
        raise StopAsyncIteration

    async def follow(
        self,
        make: Callable[[Track], Optional[TrackFollower]],
        others: Callable[[Event], None] = lambda event: None,
    ) -> None:
        """`Subscription.follow`, until the task is cancelled. The calls are made in the event loop."""
        following = Following(self._filter, self._session.position, make, others)
        try:
            async for event in self:
                if following.take(event):
                    self._request_state()
        finally:
            following.end()

    async def _connect(self) -> asyncio.StreamReader:
        if self._delay is not None:
            await asyncio.sleep(self._delay)
            self._delay = None
        reader, writer = await asyncio.open_unix_connection(self._path, limit=BLOCK)
        writer.write(self._session.connected())
        self._reader, self._writer = reader, writer
        return reader

    def _request_state(self) -> None:
        if self._writer is None:
            return
        self._writer.write(STATE_REQUEST)
        if self._writer.transport.get_write_buffer_size() > BLOCK:
            # The daemon does not read. The next connection begins with a `state`.
            self._release()

    def _lose(self, error: Exception) -> Disconnected:
        self._release()
        lost = self._session.lose(error, self._path)
        self._delay = lost.retry_after
        self._is_over = lost.retry_after is None
        return lost

    def _release(self) -> None:
        if self._writer is not None:
            self._writer.transport.abort()
        self._reader = self._writer = None


class AsyncControl(Commands[Awaitable[Reply]]):
    """`Control` with methods to await. Any number of tasks may share an object."""

    async def send(self, command: str, members: Optional[Mapping[str, Any]] = None) -> Reply:
        request = encode_command(command, members)
        try:
            return await asyncio.wait_for(self._exchange(request), self._timeout)
        except (OSError, asyncio.TimeoutError) as error:
            raise UnavailableError(f"{self._path}: {error or 'timed out'}") from None

    async def _exchange(self, request: bytes) -> Reply:
        reader, writer = await asyncio.open_unix_connection(self._path, limit=BLOCK)
        try:
            writer.write(request)
            lines = LineCutter()
            while True:
                line = lines.next()
                if line is not None:
                    return decode_reply(line)
                data = await reader.read(BLOCK)
                if not data and lines.holds_half_a_line:
                    raise ProtocolError("the daemon closed the connection in the middle of a line")
                if not data:
                    raise UnavailableError(f"{self._path}: the daemon closed the connection")
                lines.append(data)
        finally:
            writer.transport.abort()
