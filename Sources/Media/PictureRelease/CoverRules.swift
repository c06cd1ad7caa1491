// SPDX-License-Identifier: Apache-2.0
import Observations

/// The features to cover in every picture that leaves a pipeline, and the means.
package struct CoverRules: Sendable, Equatable {
    package enum Style: Sendable, Equatable {
        /// At most eight blocks across a covered region.
        case pixelate
        /// Flat grey.
        case fill
    }

    package var style: Style
    /// A proportion of the box's width and height, added on each side.
    package var margin: Float
    /// How long a region stays covered after its feature was last seen, in seconds of the stream.
    package var hold: Double
    /// Whether any picture may leave.
    package var allowsPictures: Bool
    /// Whether masks are painted into the frames. The camera's own video does not have them.
    package var hasMasks: Bool
    /// By the name of the detector whose features are covered. If empty, nothing is covered.
    package var detectors: [String: CoveredFeatures]

    package init(
        style: Style = .pixelate, margin: Float = 0.2, hold: Double = 1, allowsPictures: Bool = true,
        hasMasks: Bool = false, detectors: [String: CoveredFeatures] = [:]
    ) {
        self.style = style
        self.margin = margin
        self.hold = hold
        self.allowsPictures = allowsPictures
        self.hasMasks = hasMasks
        self.detectors = detectors
    }

    /// Whether pictures differ from those of the camera, by a mask or a covered feature.
    package var coversPictures: Bool { hasMasks || coversFeatures }

    /// Whether a picture may leave only if the detectors have looked at its frame.
    package var coversFeatures: Bool { !detectors.isEmpty }
}

/// The features of a detector that are covered.
package enum CoveredFeatures: Sendable, Equatable {
    case all
    /// Those with one of these labels.
    case labels(Set<String>)

    package func contains(_ detection: Detection) -> Bool {
        switch self {
        case .all: true
        case .labels(let labels): detection.content.labels.contains { labels.contains($0.text) }
        }
    }

    /// The labels that a model without them can never give; nil if it gives all.
    ///
    /// - Parameter known: the model's labels; nil: any.
    package func missing(from known: [String]?) -> String? {
        guard case .labels(let labels) = self, let known else { return nil }
        return labels.sorted().first { !known.contains($0) }
    }
}
