import BarcodeValues
import Observations
import Pipelines
import Synchronization
import Tracking

/// A track's life in a replay, as far as two of them are compared by it.
package struct TrackLife: Sendable, Equatable {
    package var detector: String
    package var id: TrackID
    package var kind: FeatureKind
    /// What it is, for people, without what is redacted; nil: nothing is known of it but its kind.
    package var label: String?
    /// Presentation time of the frame of `detected`, in nanoseconds.
    package var detectedAt: Int64
    /// The same of its last `update`.
    package var lastAt: Int64
    /// Frames with a detection.
    package var frames: Int
    /// nil: it was live when the tape ended.
    package var reason: CompletionReason?
}

/// Writes down the lives of a replay's tracks, and which detections carried them in the frame in hand.
final class TrackDiary: MultiDetectorDelegate {
    struct Key: Hashable, Comparable {
        var detector: String
        var id: TrackID

        static func < (left: Key, right: Key) -> Bool {
            (left.detector, left.id) < (right.detector, right.id)
        }
    }

    private struct State {
        var lives: [Key: TrackLife] = [:]
        var carried: [Box: TrackID] = [:]
    }

    private let state = Mutex(State())
    private let barcodes: BarcodeReporting

    init(_ barcodes: BarcodeReporting) {
        self.barcodes = barcodes
    }

    var lives: [Key: TrackLife] { state.withLock(\.lives) }

    /// The tracks that the last input updated, by their detections' boxes. Asking forgets them.
    func takeCarried() -> [Box: TrackID] {
        state.withLock { state in
            defer { state.carried.removeAll(keepingCapacity: true) }
            return state.carried
        }
    }

    func tracker(for track: Track, from detector: String) -> (any FeatureTracker)? { DiaryTracker(self) }

    fileprivate func began(_ track: Track, in results: DetectionResults) {
        let life = TrackLife(
            detector: results.detector, id: track.id, kind: track.kind, label: label(track),
            detectedAt: results.frame.presentationTime, lastAt: results.frame.presentationTime, frames: track.hits)
        state.withLock { $0.lives[Key(detector: results.detector, id: track.id)] = life }
    }

    fileprivate func went(on track: Track, in results: DetectionResults) {
        state.withLock { state in
            state.lives[Key(detector: results.detector, id: track.id)]?.lastAt = results.frame.presentationTime
            state.carried[track.detection.box] = track.id
        }
    }

    fileprivate func ended(_ track: Track, _ reason: CompletionReason, in results: DetectionResults) {
        state.withLock { state in
            state.lives[Key(detector: results.detector, id: track.id)]?.frames = track.hits
            state.lives[Key(detector: results.detector, id: track.id)]?.reason = reason
        }
    }

    private func label(_ track: Track) -> String? {
        switch track.detection.content {
        case .barcode(let barcode): barcodes.content(of: barcode).display ?? barcode.format?.rawValue
        case .object(let object): object.labels.first?.text
        case .scene(let scene): scene.labels.first?.text
        case .face: nil
        }
    }
}

private final class DiaryTracker: FeatureTracker {
    private let diary: TrackDiary

    init(_ diary: TrackDiary) {
        self.diary = diary
    }

    func detected(_ track: Track, in results: DetectionResults) { diary.began(track, in: results) }
    func update(_ track: Track, in results: DetectionResults) { diary.went(on: track, in: results) }

    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
        diary.ended(track, reason, in: results)
    }
}
