// SPDX-License-Identifier: Apache-2.0
/// When and how a place that resists is looked at again. The plain way comes first, since the picture changes most;
/// then comes one of the harder ways, at intervals that double.
struct AttemptSchedule: Equatable {
    private static let order: [LookingWay] = [
        .asItIs, .enlarged, .asItIs, .stretched, .inverted, .asItIs, .levelled, .global,
    ]
    private static let firstInterval = 0.06, longestInterval = 2.0

    private(set) var attempts = 0
    private let skipped: Int
    private var next: Double

    /// - Parameters:
    ///   - due: seconds of the stream.
    ///   - wasPlain: whether the plain way was tried just now.
    init(due: Double, wasPlain: Bool = false) {
        next = due
        skipped = wasPlain ? 1 : 0
    }

    func isDue(at seconds: Double) -> Bool { seconds >= next - 0.001 }

    /// The way of the next attempt.
    var way: LookingWay { Self.order[(attempts + skipped) % Self.order.count] }

    /// The way of the attempt that is made now.
    mutating func attempt(at seconds: Double) -> LookingWay {
        let way = way
        next = seconds + min(Self.firstInterval * Double(1 << min(attempts, 8)), Self.longestInterval)
        attempts += 1
        return way
    }

    /// The place looks different now.
    mutating func placeChanged(at seconds: Double) {
        next = min(next, seconds)
    }
}

/// The reader's ways to look at one place (CZX_AS_IT_IS and its fellows).
enum LookingWay: Int32, CaseIterable {
    case asItIs, enlarged, inverted, global, stretched, levelled
}
