// SPDX-License-Identifier: Apache-2.0
/// The treatment of a live source while its picture is at rest: `source.idle` and the keys that belong to it.
package struct IdleSettings: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable {
        /// Every frame is decoded.
        case decode
        /// Only key frames are decoded while the picture is at rest. A source without key frames gives one picture in
        /// `every`.
        case keyframes
    }

    package var mode = Mode.decode
    /// How long the picture must have been at rest. 100 ms...1 h.
    package var after = Duration.seconds(2)
    /// The least time between two pictures at rest. 0...4 s: a tracker takes a longer step for a jump in time.
    package var every = Duration.milliseconds(500)
}

extension SourceSettings {
    /// nil for a source that never idles.
    package var idles: IdleSettings? { idling.mode == .keyframes ? idling : nil }

    /// Whether the source idles on encoded frames, which wait in memory. Other sources drop pictures.
    package var holdsFrames: Bool {
        guard idles != nil else { return false }
        if case .rtsp = kind { return true }
        return ring.duration > .zero
    }
}
