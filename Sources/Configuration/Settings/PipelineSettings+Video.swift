// SPDX-License-Identifier: Apache-2.0
/// Whether viewers may get the camera's own video.
extension PipelineSettings {
    /// The reason why they may not; nil if they may. The video itself may be another reason.
    ///
    /// - Parameter allowsPictures: whether the daemon allows pictures.
    package func videoObstacle(allowsPictures: Bool) -> String? {
        if !allowsPictures { return "daemon.no_images is true" }
        if !privacy.pictures { return "privacy.pictures is false" }
        if !privacy.blur.isEmpty { return "privacy.blur covers features, and the camera's own video shows them" }
        if !source.masks.isEmpty { return "masks cover parts of the picture, and the camera's own video shows them" }
        if source.mirror || ![.auto, .fixed(.zero)].contains(source.rotation) {
            return "source.rotation or source.mirror turns the picture, and the camera's own video is not turned"
        }
        if source.ring.duration == .zero { return "source.ring is \"0s\", so no encoded video is in memory" }
        return nil
    }
}

extension SourceSettings {
    /// Whether encoded frames come earlier than their time: those of a file, which is read ahead.
    package var readsAhead: Bool {
        if case .file = kind { true } else { false }
    }
}
