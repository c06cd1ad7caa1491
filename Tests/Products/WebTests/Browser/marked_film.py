# SPDX-License-Identifier: Apache-2.0
"""Pictures that carry their own number and show a QR code at a place that the number tells."""

import os
import subprocess

WIDTH, HEIGHT = 640, 360
LENGTH = 100
"""Pictures of the film, which runs in a loop."""
VISIBLE = 80
"""The code is absent from the pictures after these, so that its track ends once a round."""
TEXT = "<b id=injected>7</b>"
"""The code's text. A page that takes text for HTML would get an element from it."""

SCALE, QUIET = 5, 4
BITS, CELL, MARKS = 7, 40, (40, 300)
GREY, DARK, LIGHT = 128, 30, 225


def place(number):
    """Returns the top left pixel of the code's paper in a picture."""
    there_and_back = number if number < VISIBLE // 2 else VISIBLE - number
    return 20 + 10 * there_and_back, 60 + 2 * (number % 10)


def box(number, side):
    """Returns (left, top, right, bottom) of the code in pixels, without its margin; None where it is absent."""
    if number >= VISIBLE:
        return None
    left, top = (each + SCALE * QUIET for each in place(number))
    return left, top, left + side, top + side


def write(folder, programs):
    """Writes the pictures as PGM files. Returns the side of the code in pixels."""
    symbol = os.path.join(folder, "..", "symbol.pgm")
    subprocess.run(
        [os.path.join(programs, "glimpsed-worker"), "symbol", "qr_code", TEXT, "--scale", str(SCALE), "--output", symbol],
        check=True)
    with open(symbol, "rb") as file:
        assert file.readline() == b"P5\n"
        paper = int(file.readline().split()[0])
        file.readline()
        pixels = file.read()
    for number in range(LENGTH):
        picture = bytearray([GREY]) * (WIDTH * HEIGHT)
        if number < VISIBLE:
            left, top = place(number)
            for row in range(paper):
                start = (top + row) * WIDTH + left
                picture[start:start + paper] = pixels[row * paper:(row + 1) * paper]
        for bit in range(BITS):
            left, top = MARKS[0] + bit * CELL, MARKS[1]
            shade = LIGHT if number >> bit & 1 else DARK
            for row in range(CELL):
                start = (top + row) * WIDTH + left
                picture[start:start + CELL] = bytes([shade]) * CELL
        with open(os.path.join(folder, f"{number:03d}.pgm"), "wb") as file:
            file.write(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + picture)
    return paper - 2 * SCALE * QUIET
