import EventLines
import Observations

/// Everything that the daemon's pipelines said, in the one order that every subscriber sees.
///
/// Gives each event its sequence number (from 1, gapless), keeps the newest ones in its journal, and knows of each pipeline what `hello`
/// and `state` tell. Pure and owned by one event loop.
package struct EventLog: Sendable {
    /// Names this start of the daemon, or with a journal on disk all of them.
    package let runID: String
    package private(set) var journal: Journal
    /// How many events there were since the start.
    package private(set) var counts = EventCounts()
    /// Events that were none of their pipeline's lines, and so are not in the log.
    package private(set) var refused: UInt64 = 0
    private(set) var pipelines: [PipelineLedger] = []
    /// What is on disk; nil without a journal there.
    package var archive: Archive?

    /// Goes on with a run. Its pipelines are known, but are none of `hello`'s until they are added.
    package init(goingOnWith run: RunState, limits: Journal.Limits) {
        runID = run.runID
        journal = Journal(limits: limits, nextSequence: run.nextSequence, evicted: run.counts)
        counts = run.counts
        pipelines = run.pipelines.map(PipelineLedger.init)
        archive = run.archive
    }

    package init(runID: String = EventLog.newRunID(), limits: Journal.Limits) {
        self.runID = runID
        journal = Journal(limits: limits)
    }

    /// 64 random bits in hexadecimal.
    package static func newRunID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: Pipelines

    /// Makes a pipeline known, so that `hello` lists it before it says anything.
    ///
    /// - Returns: its index. The same one when the name is known already: then it has another configuration from now on, and the ids of
    ///   its tracks go on.
    @discardableResult
    package mutating func addPipeline(_ identity: PipelineIdentity) -> Int {
        if let known = pipelines.firstIndex(where: { $0.identity.name == identity.name }) {
            pipelines[known].configure(identity)
            return known
        }
        pipelines.append(PipelineLedger(identity: identity))
        return pipelines.count - 1
    }

    /// A pipeline has a new worker.
    package mutating func startPipeline(_ index: Int) { pipelines[index].start() }

    /// Takes a pipeline that has ended out of `hello` and `state`.
    package mutating func removePipeline(_ index: Int) { pipelines[index].remove() }

    /// What is known of a pipeline.
    package func ledger(ofPipeline index: Int) -> PipelineLedger { pipelines[index] }

    package func name(ofPipeline index: Int) -> String { pipelines[index].identity.name }

    /// The index of a pipeline that is or was known by this name.
    package func index(ofPipeline name: String) -> Int? { pipelines.firstIndex { $0.identity.name == name } }

    /// Starts of the pipeline's worker before the first one of those that it has now.
    package func epochs(ofPipeline index: Int) -> UInt64 { pipelines[index].earlierEpochs }

    /// The lowest id that no track of this pipeline has had in this run.
    package func nextTrack(ofPipeline index: Int) -> UInt64 { pipelines[index].highestTrack + 1 }

    /// The `state` of the pipeline's newest `source` line.
    package func sourceState(ofPipeline index: Int) -> SourceEvent.State? {
        SourceEvent.State(rawValue: pipelines[index].state)
    }

    // MARK: Events

    /// Puts an event at the end of the log, unless it is none that this pipeline's encoder can have written.
    ///
    /// - Returns: whether it is in the log now.
    @discardableResult
    package mutating func append(_ event: EncodedEvent, pipeline index: Int) -> Bool {
        guard pipelines[index].take(event) else {
            refused += 1
            return false
        }
        store(event, pipeline: index)
        return true
    }

    /// Whether a frame's line, which is in no log, is one of the pipeline's.
    package mutating func admits(_ event: EncodedEvent, ofPipeline index: Int) -> Bool {
        let isAdmitted = pipelines[index].hasFrameLine(event)
        if !isAdmitted { refused += 1 }
        return isAdmitted
    }

    /// Puts a line about the configuration into the log.
    package mutating func append(_ event: ConfigEvent) { store(event.encoded, pipeline: nil) }

    private mutating func store(_ event: EncodedEvent, pipeline index: Int?) {
        counts[event.kind] += 1
        let bytes = event.lineBytes(sequence: journal.nextSequence, runID: runID)
        journal.append(event, pipeline: index, lineBytes: bytes)
    }

    /// Ends every live track of a pipeline whose worker is gone, and its live search: each leaves its zones, then `completed` for each, by
    /// ascending detector and id. Where the worker died between a track's `detected` and its `update`, that comes first.
    package mutating func completeTracks(ofPipeline index: Int, reason: CompletionReason) {
        let ledger = pipelines[index]
        if let stopped = ledger.search.flatMap(StoppedSearchLine.event) { append(stopped, pipeline: index) }
        guard let frame = ledger.newestFrame else { return }
        let tracks = ledger.orderedTracks.map(\.value)
        for update in tracks.compactMap(\.newest.firstUpdate) { append(update, pipeline: index) }
        for line in tracks.flatMap({ LeftZoneLine.events(newest: $0.newest, frame: frame) }) {
            append(line, pipeline: index)
        }
        for track in tracks {
            let completed = CompletedLine.event(
                sighting: track.sighting, newest: track.newest, frame: frame, reason: reason)
            if let completed { append(completed, pipeline: index) }
        }
    }

    /// Ends what the process before this one left live.
    package mutating func completeOrphans() {
        for index in pipelines.indices {
            completeTracks(ofPipeline: index, reason: .sourceLost)
            if pipelines[index].isRemoved { removePipeline(index) }
        }
    }

    /// Puts a line about a pipeline's source into the log.
    package mutating func append(_ event: SourceEvent, pipeline index: Int) {
        var encoder = EventEncoder(pipeline: pipelines[index].identity)
        append(encoder.encode(.source(event)), pipeline: index)
    }

    /// The lines of records that the journal keeps, newlines included.
    package func lines(of sequences: Range<UInt64>) -> [UInt8] { journal.lines(of: sequences, runID: runID) }

    /// The record's line, newline included.
    package func line(_ record: EventRecord) -> [UInt8] {
        record.event.line(sequence: record.sequence, runID: runID)
    }
}
