// SPDX-License-Identifier: Apache-2.0
import Observations

/// Whether a detector is operational.
public struct DetectorEvent: Sendable, Equatable {
    /// The detector's name, unique in the pipeline.
    public var detector: String
    public var kind: FeatureKind
    public var operational: Bool
    /// The name of its model; nil without a model.
    public var model: String?
    /// The reason why the detector is not operational, or a remark about a working one. A text for people.
    public var reason: String?
    public var time: Timestamp
    /// The clock of `time`.
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
