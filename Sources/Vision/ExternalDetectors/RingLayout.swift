// SPDX-License-Identifier: Apache-2.0
import Settings

/// The places of pictures in the memory that a program reads.
struct RingLayout: Sendable, Equatable {
    /// A program has answered for one slot before the next one is written, so two are enough.
    static let slots = 2
    private static let page = 4096

    let format: ExternalSettings.Format
    /// Pixels of the largest picture. Portrait pictures of phones are less than twice as high as wide.
    let width: Int
    let height: Int

    init(_ format: ExternalSettings.Format, width: Int) {
        self.format = format
        self.width = format == .nv12 ? max(2, width & ~1) : width
        height = 2 * self.width
    }

    /// The size of a frame's picture, in its proportions. It is never enlarged.
    func picture(width: Int, height: Int) -> Picture {
        let scale = min(1, Double(self.width) / Double(width), Double(self.height) / Double(height))
        func scaled(_ side: Int) -> Int {
            let pixels = max(1, Int((Double(side) * scale).rounded()))
            // A chroma sample covers two by two pixels.
            return format == .nv12 ? max(2, pixels & ~1) : pixels
        }
        return Picture(format: format, width: scaled(width), height: scaled(height))
    }

    var largest: Picture { Picture(format: format, width: width, height: height) }
    var slotBytes: Int { (largest.bytes + Self.page - 1) / Self.page * Self.page }
    var bytes: Int { slotBytes * Self.slots }

    struct Picture: Sendable, Equatable {
        let format: ExternalSettings.Format
        let width: Int
        let height: Int

        /// Bytes between the starts of two rows, a multiple of four.
        var stride: Int { ((format == .rgb24 ? 3 * width : width) + 3) & ~3 }
        var bytes: Int { stride * height * (format == .nv12 ? 3 : 2) / 2 }
    }
}
