// SPDX-License-Identifier: Apache-2.0

/// Decides how long a source that has caught up delivers every frame. The type is pure.
///
/// Cameras that wake together need more than the machine has. The queues in front of their decoders hold the video
/// meanwhile, so no frame is lost. A detector that is always slower than its camera would only make events old. So
/// when the queue is too long, the newest frame wins until the source has idled again.
struct WholeDelivery {
    /// In nanoseconds of the stream. Less than `OverloadSkip.mostBehind`, so that a slow detector loses single frames
    /// and not whole groups.
    static let mostBehind: UInt64 = 4_000_000_000

    private(set) var isOn = false

    /// The source goes on after idling.
    mutating func begin() { isOn = true }

    /// A frame leaves the queue.
    ///
    /// - Parameter behind: the length of the video behind the frame, in nanoseconds.
    mutating func pass(behind: UInt64) { isOn = isOn && behind <= Self.mostBehind }
}
