/// The treatment of a camera's stream while its picture is at rest: `source.idle` and the keys that belong to it.
package struct IdleSettings: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        /// Every frame is decoded.
        case decode
        /// Only key frames are decoded while the picture is at rest.
        case keyframes
    }

    package var mode = Mode.decode
    /// How long the picture must have been at rest. 100 ms...1 h.
    package var after = Duration.seconds(2)
    /// The least time between two pictures at rest. 0...1 min.
    package var every = Duration.milliseconds(500)

    package init() {}
}

extension SourceKind {
    /// nil for a source that never idles.
    package var idling: IdleSettings? {
        guard case .rtsp(let camera) = self, camera.idling.mode == .keyframes else { return nil }
        return camera.idling
    }
}
