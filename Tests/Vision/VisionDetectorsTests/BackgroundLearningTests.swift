// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import VisionDetectors

@Suite struct BackgroundLearningTests {
    private func learning(_ stillAfter: Double = 30) -> BackgroundLearning {
        BackgroundLearning(stillAfter: stillAfter, backgroundShare: 0.9)
    }

    /// A thing that has not moved for `stillAfter` has more than the tenth that the background leaves over, at any
    /// rate.
    @Test(arguments: [2.0, 10, 29.97, 60])
    func aStillObjectBecomesBackgroundAfterItsTime(rate: Double) {
        for stillAfter in [5.0, 30] {
            var learning = learning(stillAfter)
            var share = 0.0
            var isBackgroundAt: Double?
            for number in 0...Int(60 * rate) {
                let seconds = Double(number) / rate
                let weight = learning.rate(at: seconds)
                guard seconds >= 10 else { continue }
                share += weight * (1 - share)
                if share > 0.1, isBackgroundAt == nil { isBackgroundAt = seconds - 10 }
            }
            #expect(abs((isBackgroundAt ?? 0) - stillAfter) <= 1.1 / rate, "\(stillAfter)")
        }
    }

    @Test func theFirstPicturesCountEquallyForTheBackground() {
        var learning = learning()
        for number in 0..<5 {
            let rate = learning.rate(at: Double(number) / 10)
            #expect(rate == 1 / Double(number + 1))
        }
        let steady = learning.rate(at: 0.5)
        #expect(steady < 0.001)
    }

    @Test func noMotionIsReportedWhileTheBackgroundWarmsUp() {
        var learning = learning()
        let told = (0..<10).map { number in
            _ = learning.rate(at: Double(number) / 10)
            return learning.isTrusted(moving: 0.1)
        }
        #expect(told == [false, false, false, false, false, true, true, true, true, true])
    }

    @Test func aChangeOfLightOrTimeResetsTheBackground() {
        for jump in [2.0, 100, -3] {
            var learning = learning()
            for number in 0...20 { _ = learning.rate(at: Double(number) / 10) }
            let isAnotherLight = jump == 2
            let isTrusted = learning.isTrusted(moving: isAnotherLight ? 0.9 : 0.1)
            #expect(isTrusted != isAnotherLight)
            let rate = learning.rate(at: 2 + (isAnotherLight ? 0.1 : jump))
            #expect(rate == 1)
            let isTrustedAtOnce = learning.isTrusted(moving: 1)
            #expect(!isTrustedAtOnce)
        }
    }
}
