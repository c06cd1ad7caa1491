// SPDX-License-Identifier: Apache-2.0
import Assembly
import Foundation
import Frames
import GStreamerSource
import GlimpseTesting
import Installation
import PictureEncoding
import Pipelines
import Settings
import Synchronization
import Testing

/// Pictures of the built-in scene's tracks, in this process.
@Suite(.serialized) struct SnapshotRunTests {
    private let scope = TestScope()

    private func run(
        _ snapshot: String, pictures: PictureAccess, tape: String? = nil, frames: Int = 60
    ) throws -> (lines: [StreamLine], complaints: [String]) {
        let text = """
            [source]
            kind = "test"
            frames = \(frames)
            [barcode]
            [snapshot]
            \(snapshot)
            """
        let run = PipelineAssembly(
            try PipelineSettings.parse(text), resources: .ofThisProcess(), pictures: pictures)
        let sink = RecordingSink()
        let complaints = Mutex<[String]>([])
        let recorder = try tape.map { path in
            try run.makeRecorder(path, configuration: "name = \"pipeline\"\n[barcode]\n", explain: false) { _ in }
        }
        #expect(
            run.run(into: sink, recorder: recorder, complain: { text in complaints.withLock { $0.append(text) } })
                == .ended)
        recorder?.finish()
        return (try sink.events.map { try StreamLine($0.line) }, complaints.withLock(\.self))
    }

    private func members(_ line: StreamLine) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any])
    }

    @Test func everyNamedSnapshotExistsAndIsComplete() throws {
        let folder = scope.path("pictures")
        let (lines, complaints) = try run("on = [\"detected\", \"best\"]", pictures: .folder(folder))
        #expect(complaints == [] && violation(in: lines.map { Array($0.text.utf8) }) == nil)
        #expect(try EventSchema.violations(in: lines.map { Array($0.text.utf8) }) == [])
        let pictures = try lines.filter { $0.type == "snapshot" }.map(members)
        #expect(pictures.count == 6)
        for picture in pictures {
            let path = try #require(picture["file"] as? String)
            let bytes = try TestFile.read(path)
            #expect(bytes.count == picture["bytes"] as? Int)
            #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF] && bytes.suffix(2) == [0xFF, 0xD9])
            let frame = try GStreamerSource.picture(of: path)
            #expect(frame.width == picture["width"] as? Int && frame.height == picture["height"] as? Int)
            #expect(frame.width <= 640)
            let metadata = try TestFile.read(path.dropLast(4) + ".json")
            let said = try #require(JSONSerialization.jsonObject(with: Data(metadata)) as? [String: Any])
            for key in ["id", "rule"] { #expect(said[key] as? String == picture[key] as? String) }
            // Redaction acts on lines. The metadata beside a picture has no redacted value.
            #expect(!String(decoding: metadata, as: UTF8.self).contains("4006381333931"))
        }
        // Pictures that were written in between and that no line names are deleted.
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.filter { $0.hasSuffix(".jpg") }.count == 6 && files.count == 12)
        for line in lines where line.type == "completed" {
            let completed = try members(line)
            let best = try #require(completed["best"] as? [String: Any])
            let id = (completed["track"] as? [String: Any])?["id"] as? String
            let same = pictures.first { $0["id"] as? String == id && $0["rule"] as? String == "best" }
            #expect(best["snapshot"] as? String == same?["file"] as? String)
            #expect(best["score"] as? Double == same?["score"] as? Double)
        }
    }

    /// Each run over the file gives equal lines and pictures. A tape gives equal lines without making a picture.
    @Test func aRunWithSnapshotsAndItsTapeGiveEqualLines() throws {
        let folder = scope.path("pictures")
        let settings = "on = [\"detected\", \"best\", \"completed\"]"
        let first = try run(settings, pictures: .folder(folder), tape: scope.path("a.tape")).lines
        let second = try run(settings, pictures: .folder(folder)).lines
        #expect(first.count == second.count && first.contains { $0.type == "snapshot" })
        for (line, again) in zip(first, second) { #expect(line.text == again.text) }
        let replay = Program.run(Program.built("glimpsed"), ["replay", scope.path("a.tape")])
        let replayed = Array(first.map(\.text).joined().utf8)
        #expect(replay.output == replayed, "\(replay.errors)")
    }

    @Test func fullSnapshotsShowTheWholeFrame() throws {
        let (lines, _) = try run(
            "on = [\"detected\"]\nregion = \"full\"\nmax_width = 320\ncaption = true",
            pictures: .folder(scope.path("p")), frames: 25)
        let picture = try members(try #require(lines.first { $0.type == "snapshot" }))
        #expect(picture["width"] as? Int == 320 && picture["height"] as? Int == 180)
    }

    /// With `daemon.no_images`, no encoder is ever made, whatever is requested.
    @Test func noSnapshotIsEncodedWithoutPermission() throws {
        let made = PictureEncoder.count
        let (lines, complaints) = try run("on = [\"detected\", \"best\", \"completed\"]", pictures: .none)
        #expect(PictureEncoder.count == made)
        #expect(!lines.contains { $0.type == "snapshot" } && lines.contains { $0.type == "completed" })
        #expect(complaints == ["warning: no pictures are made: daemon.no_images is true"])
        let elsewhere = try run("on = [\"detected\"]", pictures: .inMemory)
        #expect(PictureEncoder.count == made && elsewhere.complaints.first?.contains("--pictures") == true)
    }

    @Test func anUnwritableSnapshotFolderLosesOnlyThePictures() throws {
        let file = scope.write("file", "")
        let (lines, complaints) = try run("on = [\"best\"]", pictures: .folder("\(file)/pictures"))
        #expect(lines.contains { $0.type == "completed" } && !lines.contains { $0.type == "snapshot" })
        #expect(complaints.count == 1 && complaints[0].hasPrefix("warning: no pictures are stored: "))
    }
}
