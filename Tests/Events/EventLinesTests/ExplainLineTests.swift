// SPDX-License-Identifier: Apache-2.0
import EventLines
import GlimpseTesting
import Observations
import Testing

@Suite struct ExplainLineTests {
    private let box = Box(x: 1, y: 2, width: 3, height: 4)

    private func line(_ explanation: Explanation) -> [UInt8] {
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        let frame = SampleEvents.trackEvent(.update, id: 1, frame: 2).frame
        return encoder.encode(.explain(ExplainEvent(detector: "face", frame: frame, explanation: explanation))).line
    }

    private func entries(_ causes: [Explanation.Untracked.Cause], _ rules: [Explanation.Ended.Rule]) -> Explanation {
        var explanation = Explanation()
        for cause in causes { explanation.add(Explanation.Untracked(box: box, confidence: 0.5, cause: cause)) }
        for (index, rule) in rules.enumerated() {
            let track = index == 0 ? nil : TrackID(UInt64(index))
            explanation.add(Explanation.Ended(track: track, box: box, rule: rule))
        }
        return explanation
    }

    private let causes: [Explanation.Untracked.Cause] = [
        .invalid, .belowLow(limit: 0.25), .belowBirth(limit: 0.75), .suppressed(overlap: 0.875), .capacity(limit: 256),
        .tentative(hits: 1, limit: 2), .outOfFocus, .unconfirmed(reads: 1, limit: 2), .cooldown(limit: 1.5), .sameValue,
        .notAllowed, .denied, .undecoded, .belowMinSize(limit: 0.0625),
    ]
    private let rules: [Explanation.Ended.Rule] = [
        .hits(hits: 1, limit: 2), .maxGap(unseen: 1.0333, limit: 1, runs: 31), .maxGapFrames(runs: 4, limit: 3),
        .payload, .capacity(limit: 256), .focus, .discontinuity, .confirmReads(reads: 1, limit: 2),
    ]

    @Test func eachCauseHasItsExplanationLine() {
        let box = #""box":{"x":1,"y":2,"w":3,"h":4}"#
        let text = String(decoding: line(entries(causes, rules)), as: UTF8.self)
        let expected = [
            #"{"v":1,"type":"explain","pipeline":"door","time":"1970-01-01T00:00:00.066666666Z","clock":"file","#,
            #""frame":{"epoch":1,"seq":2,"pts_ns":66666666,"width":1280,"height":720,"rotation":0,"mirrored":false},"#,
            #""detector":"face","untracked":["#,
            #"{\#(box),"confidence":0.5,"cause":"invalid"},"#,
            #"{\#(box),"confidence":0.5,"cause":"below_threshold","key":"low","limit":0.25},"#,
            #"{\#(box),"confidence":0.5,"cause":"below_threshold","key":"birth","limit":0.75},"#,
            #"{\#(box),"confidence":0.5,"cause":"suppressed","overlap":0.875},"#,
            #"{\#(box),"confidence":0.5,"cause":"capacity","limit":256},"#,
            #"{\#(box),"confidence":0.5,"cause":"tentative","key":"hits","hits":1,"limit":2},"#,
            #"{\#(box),"confidence":0.5,"cause":"out_of_focus","key":"focus"},"#,
            #"{\#(box),"confidence":0.5,"cause":"unconfirmed","key":"confirm_reads","reads":1,"limit":2},"#,
            #"{\#(box),"confidence":0.5,"cause":"cooldown","key":"cooldown","limit_ms":1500},"#,
            #"{\#(box),"confidence":0.5,"cause":"same_value","key":"identity"},"#,
            #"{\#(box),"confidence":0.5,"cause":"filtered","key":"allow"},"#,
            #"{\#(box),"confidence":0.5,"cause":"filtered","key":"deny"},"#,
            #"{\#(box),"confidence":0.5,"cause":"undecoded","key":"report_undecoded"},"#,
            #"{\#(box),"confidence":0.5,"cause":"too_small","key":"min_size","limit":0.0625}],"ended":["#,
            #"{\#(box),"rule":"hits","hits":1,"limit":2},"#,
            #"{"track":"1",\#(box),"rule":"max_gap","unseen_ms":1033,"limit_ms":1000,"missed_runs":31},"#,
            #"{"track":"2",\#(box),"rule":"max_gap_frames","missed_runs":4,"limit":3},"#,
            #"{"track":"3",\#(box),"rule":"payload"},"#,
            #"{"track":"4",\#(box),"rule":"capacity","limit":256},"#,
            #"{"track":"5",\#(box),"rule":"focus"},"#,
            #"{"track":"6",\#(box),"rule":"discontinuity"},"#,
            #"{"track":"7",\#(box),"rule":"confirm_reads","reads":1,"limit":2}]}"#,
        ]
        #expect(text == expected.joined() + "\n")
    }

