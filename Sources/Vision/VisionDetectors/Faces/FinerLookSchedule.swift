// SPDX-License-Identifier: Apache-2.0
/// When a picture without a face is searched for faces below `min_size`. Time is the frames' own, in seconds.
struct FinerLookSchedule {
    /// From one look to the next; it doubles with each, so that short films get some, and cameras few. With
    /// 5 s, the looks took half of the processor time of a camera at rest.
    static let firstInterval = 0.5
    static let longestInterval = 60.0

    private var last: Double?
    private var interval = firstInterval
    private var isOver = false

    /// Whether the frame at `time`, which shows no face, is to be searched; it counts as searched then.
    mutating func isDue(at time: Double) -> Bool {
        guard !isOver else { return false }
        if let last {
            guard abs(time - last) >= interval else { return false }
            interval = min(2 * interval, Self.longestInterval)
        }
        last = time
        return true
    }

    /// Small faces were found: nothing more is to be learnt.
    mutating func end() { isOver = true }
}
