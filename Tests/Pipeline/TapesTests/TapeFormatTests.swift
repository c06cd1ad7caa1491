// SPDX-License-Identifier: Apache-2.0
import EventLines
import GlimpseTesting
import Observations
import Pipelines
import Testing
import Tracking

@testable import Tapes

@Suite struct TapeFormatTests {
    private let maker = TapeMaker()

    @Test func everyRecordOfATapeReadsBackEqual() throws {
        let (records, ending) = try maker.read(TapeMaker.bytes(Samples.records))
        #expect(ending == .complete)
        #expect(records == Samples.records)
        let header = try TapeReader(maker.path).header
        #expect(header == Samples.header)
    }

    /// A property that is not on the tape is lost silently. A new property must be added to the tape and to this table.
    @Test func everyPropertyIsOnTheTape() throws {
        func count(_ value: Any) -> Int { Mirror(reflecting: value).children.count }
        let landmark = try #require(Samples.face.landmarks.first)
        let status = DetectorStatus(detector: "", kind: .face, isOperational: true)
        let results = DetectionResults(detector: "", frame: Samples.frame, detections: [])
        let table: [(Any, Int)] = [
            (Samples.frame, 9), (Samples.face, 5), (landmark, 3), (Samples.face.euler as Any, 1),
            (Samples.barcode, 12), (Samples.barcode.corners, 4), (Samples.detections[0], 3),
            (ObjectLabels(), 4), (SceneLabels(), 1), (Label(text: "", index: 0, confidence: 0), 3), (status, 6),
            (results, 5), (Box(x: 0, y: 0, width: 0, height: 0), 4), (SourceInput(state: .lost), 3),
            (Samples.zone, 6), (Samples.line, 7), (Samples.rules, 25), (Samples.rules.payloads, 3),
            (Samples.rules.faces, 2),
            (Samples.rules.confusables, 1),
            (Samples.result, 5), (Samples.failure, 3), (Samples.quality, 3),
            (
                SnapshotEvent(
                    detector: "", kind: .face, track: TrackID(1), rule: .best, frame: Samples.frame, file: "", width: 0,
                    height: 0, bytes: 0), 11
            ),
            (GateOpening(unchanged: 1, cause: .track), 2),
            (Explanation.Untracked(box: Samples.detections[0].box, confidence: 1, cause: .denied), 3),
        ]
        for (value, properties) in table { #expect(count(value) == properties, "\(type(of: value))") }
    }

    /// A tape that ends anywhere gives the records before its end, and reports that it ends.
    @Test func aTornTapeIsReadToItsLastCompleteRecord() throws {
        let bytes = TapeMaker.bytes(Samples.records)
        let header = TapeMaker.bytes([]).count - TapeMaker.endBytes
        for length in stride(from: 0, to: bytes.count, by: Fuzz.scale > 1 ? 1 : 5) {
            guard length >= header else {
                #expect(throws: TapeError.self) { _ = try maker.read(Array(bytes.prefix(length))) }
                continue
            }
            let (records, ending) = try maker.read(Array(bytes.prefix(length)))
            #expect(Samples.records.starts(with: records))
            guard case .cutOff(let offset)? = ending else {
                Issue.record("\(length): \(String(describing: ending))")
                return
            }
            #expect(offset <= length)
            #expect(ending?.warning != nil)
        }
    }

    /// Any single wrong bit is noticed, and the records before it are read.
    @Test func aDamagedTapeIsReadToTheDamage() throws {
        let bytes = TapeMaker.bytes(Samples.records)
        var random = SeededRandom(seed: 7)
        for _ in Fuzz.rounds(300) {
            var damaged = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let (records, ending) = try? maker.read(damaged) else { continue }
            #expect(Samples.records.starts(with: records) && ending != .complete, "byte \(place)")
        }
    }

    /// Records with a valid checksum and any contents.
    @Test func anyRecordOfATapeIsReadOrRefused() throws {
        var random = SeededRandom(seed: 8)
        let payloads = Samples.records.map { record in
            var payload: [UInt8] = []
            record.put(to: &payload)
            return payload
        }
        for _ in Fuzz.rounds(1000) {
            var payload = payloads.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) where !payload.isEmpty {
                let place = Int.random(in: 0..<payload.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: payload[place] = UInt8.random(in: 0...255, using: &random)
                case 1: payload.remove(at: place)
                case 2: payload.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: payload.removeLast(payload.count - place)
                }
            }
            // An accepted record is written as it was read, except for longer ways to write a number. Floats compare by
            // bits.
            guard let record = try? TapeRecord(payload: payload[...], lanes: ["barcode", "face"]) else { continue }
            var (once, twice): ([UInt8], [UInt8]) = ([], [])
            record.put(to: &once)
            try TapeRecord(payload: once[...], lanes: ["barcode", "face"]).put(to: &twice)
            #expect(once == twice)
        }
    }

    @Test func aFileThatIsNotATapeIsRefused() throws {
        func message(_ bytes: [UInt8]) -> String {
            do {
                _ = try maker.read(bytes)
                return ""
            } catch { return "\(error)" }
        }
        #expect(message([]).contains("not a tape"))
        #expect(message(Array("[source]\nkind = \"test\"\n".utf8)).contains("not a tape"))
        #expect(message(Array("glimpse tape 2\nwhatever".utf8)).contains("another version"))
        #expect(message(TapeFormat.magic).contains("nothing was recorded"))
        #expect(throws: TapeError.self) { _ = try TapeReader(maker.scope.path("nowhere")) }
    }
}

extension TapeMaker {
    /// An end record's.
    static let endBytes = TapeFormat.recordHeaderBytes + 1
}
