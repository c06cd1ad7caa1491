// SPDX-License-Identifier: Apache-2.0
import Observations

/// One detector's part in covering pictures. Confined to the detector's thread.
package struct LaneCover {
    private let detector: String
    private let features: CoveredFeatures
    private let release: PictureRelease
    private var memory: CoverMemory
    /// The boxes that the detector's last run saw besides its result.
    private var unreported: [Box] = []

    /// nil if the rules do not need the detector.
    package init?(_ detector: String, _ release: PictureRelease) {
        guard let features = release.rules.detectors[detector] else { return nil }
        self.detector = detector
        self.features = features
        self.release = release
        memory = CoverMemory(hold: release.rules.hold)
    }

    /// Why the loaded model cannot give what is covered; nil if it can.
    package func obstacle(labels: [String]?) -> String? {
        features.missing(from: labels).map { "the model has no class \"\($0)\"" }
    }

    /// Records a frame that the detector looked at, or found equal to one that it looked at.
    ///
    /// - Parameters:
    ///   - detections: all detections of the frame.
    ///   - unreported: what the detector saw and left out of them; nil for a frame that shows nothing new.
    ///   - tracks: the last detection of every track, reported or not, with its predicted box while it is missing.
    package mutating func looked(
        at frame: FrameInfo, _ detections: [Detection], unreported: [Box]?,
        tracks: [(detection: Detection, predicted: Box?)]
    ) {
        if let unreported { self.unreported = unreported }
        var seen = self.unreported
        var predicted: [Box] = []
        for detection in detections where features.contains(detection) { seen.append(detection.box) }
        for track in tracks where features.contains(track.detection) {
            // A track's label is that of its whole life, which one frame's label may contradict.
            if let box = track.predicted {
                predicted.append(box)
            } else if !seen.contains(track.detection.box) {
                seen.append(track.detection.box)
            }
        }
        release.looked(detector, at: frame, regions: memory.regions(seen: seen, predicted: predicted, in: frame))
    }

    /// Records a frame that the detector did not look at.
    ///
    /// - Parameter obstacle: why it cannot look at frames; nil if it can.
    package func passed(_ frame: FrameInfo, obstacle: String?) {
        release.passed(detector, frame: frame, obstacle: obstacle)
    }
}
