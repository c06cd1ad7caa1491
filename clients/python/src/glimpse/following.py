# SPDX-License-Identifier: Apache-2.0
"""One object for each track, called in the legal order of a life even if lines are missing from the stream."""

from dataclasses import dataclass, field
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from .errors import ProtocolError
from .lines import Disconnected, Event, Gap, Hello, Ping, State, Track
from .request import Filter, Position

LOST = "lost"
UNFOLLOWED = "unfollowed"
MOST_TRACKS = 65536
_PHASES = ("detected", "update", "missing", "completed")


class TrackFollower:
    """Follows one track. Override the calls of interest.

    The calls of one track always read `detected update (update | missing+ update)* missing* completed`.
    """

    def detected(self, track: Track) -> None:
        """The track is new to this program. `update` follows at once, with the newest known line."""

    def update(self, track: Track) -> None:
        """The track is in this frame."""

    def missing(self, track: Track) -> None:
        """The track is not in this frame but may come back. Its box is a prediction."""

    def completed(self, track: Track, reason: str) -> None:
        """The track has ended. `track` is its last line that was read.

        The reason is the daemon's, such as `gone`. `lost`: the end was in a gap, or the daemon began another run.
        `unfollowed`: the program stopped following.
        """


class Key(NamedTuple):
    """The identity of a track within a run."""

    pipeline: str
    detector: str
    id: str


class Call(NamedTuple):
    """A call for one track. `reason` is set in `completed`."""

    key: Key
    phase: str
    track: Track
    reason: str = ""


@dataclass
class _Life:
    newest: Track
    # `update` must be the second call.
    has_update: bool = False
    is_missing: bool = False


@dataclass
class _Snapshot:
    """The tracks that were live at one number. It counts when the reader has reached that number."""

    as_of: int
    tracks: List[Tuple[Key, Track]] = field(default_factory=list)
    is_whole: bool = False


