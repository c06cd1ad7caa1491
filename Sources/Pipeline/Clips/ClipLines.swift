// SPDX-License-Identifier: Apache-2.0
import EventLines

/// The lines of the last time, for the files beside clips. Bounded: the oldest lines go first.
struct ClipLines: Sendable {
    private static let mostBytes = 8 << 20

    private var lines: [(time: Int64, bytes: [UInt8])] = []
    private var bytes = 0

    /// - Parameters:
    ///   - time: the presentation time of the line's frame.
    ///   - age: lines that are older by more than this may go, in nanoseconds.
    mutating func append(_ event: EncodedEvent, at time: Int64, keeping age: Int64) {
        var event = event
        event.header.stages = nil
        let line = event.line
        lines.append((time, line))
        bytes += line.count
        // Many lines at a time, because removal moves all other lines.
        if let first = lines.first, time - first.time > 2 * age { removeFirst { time - $0 > age } }
        if bytes > Self.mostBytes {
            let middle = lines[lines.count / 2].time
            removeFirst { $0 < middle }
        }
    }

    private mutating func removeFirst(while isSpare: (Int64) -> Bool) {
        var count = 0
        while count < lines.count, isSpare(lines[count].time) {
            bytes -= lines[count].bytes.count
            count += 1
        }
        lines.removeFirst(count)
    }

    /// Removes and returns the lines of a range of time. Older lines are removed too.
    mutating func take(_ range: ClosedRange<Int64>) -> [UInt8] {
        let due = lines.filter { range.contains($0.time) }
        lines.removeAll { $0.time <= range.upperBound }
        bytes = lines.reduce(0) { $0 + $1.bytes.count }
        return due.flatMap(\.bytes)
    }
}
