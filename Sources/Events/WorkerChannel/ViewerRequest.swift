// SPDX-License-Identifier: Apache-2.0
import BinaryFormat

/// The pictures that a viewer of a pipeline asks for. It travels to the worker beside the viewer's descriptor.
package enum ViewerRequest: Sendable, Equatable {
    /// JPEG pictures.
    case pictures(PictureForm)
    /// The camera's own video.
    case video

    /// The form of JPEG pictures.
    package struct PictureForm: Sendable, Equatable {
        /// In pixels. Each picture is encoded once for each width in use.
        package static let widths = [320, 640, 960, 1280]
        /// Pictures a second.
        package static let rates = 1...30

        /// One of `widths`. A narrower frame keeps its own width.
        package let width: Int
        /// The highest rate, one of `rates`.
        package let rate: Int

        /// Rounds the width up to the next of `widths`, and limits the rate to `rates`.
        package init(width: Int, rate: Int) {
            self.width = Self.widths.first { $0 >= width } ?? Self.widths[Self.widths.count - 1]
            self.rate = min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
        }
    }

    /// The size of a request in bytes.
    package static let size = 8

    package var payload: [UInt8] {
        var bytes: [UInt8] = []
        // Video has no width and no rate.
        let (width, rate) = if case .pictures(let form) = self { (form.width, form.rate) } else { (0, 0) }
        bytes.append(integer: UInt64(width), bytes: 4)
        bytes.append(integer: UInt64(rate), bytes: 4)
        return bytes
    }

    package init?(payload: ArraySlice<UInt8>) {
        var reader = PayloadReader(payload)
        guard let width = reader.integer(bytes: 4), let rate = reader.integer(bytes: 4), reader.isAtEnd else {
            return nil
        }
        switch (Int(width), Int(rate)) {
        case (0, 0): self = .video
        case let (width, rate) where PictureForm.widths.contains(width) && PictureForm.rates.contains(rate):
            self = .pictures(PictureForm(width: width, rate: rate))
        default: return nil
        }
    }
}
