// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The state of `glimpsed-relay`, from the line with which its control socket answers a connection. Other members of
/// the line are ignored.
package struct RelayState: Sendable, Equatable, Decodable {
    package struct Destination: Sendable, Equatable, Decodable {
        package var name: String
        /// `mqtt`, `webhook`; nil from a relay of an older version, like all members that may be nil.
        package var kind: String?
        /// Where the newest connection went.
        package var address: String?
        package var connected: Bool
        /// The number of events that the destination has not acknowledged.
        package var unacknowledged: UInt64
        /// The number of events that the destination acknowledged since the relay started.
        package var sent: UInt64
        /// The number of events that the destination refused for good, or for too long, since the relay started.
        package var skipped: UInt64?
        /// The last event up to which everything is delivered.
        package var cursor: Cursor?
        /// The newest problem since the last connection was made.
        package var error: String?
    }

    /// A place in the daemon's log.
    package struct Cursor: Sendable, Equatable, Decodable {
        package var run: String
        package var sequence: UInt64

        private enum CodingKeys: String, CodingKey {
            case run = "run_id"
            case sequence = "seq"
        }
    }

    /// The path of the relay's control socket.
    package static let defaultSocket = "/run/glimpsed-relay/control.sock"
    /// The highest number of destinations that get metrics.
    private static let mostDestinations = 64

    package var destinations: [Destination]

    /// - Returns: nil if the line is not the state of a relay.
    package init?(line: [UInt8]) {
        guard let state = try? JSONDecoder().decode(RelayState.self, from: Data(line)) else { return nil }
        var names = Set<String>()
        destinations = state.destinations.filter { names.insert($0.name).inserted }
        destinations = Array(destinations.prefix(Self.mostDestinations))
    }

    private enum CodingKeys: String, CodingKey { case destinations }
}

extension MetricsText {
    /// Writes the relay's families.
    package mutating func write(_ relay: RelayState) {
        let rows = relay.destinations.map { ($0, MetricLabel($0.name)) }
        family(.relayUnacknowledged) { samples in
            for (destination, name) in rows { samples.sample(name, is: destination.unacknowledged) }
        }
        family(.relaySent) { samples in for (destination, name) in rows { samples.sample(name, is: destination.sent) } }
        family(.relayConnected) { samples in
            for (destination, name) in rows { samples.sample(name, is: destination.connected ? 1 : 0) }
        }
    }
}
