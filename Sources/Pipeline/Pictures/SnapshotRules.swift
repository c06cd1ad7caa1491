// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import Observations

/// Selects the pictures of tracks to take, and their form.
package struct SnapshotRules: Sendable, Equatable {
    package enum Region: Sendable, Equatable {
        case full
        /// The track's box, enlarged on each side by this fraction of its width and height.
        case crop(margin: Double)
    }

    package var rules: Set<SnapshotEvent.Rule>
    /// nil selects all.
    package var kinds: Set<FeatureKind>?
    package var region: Region
    /// In pixels.
    package var maximumWidth: Int
    /// 1...100.
    package var quality: Int
    /// Whether the label and the time are drawn into the picture.
    package var captioned: Bool
    /// The shortest time between two pictures of a track's best frame, in the stream's time.
    package var bestInterval: Duration
    /// The lowest score of a best frame, 0...1.
    package var minimumScore: Float

    package init(
        rules: Set<SnapshotEvent.Rule> = [.best], kinds: Set<FeatureKind>? = nil, region: Region = .crop(margin: 0.2),
        maximumWidth: Int = 640, quality: Int = 85, captioned: Bool = false,
        bestInterval: Duration = .milliseconds(500), minimumScore: Float = 0
    ) {
        self.rules = rules
        self.kinds = kinds
        self.region = region
        self.maximumWidth = maximumWidth
        self.quality = quality
        self.captioned = captioned
        self.bestInterval = bestInterval
        self.minimumScore = minimumScore
    }
}

extension SnapshotRules.Region {
    /// The part of the frame that a picture of a box shows; nil if the box is outside.
    package func view(of box: Box, in frame: Frame) -> FrameView? {
        let (width, height) = (Float(frame.width), Float(frame.height))
        guard case .crop(let margin) = self else { return FrameView(frame) }
        let grown = box.grown(byX: box.width * Float(margin), y: box.height * Float(margin))
        guard box.isValid, let part = grown.clipped(width: width, height: height) else { return nil }
        let view = FrameView(
            frame,
            region: NormalizedRegion(
                x: Double(part.x / width), y: Double(part.y / height), width: Double(part.width / width),
                height: Double(part.height / height)))
        return view.isEmpty ? nil : view
    }
}
