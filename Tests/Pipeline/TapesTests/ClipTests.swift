// SPDX-License-Identifier: Apache-2.0
import Assembly
import Foundation
import GlimpseTesting
import Installation
import Observations
import Pipelines
import Search
import Settings
import Synchronization
import Testing

@testable import Tapes

/// Every film of the shared data, with every kind of tape record. The run has all detectors, zones, pictures, a search
/// with an engine and commands, and a reload in the middle. The live lines of the pipeline and the lines of its tape
/// are equal, byte for byte.
@Suite(.serialized, .enabled(if: SharedData.has("media/video") && SharedData.has("models"))) struct ClipTests {
    static let clips =
        (try? FileManager.default.contentsOfDirectory(atPath: SharedData.path("media/video")))?
        .filter { ["gif", "mkv", "mp4"].contains($0.split(separator: ".").last) }.sorted() ?? []

    /// Every n-th frame, up to a bound; `make fuzz` takes all of them.
    private static let step = max(1, 3 / Fuzz.scale)
    private static let frames = Fuzz.scale > 1 ? Int.max : 40

    private static let zone = """
        [[zone]]
        name = "left"
        polygon = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]
        dwell = "500ms"
        [[line]]
        name = "middle"
        from = [0.5, 0]
        to = [0.5, 1]

        """
    private static let before = """
        [face]
        [barcode]
        [object]
        model = "yolox_nano"
        [scene]
        model = "squeezenet"
        [search]
        source = "any"
        engine = "classifier"
        reticle = { radius = 0.4 }
        cooldown = "1s"
        result_time = "1s"
        [search.classifier]
        model = "squeezenet"
        [snapshot]
        on = ["detected", "best"]
        \(zone)
        """
    /// The reload changes rules, rates, zones and detectors, and no setting that needs a new worker.
    private static let after =
        before
        .replacing("[face]\n", with: "[face]\nconfidence = 0.5\n[face.tracking]\nmax_gap = \"300ms\"\nhits = 1\n")
        .replacing("[barcode]\n", with: "[barcode]\nmax_rate = 2\neffort = \"fast\"\n")
        .replacing(
            "[scene]\n", with: "[object.tracking]\nhits = 3\nlow = 0.2\n[scene]\nmax_rate = 1\n"
        )
        .replacing("[0.5, 0], [0.5, 1]", with: "[0.9, 0], [0.9, 1]")
        .replacing("to = [0.5, 1]", with: "to = [0.6, 1]")

    private static let commands: [Int: SearchCommand] = [
        5: .attend(false), 7: .attend(true), 20: .select(TrackID(1)), 30: .dismiss, 35: .search, 36: .retry,
        37: .answer(query: "1.1", .results([])),
    ]

    @Test(arguments: clips) func theTapeOfAClipGivesEqualBytes(clip: String) throws {
        let scope = TestScope()
        func settings(_ text: String) throws -> PipelineSettings {
            try PipelineSettings.parse(
                text, file: scope.path("clip.toml"), source: SharedData.path("media/video/\(clip)"),
                overrides: [("source.every", "\(Self.step)")])
        }
        let after = try settings(Self.after)
        let run = PipelineAssembly(
            try settings(Self.before), resources: .ofThisProcess(modelsFolder: SharedData.path("models")),
            pictures: .folder(scope.path("pictures")))
        let complaints = Mutex<[String]>([])
        let recorder = try run.makeRecorder(
            scope.path("tape"), configuration: "name = \"clip\"\n" + Self.before, explain: true
        ) { complaint in complaints.withLock { $0.append(complaint) } }
        let live = RecordingSink()
        var frames = 0
        let outcome = run.run(into: LineCounter(next: live), explain: true, recorder: recorder, complain: { _ in }) {
            _ in
            frames += 1
            if let command = Self.commands[frames] { try? run.command(command) }
            if frames == 7 { #expect(run.takeOver(after)) }
            if frames == Self.frames { run.stop(.shutdown) }
        }
        recorder.finish()
        #expect(frames > 7 && complaints.withLock(\.self) == [], "\(outcome)")
        #expect(violation(in: live.lines) == nil)

        let again = Program.run(Program.built("glimpsed"), ["replay", scope.path("tape")])
        #expect(again.status == 0, "\(again.errors)")
        let difference = zip(again.lines, live.lines.map { String(decoding: $0.dropLast(), as: UTF8.self) })
            .first { $0 != $1 }
        #expect(difference == nil, "\(difference?.0 ?? "")\n\(difference?.1 ?? "")")
        #expect(again.output.count == live.lines.reduce(0) { $0 + $1.count })
        #expect(try rules(scope.path("tape")) == ["face", "barcode", "object", "scene"])
        print("\(clip): \(frames) frames, \(Self.counts(live))")
    }

    /// The lanes whose rules changed.
    private func rules(_ tape: String) throws -> [String] {
        var reader = try TapeReader(tape)
        var lanes: [String] = []
        while let record = try reader.next() {
            if case .lane(let lane, .rules, _) = record { lanes.append(reader.header.lanes[lane]) }
        }
        return lanes
    }

    private static func counts(_ sink: RecordingSink) -> String {
        Dictionary(grouping: sink.events) { "\($0.kind)" }.mapValues(\.count).sorted { $0.key < $1.key }
            .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
