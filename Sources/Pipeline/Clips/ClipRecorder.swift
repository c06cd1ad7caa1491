// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import EventLines
import Frames
import Observations
import PictureRelease
import PictureStorage
import Pipelines
import Synchronization

/// Writes the clips of a pipeline on a thread of its own, so that no lane and no source waits. Any thread may use it.
///
/// A thread wakes once for a turn. A dispatch queue woke its timer's thread too, which took a third of a clip's time.
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

    /// The state that lanes' threads fill and the recorder's own thread reads.
    private struct Inbox {
        var demand: ClipDemand
        var lines = ClipLines()
        /// From presentation time to wall-clock time, in nanoseconds.
        var shift: Int64 = 0
        /// Whether the recorder's thread looks for work by itself.
        var isBusy = false
        /// The start of the demand that the recorder's thread knows.
        var known: Int64?
    }

    /// From one turn to the next, which writes all frames since then.
    private static let pause = DispatchTimeInterval.seconds(1)
    /// A frame goes into a clip this much later, because its events come later than it, in nanoseconds.
    private static let delay: Int64 = 1_000_000_000

    /// A clip begins at most this much before `before`, at a key frame, in nanoseconds.
    private static let longestGroup: Int64 = 15_000_000_000

    private let keptAge: Int64
    private let inbox: Mutex<Inbox>
    private let more = DispatchSemaphore(value: 0)
    private let thread = Mutex<LaneThread?>(nil)
    private let writing: Confined<ClipWriting>
    private let isEnded = Atomic<Bool>(false)

    /// Starts the thread, which `finish` must end.
    ///
    /// - Parameters:
    ///   - tell: takes each complete clip. Called on the recorder's thread.
    ///   - complain: takes messages for people. Called on the recorder's thread.
    package init(
        _ configuration: Configuration, folder: sending ClipFolder, video: ReleasedVideo,
        tell: @escaping @Sendable (ClipEvent) -> Void, complain: @escaping @Sendable (String) -> Void
    ) {
        let (before, after) = (configuration.before.nanoseconds, configuration.after.nanoseconds)
        keptAge = before + Self.longestGroup
        inbox = Mutex(Inbox(demand: ClipDemand(configuration.rules, after: after)))
        writing = Confined(
            toOneThread: ClipWriting(
                folder, video.video, ClipCutter(before: before, maximumLength: configuration.maximumLength.nanoseconds),
                tell: tell, complain: complain))
        thread.withLock { $0 = LaneThread(name: "clips") { [self] in work() } }
    }

    /// Takes each event of the lanes and its line.
    package var follower: @Sendable (Event, EncodedEvent) -> Void { { self.take($0, $1) } }

    private func take(_ event: Event, _ line: EncodedEvent) {
        guard let frame = event.frameOfClip else { return }
        let isDue = inbox.withLock { inbox in
            inbox.demand.take(event)
            inbox.lines.append(line, at: frame.presentationTime, keeping: keptAge)
            inbox.shift = frame.time.nanoseconds - frame.presentationTime
            guard !inbox.isBusy, inbox.demand.start != inbox.known else { return false }
            inbox.isBusy = true
            return true
        }
        if isDue { more.signal() }
    }

    /// Writes what the source has given, ends the clip and the thread, and waits for that.
    package func finish() {
        isEnded.store(true, ordering: .releasing)
        more.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func work() {
        writing.with { $0.recover() }
        var isBusy = false
        while true {
            if isBusy { _ = more.wait(timeout: .now() + Self.pause) } else { more.wait() }
            if isEnded.load(ordering: .acquiring) { break }
            write(until: nil)
            isBusy = inbox.withLock { inbox in
                inbox.known = inbox.demand.start
                inbox.isBusy = writing.with { $0.hasWork(inbox.demand) }
                return inbox.isBusy
            }
        }
        write(until: .max)
        writing.with { $0.end() }
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
