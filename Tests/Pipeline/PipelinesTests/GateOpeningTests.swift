// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import Observations
import Synchronization
import Testing
import Tracking

@testable import Pipelines

/// A gated lane explains its gate, and lets its detector rest.
@Suite struct GateOpeningTests {
    private struct Factory: DetectorFactory {
        let name = "face"
        let kind = FeatureKind.face
        let calls: CallList

        func makeDetector() throws(DetectorError) -> LoadedDetector {
            LoadedDetector(RestingDetector(calls), region: .full)
        }
    }

    /// Finds the bright square, and notes its runs and rests.
    private final class RestingDetector: Detector {
        let calls: CallList

        init(_ calls: CallList) { self.calls = calls }

        func rest() { calls.note("rest") }

        func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
            calls.note("\(frame.info.sequence)")
            let row = frame.withPlanes { planes in
                (0..<frame.width).map { planes[0].base[100 * planes[0].stride + $0] }
            }
            guard let left = row.firstIndex(of: 255) else { return [] }
            return [
                Detection(
                    box: Box(x: Float(left), y: 90, width: 40, height: 40), confidence: 0.8, content: .face(Face()))
            ]
        }
    }

    private final class Outlet: LaneOutlet {
        var openings: [(frame: UInt64, gate: GateOpening)] = []
        var inputs: [LaneInput] = []

        func take(_ output: LaneOutput, of input: LaneInput?, stages: () -> LaneStages) {
            if let input { inputs.append(input) }
            for case .explanation(let explanation, let frame) in output.reports {
                if let gate = explanation.gate { openings.append((frame.sequence, gate)) }
            }
        }
    }

    /// Ten frames a second. The square comes in frame 25 and stays.
    private func run(
        _ delivery: MultiDetector.Delivery, explains: Bool = true, frames: Int = 70
    ) -> (outlet: Outlet, calls: [String]) {
        let calls = CallList()
        var configuration = LaneConfiguration(detector: Factory(calls: calls), tracking: .face)
        configuration.gate = GateConfiguration(refresh: 1)
        configuration.plan.explains = explains
        let outlet = Outlet()
        var worker = LaneWorker(configuration, delivery: delivery, search: nil, outlet: outlet)
        for number in 1...frames {
            var painter = FramePainter(width: 320, height: 240)
            if number >= 25 { painter.fill(Box(x: 100, y: 90, width: 40, height: 40), 255) }
            worker.process(painter.frame(number, seconds: Double(number) / 10), handedOver: .now)
        }
        return (outlet, calls.all)
    }

    @Test func anExplanationSaysWhyTheGateOpened() throws {
        let openings = run(.every).outlet.openings
        #expect(openings.map(\.frame) == [11, 21, 25, 36, 46, 56, 66])
        let refresh = GateOpening(unchanged: 9, cause: .refresh(limit: 1))
        #expect(openings[..<2].map(\.gate) == [refresh, refresh])
        guard case .change(let tile, let excess, 48) = openings[2].gate.cause else {
            Issue.record("\(openings[2])")
            return
        }
        #expect(openings[2].gate.unchanged == 3 && excess > 48)
        #expect(tile.intersectionOverUnion(Box(x: 100, y: 90, width: 40, height: 40)) > 0)
        // The track is tentative in frame 25, so the detector also runs in frame 26.
        #expect(openings[3...].allSatisfy { $0.gate == refresh })
    }

    @Test func withoutExplanationsTheOpeningsAreStillInputs() {
        let outlet = run(.every, explains: false).outlet
        #expect(outlet.openings.isEmpty)
        let frames = outlet.inputs.compactMap { input in
            if case .opened(_, let frame) = input { frame.sequence } else { UInt64?.none }
        }
        #expect(frames == [11, 21, 25, 36, 46, 56, 66])
    }

    /// A replay of the inputs gives equal explanations.
    @Test func theExplanationsAreAFunctionOfTheInputs() {
        let live = run(.every).outlet
        let again = Outlet()
        var plan = LanePlan(detector: "face", tracking: .face)
        plan.explains = true
        var lane = ReportingLane(plan, outlet: again)
        for input in live.inputs { lane.take(input) }
        #expect(again.openings.map(\.frame) == live.openings.map(\.frame))
        #expect(again.openings.map(\.gate) == live.openings.map(\.gate))
    }

    @Test func aDetectorOfALivePictureRestsAfterEachLookAtRest() {
        let calls = run(.newest).calls
        // The picture is at rest from a refresh after frames 1 and 25, in which the gate opened.
        #expect(
            calls == [
                "1", "11", "rest", "21", "rest", "25", "26", "rest", "36", "rest", "46", "rest", "56", "rest", "66",
                "rest",
            ])
    }

    @Test func aDetectorOfAFileNeverRests() {
        #expect(!run(.every).calls.contains("rest"))
    }
}

/// A list that a detector and its test share.
private final class CallList: Sendable {
    private let calls = Mutex<[String]>([])

    var all: [String] { calls.withLock(\.self) }

    func note(_ call: String) { calls.withLock { $0.append(call) } }
}
