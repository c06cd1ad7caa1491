# SPDX-License-Identifier: Apache-2.0
"""The lines of the event stream as values.

Fields have the names of the members in docs/reference/events.md. Readers tolerate what they do not know: unknown
members are in `Line.json`, unknown types are `Other`. All values are immutable and may be shared between threads.
"""

import datetime
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Tuple, Type, Union

from .errors import ProtocolError
from .items import Barcode, BestPicture, Box, Face, Frame, Labels, Point, TrackInfo, TrackName
from .records import MismatchError, decode
from .request import Position
from .wire import parse_object

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


@dataclass(frozen=True)
class Line:
    """The members that any line may have.

    `time` is RFC 3339 in UTC with nanoseconds: when the frame was taken, or the line written.
    """

    type: str
    json: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The whole line as received."""
    seq: Optional[int] = None
    run_id: Optional[str] = None
    pipeline: Optional[str] = None
    tags: Optional[Mapping[str, str]] = field(default=None, hash=False)
    time: Optional[str] = None
    clock: Optional[str] = None

    @property
    def position(self) -> Optional[Position]:
        """The place in the log, from which a later subscription resumes. None for lines of the connection itself."""
        return None if self.seq is None or self.run_id is None else Position(self.run_id, self.seq)

    @property
    def time_ns(self) -> Optional[int]:
        """`time` as nanoseconds since 1970, or None if it is absent or has another form."""
        return None if self.time is None else nanoseconds(self.time)


def nanoseconds(text: str) -> Optional[int]:
    """Returns a time of the stream as nanoseconds since 1970, or None for a text in another form."""
    try:
        moment = datetime.datetime.strptime(text[:19] + text[29:], "%Y-%m-%dT%H:%M:%SZ")
        if len(text) != 30 or text[19] != "." or not (text[20:29].isascii() and text[20:29].isdigit()):
            return None
    except ValueError:
        return None
    seconds = (moment.replace(tzinfo=datetime.timezone.utc) - _EPOCH) // datetime.timedelta(seconds=1)
    return seconds * 1_000_000_000 + int(text[20:29])


@dataclass(frozen=True)
class Other(Line):
    """A line of an unknown type, or one of a known type that this package cannot decode: then `problem` says why."""

    problem: Optional[str] = None


@dataclass(frozen=True)
class DetectorInfo:
    """A detector of a pipeline, as `Hello` lists it."""

    name: str
    kind: Optional[str] = None
    operational: Optional[bool] = None
    model: Optional[str] = None
    reason: Optional[str] = None


@dataclass(frozen=True)
class LineInfo:
    """A line to cross, as `Hello` lists it, with its crossings since the run began."""

    name: str
    total_in: int = field(default=0, metadata={"member": "in"})
    total_out: int = field(default=0, metadata={"member": "out"})


@dataclass(frozen=True)
class PipelineInfo:
    """A pipeline, as `Hello` lists it. `state` is one of the states of `Source`."""

    name: str
    state: Optional[str] = None
    reason: Optional[str] = None
    detectors: Tuple[DetectorInfo, ...] = ()
    zones: Tuple[str, ...] = ()
    lines: Tuple[LineInfo, ...] = ()


@dataclass(frozen=True)
class JournalRange:
    """The first and the last sequence number in the journal."""

    first: int
    last: int


# `_required` names the members that a line must have. The defaults of their fields only satisfy the order of fields.


@dataclass(frozen=True)
class Hello(Line):
    """The first line of every connection. `next_seq` is the number of the next event."""

    server: Optional[str] = None
    next_seq: int = 0
    journal: Optional[JournalRange] = None
    pipelines: Tuple[PipelineInfo, ...] = ()

    _required = ("run_id", "next_seq")


@dataclass(frozen=True)
class Track(Line):
    """A step in a track's life: `detected`, `update`, `missing` or `completed`.

    `face`, `barcode`, `object` or `scene` describes the feature; of a completed track, the last one. `attributes` is
    the description of any other kind. Boxes are in pixels; `velocity` is in pixels per second.
    """

    detector: str = ""
    kind: str = ""
    frame: Frame = field(default=Frame(0, 0, 0, 0, 0))
    track: TrackInfo = field(default=TrackInfo("", 0, 0, 0, "", ""))
    box: Optional[Box] = None
    nbox: Optional[Box] = None
    predicted: bool = False
    corners: Optional[Tuple[Point, ...]] = None
    velocity: Optional[Point] = None
    smoothed_box: Optional[Box] = None
    confidence: Optional[float] = None
    weak: bool = False
    count: Optional[int] = None
    coalesced: Optional[int] = None
    zones: Optional[Tuple[str, ...]] = None
    stages_us: Optional[Mapping[str, int]] = field(default=None, hash=False)
    reused: bool = False
    reason: Optional[str] = None
    duration_ms: Optional[int] = None
    frames: Optional[int] = None
    best: Optional[BestPicture] = None
    face: Optional[Face] = field(default=None, hash=False)
    barcode: Optional[Barcode] = field(default=None, hash=False)
    object: Optional[Labels] = None
    scene: Optional[Labels] = None
    attributes: Optional[Mapping[str, Any]] = field(default=None, hash=False)

    _required = ("detector", "kind", "frame", "track")

    @property
    def value(self) -> Optional[str]:
        """The payload: the text of a barcode, or the string `value` of another kind's attributes."""
        value = self.barcode.raw if self.barcode else (self.attributes or {}).get("value")
        return value if isinstance(value, str) else None

    @staticmethod
    def _prepare(form: Dict[str, Any]) -> Dict[str, Any]:
        kind = form.get("kind")
        if not isinstance(kind, str):
            return form
        # A line that would be too long has the description only in `last`.
        item = form.get(kind, form.get("last"))
        return {**form, (kind if kind in _ITEMS else "attributes"): item}


