// SPDX-License-Identifier: Apache-2.0
import Settings

/// How a stream's pictures have to be turned to stand upright: so many degrees clockwise, then a mirror about the
/// vertical axis.
struct Orientation: Equatable, Sendable {
    var rotation = 0
    var mirrored = false

    /// GStreamer's `image-orientation` tag. Its `flip-rotate-N` flips first and then rotates, which is the same as
    /// rotating the other way and then flipping.
    init(tag: String) {
        let flips = tag.hasPrefix("flip-")
        let degrees = Int(tag.split(separator: "-").last ?? "0") ?? 0
        rotation = flips ? (360 - degrees) % 360 : degrees
        mirrored = flips
    }

    init(rotation: Int = 0, mirrored: Bool = false) {
        self.rotation = rotation
        self.mirrored = mirrored
    }

    /// Then flipped once more.
    func flipped(_ flip: Bool) -> Orientation {
        Orientation(rotation: rotation, mirrored: mirrored != flip)
    }

    /// The value of `videoflip`'s `video-direction` that does it.
    var videoDirection: String {
        switch (rotation, mirrored) {
        case (90, false): "90r"
        case (180, false): "180"
        case (270, false): "90l"
        case (0, true): "horiz"
        case (90, true): "ul-lr"
        case (180, true): "vert"
        case (270, true): "ur-ll"
        default: "identity"
        }
    }
}
