# SPDX-License-Identifier: Apache-2.0
"""The parts of lines: shapes, frames and the descriptions of faces, barcodes, objects and scenes.

Fields have the names of the members in docs/reference/events.md. None means that the member is absent, so unknown.
"""

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple


@dataclass(frozen=True)
class Point:
    """A point or a velocity, in pixels or pixels per second. The origin is the top left of the upright picture."""

    x: float
    y: float


@dataclass(frozen=True)
class Box:
    """A rectangle: `box` in pixels, `nbox` in 0..1 of the picture. The origin is the top left."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True)
class Frame:
    """The frame of a line. `seq` counts received frames from 1, `pts_ns` is the time since the first frame."""

    epoch: int
    seq: int
    pts_ns: int
    width: int
    height: int
    rotation: int = 0
    mirrored: bool = False


@dataclass(frozen=True)
class Landmark:
    """A point of a face in pixels. `interpolated`: not seen in this frame."""

    x: float
    y: float
    interpolated: bool = False


@dataclass(frozen=True)
class Euler:
    """The angles of a face in degrees: `x` up, `y` towards the right of the picture, `z` counter-clockwise."""

    x: Optional[float] = None
    y: Optional[float] = None
    z: Optional[float] = None


@dataclass(frozen=True)
class Face:
    """The attributes of a face. Left and right are the person's. Probabilities are 0..1."""

    landmarks: Optional[Mapping[str, Landmark]] = None
    euler: Optional[Euler] = None
    smiling: Optional[float] = None
    left_eye_open: Optional[float] = None
    right_eye_open: Optional[float] = None


@dataclass(frozen=True)
class Label:
    """A class of an object or a scene. `confidence` is 0..1."""

    text: str
    index: Optional[int] = None
    confidence: Optional[float] = None


@dataclass(frozen=True)
class Labels:
    """The labels of an object or a scene, best first. The other fields are those of objects."""

    labels: Tuple[Label, ...]
    category: Optional[str] = None
    prominent: bool = False
    incomplete: bool = False


@dataclass(frozen=True)
class Barcode:
    """The content of a symbol.

    `format` is None if the symbol was located and not read. `raw` is None if the bytes are not text or are redacted.
    `value` is the typed object of `value_format`, if the format has one.
    """

    format: Optional[str] = None
    raw: Optional[str] = None
    raw_base64: Optional[str] = None
    raw_bytes: Optional[int] = None
    raw_sha256: Optional[str] = None
    add_on: Optional[str] = None
    display: Optional[str] = None
    value_format: Optional[str] = None
    value: Optional[Any] = None
    reads: Optional[int] = None
    evidence_frames: Optional[int] = None
    followed: bool = False
    orientation: Optional[float] = None
    symbology_id: Optional[str] = None
    ec_level: Optional[str] = None
    mirrored: bool = False
    inverted: bool = False
    redacted: Optional[Tuple[str, ...]] = None
    truncated: bool = False

    @staticmethod
    def _prepare(form: Dict[str, Any]) -> Dict[str, Any]:
        name = form.get("value_format")
        return {**form, "value": form.get(name) if isinstance(name, str) else None}


@dataclass(frozen=True)
class PreviousTrack:
    """The completed track that a track continues. `score` is 0..1."""

    id: str
    score: float


@dataclass(frozen=True)
class TrackInfo:
    """A track's identity and counts of processed frames. Times are RFC 3339 in UTC."""

    id: str
    age_frames: int
    hits: int
    missing_frames: int
    first_seen: str
    last_seen: str
    previous_id: Optional[PreviousTrack] = None
    focus: bool = False


@dataclass(frozen=True)
class TrackName:
    """The track that a line is about."""

    id: str


@dataclass(frozen=True)
class BestPicture:
    """The best frame of a completed track. `snapshot` is the path of its picture."""

    time: Optional[str] = None
    confidence: Optional[float] = None
    score: Optional[float] = None
    snapshot: Optional[str] = None
