// SPDX-License-Identifier: Apache-2.0
import Observations

/// Whether a detector is operational.
public struct DetectorEvent: Sendable, Equatable {
    public var detector: String
    public var kind: FeatureKind
    public var operational: Bool
    public var model: String?
    public var reason: String?
    public var time: Timestamp
    public var clock: ClockSource

    public init(
        detector: String, kind: FeatureKind, operational: Bool, model: String? = nil, reason: String? = nil,
        time: Timestamp, clock: ClockSource
    ) {
        self.detector = detector
        self.kind = kind
        self.operational = operational
        self.model = model
        self.reason = reason
        self.time = time
        self.clock = clock
    }
}
