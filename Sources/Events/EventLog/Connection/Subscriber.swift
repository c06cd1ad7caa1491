import EventLines
import JSONLines
import Observations

/// One reader of the stream: what it asked for, how far it has got, and what to do next. Pure; `EventSocket` does what it says.
///
/// There is no queue per subscriber. A subscriber is a place in the log: while it keeps up it gets each batch as it comes, shared with
/// all others; when its socket is full it stays where it is, and goes on from the journal when there is room again. What `events.queue`
/// bounds is how far it may be behind before updates are coalesced.
package struct Subscriber: Sendable {
    package struct Limits: Sendable, Equatable {
        /// Bytes behind the newest event from which on updates are coalesced.
        package var queue: Int
        /// A subscriber that reads nothing for so long, though there is something to read, is disconnected.
        package var stall: Duration
        /// A `ping` is sent after so long without another line.
        package var heartbeat: Duration

        package init(queue: Int, stall: Duration, heartbeat: Duration) {
            self.queue = queue
            self.stall = stall
            self.heartbeat = heartbeat
        }
    }

    package enum Action: Sendable, Equatable {
        /// Lines for this connection alone.
        case send([UInt8])
        /// The lines of these records, as everybody gets them.
        case sendRecords(Range<UInt64>)
        /// Read from disk from this number on, and give what is there to `fetched`.
        case fetch(UInt64)
        /// End the connection, after what was sent, and log why.
        case close(reason: String)
    }

    /// How long events wait after `hello` for a first request, so that it applies from the start.
    package static let holdTime = Duration.milliseconds(100)
    static let badLineLimit = 100
    static let badLineWindow = Duration.seconds(10)
    /// Bytes of the journal that are looked at in one step: what may go to the socket at once.
    static let windowBytes = 64 * 1024
    /// The same of the journal on disk.
    package static let pageBytes = 256 * 1024
    /// The same for a reader that is far behind, where a longer look finds more to coalesce.
    static let coalescingWindowBytes = 512 * 1024

    enum Phase {
        case holding(until: ContinuousClock.Instant)
        case live
        case closed
    }

    // First what `takeWhole` looks at, side by side in memory: between two batches the subscribers' processes have used the caches.
    /// The next record to look at.
    var cursor: UInt64 = 0
    /// Up to here it is told what it missed, every update of it; beyond, it is as slow as it reads.
    var replayEnd: UInt64 = 0
    /// What there was before `cursor`, if that is the end of a batch that it took whole.
    var shared: SharedCounts?
    var lastSent: ContinuousClock.Instant
    var phase = Phase.closed
    /// It waits for what is read from disk.
    package internal(set) var isFetching = false
    private(set) var filtersNothing = true
    let limits: Limits
    private var counted: EventCounts? = EventCounts()
    /// What there was before `cursor`; nil when nobody knows.
    var passed: EventCounts? {
        get { shared?.value ?? counted }
        set { (shared, counted) = (nil, newValue) }
    }
    let server: String
    var filter = EventFilter() { didSet { filtersNothing = filter.isEverything } }
    /// What it sees of each track; nil when the filter asks for nothing that needs it.
    var gate: TrackGate?
    /// Which frames' lines it gets, where it asks for them.
    var frameGate = FrameGate(rate: nil)
    /// What was fetched from disk and is not taken.
    var page: ArchivePage?
    var requests = LineSplitter(limit: EventEncoder.maximumLineBytes - 1)
    /// `hello` and `state` are still to come.
    var isNew = false
    /// Lines that it sent and that are not dealt with: the oldest is the last.
    var asked: [LineSplitter.Piece] = []
    /// What is being done of the line before them.
    var unfinished: SubscriberRequest?
    var recall: TrackRecall?
    var badLines = 0
    var badLinesSince: ContinuousClock.Instant?
    private var lastProgress: ContinuousClock.Instant
    private var drained: UInt64 = 0

    /// - Parameter server: name and version for `hello`.
    package init(server: String, limits: Limits, at moment: Moment) {
        self.server = server
        self.limits = limits
        lastSent = moment.instant
        lastProgress = moment.instant
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }
    var isLive: Bool { if case .live = phase { true } else { false } }

    /// Whether track lines of one of these kinds from the pipeline may be for it; not before it is known what it wants.
    package func wantsTracks(ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog) -> Bool {
        isLive && filter.wantsTracks(ofPipeline: pipeline, kinds: kinds, log)
    }

    /// The same for the lines of its live search.
    package func wantsSearch(ofPipeline pipeline: Int, kind: FeatureKind, _ log: EventLog) -> Bool {
        isLive && filter.wantsSearch(ofPipeline: pipeline, kind: kind, log)
    }

    // MARK: Facts

    /// The connection is there: `nextAnswers` has `hello` and `state` for it, and events come when the hold ends.
    package mutating func connected(at moment: Moment) {
        phase = .holding(until: moment.instant + Self.holdTime)
        isNew = true
    }

    /// 100 ms have gone by without a request.
    package mutating func holdEnded(at moment: Moment) {
        if case .holding(let end) = phase, moment.instant >= end, !isAsking { phase = .live }
    }

    /// Whether there is more of the log to look at.
    package func isBehind(_ log: EventLog) -> Bool {
        isLive && !isFetching && !isAsking && cursor < log.journal.nextSequence
    }

    /// Whether what it does next may take steps.
    package func takesSteps(_ log: EventLog) -> Bool { isAsking || (filter.track.value != nil && isBehind(log)) }

    /// There is room in the socket: what to write next. Empty when there is nothing for it in the next stretch of the log: unless the
    /// subscriber `isBehind`, it has everything, or is not to have it yet.
    ///
    /// - Parameter steps: that it may take (`WorkBudget`); less those that it took. With none, a filter that `takesSteps` gets no further.
    package mutating func nextWrites(_ log: EventLog, at moment: Moment, steps: inout Int) -> [Action] {
        guard isBehind(log) else { return [] }
        filter.learnPipelines(log)
        if let page { return take(page, log, at: moment, steps: &steps) }
        var actions: [Action] = []
        if let gap = skipLost(log, reason: gapReason, time: moment.time) { actions.append(.send(gap)) }
        if case .disk = log.holder(of: cursor) {
            isFetching = true
            return actions + [.fetch(cursor)]
        }
        actions += takeWindow(log, steps: &steps)
        if !actions.isEmpty { lastSent = moment.instant }
        return actions
    }

    /// Some time went by.
    ///
    /// - Parameters:
    ///   - drained: bytes that the socket took since the connection began.
    ///   - isWaiting: whether there are bytes that it has not taken.
    package mutating func timePassed(drained: UInt64, isWaiting: Bool, at moment: Moment) -> [Action] {
        guard !isClosed else { return [] }
        if !isWaiting || drained > self.drained {
            self.drained = drained
            lastProgress = moment.instant
        }
        if moment.instant - lastProgress >= limits.stall {
            phase = .closed
            return [.close(reason: "read nothing for \(limits.stall)")]
        }
        if !isWaiting, moment.instant - lastSent >= limits.heartbeat {
            return sent(ConnectionLine.ping(echo: nil, time: moment.time), at: moment)
        }
        return []
    }

    // MARK: Steps

    /// Why it does not get what nobody has any more.
    var gapReason: GapReason { cursor < replayEnd ? .journal : .slow }

    /// Moves over what nobody has any more.
    ///
    /// - Returns: the `gap` line for that; nil when nothing is missing.
    mutating func skipLost(_ log: EventLog, reason: GapReason, time: Timestamp) -> [UInt8]? {
        guard case .nobody(let first, let counts) = log.holder(of: cursor) else { return nil }
        defer {
            (cursor, passed) = (first, counts)
            forgetTracksOfGap(log)
        }
        let lost = passed.flatMap { passed in counts.map { $0.since(passed) } }
        return ConnectionLine.gap(cursor...(first - 1), lost: lost, reason: reason, time: time)
    }

    mutating func sent(_ lines: [UInt8], at moment: Moment) -> [Action] {
        guard !lines.isEmpty else { return [] }
        lastSent = moment.instant
        return [.send(lines)]
    }
}
