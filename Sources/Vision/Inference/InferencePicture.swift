// SPDX-License-Identifier: Apache-2.0
import Frames

/// A picture in memory that somebody else owns, as a network is given it.
package struct InferencePicture {
    /// Layout, colours and size: what a compiled graph is made for.
    package struct Kind: Hashable, Sendable {
        package var format: Format
        package var colour: PictureColour
        /// Pixels. Even where chroma covers pixels by twos.
        package var width: Int
        package var height: Int

        package init(format: Format, colour: PictureColour = PictureColour(), width: Int, height: Int) {
            self.format = format
            self.colour = colour
            self.width = width
            self.height = height
        }
    }

    package enum Format: Hashable, Sendable, CaseIterable {
        case nv12, i420
        /// One byte a pixel, 0 black, 255 white.
        case grey
        /// Three bytes a pixel.
        case bgr
    }

    package let kind: Kind
    let planes: (Plane, Plane?, Plane?)

    /// - Parameter planes: as many as the format has, valid until the network has run.
    package init(_ kind: Kind, planes: Plane, _ second: Plane? = nil, _ third: Plane? = nil) {
        self.kind = kind
        self.planes = (planes, second, third)
    }

    /// The picture of the view, without a copy. The frame must outlive the inference.
    package init(_ view: FrameView) {
        let frame = view.frame
        let luma = frame.planes[0].offset(x: view.x, y: view.y)
        func kind(_ format: Format) -> Kind {
            Kind(format: format, colour: frame.colour, width: view.width, height: view.height)
        }
        switch frame.format {
        case .gray8: self.init(kind(.grey), planes: luma)
        case .nv12: self.init(kind(.nv12), planes: luma, frame.planes[1].offset(x: view.x, y: view.y / 2))
        case .i420:
            self.init(
                kind(.i420), planes: luma, frame.planes[1].offset(x: view.x / 2, y: view.y / 2),
                frame.planes[2].offset(x: view.x / 2, y: view.y / 2))
        }
    }
}
