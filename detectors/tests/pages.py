# SPDX-License-Identifier: Apache-2.0
"""Pictures of text, rendered by GStreamer. Brightness only, no padding."""

import random
import subprocess

WIDTH, HEIGHT = 640, 360


def page(*texts, width=WIDTH, height=HEIGHT, ground=0xC8, ink=0x1E, blur=0.0, font="DejaVu Sans"):
    """Texts (x, y, pixels of the font, text) on one ground. A newline begins a line."""
    overlays = []
    for x, y, size, text in texts:
        for number, line in enumerate(text.split("\n")):
            overlays += ["!", "textoverlay", f"text={line}", f"font-desc={font} {size}px", f"color={grey(ink)}"]
            overlays += ["draw-shadow=false", "draw-outline=false", "auto-resize=false", "halignment=left"]
            overlays += ["valignment=top", f"xpad={x}", f"ypad={round(y + 1.3 * size * number)}"]
    if blur:
        overlays += ["!", "videoconvert", "!", "gaussianblur", f"sigma={blur}"]
    source = ["videotestsrc", "num-buffers=1", "pattern=solid-color", f"foreground-color={grey(ground)}"]
    result = subprocess.run(
        ["gst-launch-1.0", "-q", *source, "!", f"video/x-raw,format=GRAY8,width={width},height={height}", *overlays,
         "!", "videoconvert", "!", "video/x-raw,format=GRAY8", "!", "fdsink"],
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    assert len(result.stdout) == width * height, len(result.stdout)
    return result.stdout


def grey(brightness):
    return 0xFF000000 + brightness * 0x10101


def noisy(picture, seed):
    """The picture with noise of 0 to 7 steps. No pixel may be brighter than 248."""
    noise = random.Random(seed).randbytes(len(picture)).translate(bytes(number % 8 for number in range(256)))
    return (int.from_bytes(picture, "big") + int.from_bytes(noise, "big")).to_bytes(len(picture), "big")


def moved(picture, x, y, width=WIDTH):
    """The picture moved right and down. The part that leaves on one side enters on the other."""
    distance = y * width + x
    return picture[-distance:] + picture[:-distance] if distance else picture
