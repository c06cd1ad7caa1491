import Observations

/// Which single feature gets a tracker.
public enum FocusPolicy: Sendable, Equatable {
    /// Every feature does.
    case none
    /// Mobile Vision's prominent face: the largest, most central one when it is chosen.
    case largestFace
    /// The one nearest to the picture's centre.
    case central
    case largest
    /// The one with this barcode text or label.
    case value(String)
}

/// Reduces the changes of all tracks to those of the one in focus. The choice is sticky: it holds until the track is completed,
/// however large or central another one becomes.
struct FocusSelector: Sendable {
    private let policy: FocusPolicy
    private var focus: Track?

    init(_ policy: FocusPolicy) {
        self.policy = policy
    }

    /// Where the focus was last seen or predicted.
    var box: Box? { focus?.box }

    mutating func select(from changes: ArraySlice<TrackChange>, frame: FrameInfo) -> [TrackChange] {
        var selected: [TrackChange] = []
        for var change in changes where change.track.id == focus?.id {
            change.track.hasFocus = true
            selected.append(change)
            if case .completed = change.phase { focus = nil } else { focus = change.track }
        }
        guard focus == nil else { return selected }
        let visible = changes.filter { $0.phase == .update }.map(\.track)
        guard var chosen = visible.max(by: { (rank($0, frame), $1.id) < (rank($1, frame), $0.id) }),
            rank(chosen, frame) > 0
        else { return selected }
        chosen.hasFocus = true
        focus = chosen
        return selected + [TrackChange(.detected, chosen), TrackChange(.update, chosen)]
    }

    /// Larger is better; 0 is never chosen.
    private func rank(_ track: Track, _ frame: FrameInfo) -> Float {
        let (dx, dy) = (
            track.box.center.x - Float(frame.width) / 2, track.box.center.y - Float(frame.height) / 2
        )
        let farthest = (Float(frame.width * frame.width + frame.height * frame.height)).squareRoot() / 2
        let centrality = max(0.001, 1 - (dx * dx + dy * dy).squareRoot() / farthest)
        return switch policy {
        case .none: 0
        // "Largest, most central" has no public formula; this one is the project's.
        case .largestFace: track.box.area / Float(frame.width * frame.height) * centrality
        case .central: centrality
        case .largest: track.box.area
        case .value(let value): track.detection.says(value) ? 1 : 0
        }
    }
}

extension Detection {
    fileprivate func says(_ value: String) -> Bool {
        switch content {
        case .barcode(let barcode): barcode.raw == value
        case .object(let object): object.labels.contains { $0.text == value }
        case .scene(let scene): scene.labels.contains { $0.text == value }
        case .face: false
        }
    }
}
