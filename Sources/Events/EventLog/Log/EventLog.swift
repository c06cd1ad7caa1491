// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// All events of the daemon's pipelines, in the order that every subscriber sees.
///
/// The log gives each event its sequence number, from 1 without gaps. It keeps the newest events in the memory journal,
/// and keeps the state of each pipeline for `hello` and `state`. The type is pure; one event loop owns it.
package struct EventLog: Sendable {
    /// The id of this start of the daemon. With a journal on disk, later starts continue the run under this id.
    package let runID: String
    package internal(set) var journal: Journal
    /// The event counts since the start of the run.
    package private(set) var counts = EventCounts()
    /// The number of events refused because they were not valid lines of their pipeline; they are not in the log.
    package private(set) var refused: UInt64 = 0
    /// The number after the newest event at the last removal from memory.
    var forgottenInMemory: UInt64 = 0
    private(set) var pipelines: [PipelineLedger] = []
    /// The journal on disk; nil without one.
    package var archive: Archive?

    /// Continues a run. Its pipelines are known, but `hello` does not list them until they are added.
    package init(goingOnWith run: RunState, limits: Journal.Limits) {
        runID = run.runID
        journal = Journal(runID: runID, limits: limits, nextSequence: run.nextSequence, evicted: run.counts)
        counts = run.counts
        pipelines = run.pipelines.map(PipelineLedger.init)
        archive = run.archive
    }

    package init(runID: String = EventLog.newRunID(), limits: Journal.Limits) {
        self.runID = runID
        journal = Journal(runID: runID, limits: limits)
    }

    /// A new id: 64 random bits in hexadecimal.
    package static func newRunID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: Pipelines

    /// Adds a pipeline, so that `hello` lists it before its first event.
    ///
    /// - Returns: the pipeline's index. A known name keeps its index: the pipeline then has a new configuration, and
    ///   the ids of its tracks continue.
    @discardableResult
    package mutating func addPipeline(_ identity: PipelineIdentity, places: PipelinePlaces = PipelinePlaces()) -> Int {
        if let known = pipelines.firstIndex(where: { $0.identity.name == identity.name }) {
            pipelines[known].configure(identity, places)
            return known
        }
        pipelines.append(PipelineLedger(identity: identity, places: places))
        return pipelines.count - 1
    }

    /// Removes selected live tracks and searches from `state`.
    mutating func forgetTracks(_ selection: ForgetSelection) {
        for index in pipelines.indices { pipelines[index].forget(selection) }
    }

    /// Records that a pipeline has a new worker.
    package mutating func startPipeline(_ index: Int) { pipelines[index].start() }

    /// Removes an ended pipeline from `hello` and `state`.
    package mutating func removePipeline(_ index: Int) { pipelines[index].remove() }

    /// The recorded state of a pipeline.
    package func ledger(ofPipeline index: Int) -> PipelineLedger { pipelines[index] }

    package func name(ofPipeline index: Int) -> String { pipelines[index].identity.name }

    /// The index of a current or removed pipeline with this name.
    package func index(ofPipeline name: String) -> Int? { pipelines.firstIndex { $0.identity.name == name } }

    /// The number of starts of the pipeline's worker before the current series of starts.
    package func epochs(ofPipeline index: Int) -> UInt64 { pipelines[index].earlierEpochs }

    /// The lowest unused track id of this pipeline in this run.
    package func nextTrack(ofPipeline index: Int) -> UInt64 { pipelines[index].highestTrack + 1 }

    /// The `state` of the pipeline's newest `source` line.
    package func sourceState(ofPipeline index: Int) -> SourceEvent.State? {
        SourceEvent.State(rawValue: pipelines[index].state)
    }

    // MARK: Events

    /// Appends an event to the log. Refuses an event that this pipeline's encoder cannot have written.
    ///
    /// - Returns: whether the event is in the log.
    @discardableResult
    package mutating func append(_ event: EncodedEvent, pipeline index: Int) -> Bool {
        guard pipelines[index].take(event) else {
            refused += 1
            return false
        }
        if event.kind == .line {
            store(pipelines[index].count(event), pipeline: index)
        } else {
            store(event, pipeline: index)
        }
        return true
    }

    /// Whether a requested line, which is in no log, is a valid line of the pipeline.
    package mutating func admits(_ event: EncodedEvent, ofPipeline index: Int) -> Bool {
        let isAdmitted = pipelines[index].hasRequestedLine(event)
        if !isAdmitted { refused += 1 }
        return isAdmitted
    }

    /// Appends a line about the configuration.
    package mutating func append(_ event: ConfigEvent) { store(event.encoded, pipeline: nil) }

    private mutating func store(_ event: EncodedEvent, pipeline index: Int?) {
        counts[event.kind] += 1
        journal.append(event, pipeline: index)
    }

    /// Ends all live tracks and the live search of a pipeline whose worker is gone. Each track leaves its zones, then
    /// gets its `completed`, in ascending order of detector and id. If the worker died between a track's `detected` and
    /// its first `update`, that `update` comes first.
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

    /// Ends the tracks and searches that the previous process left live.
    package mutating func completeOrphans() {
        for index in pipelines.indices {
            completeTracks(ofPipeline: index, reason: .sourceLost)
            if pipelines[index].isRemoved { removePipeline(index) }
        }
    }

    /// Appends a line about a pipeline's source.
    package mutating func append(_ event: SourceEvent, pipeline index: Int) {
        var encoder = EventEncoder(pipeline: pipelines[index].identity)
        append(encoder.encode(.source(event)), pipeline: index)
    }
}
