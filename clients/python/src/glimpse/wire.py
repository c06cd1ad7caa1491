# SPDX-License-Identifier: Apache-2.0
"""Bytes to lines, and lines to JSON objects. Every limit of the input is here."""

import json
import math
from typing import Any, Dict, NoReturn, Optional

from .errors import ProtocolError

BLOCK = 64 * 1024
"""The most bytes that one read takes from a socket."""

LONGEST_LINE = 1024 * 1024
"""The longest line in bytes, without its newline. The daemon's lines have at most 64 KiB, replies to commands more."""

_LONGEST_NUMBER = 64


class LineCutter:
    """Cuts bytes into lines. It holds at most one line and one block."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._start = 0
        # No newline lies between `_start` and this index.
        self._searched = 0

    def append(self, data: bytes) -> None:
        del self._bytes[: self._start]
        self._searched -= self._start
        self._start = 0
        self._bytes += data

    def next(self) -> Optional[bytes]:
        """Returns the next complete line without its newline, or None until more bytes arrive.

        Raises ProtocolError if the line is longer than `LONGEST_LINE`.
        """
        end = self._bytes.find(b"\n", self._searched)
        if (len(self._bytes) if end < 0 else end) - self._start > LONGEST_LINE:
            raise ProtocolError("a line is longer than 1 MiB")
        if end < 0:
            self._searched = len(self._bytes)
            return None
        line = bytes(self._bytes[self._start : end])
        self._start = self._searched = end + 1
        return line

    @property
    def holds_half_a_line(self) -> bool:
        return self._start < len(self._bytes)


def parse_object(line: bytes) -> Dict[str, Any]:
    """Parses one line as a JSON object.

    Raises ProtocolError for anything else, for NaN, infinities, lone surrogates, and numbers over 64 characters.
    """
    try:
        text = line.decode("utf-8")
        value = json.loads(text, parse_constant=_reject, parse_float=_parse_float, parse_int=_parse_int)
        if "\\u" in text:
            # Escapes may form a lone surrogate, which no UTF-8 text can hold.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ProtocolError:
        raise
    except UnicodeDecodeError:
        raise ProtocolError("a line is not UTF-8") from None
    except UnicodeEncodeError:
        raise ProtocolError("a line has a lone surrogate") from None
    except RecursionError:
        raise ProtocolError("a line is nested too deeply") from None
    except ValueError as error:
        raise ProtocolError(f"a line is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ProtocolError("a line is not a JSON object")
    return value


def encode_object(value: Dict[str, Any]) -> bytes:
    """Encodes a request with its newline. Raises ValueError for NaN, infinities and lone surrogates."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8") + b"\n"


def _reject(name: str) -> NoReturn:
    raise ProtocolError(f"a line has the number {name}")


def _parse_float(text: str) -> float:
    number = float(text) if len(text) <= _LONGEST_NUMBER else math.inf
    if not math.isfinite(number):
        raise ProtocolError("a line has a number that is too large or too long")
    return number


def _parse_int(text: str) -> int:
    # Python needs quadratic time for long numbers.
    if len(text) > _LONGEST_NUMBER:
        raise ProtocolError("a line has a number that is too large or too long")
    return int(text)
