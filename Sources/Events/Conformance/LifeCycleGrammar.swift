// SPDX-License-Identifier: Apache-2.0
/// Checks the lives of tracks: `detected update (update | missing+ update)* missing* completed`. Ids ascend and are
/// never reused.
///
/// It also checks the order of events within one frame and one detector. First comes `completed`, then `missing`, then
/// each new track's `detected` with its `update`, then the other `update`s. Each group is in ascending order of ids.
///
/// It stores the live tracks, and one number for each detector.
package struct LifeCycleGrammar: Sendable {
    package enum Step: String, Sendable, CaseIterable {
        case detected, update, missing, completed
    }

    /// Identifies a track: the owner (pipeline and detector) and the id.
    package struct Key: Hashable, Sendable, CustomStringConvertible {
        package var owner: String
        package var id: UInt64

        package init(owner: String = "", id: UInt64) {
            self.owner = owner
            self.id = id
        }

        package var description: String { owner.isEmpty ? "track \(id)" : "track \(id) of \(owner)" }
    }

    private struct Life {
        /// The number of the last frame that reported the track.
        var frame: UInt64
        /// Whether the track is certainly live. Otherwise its end may be among lines that this reader did not receive.
        var isCertain: Bool
    }

    private struct Owner {
        var highest: UInt64 = 0
        /// The ids that may have been detected in lines that this reader did not receive.
        var unseen: Range<UInt64> = 0..<0
    }

    /// The steps that the reader selected.
    private let told: Set<Step>
    private var lives: [Key: Life] = [:]
    private var owners: [String: Owner] = [:]
    /// The initial state of an owner without events so far.
    private var newcomer = Owner()
    /// The track whose `detected` was the previous step. Its `update` must be next.
    private var awaited: Key?
    /// Whether that `update` may have been left out for a slow reader.
    private var isExcused = false
    private var frame: UInt64 = 0
    private var last = (group: 0, id: UInt64(0))
    /// The number of reported tracks.
    package private(set) var tracks = 0
    /// The violations in the order in which they were found.
    package private(set) var violations: [String] = []

    package init(told: Set<Step> = Set(Step.allCases)) {
        self.told = told
    }

    /// The tracks that are certainly live.
    package var live: [Key] {
        lives.filter(\.value.isCertain).keys.sorted { ($0.owner, $0.id) < ($1.owner, $1.id) }
    }

    // MARK: Steps

    /// Takes the next step of the frame. All steps of one frame have one owner.
    package mutating func take(_ key: Key, _ step: Step) {
        let begins = !told.contains(.detected) && key.id > owners[key.owner, default: newcomer].highest
        let isFirstUpdate = step == .update && (key == awaited || begins)
        if isFirstUpdate { awaited = nil } else { endAwaiting() }
        if step == .detected { begin(key) } else { advance(key, step, isFirstUpdate: isFirstUpdate) }
        let group = Self.group(step, isFirstUpdate: isFirstUpdate)
        if (group, key.id) < last {
            violations.append(
                "\(key): \(step) is out of order in its frame, expected completed, missing, detected with update, update, "
                    + "each in ascending order of ids")
        }
        last = (group, key.id)
        if step == .completed { lives[key] = nil }
    }

    /// Ends the frame after its last line.
    package mutating func endFrame() {
        endAwaiting()
        frame += 1
        last = (0, 0)
        // Without `completed` lines no end is reported.
        if !told.contains(.completed) { lives = [:] }
    }

    /// Ends the stream, at which every track must be completed.
    package mutating func finish() {
        endFrame()
        for key in live { violations.append("\(key): never completed") }
    }

    private mutating func endAwaiting() {
        if let awaited, !isExcused { violations.append("\(awaited): detected without an update") }
        awaited = nil
    }

    private mutating func begin(_ key: Key) {
        let highest = owners[key.owner, default: newcomer].highest
        if lives[key] != nil {
            violations.append("\(key): detected, but it is live")
        } else if key.id <= highest {
            violations.append("\(key): detected, but ids must ascend, and the highest was \(highest)")
        }
        appear(key, isCertain: true)
        owners[key.owner]?.unseen.clamp(below: key.id)
        awaited = told.contains(.update) ? key : nil
        isExcused = false
    }

    private mutating func advance(_ key: Key, _ step: Step, isFirstUpdate: Bool) {
        if let life = lives[key] {
            if life.frame == frame, !isFirstUpdate { violations.append("\(key): reported twice in one frame") }
            lives[key] = Life(frame: frame, isCertain: true)
            return
        }
        let owner = owners[key.owner, default: newcomer]
        let isOld = key.id <= owner.highest
        let mayBegin = !told.contains(.detected) || isOld && !told.contains(.completed)
        if !mayBegin, !owner.unseen.contains(key.id) {
            violations.append("\(key): \(step), but it \(isOld ? "is not live" : "was never detected")")
        }
        appear(key, isCertain: true)
    }

    private mutating func appear(_ key: Key, isCertain: Bool) {
        if lives[key] == nil { tracks += 1 }
        lives[key] = Life(frame: frame, isCertain: isCertain)
        var owner = owners[key.owner, default: newcomer]
        owner.highest = max(owner.highest, key.id)
        owners[key.owner] = owner
    }

    private static func group(_ step: Step, isFirstUpdate: Bool) -> Int {
        switch step {
        case .completed: 0
        case .missing: 1
        case .detected: 2
        case .update: isFirstUpdate ? 2 : 3
        }
    }

    // MARK: What a reader did not see

    /// Begins a new segment: no track is live, and no id was used.
    package mutating func forget() {
        skip()
        endFrame()
        lives = [:]
        owners = [:]
        newcomer = Owner()
    }

    /// Records that updates were left out here for a slow reader.
    package mutating func skip() { isExcused = true }

    /// Records that lines are missing here. Live tracks may have ended in them, and new tracks may have been detected.
    package mutating func lose() {
        skip()
        endFrame()
        for key in lives.keys { lives[key]?.isCertain = false }
        owners = owners.mapValues { owner in
            Owner(highest: owner.highest, unseen: min(owner.highest, .max - 1) + 1..<UInt64.max)
        }
        newcomer.unseen = 1..<UInt64.max
    }

    /// Adds a track that was live before the reader's first line.
    ///
    /// - Parameter isCertain: whether this reader will receive the track's end.
    package mutating func adopt(_ key: Key, isCertain: Bool) {
        appear(key, isCertain: isCertain)
        lives[key]?.frame = UInt64.max
    }
}

extension Range<UInt64> {
    /// Removes `bound` and all larger numbers.
    fileprivate mutating func clamp(below bound: UInt64) {
        if !isEmpty { self = lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, bound)) }
    }
}
