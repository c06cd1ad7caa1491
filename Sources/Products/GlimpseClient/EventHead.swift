// SPDX-License-Identifier: Apache-2.0
/// The first members of a line of the log, as the daemon orders them. Reading them alone is cheap; decoding the line
/// is not.
struct EventHead: Equatable {
    var sequence: UInt64
    var runID: String
    var type: String
    var pipeline: String

    /// - Returns: nil for a line without a position or a pipeline, with other members at its beginning, or with an
    ///   escape in them.
    init?(_ line: [UInt8]) {
        var cursor = Cursor(line: line)
        guard cursor.skip(#"{"v":1,"seq":"#), let sequence = cursor.number(), cursor.skip(#","run_id":""#),
            let runID = cursor.text(), cursor.skip(#","type":""#), let type = cursor.text(),
            cursor.skip(#","pipeline":""#), let pipeline = cursor.text()
        else { return nil }
        (self.sequence, self.runID, self.type, self.pipeline) = (sequence, runID, type, pipeline)
    }

    private struct Cursor {
        let line: [UInt8]
        var place = 0

        mutating func skip(_ text: StaticString) -> Bool {
            let count = text.utf8CodeUnitCount
            guard place + count <= line.count else { return false }
            for index in 0..<count where line[place + index] != text.utf8Start[index] { return false }
            place += count
            return true
        }

        mutating func number() -> UInt64? {
            let start = place
            var value: UInt64 = 0
            while place < line.count, case 0x30...0x39 = line[place] {
                let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = product.addingReportingOverflow(UInt64(line[place] - 0x30))
                guard !isLarge, !isLarger else { return nil }
                (value, place) = (sum, place + 1)
            }
            return place > start ? value : nil
        }

        /// The rest of a string and its closing quote; nil for a string with an escape.
        mutating func text() -> String? {
            let start = place
            while place < line.count, line[place] != UInt8(ascii: "\""), line[place] != UInt8(ascii: "\\") {
                place += 1
            }
            guard place < line.count, line[place] == UInt8(ascii: "\"") else { return nil }
            defer { place += 1 }
            return String(decoding: line[start..<place], as: UTF8.self)
        }
    }
}

extension Event {
    /// Reads the type, the position and the pipeline of a line of the log. The content is `.other`, and the rest of the
    /// line is only in `json`. A line of another form is decoded.
    static func head(of line: [UInt8]) -> Event? {
        EventHead(line).map { Event($0, line) } ?? Event(line: line)
    }

    private init(_ head: EventHead, _ line: [UInt8]) {
        json = line
        content = .other(type: head.type)
        position = Position(runID: head.runID, sequence: head.sequence)
        pipeline = head.pipeline
        (tags, time, clock) = ([:], nil, nil)
    }
}
