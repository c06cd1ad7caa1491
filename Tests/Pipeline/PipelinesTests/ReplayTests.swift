// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import GlimpseTesting
import Observations
import Pipelines
import Tapes
import Testing

/// A tape gives equal bytes after any life of a pipeline.
@Suite struct ReplayTests {
    @Test(arguments: Fuzz.seeds(150)) func aReplayEqualsItsRun(seed: UInt64) throws {
        let scope = TestScope()
        let run = RandomRun(seed: seed, epoch: 2, firstTrack: 17)
        let (live, replayed) = (RecordingSink(), RecordingSink())
        let recorder = try TapeRecorder(
            scope.path("tape"),
            TapeHeader(
                clock: run.delivery.clock, configuration: "", firstTrack: TrackID(17), explains: seed % 2 == 0,
                lanes: run.plans.map(\.detector))
        ) { Issue.record("\($0)") }
        _ = run.run(into: live, explains: seed % 2 == 0, recorder: recorder)
        recorder.finish()

        var reader = try TapeReader(scope.path("tape"))
        let plans = run.plans.map { plan in
            var plan = plan
            plan.explains = reader.header.explains
            return plan
        }
        var replay = Replay(
            reader.header, plans: plans, pipeline: run.pipeline, barcodes: BarcodeReporting(), sink: replayed,
            complain: { _ in })
        while let record = try reader.next() { replay.take(record) }
        #expect(reader.ending == .complete)
        #expect(replayed.text == live.text)
        #expect(live.lines.count >= 3)
    }
}
