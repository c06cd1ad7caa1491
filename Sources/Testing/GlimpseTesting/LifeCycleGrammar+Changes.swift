// SPDX-License-Identifier: Apache-2.0
import Conformance
import Observations
import Tracking

extension LifeCycleGrammar {
    /// Takes the steps of one frame and one detector, in order.
    package mutating func frame(_ steps: [(key: Key, step: Step)]) {
        for (key, step) in steps { take(key, step) }
        endFrame()
    }

    /// Takes the track changes of one frame and one detector, in order.
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
