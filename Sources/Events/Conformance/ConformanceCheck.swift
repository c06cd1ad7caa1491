// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import JSONLines

/// Checks that bytes form an event stream: the schema, the sequence, the lives of tracks, and the order of lines within
/// frames.
///
/// Pass the bytes as they arrive. After the first violation the check examines nothing more.
///
/// The memory is bounded, independent of the length of the stream. The check stores live tracks, the names of detectors
/// and runs, at most one line, and the line of one jump in the sequence.
package struct ConformanceCheck: Sendable {
    /// Counts of the stream's contents.
    package struct Summary: Sendable, Equatable {
        package var lines = 0
        /// The number of reported tracks. Tracks repeated by a later connection are counted again.
        package var tracks = 0
        package var detectors = 0
        /// The number of different values of `run_id`; 0 for a stream of the foreground command.
        package var runs = 0
    }

    private let isOpen: Bool
    private let isFiltered: Bool
    /// The allowed types of the log's lines; nil for all.
    private let types: Set<String>?
    private var splitter = LineSplitter(limit: EventEncoder.maximumLineBytes - 1)
    private var sequence: SequenceRule
    private var frames = FrameOrder()
    private var grammar: LifeCycleGrammar
    private var zones = ZoneRule()
    private var crossings = LineRule()
    private var detectors: Set<String> = []
    /// Whether the tracks that were live at the last `hello` are unknown.
    private var awaitsState = false
    private var lines = 0
    /// The first violation.
    package private(set) var violation: Violation?

    /// - Parameters:
    ///   - isFiltered: whether sequence numbers may jump, because the subscriber selected pipelines or kinds.
    ///   - types: the line types that the subscriber selected. The lives of tracks are checked with the steps among
    ///     these types.
    ///   - isOpen: whether the reader stopped before the end of the stream. Tracks may then be live, and the last line
    ///     may be truncated.
    package init(isFiltered: Bool = false, types: Set<String>? = nil, isOpen: Bool = false) {
        self.isFiltered = isFiltered || types != nil
        self.types = types
        self.isOpen = isOpen
        sequence = SequenceRule(isFiltered: self.isFiltered)
        grammar = LifeCycleGrammar(told: Set((types ?? Set(StreamSchema.types)).compactMap(LifeCycleGrammar.Step.init)))
        zones.forget(isWhole: !self.isFiltered)
        crossings.forget()
    }

    /// The types of lines that a subscriber can select.
    package static let logTypes = StreamSchema.types.filter { !StreamSchema.unnumberedTypes.contains($0) }

    package var summary: Summary {
        Summary(lines: lines, tracks: grammar.tracks, detectors: detectors.count, runs: sequence.runs.count)
    }

    /// Takes bytes of the stream, split at any position.
    package mutating func take(_ bytes: some Collection<UInt8>) {
        for piece in splitter.append(bytes) where violation == nil {
            lines += 1
            switch piece {
            case .line(let line): take(line: line)
            case .tooLong(let beginning): fail("the line is longer than 64 KiB", beginning)
            // After a violation the rest is ignored.
            case .goesOn: break
            }
        }
    }

    /// Ends the stream.
    package mutating func finish() {
        guard violation == nil else { return }
        if let rest = splitter.finish(), !isOpen {
            lines += 1
            return fail("the line is incomplete, expected a newline", rest)
        }
        guard !isOpen else { return }
        endStory(nil)
    }

    // MARK: One line

    private mutating func take(line bytes: [UInt8]) {
        do {
            let line = try CheckedLine(bytes)
            switch line.type {
            case ConnectionLineType.hello.rawValue: hello(line, bytes)
            case ConnectionLineType.state.rawValue: try state(line)
            case ConnectionLineType.gap.rawValue:
                let range = line.from.flatMap { from in line.to.map { (from, $0) } }
                follow(try sequence.gap(range))
            case EncodedEvent.Kind.frame.name: try frame(line)
            case _ where SequenceRule.isUnnumbered(line): break
            default:
                if let types, !types.contains(line.type) {
                    throw Violation.Problem(
                        "type \(line.type), expected \(types.sorted().joined(separator: ", ")) only")
                }
                follow(try sequence.take(line, line: lines, bytes: bytes))
                try track(line)
            }
        } catch let problem as Violation.Problem {
            return fail(problem.text, bytes)
        } catch {
            return fail("\(error)", bytes)
        }
        if let problem = grammar.violations.first { return fail(problem, bytes) }
        if sequence.isOverdue { fail("", bytes) }
    }

    private mutating func hello(_ line: CheckedLine, _ bytes: [UInt8]) {
        if !isOpen { endStory(bytes) }
        forget()
        zones.forget(isWhole: false)
        crossings.forget()
        let next = line.nextSequence ?? 1
        sequence.hello(runID: line.runID ?? "", next: next)
        awaitsState = next > 1
        if awaitsState { grammar.lose() }
    }

    private mutating func state(_ line: CheckedLine) throws {
        let asOf = line.asOf ?? 0
        try sequence.state(asOf: asOf)
        // A `state` requested later includes lines that this reader has not received yet, so it does not show which
        // tracks were live at `hello`. A subscriber with a filter may receive no other.
        guard sequence.newestAtHello == asOf else { return }
        if awaitsState {
            grammar.forget()
            awaitsState = false
        }
        for live in line.tracks ?? [] {
            let owner = Self.owner(live.pipeline, live.detector)
            // The greeting precedes the filter, so a filtered reader may not receive the ends of these tracks.
            grammar.adopt(.init(owner: owner, id: try Self.id(live.track)), isCertain: !isFiltered)
        }
    }

    private mutating func track(_ line: CheckedLine) throws {
        if let zone = line.zone, let state = line.state, let track = line.track, let pipeline = line.pipeline {
            let owner = Self.owner(pipeline, line.detector ?? "")
            let key = LifeCycleGrammar.Key(owner: owner, id: try Self.id(track))
            return try zones.take(key, zone: zone, state: state, dwell: line.dwell)
        }
        if let crossed = line.line, let pipeline = line.pipeline {
            guard !isFiltered else { return }
            return try crossings.take(crossed, of: pipeline, line.direction ?? "", line.totals)
        }
        guard let step = LifeCycleGrammar.Step(rawValue: line.type), let track = line.track, let frame = line.frame,
            let pipeline = line.pipeline, let detector = line.detector
        else { return }
        let owner = Self.owner(pipeline, detector)
        detectors.insert(owner)
        // Tracks that end for a reason other than a gap end between two frames.
        let reason = line.reason == "gone" ? nil : line.reason
        let batch = FrameOrder.Batch(owner: owner, epoch: frame.epoch, seq: frame.seq, reason: reason)
        if try frames.take(batch) { grammar.endFrame() }
        let key = LifeCycleGrammar.Key(owner: owner, id: try Self.id(track))
        grammar.take(key, step)
        try zones.take(key, step)
    }

    /// Ends the lines of a frame of one detector.
    private mutating func frame(_ line: CheckedLine) throws {
        guard let frame = line.frame, let pipeline = line.pipeline, let detector = line.detector else { return }
        let owner = Self.owner(pipeline, detector)
        detectors.insert(owner)
        try frames.close(.init(owner: owner, epoch: frame.epoch, seq: frame.seq))
        grammar.endFrame()
    }

    private static func owner(_ pipeline: String, _ detector: String) -> String { "\(pipeline)/\(detector)" }

    private static func id(_ track: CheckedLine.Track) throws -> UInt64 {
        guard let id = UInt64(track.id), String(id) == track.id else {
            throw Violation.Problem("track.id is not a whole number as a string")
        }
        return id
    }

    // MARK: Stories

    private mutating func follow(_ step: SequenceRule.Step) {
        switch step {
        case .follows: break
        case .skips:
            grammar.skip()
            zones.skip()
        case .begins:
            forget()
            zones.forget(isWhole: !isFiltered)
            crossings.forget()
        case .joins:
            forget()
            grammar.lose()
            zones.forget(isWhole: false)
            crossings.forget()
        case .loses:
            grammar.lose()
            zones.forget(isWhole: false)
            crossings.forget()
        }
    }

    private mutating func forget() {
        grammar.forget()
        frames.forget()
    }

    /// Ends a segment of the stream, at which every track must be completed.
    ///
    /// - Parameter bytes: the line that begins the next segment; nil at the end of the stream.
    private mutating func endStory(_ bytes: [UInt8]?) {
        grammar.finish()
        let problems = grammar.violations
        let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        if let problem = problems.first ?? sequence.jump?.problem { fail(problem + more, bytes) }
    }

    /// Records a violation. An earlier jump in the sequence is reported instead, because it came first.
    private mutating func fail(_ problem: String, _ bytes: [UInt8]?) {
        if let jump = sequence.jump {
            violation = Violation(line: jump.line, problem: jump.problem, bytes: jump.bytes)
        } else if violation == nil {
            violation = Violation(line: bytes == nil ? lines + 1 : lines, problem: problem, bytes: bytes)
        }
    }
}

extension SequenceRule {
    /// Whether the line needs no sequence number: it is in no log, or it has an unknown type that may be in no log.
    static func isUnnumbered(_ line: CheckedLine) -> Bool {
        StreamSchema.unnumberedTypes.contains(line.type)
            || StreamSchema.lines[line.type] == nil && line.seq == nil
    }
}