_ITEMS = ("face", "barcode", "object", "scene")


@dataclass(frozen=True)
class Zone(Line):
    """A track has `entered` a zone, is `dwelling` in it, or has `left` it. `dwell_ms` is the time seen in it."""

    detector: str = ""
    kind: str = ""
    frame: Optional[Frame] = None
    track: TrackName = TrackName("")
    zone: str = ""
    state: str = ""
    dwell_ms: Optional[int] = None

    _required = ("track", "zone", "state")


@dataclass(frozen=True)
class Crossing(Line):
    """A track has crossed the line named `line`. `direction` is `in` or `out`.

    `total_in` and `total_out` are the crossings of the line since the run began: the stream's `in` and `out`.
    """

    detector: str = ""
    kind: str = ""
    frame: Optional[Frame] = None
    track: TrackName = TrackName("")
    line: str = ""
    direction: str = ""
    total_in: Optional[int] = field(default=None, metadata={"member": "in"})
    total_out: Optional[int] = field(default=None, metadata={"member": "out"})

    _required = ("track", "line", "direction")


@dataclass(frozen=True)
class Snapshot(Line):
    """A picture is complete. `file` is its absolute path; `width` and `height` are in pixels.

    `rule` is `detected`, `best`, `completed` or `command`. `id` is the track's, or None for a picture of a whole frame.
    The daemon deletes old pictures.
    """

    rule: str = ""
    file: str = ""
    width: int = 0
    height: int = 0
    bytes: int = 0
    detector: Optional[str] = None
    kind: Optional[str] = None
    id: Optional[str] = None
    score: Optional[float] = None
    confidence: Optional[float] = None
    frame: Optional[Frame] = None

    _required = ("rule", "file", "width", "height", "bytes")


@dataclass(frozen=True)
class ProcessedFrame(Line):
    """A detector has processed a frame (`Filter.frames`). It has no `seq` and never comes from the journal."""

    detector: str = ""
    kind: str = ""
    frame: Frame = field(default=Frame(0, 0, 0, 0, 0))
    count: int = 0
    in_view: int = 0
    missing: int = 0
    coalesced: Optional[int] = None

    _required = ("detector", "frame")


@dataclass(frozen=True)
class Source(Line):
    """A change of a pipeline's source. `retry_ms` is in milliseconds."""

    state: str = ""
    attempt: Optional[int] = None
    retry_ms: Optional[int] = None
    error: Optional[str] = None
    reason: Optional[str] = None

    _required = ("state",)


@dataclass(frozen=True)
class Detector(Line):
    """Whether a detector is operational."""

    detector: str = ""
    operational: bool = False
    kind: Optional[str] = None
    model: Optional[str] = None
    reason: Optional[str] = None

    _required = ("detector", "operational")


@dataclass(frozen=True)
class Config(Line):
    """The result of a reload: the revision in force and the changed pipelines, or the error."""

    revision: Optional[int] = None
    changed: Optional[Tuple[str, ...]] = None
    error: Optional[str] = None
    kept: bool = False


@dataclass(frozen=True)
class SearchResult:
    """An answer to a live search. `confidence` is 0..1."""

    id: str
    title: Optional[str] = None
    confidence: Optional[float] = None
    picture: Optional[str] = None


