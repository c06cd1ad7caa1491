// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// Selects the best pictures that may be published, from the live subscription. The type is pure.
///
/// A picture needs the `completed` line of its track without `redacted` before. The `snapshot` line does not say
/// whether a value was redacted.
package struct PictureChoice: Sendable {
    /// The most tracks that wait for their pictures. The oldest one gives way, and has no picture.
    private static let limit = 256

    private struct Key: Equatable {
        var pipeline: String
        var detector: String
        var id: String
    }

    /// Completed tracks without `redacted`, oldest first.
    private var open: [Key] = []

    package init() {}

    /// The file of a picture to publish; nil for all other events.
    package mutating func take(_ event: Event) -> String? {
        switch event.content {
        case .track(let track) where track.phase == .completed && !track.isRedacted:
            open.append(Key(pipeline: track.pipeline, detector: track.detector, id: track.id))
            if open.count > Self.limit { open.removeFirst() }
            return nil
        case .snapshot(let snapshot) where snapshot.rule == "best":
            guard let pipeline = event.pipeline, let detector = snapshot.detector, let id = snapshot.id,
                let index = open.firstIndex(of: Key(pipeline: pipeline, detector: detector, id: id))
            else { return nil }
            open.remove(at: index)
            return snapshot.file
        default: return nil
        }
    }
}

extension TrackEvent {
    /// Whether a value of a barcode, or of a feature of a kind that is not built in, is redacted. A barcode that is
    /// absent from the line counts as redacted.
    fileprivate var isRedacted: Bool {
        kind == "barcode" ? barcode.map { $0.redacted != nil } ?? true : attributes?["redacted"] != nil
    }
}
