// SPDX-License-Identifier: Apache-2.0
@testable import Daemon
import Testing

@Suite struct ServiceSummaryTests {
    @Test(
        arguments: [
            ([], 0, "no pipelines; 0 subscribers"),
            ([.init(name: "a", state: "connected")], 1, "1 pipeline: 1 running; 1 subscriber"),
            (
                [
                    .init(name: "a", state: "retrying", error: "refused"), .init(name: "b", state: "connected"),
                    .init(name: "c", state: "disabled", error: "it crashes"), .init(name: "d", state: "connected"),
                ], 4, "4 pipelines: 2 running, 1 disabled, 1 retrying (a: refused); 4 subscribers"
            ),
            (
                [.init(name: "a", state: "connected", failedDetectors: ["face"], error: "old")], 0,
                "1 pipeline: 1 running in part (a: face does not work); 0 subscribers"
            ),
            ([.init(name: "a", state: "paused", error: "old")], 0, "1 pipeline: 1 paused; 0 subscribers"),
            ([.init(name: "a", state: "lost")], 0, "1 pipeline: 1 lost (a); 0 subscribers"),
        ] as [([ServiceSummary.Pipeline], Int, String)])
    func theServiceStatusIsOneLine(pipelines: [ServiceSummary.Pipeline], subscribers: Int, text: String) {
        #expect(ServiceSummary(pipelines: pipelines, subscribers: subscribers).text == text)
    }

    @Test func aLongErrorInTheServiceStatusIsCut() {
        let pipelines = [ServiceSummary.Pipeline(name: "a", state: "lost", error: String(repeating: "x", count: 5000))]
        #expect(ServiceSummary(pipelines: pipelines, subscribers: 0).text.count < 200)
    }
}

@Suite struct ReadinessTests {
    private let start = ContinuousClock.now

    @Test func theServiceIsReadyOnceEveryPipelineHasReported() {
        var readiness = Readiness(at: start)
        #expect(readiness.isReached(["connected", "connecting"], at: start) == false)
        #expect(readiness.isReached(["connected", "retrying"], at: start) == true)
        #expect(readiness.isReady)
        #expect(readiness.isReached(["connected"], at: start) == false)
    }

    @Test func theServiceIsReadyWithoutPipelinesAndDespiteASlowCamera() {
        var empty = Readiness(at: start)
        #expect(empty.isReached([], at: start) == true)
        var slow = Readiness(at: start)
        #expect(slow.isReached(["connecting"], at: start + Readiness.patience - .milliseconds(1)) == false)
        #expect(slow.isReached(["connecting"], at: start + Readiness.patience) == true)
    }
}
