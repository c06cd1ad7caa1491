# SPDX-License-Identifier: Apache-2.0
"""Follows regions of text from frame to frame, and decides which of them are read."""

import time
from typing import List, Optional, Tuple

from . import looks
from .leptonica import Pix
from .reading import Reading, reading
from .regions import Box, Region, regions

SURE = 0.85
"""A reading of less confidence is tried again, TRIES times in all. The best one stays."""
TRIES = 3
READABLE = 0.7
"""A worse reading never replaces one that resembles it: the text is blurred or covered for a moment."""
HELD = 5
"""Frames for which a reading survives worse ones."""
LONGEST_WAIT = 64
"""Frames. A place without text, such as a tree in the wind, doubles its wait after each attempt."""
KEPT_FRAMES = 20
MOST_KNOWN = 256
"""Regions outside the picture are known for KEPT_FRAMES frames, and no more than MOST_KNOWN in all."""


class Known:
    """A region that was read."""

    def __init__(self, region: Region):
        self.box = region.box
        self.scale = looks.LINE_HEIGHT / region.line_height
        self.look: Optional[Pix] = None
        self.reading = Reading()
        self.tries = 0
        """Attempts on this look."""
        self.failures = 0
        """Attempts in a row that gave no text, on whatever look."""
        self.last: Optional[Pix] = None
        """The look in the last frame, of a region at the picture's edge."""
        self.wait = 0
        """Frames until the next attempt."""
        self.held = 0
        """Frames for which a worse reading was refused."""
        self.unseen = 0
        """Frames since the region was found."""

    def failed(self) -> None:
        """Waits after an attempt that gave no text."""
        self.failures += 1
        self.wait = min(2**self.failures, LONGEST_WAIT)

    def read(self, new: Reading, look: Pix) -> None:
        """Takes a reading over, or refuses it."""
        changed = self.look is None or not looks.same(look, self.look)
        self.tries = 1 if changed else self.tries + 1
        blurred = new.confidence < READABLE and (not new.lines or new.resembles(self.reading))
        if changed and self.reading.lines and blurred and self.held < HELD:
            self.held += 1
            return
        if changed or new.confidence > self.reading.confidence:
            self.look, self.reading, self.held = look, new, 0
        if self.reading.lines:
            self.failures = self.wait = 0
        else:
            self.failed()


class View:
    """A region of this frame, cut out and scaled as its lookalike was."""

    def __init__(self, luma: Pix, region: Region):
        self.luma = luma
        self.region = region
        self.looks = {}

    def look(self, scale: float) -> Pix:
        if scale not in self.looks:
            self.looks[scale] = self.luma.clipped(self.region.box).scaled(scale).ink()
        return self.looks[scale][0]

    def page(self, scale: float) -> Tuple[Pix, Tuple[int, int]]:
        """The region with a margin for Tesseract, dark on bright; and the margin's upper left corner in the frame."""
        x, y, width, height = self.region.box
        margin = round(0.4 * self.region.line_height) + 2
        left, top = max(x - 2 * margin, 0), max(y - margin, 0)
        right, bottom = min(x + width + 2 * margin, self.luma.width), min(y + height + margin, self.luma.height)
        page = self.luma.clipped((left, top, right - left, bottom - top)).scaled(scale)
        self.look(scale)
        return page.inverted() if self.looks[scale][1] else page, (left, top)


class TextReader:
    """Reads the regions of one camera. Not for more than one thread."""

    def __init__(self, recognizer, budget: float = 1.0, clock=time.monotonic):
        """`budget` is seconds: no reading begins later in a frame, and none takes longer than twice as much."""
        self.recognizer = recognizer
        self.budget = budget
        self.clock = clock
        self.known: List[Known] = []
        self.reads = 0
        """Regions that Tesseract has read."""

    def texts(self, luma: Pix) -> List[Tuple[Box, Reading]]:
        """The regions of a frame with text, each with its reading."""
        end = self.clock() + self.budget
        views = [View(luma, region) for region in regions(luma)]
        pairs = self.paired(views)
        # New and changed regions come before second attempts.
        for view, known, changed in sorted(pairs, key=lambda pair: not pair[2]):
            known.box, known.unseen = view.region.box, 0
            known.wait -= known.wait > 0
            again = known.reading.lines and known.reading.confidence < SURE and known.tries < TRIES
            ready = changed and not known.wait and self.stands(view, known)
            if (ready or again) and self.clock() < end:
                self.read(view, known)
        return [(known.box, known.reading) for _, known, _ in pairs if known.reading.lines]

    def stands(self, view: View, known: Known) -> bool:
        """Whether a region is whole, or looks as in the last frame. A line that enters the picture waits for that."""
        if not view.region.cut:
            known.last = None
            return True
        look, last = view.look(known.scale), known.last
        known.last = look
        return last is not None and looks.same(look, last)

    def read(self, view: View, known: Known) -> None:
        if known.look is None or not known.reading.lines:
            known.scale = looks.LINE_HEIGHT / view.region.line_height
        page, origin = view.page(known.scale)
        self.reads += 1
        words = self.recognizer.words(page, 2 * self.budget)
        if words is None:
            known.failed()
            return
        known.read(reading(words, view.region.box, origin, known.scale), view.look(known.scale))

    def paired(self, views: List[View]) -> List[Tuple[View, Known, bool]]:
        """Each region of this frame with the known one, and whether it has changed or is new."""
        pairs: List[Tuple[View, Known, bool]] = []
        free = list(self.known)
        rest = []
        for view in views:
            known = self.lookalike(view, free)
            if known:
                free.remove(known)
                pairs.append((view, known, False))
            else:
                rest.append(view)
        for view in rest:
            known = max(free, key=lambda other: shared(other.box, view.region.box), default=None)
            if known and not known.unseen and shared(known.box, view.region.box) >= 0.5:
                free.remove(known)
            else:
                known = Known(view.region)
                self.known.append(known)
            pairs.append((view, known, True))
        for known in free:
            known.unseen += 1
        self.known = [known for known in self.known if known.unseen <= KEPT_FRAMES]
        self.known = sorted(self.known, key=lambda known: known.unseen)[:MOST_KNOWN]
        return pairs

    def lookalike(self, view: View, free: List[Known]) -> Optional[Known]:
        """The nearest known region that looks like this one, wherever it was."""
        x, y, width, height = view.region.box

        def distance(known):
            return abs(known.box[0] - x) + abs(known.box[1] - y)

        for known in sorted(free, key=distance):
            close = abs(known.box[2] - width) <= 8 and abs(known.box[3] - height) <= 8
            if known.look and close and looks.same(view.look(known.scale), known.look):
                return known
        return None


def shared(first: Box, second: Box) -> float:
    """Intersection over union."""
    width = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    height = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (first[2] * first[3] + second[2] * second[3] - width * height)
