import Settings

extension PipelineSettings {
    /// The reason why viewers may not get the camera's own video; nil if they may. What the source sends decides too.
    ///
    /// - Parameter pictures: the permitted use of frames.
    func videoObstacle(_ pictures: PictureAccess) -> String? {
        if pictures == .none { return "daemon.no_images is true" }
        if !privacy.pictures { return "privacy.pictures is false" }
        if !privacy.blur.isEmpty { return "privacy.blur covers features, and the camera's own video shows them" }
        if !source.masks.isEmpty { return "masks cover parts of the picture, and the camera's own video shows them" }
        if source.mirror || ![.auto, .fixed(.zero)].contains(source.rotation) {
            return "source.rotation or source.mirror turns the picture, and the camera's own video is not turned"
        }
        if source.ring.duration == .zero { return "source.ring is \"0s\", so no encoded video is in memory" }
        return nil
    }

    /// Whether encoded frames come earlier than their time: those of a file, which is read ahead.
    var readsAhead: Bool {
        if case .file = source.kind { true } else { false }
    }
}
