# SPDX-License-Identifier: Apache-2.0
"""Finds regions of text on the luma: places of many steep edges in rows, as high as letters are."""

from typing import List, NamedTuple, Tuple

STEP = 26
"""The least difference of brightness between letters and their ground."""
NOISE = 3
"""Times the median difference within 5 pixels of a row: 7 standard deviations of plain noise."""
REACH = 15
"""Pixels between two edges of one line: letters and words of lines up to 40 pixels high are nearer."""
COARSE = 3
"""Larger lines are found in a picture reduced by this factor."""
LOWEST, HIGHEST = 6, 40
"""Heights of lines in the picture that is searched."""
MOST_REGIONS = 64
"""Regions of one frame. The largest ones stay."""

Box = Tuple[int, int, int, int]


class Region(NamedTuple):
    """A block of lines."""

    box: Box
    line_height: float
    """Median height of its lines in pixels."""
    cut: bool
    """Whether it is one line that touches the picture's edge, so that a part may be outside."""


def regions(luma) -> List[Region]:
    """The regions of text of a picture of 8 bits, top to bottom."""
    found = merged(lines(luma, 1), lines(luma.reduced(1 / COARSE), COARSE))
    cut = [box for box in found if touches_edge(box, luma)]
    blocks = joined([box for box in found if box not in cut]) + [Region(box, box[3], True) for box in cut]
    blocks = sorted(blocks, key=lambda region: region.box[2] * region.box[3], reverse=True)
    return sorted(blocks[:MOST_REGIONS], key=lambda region: (region.box[1], region.box[0]))


def touches_edge(box: Box, picture) -> bool:
    x, y, width, height = box
    return min(x, y, picture.width - x - width, picture.height - y - height) < COARSE


def merged(fine: List[Box], coarse: List[Box]) -> List[Box]:
    """Lines of both sizes, each once. A large line also appears as fine pieces, small lines also as one coarse line."""
    result, rest = [], fine
    for box in coarse:
        inside = [piece for piece in rest if covers(box, piece)]
        wide = [piece for piece in inside if 4 * piece[2] >= box[2] and piece[2] >= 2 * piece[3]]
        stacked = any(not beside(first, second) for first in wide for second in wide)
        if stacked or any(10 * piece[2] > 11 * box[2] for piece in inside):
            continue
        rest = [piece for piece in rest if piece not in inside]
        result.append(hull([box, *inside]))
    return rest + result


def lines(picture, factor) -> List[Box]:
    """Boxes of lines in a picture that was reduced by the factor, in pixels of the whole picture."""
    # Differences along the row alone: the edge of a table or a shelf has none.
    rows = picture.steep(5, 1, STEP, NOISE).closed(REACH, 1)
    # An edge by itself is narrow, and the grain of a surface is low.
    cores = rows.opened(LOWEST + 2, LOWEST - 1)
    # Ascenders and descenders are single strokes, which the opening took away.
    rows = cores.dilated(5, 9).common(rows)
    found = []
    for x, y, width, height in rows.boxes():
        if LOWEST <= height <= HIGHEST and width >= 1.2 * height:
            found.append(tuple(number * factor for number in (x, y, width, height)))
    return found


def covers(first: Box, second: Box) -> bool:
    """Whether the boxes share a third of the smaller one."""
    width = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    height = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    smaller = min(first[2] * first[3], second[2] * second[3])
    return width > 0 and height > 0 and 3 * width * height >= smaller


def joined(boxes: List[Box]) -> List[Region]:
    """Blocks of the lines: neighbours above each other of about one height belong together."""
    blocks: List[List[Box]] = []
    for box in sorted(boxes, key=lambda box: box[1]):
        mine = [block for block in blocks if any(neighbours(other, box) for other in block)]
        blocks = [block for block in blocks if block not in mine]
        blocks.append([*(other for block in mine for other in block), box])
    return [Region(hull(block), sorted(box[3] for box in block)[len(block) // 2], False) for block in blocks]


def beside(first: Box, second: Box) -> bool:
    """Whether the boxes share half of the lower one's height: parts of one line."""
    shared = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return 2 * shared > min(first[3], second[3])


def neighbours(upper: Box, lower: Box) -> bool:
    low, high = sorted((upper[3], lower[3]))
    overlap = min(upper[0] + upper[2], lower[0] + lower[2]) - max(upper[0], lower[0])
    gap = max(upper[1], lower[1]) - min(upper[1] + upper[3], lower[1] + lower[3])
    if high > 2 * low:
        return False
    if beside(upper, lower):
        # Two parts of one line: a wide space between words.
        return -overlap < 1.2 * high
    return gap < 0.9 * high and 3 * overlap > min(upper[2], lower[2])


def hull(boxes: List[Box]) -> Box:
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return (left, top, right - left, bottom - top)
