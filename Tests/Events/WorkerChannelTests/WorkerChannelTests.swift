// SPDX-License-Identifier: Apache-2.0
@testable import EventLines
import GlimpseTesting
import Observations
import Search
import Testing
@testable import WorkerChannel

@Suite struct WorkerChannelTests {
    static let configurations = [
        WorkerConfiguration(
            epoch: 3, firstTrack: 42, file: "pipelines/door.toml", text: "[source]\nkind = \"test\"\n# äöü",
            modelsDirectory: "/var/lib/glimpsed/models",
            crashFile: "/var/lib/glimpsed/crashes/.door.y4m", picturesFolder: "/var/lib/glimpsed/snapshots/door",
            allowsPictures: false, pictureAge: 86_400, pictureBytes: 1 << 20,
            clipsFolder: "/var/lib/glimpsed/clips/door", clipAge: 3600, clipBytes: 1 << 21),
        WorkerConfiguration(
            epoch: 1, firstTrack: 1, file: "", text: "", modelsDirectory: "", isRestricted: true,
            writable: ["/var/lib/glimpsed/snapshots", "/srv/ä"]),
    ]

    static let toWorker: [ToWorker] = [
        .stop(.shutdown), .stop(.reload), .focus(WorkerFocus(detector: "face", track: 12)),
        .focus(WorkerFocus(detector: "barcode", track: nil)), .takeOver("[source]\nkind = \"test\"\n# äöü"),
        .takeOver(""), .request(7, .snapshot(path: "/var/lib/glimpsed/snapshots/door.jpg", isCaptioned: false)),
        .request(8, .snapshot(path: "/ä.jpg", isCaptioned: true)),
        .search(.search), .search(.dismiss), .search(.retry), .search(.select(TrackID(.max))),
        .requestedLines([]), .requestedLines(.all), .search(.attend(true)), .search(.attend(false)),
        .search(.answer(query: "1.1", .results([]))),
        .search(
            .answer(
                query: "1.1",
                .results([
                    SearchResult(id: "a", title: "Ä", confidence: 0.1, picture: "/p", payload: "{}"),
                    SearchResult(id: "b", title: "", confidence: 1),
                ]))),
        .search(.answer(query: "", .failed(SearchFailure(.engine, retryable: true, message: "no")))),
        .search(.answer(query: "x", .failed(SearchFailure(.timeout, retryable: false)))),
    ]

    static let fromWorker: [FromWorker] = {
        var events = SampleEvents(tags: ["site": "north"])
        var (timed, raw) = (events.track(.update, .face, id: 2), events.track(.missing, .face, id: 2))
        timed.header.stages = StageTimes(decode: 0, wait: 1, detect: .max, track: 3, emit: 4)
        raw.header.stages = StageTimes(wait: 1, detect: 2, track: 3, isReused: true)
        return [
            .event(timed), .event(raw),
            .event(events.track(.detected, .face, id: 1)), .event(events.track(.update, .barcode, id: 7)),
            .event(events.source(.lost, error: "gone")), .event(events.detector("face", operational: false)),
            .heartbeat(PipelineMetrics()),
            .heartbeat(
                PipelineMetrics(
                    source: [.received: 1],
                    pictures: [.waiting: 1, .written: 2, .refused: 3, .failed: 4, .deleted: 5],
                    lanes: [LaneMetrics(detector: "face", [.processed: 5, .busyDrops: 3])])),
            .heartbeat(
                PipelineMetrics(
                    source: [.received: 9_000_000_000, .busyTime: 9],
                    lanes: [
                        LaneMetrics(detector: "barcode", MetricValues { UInt64($0.rawValue) << 30 } ?? [:]),
                        LaneMetrics(detector: "face", [.processed: 5, .longestLatency: .max]),
                    ])),
            .heartbeat(
                {
                    var metrics = PipelineMetrics(lanes: [LaneMetrics(detector: "face")])
                    metrics.decoding.record(microseconds: 1200)
                    metrics.lanes[0].stages.record(.emit, microseconds: .max)
                    return metrics
                }()),
            .made(0), .made(.max), .answer(7, error: nil), .answer(8, error: "no frame"),
        ]
    }()

    @Test func everyChannelMessageDecodesToItself() {
        everyMessageComesBack(Self.configurations)
        everyMessageComesBack(Self.toWorker)
        everyMessageComesBack(Self.fromWorker)
    }

    private func everyMessageComesBack<Message: WorkerChannelMessage>(_ messages: [Message]) {
        var bytes: [UInt8] = []
        for message in messages { #expect(WorkerFrame.append(message, to: &bytes)) }
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.drain() == messages)
        #expect(decoder.garbageBytes == 0 && decoder.badFrames == 0)
    }

