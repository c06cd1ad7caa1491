// SPDX-License-Identifier: Apache-2.0
import Observations

/// The rule that chooses the single reported feature.
public enum FocusPolicy: Sendable, Equatable {
    /// Every feature is.
    case none
    /// Mobile Vision's prominent face: the largest, most central one when it is chosen.
    case largestFace
    /// ML Kit's prominent object: the largest near the centre now. Another one takes over when it is
    /// `Prominence.takeOver` times as prominent.
    case prominent
    /// The one nearest to the picture's centre.
    case central
    case largest
    /// The one with this barcode text or label.
    case value(String)
}

/// Decides on the focus. The feature in focus carries a mark. It keeps the focus until its end, however large or
/// central another one becomes; with `prominent`, until another one is the prominent one.
struct Focus: Sendable {
    let policy: FocusPolicy
    /// Somebody asked for the feature that has the focus: while it lives the policy has no say.
    var isRequested = false

    init(_ policy: FocusPolicy) {
        self.policy = policy
    }

    /// Whether a single feature is reported at most.
    var isOn: Bool { isRequested || policy != .none }

    /// How much the policy wants a feature; larger is better, 0 is never chosen.
    func rank(_ detection: Detection, _ frame: FrameInfo) -> Float {
        let (width, height) = (Float(frame.width), Float(frame.height))
        return switch policy {
        case .none: 0
        case .largestFace, .prominent: detection.box.prominence(width: width, height: height)
        case .central: detection.box.centrality(width: width, height: height)
        case .largest: detection.box.area
        case .value(let value): detection.says(value) ? 1 : 0
        }
    }
}

extension Tracker {
    /// The box of the feature in focus; nil without one, and while it is missing: then it may be anywhere.
    public var focusBox: Box? {
        features.first { $0.hasFocus && $0.missingFrames == 0 }?.detection.box
    }

    /// Puts the focus on a live track from the next frame on, until the track ends; then the policy decides again.
    ///
    /// - Parameter id: the track's, or the one that it had before it went out of focus. nil: the policy decides now.
    /// - Returns: whether there is such a track; if not, nothing changes.
    public mutating func requestFocus(on id: TrackID?) -> Bool {
        var requested: Int?
        if let id {
            requested = features.firstIndex { ($0.id ?? $0.previous?.id) == id }
            if requested == nil { return false }
        }
        for index in features.indices { features[index].hasFocus = index == requested }
        focus.isRequested = requested != nil
        return true
    }

    /// Marks the features that are reported from this frame on, and those that are no more.
    mutating func chooseReported(in frame: FrameInfo) {
        markProminent(in: frame)
        let focused = focusedFeature(in: frame)
        for index in features.indices where features[index].ending == nil && features[index].isConfirmed {
            let isWanted = !focus.isOn || index == focused
            if isWanted, features[index].id == nil {
                // Nothing begins with a prediction.
                features[index].isNew = features[index].missingFrames == 0
            } else if !isWanted, features[index].id != nil {
                features[index].isLeaving = true
            }
        }
        if !focus.isOn { holdToReportLimit(in: frame) }
    }

    /// The feature that has the focus, or gets it now.
    private mutating func focusedFeature(in frame: FrameInfo) -> Int? {
        if let focused = features.firstIndex(where: { $0.hasFocus && $0.ending == nil }) {
            if focus.isRequested || focus.policy != .prominent || features[focused].isProminent { return focused }
            features[focused].hasFocus = false
        }
        focus.isRequested = false
        guard focus.isOn else { return nil }
        if focus.policy == .prominent {
            let prominent = features.firstIndex { $0.isProminent && $0.ending == nil }
            if let prominent { features[prominent].hasFocus = true }
            return prominent
        }
        var best: Int?
        var greatest: Float = 0
        for index in features.indices where features[index].isConfirmed && features[index].missingFrames == 0 {
            let rank = focus.rank(features[index].detection, frame)
            if rank > greatest { (best, greatest) = (index, rank) }
        }
        if let best { features[best].hasFocus = true }
        return best
    }
}

extension Detection {
    fileprivate func says(_ value: String) -> Bool {
        if case .barcode(let barcode) = content { return barcode.raw == value }
        if case .custom(let feature) = content { return feature.value == value }
        return content.labels.contains { $0.text == value }
    }
}
