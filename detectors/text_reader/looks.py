# SPDX-License-Identifier: Apache-2.0
"""Compares the looks of two regions, so that a region is read again only when it has changed.

A look is the ink of a region whose lines are about LINE_HEIGHT pixels high.
"""

from .leptonica import Pix

LINE_HEIGHT = 32
"""Tesseract reads letters of this height best, too."""
BRUSH = 5
"""Edges of equal letters differ by up to half of this: noise, and displacements by parts of a pixel."""
LEAST = 4
"""The least length of a change. On digits of 8 to 32 pixels with noise, it tells any two apart."""
FARTHEST = 8
"""Pixels by which two boxes of one region may be displaced."""


def same(first: Pix, second: Pix) -> bool:
    """Whether two looks show one text, up to noise and a small displacement."""
    if abs(first.width - second.width) > 2 * FARTHEST or abs(first.height - second.height) > 2 * FARTHEST:
        return False
    moved = second.shifted(*displacement(first, second), first.width, first.height)
    gone = first.without(moved.dilated(BRUSH, BRUSH))
    new = moved.without(first.dilated(BRUSH, BRUSH))
    return not any(counts(box, first) for box in gone.joined(new).boxes())


def counts(box, look: Pix) -> bool:
    """Whether a difference is a change of the text. The box may have cut off the outermost pixels."""
    x, y, width, height = box
    inside_x = x + width > FARTHEST and x < look.width - FARTHEST
    inside_y = y + height > FARTHEST // 2 and y < look.height - FARTHEST // 2
    return max(width, height) >= LEAST and inside_x and inside_y


def displacement(first: Pix, second: Pix):
    """Whole pixels (x, y) by which the second look is moved for the least difference: a search downhill from (0, 0)."""
    costs = {}

    def cost(place):
        if place not in costs:
            costs[place] = first.difference(second, *place)
        return costs[place]

    here = (0, 0)
    while True:
        around = [(here[0] + x, here[1] + y) for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))]
        best = min((place for place in around if max(map(abs, place)) <= FARTHEST), key=cost)
        if cost(best) >= cost(here):
            return here
        here = best
