// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// The crossings of a pipeline's lines since the run began, of all detectors together.
///
/// A worker writes crossings without totals. Totals are added where the events of all detectors come together. So they
/// survive a worker, and do not depend on the order in which detectors finish.
package struct LineTotals: Sendable, Equatable, Codable {
    package struct Total: Sendable, Equatable, Codable {
        package var crossedIn: UInt64 = 0
        package var crossedOut: UInt64 = 0

        private enum CodingKeys: String, CodingKey {
            case crossedIn = "in"
            case crossedOut = "out"
        }
    }

    /// Lines of earlier configurations are kept too. Crossings of further lines have no totals.
    private static let most = 8 * CrossingLine.most

    package private(set) var lines: [String: Total] = [:]

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }

    /// Counts a crossing.
    ///
    /// - Returns: its line with the totals; any other event as it is.
    package mutating func count(_ event: EncodedEvent) -> EncodedEvent {
        guard event.kind == .line, let members = JSONMembers(event.body[...]), let line = members.string(.line),
            let direction = members.text(.direction).flatMap(CrossingLine.Direction.init),
            members[.crossedIn] == nil, lines[line] != nil || lines.count < Self.most
        else { return event }
        switch direction {
        case .in: lines[line, default: Total()].crossedIn += 1
        case .out: lines[line, default: Total()].crossedOut += 1
        }
        let total = lines[line] ?? Total()
        var counted = event
        counted.body.removeLast()
        counted.body += Array(
            ",\"\(FieldName.crossedIn)\":\(total.crossedIn),\"\(FieldName.crossedOut)\":\(total.crossedOut)}".utf8)
        return counted
    }

    /// Takes the totals of a line that has them, from another process.
    package mutating func adopt(_ event: EncodedEvent) {
        guard event.kind == .line, let members = JSONMembers(event.body[...]), let line = members.string(.line),
            let crossedIn = members.count(.crossedIn), let crossedOut = members.count(.crossedOut),
            lines[line] != nil || lines.count < Self.most
        else { return }
        lines[line] = Total(crossedIn: crossedIn, crossedOut: crossedOut)
    }
}

extension JSONMembers {
    fileprivate func count(_ name: FieldName) -> UInt64? {
        self[name].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }
}
