// SPDX-License-Identifier: Apache-2.0
import Observations

/// A change in the state of the source.
public struct SourceEvent: Sendable, Equatable {
    public enum State: String, Sendable, Codable, CaseIterable {
        case connecting, connected, idle, stalled, lost, retrying, ended, paused, disabled
    }

    public var state: State
    public var time: Timestamp
    public var clock: ClockSource
    public var attempt: Int?
    public var retryMilliseconds: Int?
    /// A redacted text for people.
    public var error: String?
    /// The reason why an intact pipeline does not run: `on_demand`.
    public var reason: String?

    public init(
        state: State, time: Timestamp, clock: ClockSource, attempt: Int? = nil, retryMilliseconds: Int? = nil,
        error: String? = nil, reason: String? = nil
    ) {
        self.state = state
        self.time = time
        self.clock = clock
        self.attempt = attempt
        self.retryMilliseconds = retryMilliseconds
        self.error = error
        self.reason = reason
    }
}
