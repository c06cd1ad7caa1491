// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Observations

/// A program's answer for one frame.
package struct ProgramAnswer: Sendable, Equatable {
    /// Bytes of one line.
    package static let mostBytes = 1 << 20
    package static let mostDetections = 1000

    package var frame: UInt64
    package var detections: [Item]

    package struct Item: Sendable, Equatable {
        /// x, y, width, height in pixels of the picture.
        package var box: [Float]
        package var confidence: Float?
        /// Four points in pixels of the picture; nil without them.
        package var corners: [[Float]]?
        /// A JSON object on one line; nil without attributes.
        package var attributes: String?
    }

    /// The fault of a line, for people.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// - Parameter line: without its end.
    package init(_ line: [UInt8]) throws(Problem) {
        let answer: Line
        do {
            answer = try JSONDecoder().decode(Line.self, from: Data(line))
        } catch DecodingError.keyNotFound(let key, _) {
            throw Problem(description: "has no \(key.stringValue): \(Self.start(of: line))")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let key = context.codingPath.last { $0.intValue == nil }?.stringValue
            throw Problem(
                description: "has a wrong \(key ?? "form"), such as another type: \(Self.start(of: line))")
        } catch {
            throw Problem(description: "is no JSON object: \(Self.start(of: line))")
        }
        frame = answer.frame
        detections = answer.detections.map {
            Item(box: $0.box, confidence: $0.confidence, corners: $0.corners, attributes: $0.attributes?.text)
        }
    }

    /// The beginning of a line, with what a terminal might obey replaced.
    static func start(of line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(60), as: UTF8.self).unicodeScalars.map {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : Character($0)
        }
        return String(text) + (line.count > 60 ? "..." : "")
    }

    private struct Line: Decodable {
        var frame: UInt64
        var detections: [Entry]

        struct Entry: Decodable {
            var box: [Float]
            var confidence: Float?
            var corners: [[Float]]?
            var attributes: JSONText?
        }
    }
}

/// A program's first line.
package struct ProgramGreeting: Sendable, Equatable, Decodable {
    package var ready: Bool
    package var name: String?
    package var model: String?
    /// Why it is not ready.
    package var error: String?

    /// - Returns: nil if the line is none.
    package init?(_ line: [UInt8]) {
        guard let greeting = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = greeting
    }
}
