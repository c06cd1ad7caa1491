import EventLines
import EventLog
import JSONLines

/// Proves or refutes that bytes are an event stream: the schema, the sequence, the lives of tracks, and the order within frames.
///
/// Feed it bytes as they come; after the first violation it looks at nothing more. It remembers live tracks, the names of detectors and
/// runs, at most one line, and the line of one jump in the sequence, however long the stream is.
package struct ConformanceCheck: Sendable {
    /// What the stream held.
    package struct Summary: Sendable, Equatable {
        package var lines = 0
        /// Tracks told of; those that a later connection repeats are counted again.
        package var tracks = 0
        package var detectors = 0
        /// Values of `run_id`; none in the foreground's lines.
        package var runs = 0
    }

    private let isOpen: Bool
    private let isFiltered: Bool
    /// The types of the log's lines that there may be; nil: all.
    private let types: Set<String>?
    private var splitter = LineSplitter(limit: EventEncoder.maximumLineBytes - 1)
    private var sequence: SequenceRule
    private var frames = FrameOrder()
    private var grammar: LifeCycleGrammar
    private var zones = ZoneRule()
    private var detectors: Set<String> = []
    private var lines = 0
    /// The first violation.
    package private(set) var violation: Violation?

    /// - Parameters:
    ///   - isFiltered: numbers may jump, because the subscriber wanted certain pipelines or kinds only.
    ///   - types: of lines of the log, where the subscriber wanted certain ones only: the lives of tracks are judged by those that are told.
    ///   - isOpen: the reader stopped before the stream did, so tracks may be live and the last line cut off.
    package init(isFiltered: Bool = false, types: Set<String>? = nil, isOpen: Bool = false) {
        self.isFiltered = isFiltered || types != nil
        self.types = types
        self.isOpen = isOpen
        sequence = SequenceRule(isFiltered: self.isFiltered)
        grammar = LifeCycleGrammar(told: Set((types ?? Set(StreamSchema.types)).compactMap(LifeCycleGrammar.Step.init)))
        zones.forget(isWhole: !self.isFiltered)
    }

    /// The types of lines that a subscriber can choose among.
    package static let logTypes = StreamSchema.types.filter { !StreamSchema.unnumberedTypes.contains($0) }

    package var summary: Summary {
        Summary(lines: lines, tracks: grammar.tracks, detectors: detectors.count, runs: sequence.runs.count)
    }

    /// Takes bytes of the stream, wherever they are cut.
    package mutating func take(_ bytes: some Collection<UInt8>) {
        for piece in splitter.append(bytes) where violation == nil {
            lines += 1
            switch piece {
            case .line(let line): take(line: line)
            case .tooLong(let beginning): fail("the line is over 64 KiB", beginning)
            // After a violation nothing is looked at.
            case .goesOn: break
            }
        }
    }

    /// The stream has ended.
    package mutating func finish() {
        guard violation == nil else { return }
        if let rest = splitter.finish(), !isOpen {
            lines += 1
            return fail("the line does not end, expected a newline", rest)
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
        sequence.hello(runID: line.runID ?? "", next: line.nextSequence ?? 1)
    }

    private mutating func state(_ line: CheckedLine) throws {
        let asOf = line.asOf ?? 0
        try sequence.state(asOf: asOf)
        // Asked for later, it tells of lines that this reader has not got yet.
        guard sequence.newestAtHello == asOf else { return }
        for live in line.tracks ?? [] {
            let owner = Self.owner(live.pipeline, live.detector)
            // Without its filter, which came after it, this reader would be told of their ends.
            grammar.adopt(.init(owner: owner, id: try Self.id(live.track)), isCertain: !isFiltered)
        }
    }

    private mutating func track(_ line: CheckedLine) throws {
        if let zone = line.zone, let state = line.state, let track = line.track, let pipeline = line.pipeline {
            let owner = Self.owner(pipeline, line.detector ?? "")
            let key = LifeCycleGrammar.Key(owner: owner, id: try Self.id(track))
            return try zones.take(key, zone: zone, state: state, dwell: line.dwell)
        }
        guard let step = LifeCycleGrammar.Step(rawValue: line.type), let track = line.track, let frame = line.frame,
            let pipeline = line.pipeline, let detector = line.detector
        else { return }
        let owner = Self.owner(pipeline, detector)
        detectors.insert(owner)
        // Tracks that end for another reason than a gap do so between two frames.
        let reason = line.reason == "gone" ? nil : line.reason
        let batch = FrameOrder.Batch(owner: owner, epoch: frame.epoch, seq: frame.seq, reason: reason)
        if try frames.take(batch) { grammar.endFrame() }
        let key = LifeCycleGrammar.Key(owner: owner, id: try Self.id(track))
        grammar.take(key, step)
        try zones.take(key, step)
    }

    /// Ends the lines of a detector's frame.
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
        case .joins:
            forget()
            grammar.lose()
            zones.forget(isWhole: false)
        case .loses:
            grammar.lose()
            zones.forget(isWhole: false)
        }
    }

    private mutating func forget() {
        grammar.forget()
        frames.forget()
    }

    /// Everything live has to be completed here.
    ///
    /// - Parameter bytes: the line that begins another story; nil at the end of the stream.
    private mutating func endStory(_ bytes: [UInt8]?) {
        grammar.finish()
        let problems = grammar.violations
        let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        if let problem = problems.first ?? sequence.jump?.problem { fail(problem + more, bytes) }
    }

    /// A jump in the sequence came first, so it is what is told.
    private mutating func fail(_ problem: String, _ bytes: [UInt8]?) {
        if let jump = sequence.jump {
            violation = Violation(line: jump.line, problem: jump.problem, bytes: jump.bytes)
        } else if violation == nil {
            violation = Violation(line: bytes == nil ? lines + 1 : lines, problem: problem, bytes: bytes)
        }
    }
}

extension SequenceRule {
    /// Lines that are in no log; and of types of which a later version may say so.
    static func isUnnumbered(_ line: CheckedLine) -> Bool {
        StreamSchema.unnumberedTypes.contains(line.type)
            || StreamSchema.lines[line.type] == nil && line.seq == nil
    }
}
