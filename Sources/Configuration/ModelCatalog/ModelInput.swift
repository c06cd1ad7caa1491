// SPDX-License-Identifier: Apache-2.0
/// The picture that a network takes. Its values are `(sample - mean) / scale`, with samples of 0...255.
package struct ModelInput: Sendable, Hashable {
    /// Pixels. 1...8192.
    package var width: Int
    package var height: Int
    /// A network that may be reshaped takes any width and height that are multiples of this; nil: only its own.
    package var multipleOf: Int?
    package var colour: Colour
    package var layout: Layout
    package var resize: Resize
    /// In the network's channel order; all three the same for grey.
    package var mean: [Float]
    /// Never 0.
    package var scale: [Float]

    package init(
        width: Int, height: Int, multipleOf: Int? = nil, colour: Colour = .bgr, layout: Layout = .nchw,
        resize: Resize = .stretch, mean: [Float] = [0, 0, 0], scale: [Float] = [1, 1, 1]
    ) {
        self.width = width
        self.height = height
        self.multipleOf = multipleOf
        self.colour = colour
        self.layout = layout
        self.resize = resize
        self.mean = mean
        self.scale = scale
    }

    package enum Colour: String, Sendable, CaseIterable {
        case bgr, rgb, grey
    }

    package enum Layout: String, Sendable, CaseIterable {
        case nchw, nhwc
    }

    package enum Resize: Sendable, Hashable {
        /// Width and height each by its own factor.
        case stretch
        /// One factor for both; the rest is `padding`, 0...255, before mean and scale.
        case letterbox(Anchor, padding: Float)
        /// Letterboxed from the top left, but never enlarged: a small picture keeps its own pixels.
        case inset(padding: Float)
        /// The middle of the picture, in the picture's own proportions. The part fills the input when the picture's
        /// short side is scaled to `shortSide`. `shortSide` is at least the longer side of the input.
        case crop(shortSide: Int)
    }

    /// Where a letterboxed picture is.
    package enum Anchor: String, Sendable, CaseIterable {
        case topLeft = "top-left"
        case centre
    }
}
