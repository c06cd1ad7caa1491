// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines
import Observations

/// One reader of the stream: its requests, its position, and its next action. The type is pure; `EventSocket` carries
/// out the actions.
///
/// No subscriber has a queue. A subscriber is a position in the log: while it keeps up, it receives each batch as
/// shared bytes. While its socket is full, its position stays, and it continues from the journal when the socket has
/// room.
///
/// `events.queue` bounds the distance to the newest event beyond which updates are coalesced.
package struct Subscriber: Sendable {
    package struct Limits: Sendable, Equatable {
        /// The distance to the newest event in bytes beyond which updates are coalesced.
        package var queue: Int
        /// The time after which a subscriber that reads nothing, although bytes wait for it, is disconnected.
        package var stall: Duration
        /// The time without another line after which a `ping` is sent.
        package var heartbeat: Duration

        package init(queue: Int, stall: Duration, heartbeat: Duration) {
            self.queue = queue
            self.stall = stall
            self.heartbeat = heartbeat
        }
    }

    package enum Action: Sendable, Equatable {
        /// Send lines for this connection alone.
        case send([UInt8])
        /// Send the shared lines of these records.
        case sendRecords(Range<UInt64>)
        /// Read from disk, starting at this sequence number, and pass the page to `fetched`. Always the last action.
        case fetch(UInt64)
        /// Close the connection after all earlier bytes are sent, and log the reason. Always the last action.
        case close(reason: String)
    }

    /// The time that events wait after `hello` for a first request, so that the request applies from the start.
    package static let holdTime = Duration.milliseconds(100)
    static let badLineLimit = 100
    static let badLineWindow = Duration.seconds(10)
    /// The number of journal bytes examined in one step, and the most bytes written to the socket at once.
    static let windowBytes = 64 * 1024
    /// The number of bytes examined in one step in the journal on disk.
    package static let pageBytes = 256 * 1024
    /// The number of bytes examined in one step for a subscriber far behind. A longer stretch has more updates
    /// to coalesce.
    static let coalescingWindowBytes = 512 * 1024

    enum Phase {
        /// From the connection to the first request, for at most `holdTime`.
        case holding
        case live
        case closed
    }

    // The fields that `takeWhole` reads come first, adjacent in memory. Between two batches the subscribers' processes
    // have replaced the cache contents.
    /// The next record to examine.
    var cursor: UInt64 = 0
    /// The end of the replay. Up to here the subscriber receives every missed update; beyond it, updates are coalesced
    /// if it reads slowly.
    var replayEnd: UInt64 = 0
    /// The event counts before `cursor`, if `cursor` is the end of a batch taken by `takeWhole`.
    var shared: SharedCounts?
    var lastSent: ContinuousClock.Instant
    var phase = Phase.closed
    /// Whether the subscriber waits for a page from disk.
    package internal(set) var isFetching = false
    private(set) var filtersNothing = true
    let limits: Limits
    private var connectedAt: ContinuousClock.Instant
    private var counted: EventCounts? = EventCounts()
    /// The event counts before `cursor`; nil if unknown.
    var passed: EventCounts? {
        get { shared?.value ?? counted }
        set { (shared, counted) = (nil, newValue) }
    }
    let server: String
    var filter = EventFilter() { didSet { filtersNothing = filter.isEverything } }
    /// The selection of tracks; nil if the filter needs none.
    var gate: TrackGate?
    /// Lets requested lines pass, and limits the rate of frame lines.
    var requestedGate = RequestedGate(rate: nil)
    /// The page from disk that has not been taken yet.
    var page: ArchivePage?
    var requests = LineSplitter(limit: EventEncoder.maximumLineBytes - 1)
    /// Whether `hello` and `state` have not been sent yet.
    var isNew = false
    /// The subscriber's unprocessed lines, in reverse order: the oldest line is the last element.
    var asked: [LineSplitter.Piece] = []
    /// The request in progress.
    var unfinished: SubscriberRequest?
    var recall: TrackRecall?
    var badLines = 0
    var badLinesSince: ContinuousClock.Instant?
    /// The number of `gap` lines made for this subscriber.
    package private(set) var gaps: UInt64 = 0
    private var lastProgress: ContinuousClock.Instant
    private var drained: UInt64 = 0

    /// - Parameter server: the program name and version for `hello`.
    package init(server: String, limits: Limits, at moment: Moment) {
        self.server = server
        self.limits = limits
        lastSent = moment.instant
        lastProgress = moment.instant
        connectedAt = moment.instant
    }

    var isClosed: Bool { phase == .closed }
    var isLive: Bool { phase == .live }

    /// Whether track lines of one of these kinds from the pipeline can pass. False until the subscriber's requests are
    /// known.
    package func wantsTracks(ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog) -> Bool {
        isLive && filter.wantsTracks(ofPipeline: pipeline, kinds: kinds, log)
    }

    /// Whether lines of the pipeline's live search with this kind can pass. False until the subscriber's requests are
    /// known.
    package func wantsSearch(ofPipeline pipeline: Int, kind: FeatureKind, _ log: EventLog) -> Bool {
        isLive && filter.wantsSearch(ofPipeline: pipeline, kind: kind, log)
    }

    /// Whether the subscriber is no reason to run a pipeline that runs on demand.
    package var isPassive: Bool { filter.isPassive }

    // MARK: Facts

    /// Begins the connection. `nextAnswers` then returns `hello` and `state`, and events follow when the hold ends.
    package mutating func connected(at moment: Moment) {
        phase = .holding
        connectedAt = moment.instant
        isNew = true
    }

    /// Ends the hold after 100 ms without a request.
    package mutating func holdEnded(at moment: Moment) {
        if phase == .holding, moment.instant >= connectedAt + Self.holdTime, !isAsking { phase = .live }
    }

    /// Whether the log has records that the subscriber has not examined.
    package func isBehind(_ log: EventLog) -> Bool {
        isLive && !isFetching && !isAsking && cursor < log.journal.nextSequence
    }

    /// The bytes in the memory journal that the subscriber has not examined; 0 before its first event.
    package func bytesBehind(_ log: EventLog) -> Int {
        guard isLive, cursor < log.journal.nextSequence else { return 0 }
        return log.journal.bytes(from: max(cursor, log.journal.firstSequence))
    }

    /// Whether the next action may use steps.
    package func takesSteps(_ log: EventLog) -> Bool { isAsking || (filter.track.value != nil && isBehind(log)) }

    /// Called when the socket has room: returns the next actions. The result is empty if the next stretch has no line
    /// for the subscriber. Unless the subscriber `isBehind`, it then has every line, or must not receive more yet.
    ///
    /// - Parameter steps: the steps available (`WorkBudget`), reduced by the steps used. Without steps, a filter that
    ///   `takesSteps` makes no progress.
    package mutating func nextWrites(_ log: EventLog, at moment: Moment, steps: inout Int) -> [Action] {
        guard isBehind(log) else { return [] }
        filter.learnPipelines(log)
        if let page { return take(page, log, at: moment, steps: &steps) }
        var actions: [Action] = []
        if let gap = skipLost(log, reason: gapReason(log), time: moment.time) { actions.append(.send(gap)) }
        if case .disk = log.holder(of: cursor) {
            isFetching = true
            return actions + [.fetch(cursor)]
        }
        actions += takeWindow(log, steps: &steps)
        if !actions.isEmpty { lastSent = moment.instant }
        return actions
    }

    /// Checks the stall limit and the heartbeat.
    ///
    /// - Parameters:
    ///   - drained: the bytes that the socket has taken since the connection began.
    ///   - isWaiting: whether bytes wait that the socket has not taken.
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

    /// The reason for missing events that neither memory nor disk has.
    func gapReason(_ log: EventLog) -> GapReason {
        cursor < log.forgotten ? .forgotten : cursor < replayEnd ? .journal : .slow
    }

    /// Moves the cursor past events that neither memory nor disk has.
    ///
    /// - Returns: the `gap` line for these events; nil if no event is missing.
    mutating func skipLost(_ log: EventLog, reason: GapReason, time: Timestamp) -> [UInt8]? {
        guard case .nobody(let first, let counts) = log.holder(of: cursor) else { return nil }
        defer {
            (cursor, passed) = (first, counts)
            forgetTracksOfGap(log)
        }
        gaps += 1
        let lost = passed.flatMap { passed in counts.map { $0.since(passed) } }
        return ConnectionLine.gap(cursor...(first - 1), lost: lost, reason: reason, time: time)
    }

    mutating func sent(_ lines: [UInt8], at moment: Moment) -> [Action] {
        guard !lines.isEmpty else { return [] }
        lastSent = moment.instant
        return [.send(lines)]
    }
}
