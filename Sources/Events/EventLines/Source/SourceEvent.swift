// SPDX-License-Identifier: Apache-2.0
import Observations

/// A change in the state of the source.
public struct SourceEvent: Sendable, Equatable {
    /// `paused` and `disabled` are states of the pipeline, without a worker. `idle`: the camera delivers, and the
    /// source decodes only key frames, or few of its pictures.
    public enum State: String, Sendable, Codable, CaseIterable {
        case connecting, connected, idle, stalled, lost, retrying, ended, paused, disabled
    }

    public var state: State
    public var time: Timestamp
    /// The clock of `time`.
    public var clock: ClockSource
    /// The number of failures in a row, from 1; nil unless the state is `retrying`.
    public var attempt: Int?
    /// The wait before the next attempt; nil unless the state is `retrying`.
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
