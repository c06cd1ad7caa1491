// SPDX-License-Identifier: Apache-2.0
/// How a region of a picture is for somebody who is to recognise what is in it. Luma only.
public struct PictureQuality: Sendable, Hashable, Codable {
    /// Mean luma, 0 black to 1 white.
    public var brightness: Float
    /// Standard deviation of luma, 0...0.5.
    public var contrast: Float
    /// Energy of luma's differences between neighbours, as a share of the energy between pixels 8 apart, 0...1. It is
    /// about an eighth where edges are sharp, and a sixty-fourth where edges are wide ramps. It does not depend on
    /// contrast.
    public var sharpness: Float

    public init(brightness: Float, contrast: Float, sharpness: Float) {
        self.brightness = brightness
        self.contrast = contrast
        self.sharpness = sharpness
    }
}
