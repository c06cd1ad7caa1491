import Observations

extension [TrackChange] {
    /// `completed`, `missing`, each new track's `detected` with its `update`, the other `update`s; each group by ascending id.
    func inReportingOrder() -> [TrackChange] {
        let new = Set(lazy.filter { $0.phase == .detected }.map(\.track.id))
        func rank(_ change: TrackChange) -> (Int, TrackID, Int) {
            switch change.phase {
            case .completed: (0, change.track.id, 0)
            case .missing: (1, change.track.id, 0)
            case .detected: (2, change.track.id, 0)
            case .update: new.contains(change.track.id) ? (2, change.track.id, 1) : (3, change.track.id, 0)
            }
        }
        return sorted { rank($0) < rank($1) }
    }
}

extension FrameInfo {
    /// Whether nothing before this frame says anything about it: time ran backwards or jumped, or the picture has another shape.
    func isDiscontinuous(from last: FrameInfo, longestStep: Double?) -> Bool {
        let step = seconds - last.seconds
        return step < 0 || step > (longestStep ?? .infinity) || width != last.width || height != last.height
            || epoch != last.epoch
    }
}
