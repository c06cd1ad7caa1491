// SPDX-License-Identifier: Apache-2.0
import Observations

/// Checks the totals of crossings: each crossing raises the total of its direction by one, and leaves the other.
///
/// The rule applies from a line's first crossing on, as long as no lines are left out.
struct LineRule: Sendable {
    private var totals: [String: (crossedIn: UInt64, crossedOut: UInt64)] = [:]

    mutating func forget() { totals = [:] }

    /// - Throws: `Violation.Problem`.
    mutating func take(_ line: String, of pipeline: String, _ direction: String, _ now: (UInt64, UInt64)?) throws {
        guard let now, let direction = CrossingLine.Direction(rawValue: direction) else { return }
        let key = "\(pipeline)/\(line)"
        defer { totals[key] = now }
        guard let before = totals[key] else { return }
        let expected =
            direction == .in
            ? (before.crossedIn + 1, before.crossedOut) : (before.crossedIn, before.crossedOut + 1)
        guard now == expected else {
            throw Violation.Problem(
                "line \(key): \(direction) gives totals of \(now.0) in, \(now.1) out after "
                    + "\(before.crossedIn) in, \(before.crossedOut) out")
        }
    }
}
