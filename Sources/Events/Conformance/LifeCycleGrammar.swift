/// Proves or refutes that the lives of tracks read `detected update (update | missing+ update)* missing* completed`, that ids ascend and
/// are never used again, and that the events of one frame and one detector come as `completed`, `missing`, each new track's `detected`
/// with its `update`, the other `update`s, each group by ascending id.
///
/// It remembers the live tracks, and one number for each detector.
package struct LifeCycleGrammar: Sendable {
    package enum Step: String, Sendable, CaseIterable {
        case detected, update, missing, completed
    }

    /// Whose track it is, and which: the key of the specification's (pipeline, detector, id).
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
        /// The number of the frame that last told of it.
        var frame: UInt64
        /// Whether it is known to be live: its end may be among lines that this reader did not get.
        var isCertain: Bool
    }

    private struct Owner {
        var highest: UInt64 = 0
        /// Ids that may have been detected among lines that this reader did not get.
        var unseen: Range<UInt64> = 0..<0
    }

    /// The steps that this reader is told of: it wanted no others.
    private let told: Set<Step>
    private var lives: [Key: Life] = [:]
    private var owners: [String: Owner] = [:]
    /// What an owner that has not been told of yet starts from.
    private var newcomer = Owner()
    /// The track whose `detected` was the step before: its `update` must be next.
    private var awaited: Key?
    /// Whether that may have been left out for a slow reader.
    private var isExcused = false
    private var frame: UInt64 = 0
    private var last = (group: 0, id: UInt64(0))
    /// Tracks told of.
    package private(set) var tracks = 0
    /// What was wrong, in the order it was found.
    package private(set) var violations: [String] = []

    package init(told: Set<Step> = Set(Step.allCases)) {
        self.told = told
    }

    /// The tracks that are live now, those excluded that may have ended unseen.
    package var live: [Key] {
        lives.filter(\.value.isCertain).keys.sorted { ($0.owner, $0.id) < ($1.owner, $1.id) }
    }

    // MARK: Steps

    /// Takes the next step of the frame. Steps of one frame have one owner.
    package mutating func take(_ key: Key, _ step: Step) {
        let begins = !told.contains(.detected) && key.id > owners[key.owner, default: newcomer].highest
        let isFirstUpdate = step == .update && (key == awaited || begins)
        if isFirstUpdate { awaited = nil } else { endAwaiting() }
        if step == .detected { begin(key) } else { advance(key, step, isFirstUpdate: isFirstUpdate) }
        let group = Self.group(step, isFirstUpdate: isFirstUpdate)
        if (group, key.id) < last {
            violations.append(
                "\(key): \(step) is out of order in its frame, expected completed, missing, detected with update, update, "
                    + "each by ascending id")
        }
        last = (group, key.id)
        if step == .completed { lives[key] = nil }
    }

    /// The frame's lines are all there.
    package mutating func endFrame() {
        endAwaiting()
        frame += 1
        last = (0, 0)
        // Nobody will tell of their ends.
        if !told.contains(.completed) { lives = [:] }
    }

    /// At the end of everything, every track must be completed.
    package mutating func finish() {
        endFrame()
        for key in live { violations.append("\(key): never completed") }
    }

    private mutating func endAwaiting() {
        if let awaited, !isExcused { violations.append("\(awaited): no update with detected") }
        awaited = nil
    }

    private mutating func begin(_ key: Key) {
        let highest = owners[key.owner, default: newcomer].highest
        if lives[key] != nil {
            violations.append("\(key): detected, but it is live")
        } else if key.id <= highest {
            violations.append("\(key): detected, but ids ascend, and \(highest) was the highest")
        }
        appear(key, isCertain: true)
        owners[key.owner]?.unseen.clamp(below: key.id)
        awaited = told.contains(.update) ? key : nil
        isExcused = false
    }

    private mutating func advance(_ key: Key, _ step: Step, isFirstUpdate: Bool) {
        if let life = lives[key] {
            if life.frame == frame, !isFirstUpdate { violations.append("\(key): told of twice in one frame") }
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

    /// Another story begins: nothing is live, no id was used.
    package mutating func forget() {
        skip()
        endFrame()
        lives = [:]
        owners = [:]
        newcomer = Owner()
    }

    /// Updates were left out here for a slow reader.
    package mutating func skip() { isExcused = true }

    /// Lines are missing here: what is live may have ended in them, and what is not may have been detected.
    package mutating func lose() {
        skip()
        endFrame()
        for key in lives.keys { lives[key]?.isCertain = false }
        owners = owners.mapValues { owner in
            Owner(highest: owner.highest, unseen: min(owner.highest, .max - 1) + 1..<UInt64.max)
        }
        newcomer.unseen = 1..<UInt64.max
    }

    /// A track that is live where this reader begins.
    ///
    /// - Parameter isCertain: whether this reader will be told of its end.
    package mutating func adopt(_ key: Key, isCertain: Bool) {
        appear(key, isCertain: isCertain)
        lives[key]?.frame = UInt64.max
    }
}

extension Range<UInt64> {
    /// Takes out `bound` and what is above.
    fileprivate mutating func clamp(below bound: UInt64) {
        if !isEmpty { self = lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, bound)) }
    }
}
