// SPDX-License-Identifier: Apache-2.0
import Assembly
import Detectors
import Foundation
import Frames
import GStreamerSource
import GlimpseTesting
import Installation
import Observations
import PictureEncoding
import Pipelines
import Settings
import Synchronization
import Testing

/// Masks and covered features in the pictures of whole pipelines.
@Suite(.serialized) struct PrivacyRunTests {
    private let scope = TestScope()

    /// A run over the built-in scene.
    private func run(
        _ text: String, frames: Int = 60, crashFile: String? = nil, snapshot: String? = nil,
        pictures: PictureAccess? = nil
    ) throws -> (lines: [StreamLine], complaints: [String], answers: [String?], withholding: String?) {
        let run = PipelineAssembly(
            try PipelineSettings.parse("[source]\nkind = \"test\"\nframes = \(frames)\n\(text)\n"),
            resources: .ofThisProcess(), crashFile: crashFile,
            pictures: pictures ?? .folder(scope.path("pictures")))
        let sink = RecordingSink()
        let complaints = Mutex<[String]>([])
        let answers = Mutex<[String?]>([])
        if let snapshot {
            run.snapshots.request(snapshot, isCaptioned: false) { answer in answers.withLock { $0.append(answer) } }
        }
        #expect(run.run(into: sink, complain: { text in complaints.withLock { $0.append(text) } }) == .ended)
        return (
            try sink.events.map { try StreamLine($0.line) }, complaints.withLock(\.self), answers.withLock(\.self),
            run.metrics.withholding
        )
    }

    private func pictureFiles() -> [String] {
        let folder = scope.path("pictures")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".jpg") }.sorted().map { "\(folder)/\($0)" }
    }

    /// The greatest difference from grey in the left half of a JPEG picture of a frame whose left half is masked.
    private func worstOfLeftHalf(_ file: String) throws -> Int {
        let frame = try GStreamerSource.picture(of: file)
        return frame.withPlanes { planes in
            var worst = 0
            // JPEG mixes the last block with the next pixels.
            for y in 0..<frame.height {
                for x in 0..<frame.width / 2 - 16 {
                    worst = max(worst, abs(Int(planes[0].base[y * planes[0].stride + x]) - 128))
                }
            }
            return worst
        }
    }

    private let mask = """
        [[mask]]
        name = "left"
        polygon = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]
        """

    @Test func aMaskHidesItsPartInEveryPicture() throws {
        let crash = scope.path("crash.y4m")
        let command = scope.path("command.jpg")
        let result = try run(
            "[barcode]\n\(mask)\n[snapshot]\non = [\"detected\", \"best\", \"completed\"]\nregion = \"full\"",
            crashFile: crash, snapshot: command)
        #expect(result.complaints == [] && result.answers == [nil])
        let files = pictureFiles() + [command]
        #expect(files.count > 3)
        for file in files { #expect(try worstOfLeftHalf(file) <= 6, "\(file)") }
        // No detector saw anything there either.
        for line in result.lines where line.type == "detected" {
            let event = try #require(JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any])
            let box = try #require(event["nbox"] as? [String: Double])
            #expect(try #require(box["x"]) + (try #require(box["w"])) > 0.5)
        }
        let bytes = try TestFile.read(crash)
        let header = Array("FRAME XNUMBER=".utf8)
        let starts = bytes.indices.filter { bytes[$0...].starts(with: header) }
        #expect(!starts.isEmpty)
        for start in starts {
            let data = start + header.count + 21
            let worst = (0..<720).flatMap { row in bytes[data + row * 1280..<data + row * 1280 + 640] }
            #expect(worst.allSatisfy { $0 == 128 })
        }
    }

    /// The barcode detector's pictures show no code while codes are covered, and its tracks stay as they are.
    @Test func aCoveredKindIsInNoPicture() throws {
        let plain = try run("[barcode]\n[snapshot]\non = [\"detected\"]")
        let open = pictureFiles()
        #expect(!open.isEmpty && codes(in: open) == open.count)
        for file in open { unlink(file) }
        let covered = try run("[barcode]\n[privacy]\nblur = [\"barcode\"]\n[snapshot]\non = [\"detected\"]")
        let files = pictureFiles()
        #expect(files.count == open.count && codes(in: files) == 0)
        let tracks = { (lines: [StreamLine]) in lines.filter { $0.type != "snapshot" }.map(\.text) }
        #expect(tracks(plain.lines).count == tracks(covered.lines).count)
        #expect(covered.withholding == nil)
    }

    private func codes(in files: [String]) -> Int {
        files.count { file in
            let result = Program.run(Program.built("glimpsed"), ["detect", "--barcode", file])
            return String(decoding: result.output, as: UTF8.self).contains("\"raw\"")
                || String(decoding: result.output, as: UTF8.self).contains("\"value\"")
        }
    }

    /// Each run over a file gives equal lines also where pictures wait for another detector.
    @Test func picturesThatWaitForAnotherDetectorGiveEqualLines() throws {
        let text = """
            [barcode]
            [face]
            model = "cascade"
            max_rate = 5
            [privacy]
            blur = ["face"]
            [snapshot]
            kinds = ["barcode"]
            on = ["detected", "best"]
            """
        let first = try run(text)
        let second = try run(text)
        #expect(first.lines.map(\.text) == second.lines.map(\.text))
        let told = first.lines.count { $0.type == "snapshot" }
        #expect(told > 0 && first.complaints == [])
    }

    @Test func noPictureLeavesWithoutTheDetectorThatBlurNeeds() throws {
        let made = PictureEncoder.count
        let command = scope.path("command.jpg")
        let crash = scope.path("crash.y4m")
        let result = try run(
            """
            [barcode]
            [face]
            model = "no-such-model"
            [privacy]
            blur = ["face"]
            [snapshot]
            on = ["detected", "best", "completed"]
            region = "full"
            """, crashFile: crash, snapshot: command)
        #expect(PictureEncoder.count == made && pictureFiles() == [])
        #expect(access(command, F_OK) != 0 && access(crash, F_OK) != 0)
        #expect(result.withholding?.hasPrefix("face: ") == true)
        #expect(result.answers.count == 1 && result.answers[0]?.contains("no picture may leave: face: ") == true)
        #expect(result.lines.contains { $0.type == "completed" } && !result.lines.contains { $0.type == "snapshot" })
    }

    @Test func privacyPicturesForbidsEveryExit() throws {
        let made = PictureEncoder.count
        let crash = scope.path("crash.y4m")
        let result = try run(
            "[barcode]\n[privacy]\npictures = false\n[snapshot]\non = [\"best\"]", crashFile: crash,
            snapshot: scope.path("command.jpg"))
        #expect(PictureEncoder.count == made && pictureFiles() == [] && access(crash, F_OK) != 0)
        #expect(result.answers == ["pictures are disabled: privacy.pictures is false"])
        #expect(result.withholding == "privacy.pictures is false")
    }

    /// A file whose frames have to be judged keeps no frame for the analysis of a crash.
    @Test func noCrashFramesAreKeptWhereFeaturesAreCovered() throws {
        let crash = scope.path("crash.y4m")
        let result = try run("[barcode]\n[privacy]\nblur = [\"barcode\"]", crashFile: crash)
        #expect(access(crash, F_OK) != 0 && result.complaints.count { $0.contains("crash_dump") } == 1)
    }
}
