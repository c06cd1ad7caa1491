// SPDX-License-Identifier: Apache-2.0
@testable import DiskJournal
import Testing

struct CommitMarginTests {
    private let sync = Duration.milliseconds(200)

    @Test func aCommitBeginsEarlierByItsDuration() {
        var margin = CommitMargin()
        #expect(margin.wait(sync) == sync)
        margin.note(.milliseconds(30))
        #expect(margin.wait(sync) == .milliseconds(170))
        margin.note(.milliseconds(50))
        #expect(margin.wait(sync) == .milliseconds(150))
    }

    @Test func theMarginShrinksAfterASlowCommit() {
        var margin = CommitMargin()
        margin.note(.milliseconds(80))
        margin.note(.milliseconds(1))
        #expect(margin.wait(sync) == .milliseconds(130))
        for _ in 0..<60 { margin.note(.milliseconds(1)) }
        #expect(margin.wait(sync) == .milliseconds(199))
    }

    @Test func theMarginOfASlowDiskIsAtMostHalfTheInterval() {
        var margin = CommitMargin()
        margin.note(.seconds(3))
        #expect(margin.wait(sync) == .milliseconds(100))
    }
}
