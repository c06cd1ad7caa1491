# SPDX-License-Identifier: Apache-2.0
"""The commands of the control socket: requests and replies without input and output."""

from typing import Any, Dict, Generic, Mapping, Optional, Sequence, TypeVar

from .errors import ProtocolError, RefusedError
from .wire import encode_object, parse_object

DEFAULT_CONTROL_SOCKET = "/run/glimpsed/control.sock"
"""The daemon's control socket unless its configuration sets another."""

Reply = Dict[str, Any]
"""A reply as received: the members of docs/reference/control.md."""

Answer = TypeVar("Answer")


class Commands(Generic[Answer]):
    """The commands, each as a method that returns the daemon's reply.

    Every method raises RefusedError if the daemon refuses the command, and UnavailableError if no daemon answers within
    `timeout` seconds. It raises ProtocolError for a malformed reply, and ValueError for an argument that is no JSON.
    """

    def __init__(self, socket: str = DEFAULT_CONTROL_SOCKET, timeout: float = 60.0) -> None:
        self._path = socket
        self._timeout = timeout

    def send(self, command: str, members: Optional[Mapping[str, Any]] = None) -> Answer:
        """Sends any command. None stands for a command without members."""
        raise NotImplementedError

    def status(self) -> Answer:
        """The daemon and its pipelines, with their metrics."""
        return self.send("status")

    def metrics(self, format: str = "prometheus") -> Answer:
        """The metrics in `text`, in the format `prometheus` or `openmetrics`."""
        return self.send("metrics", {"format": format})

    def reload(self, dry_run: bool = False) -> Answer:
        """Reads the configuration again and applies it, or with `dry_run` only says what would change."""
        return self.send("reload", {"dry_run": dry_run})

    def pause(self, pipeline: str) -> Answer:
        """Ends the pipeline's worker until `resume`. Its camera is free when the reply comes."""
        return self.send("pause", {"pipeline": pipeline})

    def resume(self, pipeline: str) -> Answer:
        """Starts a paused or disabled pipeline, or one that waits for its next try."""
        return self.send("resume", {"pipeline": pipeline})

    def restart(self, pipeline: str) -> Answer:
        """Gives the pipeline a new worker."""
        return self.send("restart", {"pipeline": pipeline})

    def focus(self, pipeline: str, detector: str, id: Optional[str] = None) -> Answer:
        """Reports only one track of a detector. Without an id the pipeline's own focus is back."""
        members = {"pipeline": pipeline, "detector": detector}
        return self.send("focus", members if id is None else {**members, "id": id})

    def snapshot(self, pipeline: str, caption: bool = False) -> Answer:
        """Writes the next frame as a JPEG file. The reply's `file` is its path, and the file is complete."""
        return self.send("snapshot", {"pipeline": pipeline, "caption": caption})

    def accept(self, file: str) -> Answer:
        """Keeps a picture that the daemon would delete, by the `file` of its `Snapshot`."""
        return self.send("accept", {"file": file})

    def search(self, pipeline: str) -> Answer:
        """Searches for the object in view at once."""
        return self.send("search", {"pipeline": pipeline})

    def dismiss(self, pipeline: str) -> Answer:
        """Ends the search's result and starts again."""
        return self.send("dismiss", {"pipeline": pipeline})

    def retry(self, pipeline: str) -> Answer:
        """Repeats a failed search."""
        return self.send("retry", {"pipeline": pipeline})

    def select(self, pipeline: str, id: str) -> Answer:
        """Searches for the track with this id."""
        return self.send("select", {"pipeline": pipeline, "id": id})

    def answer(self, pipeline: str, search: str, results: Sequence[Mapping[str, Any]]) -> Answer:
        """Answers the search with this id. Results are objects with `id`, and `title`, `confidence`, `picture`."""
        return self.send("result", {"pipeline": pipeline, "search": search, "results": list(results)})

    def fail(self, pipeline: str, search: str, error: str, retryable: bool = True) -> Answer:
        """Reports that the search with this id failed. `error` is a text for people."""
        return self.send("result", {"pipeline": pipeline, "search": search, "error": error, "retryable": retryable})


def encode_command(command: str, members: Optional[Mapping[str, Any]]) -> bytes:
    return encode_object({command: True if members is None else dict(members)})


def decode_reply(line: bytes) -> Reply:
    """Returns the reply of a line without its newline. Raises RefusedError and ProtocolError."""
    reply = parse_object(line)
    if reply.get("ok") is True:
        return reply
    error = reply.get("error")
    if reply.get("ok") is False and isinstance(error, str):
        raise RefusedError(error)
    raise ProtocolError("the daemon sent a line that is no reply")
