// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import Search

/// Times are exact to one frame: each event happens on the first frame at or after its time, at any frame rate.
@Suite struct TimingTests {
    private static func frames(_ seconds: Double, _ interval: Int64) -> UInt64 {
        let time = Int64((seconds * 1e9).rounded())
        return UInt64((time + interval - 1) / interval)
    }

    @Test(arguments: [5.0, 15, 30]) func everyTimeOfASearchSession(rate: Double) throws {
        var script = SessionScript(rate: rate)
        script.frames(1, .object(1))
        while script.state != .searching, script.number < 10_000 { script.frames(1, .object(1)) }
        let confirmed = script.number
        #expect(confirmed - 1 == Self.frames(1.5, script.interval))
        while script.state != .searchFailed, script.number < 10_000 { script.frames() }
        let failed = script.number
        #expect(failed - confirmed == Self.frames(10, script.interval))
        while script.state != .detecting, script.number < 10_000 { script.frames() }
        let live = script.number
        #expect(live - failed == Self.frames(10, script.interval))
        while script.state != .timedOut, script.number < 10_000 { script.frames() }
        #expect(script.number - live == Self.frames(30, script.interval))
    }

    @Test(arguments: [5.0, 15, 30]) func theManualAndTheMultiConfirmationOfASearch(rate: Double) {
        for (nanoseconds, isAutomatic, source) in [
            (500_000_000, false, SearchConfiguration.Source.prominent), (300_000_000, true, .any),
        ] as [(Int64, Bool, SearchConfiguration.Source)] {
            var script = SessionScript(rate: rate) {
                ($0.confirmation, $0.isAutomatic, $0.source) = (nanoseconds, isAutomatic, source)
            }
            while script.state != .confirmed, script.state != .searching, script.number < 100 {
                script.frames(1, .object(1))
            }
            #expect(script.number - 1 == Self.frames(Double(nanoseconds) / 1e9, script.interval))
        }
    }

    @Test(arguments: [5.0, 15, 30]) func theSearchDelayOfBarcodes(rate: Double) {
        var script = SessionScript(rate: rate) {
            ($0.source, $0.hasEngine, $0.delay) = (.barcode, false, 2_000_000_000)
        }
        while script.state != .searched, script.number < 1000 { script.frames(1, .barcode(1)) }
        #expect(script.number - 1 == Self.frames(2, script.interval))
    }

    /// Progress comes at five lines a second of frame time, whatever the frame rate.
    @Test(arguments: [5.0, 15, 30]) func progressOfASearchIsBounded(rate: Double) {
        var script = SessionScript(rate: rate)
        script.frames(Int(rate * 3 / 2), .object(1))
        let told = script.statuses.filter { $0.state == .confirming }
        #expect((6...8).contains(told.count))
        for (earlier, later) in zip(told, told.dropFirst()) {
            #expect(later.frame.presentationTime - earlier.frame.presentationTime >= SearchSession.tellingInterval)
        }
    }
}
