// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import EventLines
@testable import EventLog
@testable import WorkerChannel

/// The supervisor continues after any bytes of a worker. The log accepts only valid lines.
@Suite struct ChannelFuzzTests {
    private static func payload(_ message: some WorkerChannelMessage) -> [UInt8] {
        var payload = [message.tag]
        message.appendPayload(to: &payload)
        return payload
    }

    private static func frame(_ payload: [UInt8]) -> [UInt8] {
        var bytes = WorkerFrame.magic + [payload.first ?? 0]
        for index in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: (payload.count - 1) >> (8 * index))) }
        return bytes + payload.dropFirst()
    }

    /// The messages that a worker can send, and those that it can receive.
    private static var payloads: [[UInt8]] {
        var events = SampleEvents()
        let lives = [FeatureKind.face, .barcode, .object, .scene, .plate].flatMap { kind in
            [TrackPhase.detected, .update, .missing, .completed(.gone)].map { events.track($0, kind, id: 3) }
        }
        return WorkerChannelTests.fromWorker.map(payload) + WorkerChannelTests.configurations.map(payload)
            + WorkerChannelTests.toWorker.map(payload)
            + (lives + events.zoneLines(id: 3)).map { payload(FromWorker.event($0)) }
    }

    /// A message that was decoded decodes to equal bytes again. Bytes are compared, because NaN is not equal to itself.
    private static func requireStable<Message: WorkerChannelMessage>(_ message: Message) throws {
        var (bytes, same): ([UInt8], [UInt8]) = ([], [])
        try #require(WorkerFrame.append(message, to: &bytes))
        var again = WorkerFrameDecoder()
        again.append(bytes)
        let decoded = again.next(Message.self)
        WorkerFrame.append(try #require(decoded), to: &same)
        try #require(same == bytes)
    }

    /// - Returns: the messages of this type that the frame of a payload holds.
    private static func messages<Message: WorkerChannelMessage>(in input: [UInt8]) -> [Message] {
        var decoder = WorkerFrameDecoder()
        decoder.append(frame(input))
        return decoder.drain()
    }

    /// Frames with any payload. A faulty worker can send such frames.
    @Test func anyPayloadOfAChannelFrameIsReadOrRefused() throws {
        let corpus = try FuzzCorpus(
            "channel", seeds: Self.payloads,
            words: [
                "\"type\":\"update\",\"pipeline\":\"door\"", "\"zones\":[", "\"track\":{", "\u{1}GL\u{3}",
                "\"frame\":{",
            ])
        var (messages, recorded) = (0, 0)
        var log = Self.log()
        try corpus.forEach(Fuzz.rounds(4000)) { input in
            guard !input.isEmpty else { return }
            let orders: [ToWorker] = Self.messages(in: input)
            let configurations: [WorkerConfiguration] = Self.messages(in: input)
            messages += orders.count + configurations.count
            for order in orders { try Self.requireStable(order) }
            for configuration in configurations { try Self.requireStable(configuration) }
            let reports: [FromWorker] = Self.messages(in: input)
            for message in reports {
                messages += 1
                try Self.requireStable(message)
                guard case .event(let event) = message, log.append(event, pipeline: 0) else { continue }
                recorded += 1
                let line = log.journal.line(log.journal.nextSequence - 1)
                try #require(line.count <= 64 << 10 && line.count { $0 < 0x20 } == 1)
                if recorded % 64 == 0 {
                    // The worker dies, and the next one starts.
                    log.completeTracks(ofPipeline: 0, reason: .sourceLost)
                    try #require(log.nextTrack(ofPipeline: 0) > 0)
                    if recorded % 1024 == 0 { log = Self.log() }
                }
            }
        }
        print("channel: \(messages) messages, \(recorded) recorded")
        #expect(messages > 500 && recorded > 50)
    }

    /// The greatest number: no number can follow.
    @Test func aTrackWithTheLastNumberIsRefused() {
        var log = Self.log()
        var events = SampleEvents()
        let (last, before) = (events.track(.detected, id: .max), events.track(.detected, id: UInt64(Int64.max)))
        #expect([last, before].map { log.append($0, pipeline: 0) } == [false, true])
        #expect(log.nextTrack(ofPipeline: 0) == UInt64(Int64.max) + 1)
    }

    /// A journal on disk whose last line has the greatest possible number of a start.
    @Test func aStartWithTheLastNumberIsNotCountedOn() {
        var events = SampleEvents()
        events.epoch = .max
        let frame = events.track(.completed(.gone), id: 1)
        let pipeline = RunState.Pipeline(name: "door", highestTrack: 1, newestFrame: frame, tracks: [])
        let archive = Archive(first: 1, end: 2, evicted: nil, isWriting: true)
        let run = RunState(
            runID: "run", nextSequence: 2, counts: EventCounts(), pipelines: [pipeline], archive: archive)
        #expect(EventLog(goingOnWith: run, limits: .init(events: 10, bytes: 1 << 20)).epochs(ofPipeline: 0) == 0)
    }

    private static func log() -> EventLog {
        var log = EventLog(runID: "run", limits: .init(events: 1000, bytes: 1 << 20))
        log.addPipeline(PipelineIdentity(name: "door"))
        return log
    }

    /// Streams of frames with damage anywhere. The result does not depend on the cuts, and the memory is bounded by one
    /// frame.
    @Test func anyChannelStreamGivesValidMessagesInBoundedMemory() throws {
        let frames = Self.payloads.map(Self.frame)
        let stream = Array(frames.joined())
        let corpus = try FuzzCorpus(
            "channel", seeds: [stream] + frames, words: ["\u{1}GL\u{3}"])
        try corpus.forEach(Fuzz.rounds(300)) { input in
            var (whole, cut) = (WorkerFrameDecoder(), WorkerFrameDecoder())
            whole.append(input)
            let expected: [FromWorker] = whole.drain()
            var messages: [FromWorker] = []
            for start in stride(from: 0, to: input.count, by: 997) {
                cut.append(input[start...].prefix(997))
                messages += cut.drain()
            }
            try #require(messages == expected)
            try #require(whole.garbageBytes == cut.garbageBytes && whole.badFrames == cut.badFrames)
        }
    }
}
