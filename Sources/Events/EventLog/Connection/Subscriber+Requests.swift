// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines
import Observations

/// The requests of a subscriber.
extension Subscriber {
    /// Takes bytes from the subscriber; `nextAnswers` processes them.
    package mutating func received(_ bytes: some Collection<UInt8>) {
        guard !isClosed else { return }
        let lines = requests.append(bytes)
        asked = lines.reversed() + asked
    }

    /// Whether the greeting or a request is still unfinished. Until then the subscriber receives no events, and the
    /// caller must not read more from it.
    package var isAsking: Bool { !isClosed && (isNew || recall != nil || !asked.isEmpty) }

    /// Called when the socket has room. Greets the subscriber, starts the next request line, or continues the current
    /// one.
    ///
    /// - Parameter steps: the steps available (`WorkBudget`), reduced by the steps used. A started line may use
    ///   more steps than available.
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
            // Cleared so that the gate is uniquely referenced while it changes.
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

    /// Charges steps for the greeting. A `state` grows with the number of tracks, so a client that reconnects again and
    /// again waits like one that sends many requests.
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

    /// Applies the parts of a request that do not depend on the selected tracks.
    private mutating func begin(_ request: SubscriberRequest, _ log: EventLog, at moment: Moment) -> [UInt8] {
        var lines: [UInt8] = []
        if let filter = request.filter {
            self.filter = filter
            requestedGate = RequestedGate(rate: filter.frameRate)
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
                ? ping
                : ConnectionLine.error("ping: the reply would be longer than 64 KiB", request: nil, time: moment.time)
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
        if let gap = skipLost(log, reason: gapReason(log), time: moment.time) { return gap }
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
        // Each bad line gets one answer.
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

    /// - Returns: nil for a blank line.
    /// - Throws: the reason why the line is not a request.
    fileprivate func request() throws(SubscriberRequest.Invalid) -> SubscriberRequest? {
        guard case .line(let line) = self else { throw .init(reason: "the line is longer than 64 KiB") }
        if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
        return try SubscriberRequest(line: line)
    }
}