    private let openings: [(GateOpening.Cause, String)] = [
        (
            .change(box: Box(x: 16, y: 32, width: 16, height: 8), excess: 131, limit: 48),
            #""cause":"change","box":{"x":16,"y":32,"w":16,"h":8},"excess":131,"limit":48"#
        ),
        (.refresh(limit: 0.25), #""cause":"refresh","key":"gate.refresh","limit_ms":250"#),
        (.track, #""cause":"track""#), (.reset, #""cause":"reset""#),
    ]

    @Test func anOpeningOfTheGateHasItsExplanationLine() throws {
        for (cause, members) in openings {
            var explanation = Explanation()
            explanation.gate = GateOpening(unchanged: 14, cause: cause)
            #expect(!explanation.isEmpty)
            let line = line(explanation)
            #expect(
                String(decoding: line, as: UTF8.self).hasSuffix(
                    #""detector":"face","gate":{"unchanged":14,\#(members)},"untracked":[],"ended":[]}"# + "\n"))
            #expect(try EventSchema.violations(in: [line]) == [])
            explanation.removeAll()
            #expect(explanation.isEmpty)
        }
    }

    @Test func explanationLinesFollowTheSchema() throws {
        var impossible = Explanation()
        let box = Box(x: .nan, y: .infinity, width: -1, height: 0)
        impossible.add(Explanation.Untracked(box: box, confidence: .nan, cause: .invalid))
        #expect(try EventSchema.violations(in: [line(entries(causes, rules)), line(impossible)]) == [])
        // The schema must be able to reject a line.
        let wrong = String(decoding: line(entries(causes, rules)), as: UTF8.self)
            .replacing(#""cause":"invalid""#, with: #""cause":5"#)
        #expect(try !EventSchema.violations(in: [Array(wrong.utf8)]).isEmpty)
    }

    /// The greatest number of the longest possible entries.
    @Test func theLongestExplanationFitsInALine() {
        let wide = Box(x: -123_456.79, y: -123_456.79, width: 123_456.79, height: 123_456.79)
        var explanation = Explanation()
        for number in 0..<200 as Range<UInt64> {
            explanation.add(
                Explanation.Untracked(box: wide, confidence: 0.12345679, cause: .tentative(hits: 100, limit: 100)))
            explanation.add(
                Explanation.Ended(
                    track: TrackID(.max - number), box: wide,
                    rule: .maxGap(unseen: 31_536_000, limit: 31_536_000, runs: 1_000_000_000)))
        }
        explanation.gate = GateOpening(
            unchanged: 1_000_000_000, cause: .change(box: wide, excess: 1_000_000_000, limit: 1_000_000_000))
        let line = line(explanation)
        #expect(line.count <= EventEncoder.maximumLineBytes)
        #expect(String(decoding: line, as: UTF8.self).contains(#""omitted":100}"#))
    }

    @Test func previousAndSmoothedBoxStandInTheTrackLine() throws {
        var event = SampleEvents.trackEvent(.update, id: 9, frame: 2)
        event.track.previous = PreviousTrack(id: TrackID(4), score: 0.75)
        event.track.smoothedBox = Box(x: -10, y: 50, width: 80, height: 90)
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"))
        let update = encoder.encode(.track(event)).line
        event.phase = .completed(.gone)
        let completed = encoder.encode(.track(event)).line
        let text = String(decoding: update, as: UTF8.self)
        #expect(text.contains(#""previous_id":{"id":"4","score":0.75},"focus":true}"#))
        #expect(text.contains(#""smoothed_box":{"x":0,"y":50,"w":70,"h":90}"#))
        #expect(String(decoding: completed, as: UTF8.self).contains(#""previous_id":{"id":"4","score":0.75}"#))
        #expect(try EventSchema.violations(in: [update, completed]) == [])
    }
}
