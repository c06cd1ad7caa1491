// SPDX-License-Identifier: Apache-2.0
import Frames

/// Decides which encoded frames go into which clip. The type is pure.
struct ClipCutter {
    enum Step: Equatable {
        /// A clip begins with this key frame.
        case begin(EncodedFrame, at: Int64)
        case append(ClosedRange<UInt64>)
        /// The clip ends before this time.
        case end(Int64)
    }

    private struct Open {
        var from: Int64
        var number: UInt64
        var format: Int
    }

    /// Video after a longer pause, such as that of covered pictures that were withheld, has clips of its own. In
    /// nanoseconds.
    private static let longestPause: Int64 = 5_000_000_000

    private let before: Int64
    private let maximumLength: Int64
    private var open: Open?
    /// The start of the demand that has had its first clip.
    private var served: Int64?
    /// The time of the last frame that was looked at.
    private(set) var time: Int64 = .min

    /// All in nanoseconds.
    init(before: Int64, maximumLength: Int64) {
        (self.before, self.maximumLength) = (before, maximumLength)
    }

    var isOpen: Bool { open != nil }

    /// Whether the cutter has to look at frames.
    func hasWork(_ demand: ClipDemand) -> Bool { isOpen || demand.start != served }

    /// - Parameters:
    ///   - limit: frames after this time are looked at later, because their events may still come.
    ///   - frames: gives the frames in memory after a number.
    mutating func steps(
        _ demand: ClipDemand, until limit: Int64, _ frames: (UInt64) -> [EncodedFrame]
    ) -> [Step] {
        var steps: [Step] = []
        var frames = frames(open?.number ?? 0)[...]
        if open == nil {
            guard let start = demand.start, start != served else { return [] }
            frames = Self.from(start - before, in: frames)
        }
        for frame in frames {
            let last = time
            let time = frame.presentationTime ?? last
            guard time <= limit else { break }
            self.time = time
            served = demand.start
            if let open {
                let isCut = frame.isKey && (time - open.from >= maximumLength || time - last > Self.longestPause)
                if isCut || frame.number != open.number + 1 || frame.format != open.format { end(at: time, &steps) }
            }
            guard demand.isWanted(time) else {
                end(at: time, &steps)
                break
            }
            if open == nil {
                guard frame.isKey else { continue }
                open = Open(from: time, number: frame.number, format: frame.format)
                steps.append(.begin(frame, at: time))
            }
            open?.number = frame.number
            if case .append(let numbers) = steps.last {
                steps[steps.count - 1] = .append(numbers.lowerBound...frame.number)
            } else {
                steps.append(.append(frame.number...frame.number))
            }
        }
        return steps
    }

    /// The frames from the last key frame before a time on. A group that ended long before it is left out.
    private static func from(_ time: Int64, in frames: ArraySlice<EncodedFrame>) -> ArraySlice<EncodedFrame> {
        let first = frames.lastIndex { $0.isKey && ($0.presentationTime ?? .max) <= time }
        guard let first else { return frames }
        let next = frames[first...].dropFirst().firstIndex(where: \.isKey) ?? frames.endIndex
        let end = frames[next - 1].presentationTime ?? time
        return time - end > longestPause ? frames[next...] : frames[first...]
    }

    /// Ends the clip, such as after an error. The next one begins with the next demand.
    mutating func abandon() { open = nil }

    private mutating func end(at time: Int64, _ steps: inout [Step]) {
        if open != nil { steps.append(.end(time)) }
        open = nil
    }
}
