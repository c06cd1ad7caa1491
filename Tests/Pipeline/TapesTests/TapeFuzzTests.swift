// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing
import Tracking

@testable import Tapes

/// Any bytes are read up to the first fault, and the records can be replayed.
@Suite struct TapeFuzzTests {
    private static func payload(_ record: TapeRecord) -> [UInt8] {
        var payload: [UInt8] = []
        record.put(to: &payload)
        return payload
    }

    /// Any bytes in a file.
    @Test func anyTapeFileIsReadOrRefused() throws {
        let maker = TapeMaker()
        let small = TapeMaker.bytes(Array(Samples.records.prefix(3)))
        let corpus = try FuzzCorpus(
            "tape", seeds: [TapeMaker.bytes(Samples.records), small], words: ["glimpse tape 4\n"])
        try corpus.forEach(Fuzz.rounds(1000)) { input in
            do throws(TapeError) {
                maker.scope.write("tape", bytes: input)
                var reader = try TapeReader(maker.path)
                while try reader.next() != nil {}
                try? #require(reader.ending != nil)
            } catch {
                try #require(!error.description.isEmpty && !error.isMissing)
            }
        }
    }

    /// Records with a valid checksum and any contents pass through tracking and all later stages.
    @Test func anyTapeRecordIsReadOrRefused() throws {
        let names = ["barcode", "face"]
        let corpus = try FuzzCorpus("tape", seeds: (Samples.records + Self.sampleRun).map(Self.payload))
        let sink = CountingSink()
        var (replay, records) = (Self.replay(sink), 0)
        try corpus.forEach(Fuzz.rounds(4000)) { input in
            guard let record = try? TapeRecord(payload: input[...], lanes: names) else { return }
            records += 1
            // A new run begins now and then, because earlier records influence later ones.
            if records % 50 == 0 { replay = Self.replay(sink) }
            replay.take(record)
            // The record is written as it was read, except for longer forms of a number.
            let once = Self.payload(record)
            try #require(Self.payload(try TapeRecord(payload: once[...], lanes: names)) == once)
        }
        print("tape: \(records) records, \(sink.lines) lines")
        #expect(records > 100 && sink.lines > 100)
    }

    /// The events of a camera in one second.
    private static var sampleRun: [TapeRecord] {
        (0..<10).map { number in
            let time = Int64(number) * 100_000_000
            let frame = FrameInfo(
                sequence: UInt64(number + 1), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
                width: 640, height: 480)
            let face = Detection(
                box: Box(x: 100, y: 100, width: 60, height: 60), confidence: 0.9, content: .face(Samples.face))
            let code = Detection(
                box: Box(x: 300, y: 100, width: 60, height: 60), confidence: nil, content: .barcode(Samples.barcode))
            let detector = number % 2 == 0 ? "face" : "barcode"
            let results = DetectionResults(
                detector: detector, frame: frame, detections: [number % 2 == 0 ? face : code])
            return .lane(number % 2 == 0 ? 1 : 0, .results(results, withheld: []), time: .epoch)
        }
    }

    private static func replay(_ sink: any EventSink) -> Replay {
        let plans = [
            LanePlan(detector: "barcode", tracking: .barcode, explains: true, zones: [Samples.zone]),
            LanePlan(detector: "face", tracking: .face, explains: true, zones: [Samples.zone]),
        ]
        return Replay(
            TapeHeader(clock: .arrival, configuration: "", lanes: ["barcode", "face"]), plans: plans,
            pipeline: PipelineIdentity(name: "door"), barcodes: BarcodeReporting(), sink: sink, complain: { _ in })
    }
}

/// Checks lines and keeps none.
private final class CountingSink: EventSink {
    private let count = Atomic(0)

    var lines: Int { count.load(ordering: .relaxed) }

    func write(_ events: [EncodedEvent]) {
        for event in events { #expect(event.line.count <= 64 << 10 && !event.line.dropLast().contains { $0 < 0x20 }) }
        count.add(events.count, ordering: .relaxed)
    }
}