@dataclass(frozen=True)
class Hint:
    """Advice for people: a stable code and a text. `help` is the address of a page."""

    code: str
    text: str
    help: Optional[str] = None


@dataclass(frozen=True)
class Search(Line):
    """The state of a pipeline's live search. `search` is its id. `results` are best first. `progress` is 0..1."""

    state: str = ""
    detector: Optional[str] = None
    kind: Optional[str] = None
    frame: Optional[Frame] = None
    search: Optional[str] = None
    track: Optional[TrackName] = None
    progress: Optional[float] = None
    crop: Optional[str] = None
    box: Optional[Box] = None
    barcode: Optional[Barcode] = field(default=None, hash=False)
    object: Optional[Labels] = None
    outcome: Optional[str] = None
    results: Optional[Tuple[SearchResult, ...]] = None
    reason: Optional[str] = None
    retryable: Optional[bool] = None
    error: Optional[str] = None
    hint: Optional[Hint] = None

    _required = ("state",)


@dataclass(frozen=True)
class State(Line):
    """The live tracks and searches, each as in its newest line. `as_of` is the newest event's number.

    The tracks have the type `update` or `missing`. `more`: another `State` follows with further tracks.
    """

    as_of: int = 0
    tracks: Tuple[Track, ...] = ()
    searches: Tuple[Search, ...] = ()
    more: bool = False

    _required = ("tracks",)

    @staticmethod
    def _prepare(form: Dict[str, Any]) -> Dict[str, Any]:
        def entries(name: str) -> Any:
            found = form.get(name)
            if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
                return found
            return [{**entry, "type": _entry_type(name, entry), "json": entry} for entry in found]

        return {**form, "tracks": entries("tracks"), "searches": entries("searches")}


def _entry_type(name: str, entry: Dict[str, Any]) -> str:
    if name == "searches":
        return "search"
    track = entry.get("track")
    return "missing" if isinstance(track, dict) and track.get("missing_frames") else "update"


@dataclass(frozen=True)
class Gap(Line):
    """Events that this subscriber did not get: the numbers `from_seq` to `to_seq`, and how many of each type.

    `reason` is `slow`, `journal` (older than the journal), `forgotten` (removed by somebody) or `other_run`.
    """

    reason: str = ""
    from_seq: Optional[int] = field(default=None, metadata={"member": "from"})
    to_seq: Optional[int] = field(default=None, metadata={"member": "to"})
    lost: Optional[Mapping[str, int]] = field(default=None, hash=False)

    _required = ("reason",)


@dataclass(frozen=True)
class Ping(Line):
    """The stream was idle."""

    echo: Optional[str] = None


@dataclass(frozen=True)
class Refusal(Line):
    """The daemon does not admit the connection for now: a limit or an allow-list. `Disconnected` follows."""

    reason: str = ""
    line: Optional[str] = None


@dataclass(frozen=True)
class Disconnected:
    """The connection was lost or could not be made.

    `error` is a `ProtocolError` or an `UnavailableError`. `is_forbidden`: this user may not connect to the socket.
    `retry_after` is the delay in seconds before the next attempt, or None if no attempt follows.
    """

    error: Exception
    is_forbidden: bool = False
    retry_after: Optional[float] = None

    @property
    def reason(self) -> str:
        return str(self.error)


Event = Union[Line, Disconnected]
"""A value that a subscription yields."""

_TYPES: Dict[str, Type[Line]] = {
    "hello": Hello,
    "state": State,
    "detected": Track,
    "update": Track,
    "missing": Track,
    "completed": Track,
    "zone": Zone,
    "line": Crossing,
    "snapshot": Snapshot,
    "frame": ProcessedFrame,
    "source": Source,
    "detector": Detector,
    "config": Config,
    "search": Search,
    "gap": Gap,
    "ping": Ping,
    "error": Refusal,
}


def parse_line(line: bytes) -> Line:
    """Decodes one line of the stream, given without its newline. Raises ProtocolError.

    A line of a known type with an unexpected content is `Other`, so one odd line does not end a subscription.
    """
    form = parse_object(line)
    kind = _TYPES.get(form["type"]) if isinstance(form.get("type"), str) else None
    problem = None
    if kind is not None:
        try:
            return decode(kind, form, json=form)
        except MismatchError as mismatch:
            problem = str(mismatch)
    try:
        return decode(Other, form, json=form, problem=problem)
    except MismatchError as error:
        raise ProtocolError(f"a line is not an event: {error}") from None
