# SPDX-License-Identifier: Apache-2.0
"""A client of glimpsed: its events as values, its tracks as objects, its commands as methods.

Standard library only. `Subscription` and `Control` are for threads, `AsyncSubscription` and `AsyncControl` for asyncio.
"""

from .asynchronous import AsyncControl, AsyncSubscription
from .commands import DEFAULT_CONTROL_SOCKET, Commands, Reply
from .control import Control
from .errors import GlimpseError, ProtocolError, RefusedError, UnavailableError
from .following import TrackFollower
from .items import (
    Barcode,
    BestPicture,
    Box,
    Euler,
    Face,
    Frame,
    Label,
    Labels,
    Landmark,
    Point,
    PreviousTrack,
    TrackInfo,
    TrackName,
)
from .lines import (
    Config,
    Crossing,
    Detector,
    DetectorInfo,
    Disconnected,
    Event,
    Gap,
    Hello,
    Hint,
    JournalRange,
    Line,
    LineInfo,
    Other,
    Ping,
    PipelineInfo,
    ProcessedFrame,
    Refusal,
    Search,
    SearchResult,
    Snapshot,
    Source,
    State,
    Track,
    Zone,
    nanoseconds,
    parse_line,
)
from .request import Filter, Position
from .session import DEFAULT_SOCKET, BackOff
from .subscription import Subscription

__version__ = "0.1.0"

__all__ = [
    "AsyncControl",
    "AsyncSubscription",
    "BackOff",
    "Barcode",
    "BestPicture",
    "Box",
    "Commands",
    "Config",
    "Control",
    "Crossing",
    "DEFAULT_CONTROL_SOCKET",
    "DEFAULT_SOCKET",
    "Detector",
    "DetectorInfo",
    "Disconnected",
    "Euler",
    "Event",
    "Face",
    "Filter",
    "Frame",
    "Gap",
    "GlimpseError",
    "Hello",
    "Hint",
    "JournalRange",
    "Label",
    "Labels",
    "Landmark",
    "Line",
    "LineInfo",
    "Other",
    "Ping",
    "PipelineInfo",
    "Point",
    "Position",
    "PreviousTrack",
    "ProcessedFrame",
    "ProtocolError",
    "Refusal",
    "RefusedError",
    "Reply",
    "Search",
    "SearchResult",
    "Snapshot",
    "Source",
    "State",
    "Subscription",
    "Track",
    "TrackFollower",
    "TrackInfo",
    "TrackName",
    "UnavailableError",
    "Zone",
    "nanoseconds",
    "parse_line",
]
