// SPDX-License-Identifier: Apache-2.0
/// A state machine that turns lines of the stream into calls about live tracks.
///
/// The calls of one track read `detected update (update | missing+ update)* missing* completed`, even if lines are
/// missing from the stream.
struct TrackLives {
    /// A track in a run.
    struct Key: Hashable {
        let pipeline: String
        let detector: String
        let id: String

        init(_ track: TrackEvent) { (pipeline, detector, id) = (track.pipeline, track.detector, track.id) }
    }

    struct Call: Equatable {
        enum Phase: Equatable {
            case detected, update, missing
            case completed(reason: String)
        }

        let key: Key
        let phase: Phase
        let track: TrackEvent
    }

    /// A live track.
    private struct Life {
        var newest: TrackEvent
        /// Whether `update` has been called. It must be the second call.
        var hasUpdate = false
        var isMissing = false
    }

    /// The tracks that were live at one sequence number. The reader applies it only after it has reached that number,
    /// because the journal may still supply earlier lines.
    private struct Snapshot {
        var asOf: UInt64
        var tracks: [(key: Key, track: TrackEvent)] = []
        var isWhole = false
    }

    /// Reasons of this library, for tracks without a `completed` line.
    static let lost = "lost"
    static let unfollowed = "unfollowed"

    private var lives: [Key: Life] = [:]
    /// The keys of `lives` in the order of their beginning. The order of calls does not depend on hashing.
    private var order: [Key] = []
    private var run: String?
    private let start: Position?
    /// The last sequence number of the run that was read or reported as lost.
    private var sequence: UInt64 = 0
    private var snapshot: Snapshot?
    /// Whether the last line was a gap that may have hidden ends of tracks. A new `state` line then shows the live
    /// tracks.
    private(set) var wantsState = false

    /// - Parameter position: the start of the subscription. If nil, it starts now.
    init(after position: Position?) { start = position }

    /// Returns the calls that follow from the next event of the subscription.
    mutating func take(_ event: Event) -> [Call] {
        wantsState = false
        var calls: [Call] = []
        if let position = event.position {
            if position.sequence > snapshot?.asOf ?? .max { settle(&calls) }
            sequence = max(sequence, position.sequence)
        }
        switch event.content {
        case .hello(let hello): begin(hello, &calls)
        case .state(let state): collect(state)
        case .track(let track):
            let key = Key(track)
            advance(key, track.phase, track, &calls)
        case .gap(let gap):
            if gap.reason == "other_run" { sequence = 0 }
            if let last = gap.to { sequence = max(sequence, last) }
            // A snapshot of a later place shows the result of the lost lines.
            wantsState = gap.to ?? (gap.reason == "other_run" ? 0 : .max) > snapshot?.asOf ?? 0
        // The daemon has no more lines to send.
        case .ping: settle(&calls)
        default: break
        }
        if let snapshot, snapshot.isWhole, sequence >= snapshot.asOf { settle(&calls) }
        return calls
    }

    /// Returns the last calls of every live track, at the end of the subscription.
    mutating func end() -> [Call] {
        var calls: [Call] = []
        for key in order { complete(key, Self.unfollowed, &calls) }
        return calls
    }

    private mutating func begin(_ hello: Hello, _ calls: inout [Call]) {
        snapshot = nil
        guard run != hello.runID else { return }
        if run == nil {
            let isOther = start?.runID != nil && start?.runID != hello.runID
            sequence = isOther ? 0 : start?.sequence ?? (hello.nextSequence - min(1, hello.nextSequence))
        } else {
            sequence = 0
            for key in order { complete(key, Self.lost, &calls) }
        }
        run = hello.runID
    }

    private mutating func collect(_ state: State) {
        // A later state replaces an earlier one that has not been applied.
        var snapshot = snapshot.flatMap { $0.isWhole ? nil : $0 } ?? Snapshot(asOf: state.asOf ?? 0)
        snapshot.tracks += state.tracks.map { (Key($0.track), $0.track) }
        snapshot.isWhole = !state.hasMore
        self.snapshot = snapshot
    }

    /// Applies the snapshot when the reader has reached its sequence number. Live tracks that are not in the snapshot
    /// have ended unseen. Tracks of the snapshot are live.
    private mutating func settle(_ calls: inout [Call]) {
        guard let snapshot, snapshot.isWhole else { return }
        self.snapshot = nil
        let live = Set(snapshot.tracks.map(\.key))
        for key in order where !live.contains(key) { complete(key, Self.lost, &calls) }
        for (key, track) in snapshot.tracks where lives[key]?.isMissing != (track.phase == .missing) {
            advance(key, track.phase, track, &calls)
        }
    }

    private mutating func complete(_ key: Key, _ reason: String, _ calls: inout [Call]) {
        guard let track = lives[key]?.newest else { return }
        end(key, reason, track, &calls)
    }

    private mutating func end(_ key: Key, _ reason: String, _ track: TrackEvent, _ calls: inout [Call]) {
        addUpdate(key, track, &calls)
        lives[key] = nil
        order.removeAll { $0 == key }
        calls.append(Call(key: key, phase: .completed(reason: reason), track: track))
    }

    private mutating func advance(
        _ key: Key, _ phase: TrackEvent.Phase, _ track: TrackEvent, _ calls: inout [Call]
    ) {
        if lives[key] == nil {
            lives[key] = Life(newest: track)
            order.append(key)
            calls.append(Call(key: key, phase: .detected, track: track))
        }
        lives[key]?.newest = track
        lives[key]?.isMissing = phase == .missing
        switch phase {
        // The line of the `update` follows.
        case .detected: break
        case .update:
            lives[key]?.hasUpdate = true
            calls.append(Call(key: key, phase: .update, track: track))
        case .missing:
            addUpdate(key, track, &calls)
            calls.append(Call(key: key, phase: .missing, track: track))
        case .completed: end(key, track.reason ?? Self.lost, track, &calls)
        }
    }

    /// Adds the `update` that must precede other calls.
    private mutating func addUpdate(_ key: Key, _ track: TrackEvent, _ calls: inout [Call]) {
        guard lives[key]?.hasUpdate == false else { return }
        lives[key]?.hasUpdate = true
        calls.append(Call(key: key, phase: .update, track: track))
    }
}
