import BinaryFormat
@testable import EventLines
import GlimpseTesting
import Observations
import Search
import Testing
@testable import WorkerChannel

@Suite struct WorkerChannelTests {
    static let messages: [WorkerMessage] = {
        var events = SampleEvents(tags: ["site": "north"])
        var (timed, raw) = (events.track(.update, .face, id: 2), events.track(.missing, .face, id: 2))
        timed.stages = StageTimes(decode: 0, wait: 1, detect: .max, track: 3, emit: 4)
        raw.stages = StageTimes(wait: 1, detect: 2, track: 3)
        return [
            .event(timed), .event(raw),
            .configuration(
                WorkerConfiguration(
                    epoch: 3, firstTrack: 42, file: "pipelines/door.toml", text: "[source]\nkind = \"test\"\n# äöü",
                    modelsDirectory: "/var/lib/glimpsed/models",
                    crashFile: "/var/lib/glimpsed/crashes/.door.y4m",
                    picturesFolder: "/var/lib/glimpsed/snapshots/door", allowsPictures: false)),
            .configuration(
                WorkerConfiguration(
                    epoch: 1, firstTrack: 1, file: "", text: "", modelsDirectory: "",
                    isRestricted: true, writable: ["/var/lib/glimpsed/snapshots", "/srv/ä"])),
            .event(events.track(.detected, .face, id: 1)), .event(events.track(.update, .barcode, id: 7)),
            .event(events.source(.lost, error: "gone")), .event(events.detector("face", operational: false)),
            .heartbeat(WorkerHeartbeat(received: 0)),
            .heartbeat(
                WorkerHeartbeat(
                    received: 1, lanes: [.init(detector: "face", processed: 5, dropped: 3)],
                    pictures: .init(waiting: 1, written: 2, refused: 3, failed: 4, deleted: 5))),
            .heartbeat(
                WorkerHeartbeat(received: 9_000_000_000, lanes: [.init(detector: "face", processed: 5, dropped: 3)])),
            .heartbeat(
                WorkerHeartbeat(
                    received: 10, sourceMilliseconds: 9,
                    lanes: [
                        .init(
                            detector: "barcode", processed: 5, dropped: 3, skipped: 2, failed: 1, refused: 6,
                            evicted: 7, smallFaces: 4, smallFacesMinSize: 23, busyMilliseconds: 70,
                            wait: .init(median: 1, percentile95: 2, longest: 3),
                            total: .init(median: 4, percentile95: 5, longest: 1 << 40))
                    ])),
            .stop(.shutdown), .stop(.reload), .focus(WorkerFocus(detector: "face", track: 12)),
            .focus(WorkerFocus(detector: "barcode", track: nil)), .takeOver("[source]\nkind = \"test\"\n# äöü"),
            .takeOver(""), .snapshot(WorkerSnapshot(number: 7, path: "/var/lib/glimpsed/snapshots/door.jpg")),
            .snapshot(WorkerSnapshot(number: 8, path: "/ä.jpg", isCaptioned: true)),
            .snapshotDone(WorkerSnapshotResult(number: 7, error: nil)),
            .search(.search), .search(.dismiss), .search(.retry), .search(.select(TrackID(.max))),
            .frames(true), .frames(false), .search(.attend(true)), .search(.attend(false)),
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
            .snapshotDone(WorkerSnapshotResult(number: 8, error: "no frame")),
        ]
    }()

    @Test func crcHasTheStandardsCheckValue() {
        var check = CRC32()
        check.update(Array("123456789".utf8)[...])
        #expect(check.value == 0xCBF4_3926)
    }

    @Test func everyMessageComesBackAsItWas() {
        var bytes: [UInt8] = []
        for message in Self.messages { #expect(WorkerFrame.append(message, to: &bytes)) }
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.drain() == Self.messages)
        #expect(decoder.garbageBytes == 0 && decoder.badFrames == 0)
    }

