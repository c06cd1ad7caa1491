// SPDX-License-Identifier: Apache-2.0
import MetricsText

/// The relay's state as lines for people.
struct RelayTable {
    let relay: RelayState

    /// Lines without newlines.
    var lines: [String] { ["relay"] + relay.destinations.flatMap(Self.lines) }

    private static func lines(_ destination: RelayState.Destination) -> [String] {
        var parts = [destination.connected ? "connected" : "not connected"]
        if let address = destination.address { parts[0] += " to \(address)" }
        parts.append("\(destination.sent) sent")
        if destination.unacknowledged > 0 { parts.append("\(destination.unacknowledged) not acknowledged") }
        if let skipped = destination.skipped, skipped > 0 { parts.append("\(skipped) skipped") }
        if let cursor = destination.cursor { parts.append("delivered to event \(cursor.sequence)") }
        let kind = destination.kind.map { " (\($0))" } ?? ""
        let error = destination.error.map { ["    last error: \($0)"] } ?? []
        return ["  \(destination.name)\(kind): \(parts.joined(separator: ", "))"] + error
    }
}
