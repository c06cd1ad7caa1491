# SPDX-License-Identifier: Apache-2.0
"""Pipelines that fill every view: one that sees faces and barcodes, and one whose camera is absent."""

ENTRANCE = """
[source]
kind = "test"
pattern = "scene"
width = 960
height = 540
fps = 10

[face]

[barcode]

[[zone]]
name = "table"
polygon = [[0.02, 0.62], [0.55, 0.62], [0.55, 0.97], [0.02, 0.97]]

[[line]]
name = "door"
from = [0.62, 0.1]
to = [0.62, 0.9]

[[mask]]
name = "neighbour"
polygon = [[0.9, 0.0], [1.0, 0.0], [1.0, 0.16], [0.9, 0.16]]

[snapshot]
on = ["best"]
"""

GARDEN = """
[source]
kind = "rtsp"
url = "rtsp://127.0.0.1:9/garden"

[face]
"""

PIPELINES = {"entrance": ENTRANCE, "garden": GARDEN}

VIEWS = {
    # The address of a view, and a text that it shows once it has its content.
    "wall": "frames/s", "camera/entrance": "ms", "camera/garden": "garden", "events": "detected", "history": "entries",
    "charts": "Processing time", "health": "Daemon",
}
