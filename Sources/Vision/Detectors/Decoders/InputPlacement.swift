// SPDX-License-Identifier: Apache-2.0
import Observations

/// Where a picture is in a network's input: network = picture * scale + offset, in pixels of each.
package struct InputPlacement: Sendable, Equatable {
    /// Network pixels per picture pixel; above 0.
    package var scaleX: Float
    package var scaleY: Float
    /// Network pixels left of and above the picture.
    package var offsetX: Float
    package var offsetY: Float

    package init(scaleX: Float = 1, scaleY: Float = 1, offsetX: Float = 0, offsetY: Float = 0) {
        self.scaleX = scaleX
        self.scaleY = scaleY
        self.offsetX = offsetX
        self.offsetY = offsetY
    }

    /// From the network's pixels to the picture's.
    package func picture(_ point: Point) -> Point {
        Point(x: (point.x - offsetX) / scaleX, y: (point.y - offsetY) / scaleY)
    }

    /// From the network's pixels to the picture's; not clipped.
    package func picture(_ box: Box) -> Box {
        Box(
            x: (box.x - offsetX) / scaleX, y: (box.y - offsetY) / scaleY, width: box.width / scaleX,
            height: box.height / scaleY)
    }
}