    /// The configuration comes first, and other messages may be behind it in the same bytes.
    @Test func aConfigurationMessageLeavesTheBytesAfterIt() {
        var bytes: [UInt8] = []
        WorkerFrame.append(Self.configurations[0], to: &bytes)
        WorkerFrame.append(ToWorker.requestedLines(.frames), to: &bytes)
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.next(WorkerConfiguration.self) == Self.configurations[0])
        #expect(decoder.drain() == [ToWorker.requestedLines(.frames)])
        #expect(decoder.badFrames == 0)
    }

    @Test func aMessageOfTheOtherDirectionIsABadFrame() {
        var bytes: [UInt8] = []
        for message in Self.toWorker { WorkerFrame.append(message, to: &bytes) }
        for configuration in Self.configurations { WorkerFrame.append(configuration, to: &bytes) }
        WorkerFrame.append(Self.fromWorker[0], to: &bytes)
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.drain() == [Self.fromWorker[0]])
        #expect(decoder.badFrames == Self.toWorker.count + Self.configurations.count && decoder.garbageBytes == 0)
    }

    @Test func aPayloadOverOneMebibyteIsRefusedAndLeavesNothing() {
        var bytes: [UInt8] = [9]
        let event = EncodedEvent(kind: .update, body: Array(repeating: 0x20, count: 1 << 20))
        #expect(!WorkerFrame.append(FromWorker.event(event), to: &bytes))
        #expect(bytes == [9])
    }

    /// A process that ends while it writes leaves the beginning of a frame.
    @Test func aTornLastFrameGivesNoMessage() {
        var bytes: [UInt8] = []
        WorkerFrame.append(Self.fromWorker[2], to: &bytes)
        WorkerFrame.append(Self.fromWorker[1], to: &bytes)
        for torn in bytes.count - 5..<bytes.count {
            var decoder = WorkerFrameDecoder()
            decoder.append(bytes[..<torn])
            #expect(decoder.drain() == [Self.fromWorker[2]])
            #expect(decoder.garbageBytes == 0 && decoder.badFrames == 0)
        }
    }

    /// The names of an event are those of the event before, or others.
    @Test func eventsOfSeveralDetectorsKeepTheirNames() {
        var events = SampleEvents()
        let kinds: [FeatureKind] = [.face, .face, .barcode, .plate, .plate, .face]
        let tracks = kinds.map { events.track(.update, $0, id: 3) }
        everyMessageComesBack((tracks + [events.source(.connected)] + tracks).map(FromWorker.event))
    }

    @Test func textThatALibraryPrintsIsSkipped() {
        var bytes = Array("** WARNING: \u{1}GL no device\n".utf8)
        let printed = bytes.count
        WorkerFrame.append(ToWorker.stop(.reload), to: &bytes)
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.drain() == [ToWorker.stop(.reload)])
        #expect(decoder.garbageBytes == printed)
    }

    /// Cuts anywhere, text and magic bytes between frames, and frames that are no messages: each message comes out
    /// unchanged, in order, and nothing else does.
    @Test(arguments: Fuzz.seeds(25))
    func cutsAndGarbageBetweenFramesChangeNoChannelMessage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (bytes, sent, bad): ([UInt8], [FromWorker], Int) = ([], [], 0)
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                WorkerFrame.append(Self.toWorker.randomElement(using: &random)!, to: &bytes)
                bad += 1
            case 1:
                let text = (0..<Int.random(in: 0..<50, using: &random)).map { _ in
                    [0x01, 0x47, 0x4C, UInt8.random(in: 0x20...255, using: &random)].randomElement(using: &random)!
                }
                bytes += text
            default:
                sent.append(Self.fromWorker.randomElement(using: &random)!)
                WorkerFrame.append(sent[sent.count - 1], to: &bytes)
            }
        }
        var decoder = WorkerFrameDecoder()
        var received: [FromWorker] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let cut = min(rest.count, Int.random(in: 1...700, using: &random))
            decoder.append(rest.prefix(cut))
            rest.removeFirst(cut)
            received += decoder.drain()
        }
        #expect(received == sent)
        #expect(decoder.badFrames == bad)
    }

    @Test func randomBytesDecodeToNoChannelMessage() {
        var random = SeededRandom(seed: 7)
        var decoder = WorkerFrameDecoder()
        for _ in Fuzz.rounds(200) {
            decoder.append((0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(decoder.next(FromWorker.self) == nil)
        }
        #expect(decoder.garbageBytes > 199_000)
    }
}

extension WorkerFrameDecoder {
    mutating func drain<Message: WorkerChannelMessage>() -> [Message] {
        var messages: [Message] = []
        while let message = next(Message.self) { messages.append(message) }
        return messages
    }
}
