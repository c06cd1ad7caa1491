// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// Chooses the labels of a moving picture, without flicker.
///
/// Each class's probability is smoothed exponentially over time. A label enters when its smoothed probability reaches
/// `enter`, and leaves when that falls below `leave`. Where more hold than are wanted, one that is in counts `enter /
/// leave` times: it gives way only to a label that is clearly better.
package struct LabelHysteresis: Sendable {
    private struct Class {
        var index: Int
        var smoothed: Float
        var isHeld = false
    }

    private let top: Int
    private let enter: Float
    private let leave: Float
    private let smoothing: Double
    private let longestStep: Double
    /// Classes whose smoothed probability is worth keeping.
    private var classes: [Class] = []
    private var last: Double?

    /// - Parameters:
    ///   - top: labels at most.
    ///   - enter: 0...1.
    ///   - leave: 0...`enter`.
    ///   - smoothing: time constant in seconds; 0: none.
    ///   - longestStep: seconds after which everything begins anew, as it does when time runs back or stands still.
    package init(top: Int, enter: Float, leave: Float, smoothing: Double, longestStep: Double) {
        self.top = top
        self.enter = enter
        self.leave = min(leave, enter)
        self.smoothing = smoothing
        self.longestStep = longestStep
    }

    /// Takes the most probable classes of a picture; those that are not among them count as 0.
    ///
    /// - Returns: the labels that the picture has, with their smoothed probabilities, best first.
    package mutating func update(_ entries: [ClassScores.Entry], at seconds: Double) -> [ClassScores.Entry] {
        let weight = weight(at: seconds)
        for place in classes.indices { classes[place].smoothed *= 1 - weight }
        for entry in entries where entry.probability.isFinite {
            if let place = classes.firstIndex(where: { $0.index == entry.classIndex }) {
                classes[place].smoothed += weight * entry.probability
            } else {
                classes.append(Class(index: entry.classIndex, smoothed: weight * entry.probability))
            }
        }
        hold()
        // The rest is too little to matter; a sum of 1 has few parts that are more.
        classes.removeAll { !$0.isHeld && $0.smoothed < 0.005 }
        return classes.filter(\.isHeld)
            .map { ClassScores.Entry(classIndex: $0.index, probability: min($0.smoothed, 1)) }
            .sorted { ($1.probability, $0.classIndex) < ($0.probability, $1.classIndex) }
    }

    /// The weight of the new picture against all earlier ones.
    private mutating func weight(at seconds: Double) -> Float {
        defer { last = seconds }
        guard let last, seconds > last, seconds - last <= longestStep else {
            classes.removeAll(keepingCapacity: true)
            return 1
        }
        return smoothing > 0 ? Float(1 - exp((last - seconds) / smoothing)) : 1
    }

    private mutating func hold() {
        let advantage = leave > 0 ? enter / leave : 1
        func rank(_ one: Class) -> Float { one.isHeld ? one.smoothed * advantage : one.smoothed }
        classes.sort { (rank($1), $0.index) < (rank($0), $1.index) }
        var room = top
        for place in classes.indices {
            let one = classes[place]
            classes[place].isHeld = room > 0 && one.smoothed >= (one.isHeld ? leave : enter)
            if classes[place].isHeld { room -= 1 }
        }
    }
}
