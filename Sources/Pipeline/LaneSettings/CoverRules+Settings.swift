// SPDX-License-Identifier: Apache-2.0
import Observations
import PictureRelease
import Settings

extension CoverRules {
    /// The rules of a pipeline's `[privacy]` table.
    package init(_ settings: PipelineSettings) {
        let privacy = settings.privacy
        self.init(
            style: privacy.style == .fill ? .fill : .pixelate, margin: Float(privacy.margin),
            hold: privacy.hold / .seconds(1), allowsPictures: privacy.pictures,
            hasMasks: !settings.source.masks.isEmpty)
        for word in privacy.blur {
            for detector in settings.coveringDetectors(word) {
                switch detectors[detector.name] {
                case _ where detector.kind.rawValue == word: detectors[detector.name] = .all
                case .all: break
                case .labels(let labels): detectors[detector.name] = .labels(labels.union([word]))
                case nil: detectors[detector.name] = .labels([word])
                }
            }
        }
    }
}
