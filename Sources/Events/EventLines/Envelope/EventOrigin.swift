// SPDX-License-Identifier: Apache-2.0
import Observations

/// The detector and the kind of feature that an event is about. Many events share one object.
public final class EventOrigin: Sendable, Equatable {
    /// The origin of lines about no detector.
    public static let none = EventOrigin(detector: "", feature: nil)

    /// Empty for lines about no detector.
    public let detector: String
    /// nil for lines about the source.
    public let feature: FeatureKind?
    /// A hash value of `detector`, different in each process.
    package let detectorHash: Int

    public init(detector: String, feature: FeatureKind?) {
        self.detector = detector
        self.feature = feature
        detectorHash = detector.hashValue
    }

    public static func == (left: EventOrigin, right: EventOrigin) -> Bool {
        left === right || (left.detector == right.detector && left.feature == right.feature)
    }
}
