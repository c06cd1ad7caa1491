// SPDX-License-Identifier: Apache-2.0
import JSONLines

/// Completes events as lines of one run: writes the members before an event's body, the body, and the newline.
package struct LineHead: Sendable {
    /// The bytes before the sequence number.
    private let opening = EncodedEvent.version + Array("\"\(FieldName.sequence)\":".utf8)
    /// The bytes from the sequence number to the body.
    private let runID: [UInt8]

    package init(runID: String) { self.runID = Array(",\"\(FieldName.runID)\":\"\(runID)\",".utf8) }

    /// The number of bytes before the body of a line.
    package func bytes(sequence: UInt64) -> Int { opening.count + Digits.count(sequence) + runID.count }

    /// The length of the event's line, including the newline.
    package func lineBytes(of event: EncodedEvent, sequence: UInt64) -> Int {
        bytes(sequence: sequence) + event.body.count + 1
    }

    /// Writes the event's line, including the newline.
    ///
    /// - Parameter start: a place for `lineBytes` bytes.
    /// - Returns: the number of bytes written, `lineBytes`.
    package func write(lineOf event: EncodedEvent, sequence: UInt64, to start: UnsafeMutablePointer<UInt8>) -> Int {
        var end = start
        end.append(opening)
        end += Digits.write(sequence, to: end)
        end.append(runID)
        end.append(event.body)
        end.pointee = UInt8(ascii: "\n")
        return end + 1 - start
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Copies bytes, and moves behind them.
    fileprivate mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            update(from: first, count: bytes.count)
        }
        self += bytes.count
    }
}
