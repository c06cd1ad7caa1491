// SPDX-License-Identifier: Apache-2.0
import Observations

/// The name of a clip's files without their suffixes, such as `20261120T080000.123456789Z-66666666`: the two times of
/// the first frame.
package struct ClipName: Sendable, Equatable {
    /// The wall-clock time.
    package var from: Timestamp
    /// The presentation time in nanoseconds: `frame.pts_ns` of the frame's events. It is negative for a frame
    /// before the first one that was taken from the decoder.
    package var presentationTime: Int64

    package init(from: Timestamp, presentationTime: Int64) {
        (self.from, self.presentationTime) = (from, presentationTime)
    }

    /// nil for another name.
    package init?(_ text: String) {
        guard let end = text.firstIndex(of: "-"), text.utf8.count == text.count,
            let number = Int64(text[text.index(after: end)...])
        else { return nil }
        let time = text[..<end]
        func part(_ range: Range<Int>) -> Substring { time.dropFirst(range.lowerBound).prefix(range.count) }
        guard
            let from = Timestamp(
                rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(time.dropFirst(13))")
        else { return nil }
        self.init(from: from, presentationTime: number)
        guard self.text == text else { return nil }
    }

    package var text: String { "\(from.rfc3339.filter { $0 != "-" && $0 != ":" })-\(presentationTime)" }
}
