// SPDX-License-Identifier: Apache-2.0
/// How luma and chroma make colours. Detectors that read luma only take it as it is.
public struct PictureColour: Sendable, Hashable {
    /// The weights of red, green and blue.
    public var matrix: Matrix
    /// The range of the samples.
    public var range: Range

    /// Standard definition's by default.
    public init(matrix: Matrix = .bt601, range: Range = .limited) {
        self.matrix = matrix
        self.range = range
    }

    /// The ITU-R recommendation whose weights of red, green and blue are meant.
    public enum Matrix: Sendable, Hashable, CaseIterable {
        case bt601, bt709, bt2020
    }

    /// The range of the samples of luma and chroma.
    public enum Range: Sendable, Hashable, CaseIterable {
        /// Luma of 16...235, chroma of 16...240: nearly all video.
        case limited
        /// 0...255: JPEG, and cameras that send it.
        case full
    }
}
