import Observations
import Tracking

/// Checks that the lives of tracks read `detected update (update | missing+ update)* missing* completed`, and that the events of one
/// frame and one detector come as `completed`, `missing`, each new track's `detected` with its `update`, the other `update`s, each group
/// by ascending id.
package struct LifeCycleGrammar {
    package enum Step: String, Sendable {
        case detected, update, missing, completed
    }

    /// Whose track it is, and which: the key of `spec`'s (pipeline, detector, id).
    package struct Key: Hashable, Sendable, CustomStringConvertible {
        package var owner: String
        package var id: UInt64

        package init(owner: String = "", id: UInt64) {
            self.owner = owner
            self.id = id
        }

        package var description: String { owner.isEmpty ? "\(id)" : "\(owner) \(id)" }
    }

    private enum Stage {
        case justDetected, present, missing, completed
    }

    private var stages: [Key: Stage] = [:]
    /// What was wrong, in the order it was found.
    package private(set) var violations: [String] = []

    package init() {}

    /// Takes the steps of one frame and one detector, in order.
    package mutating func frame(_ steps: [(key: Key, step: Step)]) {
        let new = Set(steps.filter { $0.step == .detected }.map(\.key))
        var last = (group: -1, id: UInt64(0))
        for (key, step) in steps {
            advance(key, step)
            let group = Self.group(step, isNew: new.contains(key))
            if (group, key.id) < last { violations.append("\(key): \(step) is out of order in its frame") }
            last = (group, key.id)
        }
        for (key, stage) in stages where stage == .justDetected {
            violations.append("\(key): no update with detected")
            stages[key] = .present
        }
        // Other than that, no id twice in a frame.
        for (key, count) in Dictionary(grouping: steps, by: \.key).mapValues(\.count)
        where count > (new.contains(key) ? 2 : 1) {
            violations.append("\(key): \(count) events in one frame")
        }
    }

    /// At the end of everything, every track must be completed.
    package mutating func finish() {
        for key in stages.filter({ $0.value != .completed }).keys.map(\.description).sorted() {
            violations.append("\(key): never completed")
        }
    }

    private mutating func advance(_ key: Key, _ step: Step) {
        let stage = stages[key]
        let next: Stage? =
            switch (stage, step) {
            case (nil, .detected): .justDetected
            case (.justDetected, .update), (.present, .update), (.missing, .update): .present
            case (.present, .missing), (.missing, .missing): .missing
            case (.present, .completed), (.missing, .completed): .completed
            default: nil
            }
        if next == nil { violations.append("\(key): \(step) when \(stage.map { "\($0)" } ?? "unknown")") }
        stages[key] = next ?? stage ?? .present
    }

    private static func group(_ step: Step, isNew: Bool) -> Int {
        switch step {
        case .completed: 0
        case .missing: 1
        case .detected: 2
        case .update: isNew ? 2 : 3
        }
    }
}

extension LifeCycleGrammar {
    package mutating func frame(_ changes: [TrackChange], owner: String = "") {
        frame(changes.map { (Key(owner: owner, id: $0.track.id.number), Step($0.phase)) })
    }
}

extension LifeCycleGrammar.Step {
    package init(_ phase: TrackPhase) {
        self =
            switch phase {
            case .detected: .detected
            case .update: .update
            case .missing: .missing
            case .completed: .completed
            }
    }
}
