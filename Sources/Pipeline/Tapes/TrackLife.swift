// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Observations
import Pipelines
import Tracking

/// The life of a track in a replay, reduced to the properties that are compared.
package struct TrackLife: Sendable, Equatable {
    package var detector: String
    package var id: TrackID
    package var kind: FeatureKind
    /// The label for people, without redacted values; nil if only the kind is known.
    package var label: String?
    /// The presentation time of the frame of `detected`, in nanoseconds.
    package var detectedAt: Int64
    /// The presentation time of the frame of the last `update`, in nanoseconds.
    package var lastAt: Int64
    /// The number of frames with a detection.
    package var frames: Int
    /// nil if the track was live when the tape ended.
    package var reason: CompletionReason?
}

/// Records the lives of a replay's tracks, and the detections that updated them in the current frame. Confined to one
/// thread.
final class TrackDiary: LaneOutlet {
    struct Key: Hashable, Comparable {
        var detector: String
        var id: TrackID

        static func < (left: Key, right: Key) -> Bool {
            (left.detector, left.id) < (right.detector, right.id)
        }
    }

    private(set) var lives: [Key: TrackLife] = [:]
    private var carried: [Box: TrackID] = [:]
    private let barcodes: BarcodeReporting

    init(_ barcodes: BarcodeReporting) {
        self.barcodes = barcodes
    }

    /// The tracks updated by the last input, by the boxes of their detections. The call removes them.
    func takeCarried() -> [Box: TrackID] {
        defer { carried.removeAll(keepingCapacity: true) }
        return carried
    }

    func take(_ output: LaneOutput, of input: LaneInput?, stages: () -> LaneStages) {
        for change in output.changes {
            if let results = output.results(of: change) { note(change, in: results) }
        }
    }

    private func note(_ change: TrackChange, in results: DetectionResults) {
        let (track, time) = (change.track, results.frame.presentationTime)
        let key = Key(detector: results.detector, id: track.id)
        switch change.phase {
        case .detected:
            lives[key] = TrackLife(
                detector: results.detector, id: track.id, kind: track.kind, label: label(track), detectedAt: time,
                lastAt: time, frames: track.hits)
        case .update:
            lives[key]?.lastAt = time
            carried[track.detection.box] = track.id
        case .missing: break
        case .completed(let reason):
            lives[key]?.frames = track.hits
            lives[key]?.reason = reason
        }
    }

    private func label(_ track: Track) -> String? {
        if case .barcode(let barcode) = track.detection.content {
            return barcodes.content(of: barcode).display ?? barcode.format?.rawValue
        }
        return track.detection.content.labels.first?.text
    }
}
