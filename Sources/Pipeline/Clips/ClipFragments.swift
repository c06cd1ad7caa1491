// SPDX-License-Identifier: Apache-2.0
import FragmentedVideo

/// Collects the encoded frames of a clip into fragments of a second. The type is pure.
///
/// The decode times are the presentation times in ascending order. So frames need no time stamps of decoding, which
/// many cameras do not give. Where frames come in the order in which they are shown, both times are equal.
struct ClipFragments {
    /// The length of a fragment, in nanoseconds. A killed worker loses no more.
    private static let length: Int64 = 1_000_000_000
    /// The most in a fragment, so that memory is bounded where time stands still.
    private static let mostFrames = 1000
    private static let mostBytes = 8 << 20
    /// The least time between two frames, in nanoseconds.
    private static let tick: Int64 = 100_000
    /// Times that are further away are not believed: a year in nanoseconds.
    private static let longest: Int64 = 365 * 86_400 * 1_000_000_000

    private struct Frame {
        /// The presentation time, in nanoseconds of the clip.
        var time: Int64
        var isKey: Bool
        var content: [UInt8]
    }

    private let start: Int64
    /// The frames of the open fragment.
    private var frames: [Frame] = []
    private var bytes = 0
    /// The number of fragments before.
    private var number: UInt64 = 0
    /// The latest presentation time so far, and that of the fragments before.
    private var newest = -ClipFragments.tick
    private var floor = -ClipFragments.tick
    private var lastDecodeTime = -ClipFragments.tick
    /// That of the newest frame of the fragments before; at first a guess.
    private var lastDuration: Int64 = 40_000_000

    /// - Parameter start: the presentation time of the first frame, in nanoseconds.
    init(start: Int64) { self.start = start }

    /// Adds a frame in the order of decoding.
    ///
    /// - Parameter time: nil if the frame has lost its time.
    /// - Returns: the fragment before the frame, if it is complete; otherwise nothing.
    mutating func append(time: Int64?, isKey: Bool, content: [UInt8]) -> [UInt8] {
        let known = time.map { $0.subtractingReportingOverflow(start) }
            .flatMap { !$0.overflow && $0.partialValue.magnitude < Self.longest ? $0.partialValue : nil }
        // A frame that is decoded after the first and shown before it depends on frames before the clip.
        if let known, (-Self.length..<0).contains(known), newest == 0 { return [] }
        let last = frames.last?.time ?? floor
        var time = max(known ?? last + Self.tick, floor + Self.tick)
        if time == last { time += Self.tick }
        let isDue = frames.first.map { time > newest && time - $0.time >= Self.length } ?? false
        let isFull = frames.count >= Self.mostFrames || bytes >= Self.mostBytes
        let fragment = isDue || isFull ? take(until: time) : []
        frames.append(Frame(time: time, isKey: isKey, content: content))
        bytes += content.count
        newest = max(newest, time)
        return fragment
    }

    /// Ends the video.
    ///
    /// - Returns: the last fragment; nothing without a frame.
    mutating func finish() -> [UInt8] { frames.isEmpty ? [] : take(until: nil) }

    /// - Parameter next: the time of the next frame.
    private mutating func take(until next: Int64?) -> [UInt8] {
        let shown = frames.map(\.time)
        let sorted = shown.sorted()
        let decoded = sorted.map { time in
            lastDecodeTime = max(time, lastDecodeTime + Self.tick)
            return lastDecodeTime
        }
        var durations = zip(decoded.dropFirst(), decoded).map { $0 - $1 }
        if let next, shown == sorted {
            lastDuration = max(next - lastDecodeTime, Self.tick)
        } else {
            // The next frame in the order of decoding need not be the next that is shown.
            lastDuration = durations.last ?? min(lastDuration, Self.length)
        }
        durations.append(lastDuration)
        number += 1
        let fragment = MovieFragment(
            number: number, time: decoded[0],
            frames: frames.indices.map { index in
                MovieFragment.Frame(
                    duration: durations[index], offset: shown[index] - decoded[index], isKey: frames[index].isKey,
                    content: frames[index].content)
            })
        (frames, bytes, floor) = ([], 0, newest)
        return fragment.bytes
    }
}
