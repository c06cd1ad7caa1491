// SPDX-License-Identifier: Apache-2.0
import EventLines
import GlimpseTesting
import Observations
import Testing

/// The frame lines that a subscriber gets.
@Suite struct FrameSubscriberTests {
    private var bench = SubscriberBench()
    private var events = SampleEvents()
    private let frames = #"{"subscribe":{"frames":true}}"#

    /// - Returns: how many frames each line stands for besides its own, by the line's frame.
    private mutating func take(
        _ numbers: ClosedRange<UInt64>, kind: FeatureKind = .face, hasRoom: Bool = true
    ) -> [UInt64: Int] {
        var taken: [UInt64: Int] = [:]
        for number in numbers {
            taken[number] = bench.subscriber.takeRequested(
                events.frame(number, kind), ofPipeline: 0, hasRoom: hasRoom, bench.log, at: bench.moment)
        }
        return taken
    }

    private mutating func takeExplanation(_ number: UInt64, hasRoom: Bool = true) -> Int? {
        bench.subscriber.takeRequested(
            events.explanation(number), ofPipeline: 0, hasRoom: hasRoom, bench.log, at: bench.moment)
    }

    private func requested(_ kinds: Set<FeatureKind>) -> RequestedLines {
        bench.subscriber.requestedLines(ofPipeline: 0, kinds: kinds, bench.log)
    }

    @Test mutating func frameLinesAreSentOnRequestOnly() {
        _ = bench.connect()
        // No frame lines come before the subscriber's request is known.
        #expect(take(1...2).isEmpty && !bench.subscriber.asksForLines)
        _ = bench.request(#"{"subscribe":{"kinds":["face"]}}"#)
        #expect(take(3...4).isEmpty)
        _ = bench.request(frames)
        #expect(take(5...6) == [5: 0, 6: 0])
        _ = bench.request(#"{"subscribe":{}}"#)
        #expect(take(7...8).isEmpty)
    }

    @Test mutating func frameLinesFollowThePipelinesAndKindsOfAFilterButNotItsTypes() {
        _ = bench.connect()
        _ = bench.request(
            #"{"subscribe":{"frames":true,"kinds":["barcode"],"types":["completed"],"min_confidence":1}}"#)
        #expect(take(1...1).isEmpty && take(1...1, kind: .barcode) == [1: 0])
        #expect(requested([.barcode, .face]) == .frames)
        #expect(requested([.face]) == [])
        _ = bench.request(#"{"subscribe":{"frames":true,"pipelines":["porch"]}}"#)
        #expect(take(2...2).isEmpty && requested([.face]) == [])
        // Frame lines alone keep a pipeline on demand awake.
        _ = bench.request(#"{"subscribe":{"frames":true,"types":["config"]}}"#)
        #expect(bench.subscriber.wantsTracks(ofPipeline: 0, kinds: [.face], bench.log))
    }

    @Test mutating func frameHzBoundsTheFrameLinesOfEachDetector() {
        _ = bench.connect()
        _ = bench.request(#"{"subscribe":{"frames":true,"frame_hz":16}}"#)
        // Thirty frames a second.
        #expect(take(1...10) == [1: 0, 3: 1, 5: 1, 7: 1, 9: 1])
        #expect(take(1...1, kind: .barcode) == [1: 0])
        let refused = bench.request(#"{"subscribe":{"frame_hz":10}}"#)
        #expect(refused.last?.reason == #"subscribe.frame_hz requires "frames": true; the filter is unchanged"#)
        #expect(take(11...13) == [11: 1, 13: 1])
    }

    @Test mutating func aSlowSubscriberMissesFrameLinesAndReceivesTheirCount() {
        _ = bench.connect()
        _ = bench.request(frames)
        #expect(take(1...1) == [1: 0])
        #expect(take(2...4, hasRoom: false).isEmpty)
        #expect(take(5...5) == [5: 3])
        // The subscriber is behind the log. The frame line would come before lines that are older.
        bench.append(.detected, id: 1)
        #expect(take(6...7).isEmpty)
        #expect(bench.read().map(\.type) == ["detected"])
        #expect(take(8...8) == [8: 2])
    }

    @Test mutating func explainLinesAreSentOnRequestOnlyAndAreInNoLog() {
        _ = bench.connect()
        _ = bench.request(frames)
        #expect(takeExplanation(1) == nil && requested([.face]) == .frames)
        _ = bench.request(#"{"subscribe":{"explain":true,"types":["config"]}}"#)
        #expect(takeExplanation(2) == 0 && take(2...2).isEmpty && requested([.face]) == .explanations)
        #expect(takeExplanation(3, hasRoom: false) == nil && takeExplanation(4) == 1)
        let refused = bench.request(#"{"subscribe":{"types":["explain"]}}"#)
        #expect(refused.last?.reason == #"unknown type "explain"; the filter is unchanged"#)
        // One gate counts lines of each type.
        _ = bench.request(#"{"subscribe":{"explain":true,"frames":true,"frame_hz":16}}"#)
        #expect(take(1...3) == [1: 0, 3: 1])
        #expect(takeExplanation(1) == 0 && takeExplanation(2) == 0)
    }

    @Test mutating func aResumptionWithFrameLinesLosesNoEvents() {
        _ = bench.connect()
        bench.append(.detected, id: 1)
        bench.updates(3)
        _ = bench.request(#"{"subscribe":{"frames":true},"after":0}"#)
        #expect(take(1...2).isEmpty)
        #expect(bench.read().compactMap(\.seq) == [1, 2, 3, 4])
        #expect(take(3...3) == [3: 2])
    }
}
