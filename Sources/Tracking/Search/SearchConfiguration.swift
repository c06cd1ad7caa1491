// SPDX-License-Identifier: Apache-2.0
import Observations

/// The subject and the timing of a session's searches. Times are nanoseconds of the frames' presentation time; lengths
/// are proportions of the upright picture.
public struct SearchConfiguration: Sendable, Equatable {
    public enum Source: String, Sendable, CaseIterable {
        /// The single most prominent object, where its box meets the reticle.
        case prominent
        /// The first object whose centre is within the reticle.
        case any
        /// The first barcode whose box contains the reticle's centre.
        case barcode
    }

    public var source = Source.prominent
    /// Whether what is confirmed is searched without a command.
    public var isAutomatic = true
    /// How long an object has to stay on the reticle. Barcodes need none.
    public var confirmation: Int64 = 1_500_000_000
    /// The reticle's centre: proportions of width and height.
    public var center = Point(x: 0.5, y: 0.5)
    /// Half the reticle's side (`prominent`) or its radius (`any`), as a proportion of the picture's shorter side.
    public var radius: Float = 0.067
    /// The smallest size that is confirmed. An object's size is its longer side as a proportion of the picture's longer
    /// side. A barcode's size is its width as a proportion of the picture's width.
    public var minimumSize: Float = 0
    /// Whether objects without a label, or of category `unknown`, are none.
    public var ignoresUnknown = false
    /// How long an object that is not seen counts as where it should be. It is never confirmed meanwhile.
    public var hold: Int64 = 200_000_000
    /// How long there may be no object before people are helped; 0: for ever.
    public var detectionTimeout: Int64 = 30_000_000_000
    /// How long a searched object has to have been off the reticle before it is confirmed again without a command; 0:
    /// not at all.
    public var cooldown: Int64 = 3_000_000_000
    /// How long `searching` lasts at least: the phone's barcode delay.
    public var delay: Int64 = 0
    /// Whether there is an engine; without, what is searched is its own result.
    public var hasEngine = true
    /// How long an engine may take.
    public var timeout: Int64 = 10_000_000_000
    /// How long results stay; 0: until `dismiss`.
    public var resultTime: Int64 = 10_000_000_000
    /// How long a failure stays; 0: until `dismiss` or `retry`.
    public var failureTime: Int64 = 10_000_000_000
    /// Results that are less sure are left out, 0...1.
    public var threshold: Float = 0
    /// Whether only the best result is reported.
    public var topOnly = false
    /// Address at which people find help; nil: none.
    public var help: String?

    public init() {}

    /// The kind of the searched things.
    public var kind: FeatureKind { source == .barcode ? .barcode : .object }
}