class TrackLives:
    """A state machine that turns events into calls about live tracks. It holds the newest line of each live track."""

    def __init__(self, start: Optional[Position]) -> None:
        self.wants_state = False
        """Whether the last event was a gap that may hide ends of tracks, so that a `state` is needed."""
        self._start = start
        # In the order of their beginning.
        self._lives: Dict[Key, _Life] = {}
        self._run: Optional[str] = None
        # The last number of the run that was read or reported as lost.
        self._seq = 0
        self._snapshot: Optional[_Snapshot] = None

    def take(self, event: Event) -> List[Call]:
        """Returns the calls that follow from the next event of a subscription.

        Raises ProtocolError for more than `MOST_TRACKS` live tracks.
        """
        self.wants_state = False
        calls: List[Call] = []
        if isinstance(event, Disconnected):
            return calls
        if event.position is not None:
            if self._snapshot is not None and event.position.seq > self._snapshot.as_of:
                self._settle(calls)
            self._seq = max(self._seq, event.position.seq)
        if isinstance(event, Hello):
            self._begin(event, calls)
        elif isinstance(event, State):
            self._collect(event)
        elif isinstance(event, Track):
            self._advance(_key(event), event.type, event, calls)
        elif isinstance(event, Gap):
            self._skip(event)
        elif isinstance(event, Ping):
            # The daemon has no more lines to send.
            self._settle(calls)
        if self._snapshot is not None and self._snapshot.is_whole and self._seq >= self._snapshot.as_of:
            self._settle(calls)
        return calls

    def end(self) -> List[Call]:
        """Returns the last calls of every live track, when the program stops following."""
        calls: List[Call] = []
        for key in list(self._lives):
            self._complete(key, UNFOLLOWED, calls)
        return calls

    def _begin(self, hello: Hello, calls: List[Call]) -> None:
        self._snapshot = None
        if self._run == hello.run_id:
            return
        if self._run is not None:
            self._seq = 0
            for key in list(self._lives):
                self._complete(key, LOST, calls)
        elif self._start is None:
            self._seq = max(0, hello.next_seq - 1)
        else:
            self._seq = self._start.seq if self._start.run_id == hello.run_id else 0
        self._run = hello.run_id

    def _collect(self, state: State) -> None:
        # A later state replaces one that was not applied.
        if self._snapshot is None or self._snapshot.is_whole:
            self._snapshot = _Snapshot(state.as_of)
        self._snapshot.tracks += ((_key(track), track) for track in state.tracks)
        self._snapshot.is_whole = not state.more
        if len(self._snapshot.tracks) > MOST_TRACKS:
            raise ProtocolError(f"a state has more than {MOST_TRACKS} tracks")

    def _skip(self, gap: Gap) -> None:
        if gap.reason == "other_run":
            self._seq = 0
        if gap.to_seq is not None:
            self._seq = max(self._seq, gap.to_seq)
        # A snapshot of a later place shows the result of the lost lines.
        if gap.to_seq is not None:
            self.wants_state = gap.to_seq > (self._snapshot.as_of if self._snapshot else 0)
        else:
            self.wants_state = gap.reason != "other_run"

    def _settle(self, calls: List[Call]) -> None:
        """Applies the snapshot: tracks outside of it have ended unseen, tracks in it are live."""
        snapshot = self._snapshot
        if snapshot is None or not snapshot.is_whole:
            return
        self._snapshot = None
        live = {key for key, _ in snapshot.tracks}
        for key in [key for key in self._lives if key not in live]:
            self._complete(key, LOST, calls)
        for key, track in snapshot.tracks:
            life = self._lives.get(key)
            if life is None or life.is_missing != (track.type == "missing"):
                self._advance(key, track.type, track, calls)

    def _complete(self, key: Key, reason: str, calls: List[Call]) -> None:
        self._end(key, reason, self._lives[key].newest, calls)

    def _end(self, key: Key, reason: str, track: Track, calls: List[Call]) -> None:
        self._add_update(key, track, calls)
        del self._lives[key]
        calls.append(Call(key, "completed", track, reason))

    def _advance(self, key: Key, phase: str, track: Track, calls: List[Call]) -> None:
        life = self._lives.get(key)
        if life is None:
            if len(self._lives) >= MOST_TRACKS:
                raise ProtocolError(f"more than {MOST_TRACKS} tracks are live")
            life = self._lives[key] = _Life(track)
            calls.append(Call(key, "detected", track))
        life.newest = track
        life.is_missing = phase == "missing"
        if phase == "update":
            life.has_update = True
            calls.append(Call(key, "update", track))
        elif phase == "missing":
            self._add_update(key, track, calls)
            calls.append(Call(key, "missing", track))
        elif phase == "completed":
            self._end(key, track.reason or LOST, track, calls)

    def _add_update(self, key: Key, track: Track, calls: List[Call]) -> None:
        if not self._lives[key].has_update:
            self._lives[key].has_update = True
            calls.append(Call(key, "update", track))


def _key(track: Track) -> Key:
    return Key(track.pipeline or "", track.detector, track.track.id)


class Following:
    """Passes the calls of `TrackLives` to the objects of a program. Each kind of subscription feeds it its events."""

    def __init__(
        self,
        filter: Filter,
        start: Optional[Position],
        make: Callable[[Track], Optional[TrackFollower]],
        others: Callable[[Event], None],
    ) -> None:
        if filter.types is not None and not set(_PHASES) <= set(filter.types):
            raise ValueError(f"follow: the filter's types must contain {', '.join(_PHASES)}")
        self._lives = TrackLives(start)
        self._followers: Dict[Key, TrackFollower] = {}
        self._make = make
        self._others = others

    def take(self, event: Event) -> bool:
        """Makes the calls of an event. Returns whether a `state` has to be requested."""
        self._deliver(self._lives.take(event))
        if not isinstance(event, Track):
            self._others(event)
        if isinstance(event, Disconnected) and event.retry_after is None:
            raise event.error
        return self._lives.wants_state

    def end(self) -> None:
        self._deliver(self._lives.end())

    def _deliver(self, calls: List[Call]) -> None:
        for key, phase, track, reason in calls:
            if phase == "detected":
                made = self._make(track)
                if made is not None:
                    self._followers[key] = made
            follower = self._followers.get(key)
            if follower is None:
                continue
            if phase == "completed":
                del self._followers[key]
                follower.completed(track, reason)
            elif phase == "missing":
                follower.missing(track)
            elif phase == "update":
                follower.update(track)
            else:
                follower.detected(track)
