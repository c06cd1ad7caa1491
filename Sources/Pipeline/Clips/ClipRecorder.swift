// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import EventLines
import Frames
import Observations
import PictureRelease
import PictureStorage
import Synchronization

/// Writes the clips of a pipeline on a queue of its own, so that no lane and no source waits. Any thread may use it.
package final class ClipRecorder: Sendable {
    package struct Configuration: Sendable {
        package var rules: [ClipRule]
        package var before: Duration
        package var after: Duration
        package var maximumLength: Duration

        package init(rules: [ClipRule], before: Duration, after: Duration, maximumLength: Duration) {
            (self.rules, self.before, self.after) = (rules, before, after)
            self.maximumLength = maximumLength
        }
    }

    /// The state that lanes' threads fill and the queue reads.
    private struct Inbox {
        var demand: ClipDemand
        var lines = ClipLines()
        /// From presentation time to wall-clock time, in nanoseconds.
        var shift: Int64 = 0
        var isScheduled = false
        /// The start of the demand that the queue knows.
        var known: Int64?
    }

    /// Each turn wakes three threads for all frames since the one before.
    private static let pause = DispatchTimeInterval.seconds(1)
    /// A frame goes into a clip this much later, because its events come later than it, in nanoseconds.
    private static let delay: Int64 = 1_000_000_000

    /// A clip begins at most this much before `before`, at a key frame, in nanoseconds.
    private static let longestGroup: Int64 = 15_000_000_000

    private let keptAge: Int64
    private let queue = DispatchQueue(label: "clips", qos: .utility)
    private let inbox: Mutex<Inbox>
    private let writing: Confined<ClipWriting>
    private let isEnded = Atomic<Bool>(false)

    /// - Parameters:
    ///   - tell: takes each complete clip. Called on the queue.
    ///   - complain: takes messages for people. Called on the queue.
    package init(
        _ configuration: Configuration, folder: sending ClipFolder, video: ReleasedVideo,
        tell: @escaping @Sendable (ClipEvent) -> Void, complain: @escaping @Sendable (String) -> Void
    ) {
        let (before, after) = (configuration.before.nanoseconds, configuration.after.nanoseconds)
        keptAge = before + Self.longestGroup
        inbox = Mutex(Inbox(demand: ClipDemand(configuration.rules, after: after)))
        writing = Confined(
            ClipWriting(
                folder, video.video, ClipCutter(before: before, maximumLength: configuration.maximumLength.nanoseconds),
                tell: tell, complain: complain), to: queue)
        queue.async { [writing] in writing.with { $0.recover() } }
    }

    /// Takes each event of the lanes and its line.
    package var follower: @Sendable (Event, EncodedEvent) -> Void { { self.take($0, $1) } }

    private func take(_ event: Event, _ line: EncodedEvent) {
        guard let frame = event.frameOfClip else { return }
        let isDue = inbox.withLock { inbox in
            inbox.demand.take(event)
            inbox.lines.append(line, at: frame.presentationTime, keeping: keptAge)
            inbox.shift = frame.time.nanoseconds - frame.presentationTime
            guard !inbox.isScheduled, inbox.demand.start != inbox.known else { return false }
            inbox.isScheduled = true
            return true
        }
        if isDue { queue.async { self.work() } }
    }

    /// Writes what the source has given, ends the clip, and waits for that.
    package func finish() {
        isEnded.store(true, ordering: .relaxed)
        queue.sync {
            write(until: .max)
            writing.with { $0.end() }
        }
    }

    private func work() {
        guard !isEnded.load(ordering: .relaxed) else { return }
        write(until: nil)
        let isBusy = inbox.withLock { inbox in
            inbox.known = inbox.demand.start
            inbox.isScheduled = writing.with { $0.hasWork(inbox.demand) }
            return inbox.isScheduled
        }
        if isBusy { queue.asyncAfter(deadline: .now() + Self.pause) { self.work() } }
    }

    private func write(until limit: Int64?) {
        let (demand, shift) = inbox.withLock { ($0.demand, $0.shift) }
        writing.with { writing in
            writing.write(demand, until: limit ?? writing.newest - Self.delay, shift: shift) { range in
                self.inbox.withLock { $0.lines.take(range) }
            }
        }
    }
}

extension Event {
    /// The frame of an event that stands beside a clip; nil for other events.
    fileprivate var frameOfClip: FrameInfo? {
        switch self {
        case .track(let event): event.frame
        case .zone(let event): event.track.frame
        case .line(let event): event.track.frame
        case .snapshot(let event): event.frame
        case .source, .detector, .explain, .frameSnapshot, .search, .frame, .clip: nil
        }
    }
}
