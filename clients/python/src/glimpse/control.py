# SPDX-License-Identifier: Apache-2.0
"""The commands of the control socket, for programs with threads."""

import socket
import time
from typing import Any, Mapping, Optional

from .commands import Commands, Reply, decode_reply, encode_command
from .errors import ProtocolError, UnavailableError
from .wire import BLOCK, LineCutter


class Control(Commands[Reply]):
    """Commands the daemon. Each command has a connection of its own, so any number of threads may share an object."""

    def send(self, command: str, members: Optional[Mapping[str, Any]] = None) -> Reply:
        request = encode_command(command, members)
        deadline = time.monotonic() + self._timeout
        lines = LineCutter()
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(self._timeout)
                connection.connect(self._path)
                connection.sendall(request)
                while True:
                    line = lines.next()
                    if line is not None:
                        return decode_reply(line)
                    connection.settimeout(max(0.001, deadline - time.monotonic()))
                    data = connection.recv(BLOCK)
                    if not data and lines.holds_half_a_line:
                        raise ProtocolError("the daemon closed the connection in the middle of a line")
                    if not data:
                        raise UnavailableError(f"{self._path}: the daemon closed the connection")
                    lines.append(data)
        except OSError as error:
            raise UnavailableError(f"{self._path}: {error.strerror or error}") from None