    @Test func aPayloadOverOneMebibyteIsRefusedAndLeavesNothing() {
        var bytes: [UInt8] = [9]
        let event = EncodedEvent(kind: .update, body: Array(repeating: 0x20, count: 1 << 20))
        #expect(!WorkerFrame.append(.event(event), to: &bytes))
        #expect(bytes == [9])
    }

    @Test func aTornFrameCostsOnlyItself() {
        var bytes: [UInt8] = []
        WorkerFrame.append(Self.messages[1], to: &bytes)
        bytes.removeLast(5)
        let torn = bytes.count
        WorkerFrame.append(Self.messages[2], to: &bytes)
        WorkerFrame.append(Self.messages[3], to: &bytes)
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.drain() == [Self.messages[2], Self.messages[3]])
        #expect(decoder.garbageBytes == torn && decoder.badFrames == 1)
    }

    @Test func textThatALibraryPrintsIsSkipped() {
        var bytes = Array("** WARNING: \u{1}GL no device\n".utf8)
        let printed = bytes.count
        WorkerFrame.append(.stop(.reload), to: &bytes)
        var decoder = WorkerFrameDecoder()
        decoder.append(bytes)
        #expect(decoder.drain() == [.stop(.reload)])
        #expect(decoder.garbageBytes == printed)
    }

    /// Whatever is done to the bytes, each message comes out as it went in, in order, or not at all; and those that nothing was done to
    /// come out.
    @Test(arguments: Fuzz.seeds(25))
    func damageAndCutsNeverMakeAWrongMessage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes: [UInt8] = []
        var intact: [WorkerMessage] = []
        var sent: [WorkerMessage] = []
        for _ in 0..<60 {
            let message = Self.messages.randomElement(using: &random)!
            var frame: [UInt8] = []
            WorkerFrame.append(message, to: &frame)
            sent.append(message)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let index = frame.indices.randomElement(using: &random)!
                frame[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1:
                let end = frame.indices.randomElement(using: &random)!
                // What is cut off must not be what the next frame begins with: nobody can see such a cut, and it costs the next one.
                guard !WorkerFrame.magic.starts(with: frame[end...]) else { fallthrough }
                frame.removeSubrange(end...)
            case 2:
                let garbage = (0..<Int.random(in: 0..<50, using: &random)).map { _ in
                    [0x01, 0x47, 0x4C, 0x02, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)!
                }
                frame = garbage + frame
                // Garbage may look like a header that takes the frame for its payload, until what follows shows that it is not.
                intact.append(message)
            default: intact.append(message)
            }
            bytes += frame
        }
        // A damaged length asks for up to 1 MiB more: let it come.
        bytes += Array(repeating: 0, count: WorkerFrame.maximumPayloadBytes + WorkerFrame.headerBytes)

        var decoder = WorkerFrameDecoder()
        var received: [WorkerMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let cut = min(rest.count, rest.count > 100_000 ? 100_000 : Int.random(in: 1...700, using: &random))
            decoder.append(rest.prefix(cut))
            rest.removeFirst(cut)
            received += decoder.drain()
        }
        #expect(received.isSubsequence(of: sent))
        #expect(intact.isSubsequence(of: received))
    }

    @Test func randomBytesDecodeToNothing() {
        var random = SeededRandom(seed: 7)
        var decoder = WorkerFrameDecoder()
        for _ in Fuzz.rounds(200) {
            decoder.append((0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(decoder.next() == nil)
        }
        #expect(decoder.garbageBytes > 199_000)
    }
}

extension WorkerFrameDecoder {
    mutating func drain() -> [WorkerMessage] {
        var messages: [WorkerMessage] = []
        while let message = next() { messages.append(message) }
        return messages
    }
}

extension Array where Element: Equatable {
    func isSubsequence(of whole: [Element]) -> Bool {
        var rest = whole[...]
        for element in self {
            guard let index = rest.firstIndex(of: element) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}
