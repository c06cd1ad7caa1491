// SPDX-License-Identifier: Apache-2.0
/// The types of lines that a worker writes only while a subscriber requests them. These lines are in no log and have no
/// sequence number.
package struct RequestedLines: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Replaces the protocol's version, which is generic at run time. The supervisor calls it for each event.
    package var isEmpty: Bool { rawValue == 0 }

    /// A line for each frame that a detector has processed.
    package static let frames = RequestedLines(rawValue: 1)
    /// A line with the reasons why detections are not tracked and why tracks ended.
    package static let explanations = RequestedLines(rawValue: 2)
    package static let all: RequestedLines = [.frames, .explanations]
}

extension EncodedEvent.Kind {
    /// The request that lines of this type need; empty for the types of the log.
    package var request: RequestedLines {
        switch self {
        case .frame: .frames
        case .explain: .explanations
        case .detected, .update, .missing, .completed, .source, .detector, .config, .zone, .search, .snapshot, .line,
            .clip:
            []
        }
    }
}
