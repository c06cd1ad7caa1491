// SPDX-License-Identifier: Apache-2.0
import Observations

/// The name of a clip's files without their suffixes, such as `20261120T080000.123456789Z-66666666`: the two times of
/// the first frame.
package struct ClipName: Sendable, Equatable {
    /// The wall-clock time.
    package var from: Timestamp
    /// The presentation time in nanoseconds: `frame.pts_ns` of the frame's events. A negative one is 0.
    package var presentationTime: Int64

    package init(from: Timestamp, presentationTime: Int64) {
        (self.from, self.presentationTime) = (from, max(0, presentationTime))
    }

    /// nil for another name.
    package init?(_ text: String) {
        guard let end = text.lastIndex(of: "-"), let number = UInt64(text[text.index(after: end)...]) else {
            return nil
        }
        let time = text[..<end]
        guard time.count > 15, time.utf8.count == time.count else { return nil }
        func part(_ range: Range<Int>) -> Substring { time.dropFirst(range.lowerBound).prefix(range.count) }
        let rest = time.dropFirst(13)
        guard
            let from = Timestamp(
                rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(rest)")
        else { return nil }
        self.init(from: from, presentationTime: Int64(clamping: number))
    }

    package var text: String { "\(from.rfc3339.filter { $0 != "-" && $0 != ":" })-\(presentationTime)" }
}
