// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing

@testable import Tapes

@Suite struct TapeRecorderTests {
    private let scope = TestScope()
    private let complaints = Complaints()

    private func recorder(_ path: String) throws -> TapeRecorder {
        try TapeRecorder(path, Samples.header) { [complaints] in complaints.add($0) }
    }

    /// Lanes finish in any order. The tape has the order of the lines.
    @Test func recordsOfATapeStandInTheOrderOfTheLines() throws {
        let recorder = try recorder(scope.path("tape"))
        var written: [String] = []
        recorder.laneTakes(Samples.inputs[4], at: .epoch, of: "face")
        recorder.laneTakes(Samples.inputs[5], at: .epoch, of: "barcode")
        recorder.laneTakes(Samples.inputs[6], at: .epoch, of: "face")
        recorder.laneTakes(Samples.inputs[4], at: .epoch, of: "not on the tape")
        recorder.laneWrites("barcode") { written.append("barcode") }
        recorder.sourceChanges(SourceInput(state: .stalled), at: .epoch) { written.append("source") }
        recorder.laneWrites("face") { written.append("face") }
        recorder.laneTakes(Samples.inputs[7], at: .epoch, of: "face")
        recorder.finish()
        var reader = try TapeReader(scope.path("tape"))
        var records: [TapeRecord] = []
        while let record = try reader.next() { records.append(record) }
        #expect(written == ["barcode", "source", "face"])
        #expect(
            records == [
                .lane(0, Samples.inputs[5], time: .epoch), .source(SourceInput(state: .stalled), time: .epoch),
                .lane(1, Samples.inputs[4], time: .epoch), .lane(1, Samples.inputs[6], time: .epoch),
            ])
        #expect(reader.ending == .complete)
        #expect(complaints.all.isEmpty)
    }

    /// A full disk ends the recording with a warning. The lines continue.
    @Test func aFullDiskEndsOnlyTheRecording() async throws {
        let recorder = try recorder("/dev/full")
        var written = 0
        recorder.laneTakes(Samples.inputs[2], at: .epoch, of: "face")
        recorder.laneWrites("face") { written += 1 }
        #expect(await holds { complaints.all.count == 1 })
        for _ in 0..<1000 {
            recorder.laneTakes(Samples.inputs[2], at: .epoch, of: "face")
            recorder.laneWrites("face") { written += 1 }
        }
        recorder.finish()
        #expect(written == 1001)
        #expect(
            complaints.all == ["/dev/full: the recording ended early, the pipeline continues: No space left on device"])
    }

    /// A hung disk delays no lane, and takes no more memory than the queue.
    @Test func aHungDiskEndsTheRecording() throws {
        let pipe = scope.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let file = try TapeFile(pipe) { [complaints] in complaints.add($0) }
        let block = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<64 { file.append(block) }
        #expect(
            complaints.all
                == ["\(pipe): the recording ended early, the pipeline continues: the disk is slower than the pipeline"])
        // The test releases the disk, so that the thread ends.
        LaneThread(name: "disk") {
            _ = fcntl(reader, F_SETFL, 0)
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while read(reader, &chunk, chunk.count) > 0 {}
        }.join()
        file.close()
        #expect(complaints.all.count == 1)
    }

    @Test func aTapeThatCannotBeCreatedIsAnError() {
        #expect(throws: TapeError.self) { _ = try recorder(scope.path("no/folder/here")) }
    }
}

/// The messages for people.
final class Complaints: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
