# SPDX-License-Identifier: Apache-2.0
"""The errors of this package. All derive from `GlimpseError`."""


class GlimpseError(Exception):
    """The base class of the errors of this package."""


class ProtocolError(GlimpseError):
    """The daemon sent bytes that are no line of the protocol.

    Examples: a line over 1 MiB, half a line at the end, invalid UTF-8, broken JSON, NaN, or an object without a `type`.
    """


class RefusedError(GlimpseError):
    """The daemon understood the request and refuses it. The text is the daemon's reason."""


class UnavailableError(GlimpseError):
    """No daemon answers on the socket, or the connection was lost."""
