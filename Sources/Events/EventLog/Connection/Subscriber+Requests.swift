import EventLines
import JSONLines
import Observations

/// What a subscriber asks for.
extension Subscriber {
    /// The subscriber sent bytes: `nextAnswers` deals with them.
    package mutating func received(_ bytes: some Collection<UInt8>) {
        guard !isClosed else { return }
        let lines = requests.append(bytes)
        asked = lines.reversed() + asked
    }

    /// Whether it has not been greeted, or asked for something that is not done. Until then it gets no events, and no more is to be read from it.
    package var isAsking: Bool { !isClosed && (isNew || recall != nil || !asked.isEmpty) }

    /// There is room in the socket: greets the subscriber, deals with the next line that it sent, or goes on with that.
    ///
    /// - Parameter steps: that it may take (`WorkBudget`); less those that it took. A line that is begun may take more than there are.
    package mutating func nextAnswers(_ log: EventLog, at moment: Moment, steps: inout Int) -> [Action] {
        guard isAsking else { return [] }
        guard !isNew else { return greet(log, at: moment, steps: &steps) }
        var lines: [UInt8] = []
        if recall == nil {
            guard let piece = asked.popLast() else { return [] }
            phase = .live
            do {
                steps -= WorkBudget.stepsOfRequest(piece.count)
                guard let request = try piece.request() else { return [] }
                lines = begin(request, log, at: moment)
                unfinished = request
            } catch {
                return refuse(error.reason, piece, at: moment)
            }
        }
        if var recall, var gate {
            self.recall = nil
            // Nobody else's while it is changed.
            self.gate = nil
            let isDone = recall.goOn(log, filter, &gate, steps: &steps)
            self.gate = gate
            guard isDone else {
                self.recall = recall
                return sent(lines, at: moment)
            }
        }
        if let request = unfinished { lines += finish(request, log, at: moment) }
        unfinished = nil
        steps -= WorkBudget.stepsOfWriting(lines.count)
        return sent(lines, at: moment)
    }

    /// A `state` is as long as there are tracks, so who comes again and again is to wait for it like who asks again and again.
    private mutating func greet(_ log: EventLog, at moment: Moment, steps: inout Int) -> [Action] {
        isNew = false
        cursor = log.journal.nextSequence
        passed = log.counts
        holdEnded(at: moment)
        let lines =
            ConnectionLine.hello(log, server: server, time: moment.time) + ConnectionLine.state(log, time: moment.time)
        steps -= WorkBudget.stepsOfWriting(lines.count)
        return sent(lines, at: moment)
    }

    /// What does not depend on the tracks that are let through.
    private mutating func begin(_ request: SubscriberRequest, _ log: EventLog, at moment: Moment) -> [UInt8] {
        var lines: [UInt8] = []
        if let filter = request.filter {
            self.filter = filter
            frameGate = FrameGate(rate: filter.frameRate)
        }
        if let resume = request.resume { lines += self.resume(resume, log, at: moment) }
        filter.learnPipelines(log)
        if request.filter != nil || request.resume != nil {
            gate = filter.followsTracks ? TrackGate(filter) : nil
            recall = filter.track.isEmpty ? nil : TrackRecall(before: cursor)
        }
        return lines
    }

    private func finish(_ request: SubscriberRequest, _ log: EventLog, at moment: Moment) -> [UInt8] {
        var lines: [UInt8] = []
        if request.state { lines += state(log, at: moment) }
        if let echo = request.ping {
            let ping = ConnectionLine.ping(echo: echo, time: moment.time)
            lines +=
                ping.count <= EventEncoder.maximumLineBytes
                ? ping : ConnectionLine.error("ping: the answer would be over 64 KiB", request: nil, time: moment.time)
        }
        return lines
    }

    private mutating func resume(
        _ resume: SubscriberRequest.Resume, _ log: EventLog, at moment: Moment
    ) -> [UInt8] {
        if let runID = resume.runID, runID != log.runID {
            page = nil
            (cursor, passed) = (1, EventCounts())
            replayEnd = log.journal.nextSequence
            return skipLost(log, reason: .otherRun, time: moment.time)
                ?? ConnectionLine.gap(nil, lost: nil, reason: .otherRun, time: moment.time)
        }
        guard resume.after < log.journal.nextSequence else {
            return ConnectionLine.error(
                "after \(resume.after): the newest event is \(log.journal.nextSequence - 1)", request: nil,
                time: moment.time)
        }
        page = nil
        cursor = resume.after + 1
        passed = cursor == 1 ? EventCounts() : nil
        replayEnd = log.journal.nextSequence
        if let gap = skipLost(log, reason: .journal, time: moment.time) { return gap }
        if cursor >= log.journal.firstSequence { passed = log.counts(upTo: cursor) }
        return []
    }

    private mutating func refuse(_ reason: String, _ piece: LineSplitter.Piece, at moment: Moment) -> [Action] {
        if let since = badLinesSince, moment.instant - since < Self.badLineWindow {
            badLines += 1
        } else {
            (badLines, badLinesSince) = (1, moment.instant)
        }
        let isLast = badLines > Self.badLineLimit
        // One line, one answer.
        if case .goesOn = piece, !isLast { return [] }
        let text = String(decoding: piece.bytes.prefix(1024), as: UTF8.self)
        let error = ConnectionLine.error(reason, request: text, time: moment.time)
        guard isLast else { return sent(error, at: moment) }
        phase = .closed
        return [.send(error), .close(reason: "over \(Self.badLineLimit) bad lines in \(Self.badLineWindow)")]
    }
}

extension LineSplitter.Piece {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .line(let line): line
        case .tooLong(let beginning): beginning
        case .goesOn: []
        }
    }

    fileprivate var count: Int { bytes.count }

    /// - Returns: nil of a line of blanks.
    /// - Throws: why it is none.
    fileprivate func request() throws(SubscriberRequest.Invalid) -> SubscriberRequest? {
        guard case .line(let line) = self else { throw .init(reason: "the line is over 64 KiB") }
        if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
        return try SubscriberRequest(line: line)
    }
}
