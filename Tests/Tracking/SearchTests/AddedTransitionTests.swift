// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import Search

/// The rows that 2.3 of `object-detection-and-search.md` adds to the table of states, and the faults of the originals
/// that it names.
@Suite struct AddedTransitionTests {
    private let second = 10
    private let center = Track.object(1)
    private let aside = Track.object(1, at: 0.9, 0.9, size: 0.1)

    @Test("+TOO_SMALL: progress to the size, move closer; large -> CONFIRMING; off -> DETECTED; gone -> DETECTING")
    func aTooSmallObjectIsNotSearched() {
        var script = SessionScript { $0.minimumSize = 0.2 }
        let small = Track.object(1, size: 0.1)
        script.frames(3, small)
        #expect(script.state == .tooSmall && script.last?.progress == 0.5 && script.last?.hint == .moveCloser)
        script.frames(1, center)
        #expect(script.state == .confirming && script.last?.progress == 0)
        // A size smaller by a tenth does not change the state.
        script.frames(2, .object(1, size: 0.185))
        #expect(script.state == .confirming)
        script.frames(1, .object(1, size: 0.17))
        #expect(script.state == .tooSmall)
        script.frames(1, aside)
        #expect(script.state == .detected)
        script.frames(1, small)
        script.frames()
        #expect(script.state == .detecting)
    }

    @Test("+TIMED_OUT: no object for long -> help; an object, dismiss or retry leave it") func aSearchThatTimesOut() {
        var script = SessionScript()
        script.frames(300)
        #expect(script.state == .detecting)
        script.frames(1)
        #expect(script.state == .timedOut && script.last?.hint == .help)
        for command in [SearchCommand.dismiss, .retry] {
            var other = script
            other.command(command)
            #expect(other.state == .detecting)
        }
        script.frames(1, center)
        #expect(script.state == .confirming)
    }

    @Test("+SEARCH_FAILED: reason, retry; dismiss; by itself after the stated time")
    func aFailedSearchIsRetriedOnCommand() {
        var script = SessionScript.searching()
        script.fail(SearchFailure(.network, retryable: true, message: "no route"))
        #expect(script.state == .searchFailed && script.last?.hint == .network)
        var other = script
        other.command(.retry)
        #expect(other.state == .searching && other.begun.map(\.id) == ["1.1", "1.2"])
        #expect(other.begun[1].frame == other.begun[0].frame)
        other = script
        other.command(.dismiss)
        #expect(other.state == .detecting)
        script.frames(99)
        #expect(script.state == .searchFailed)
        script.frames()
        #expect(script.state == .detecting)
    }

    @Test("+SEARCH_FAILED: a retry of a permanent failure is refused") func aSearchFailureThatIsNotRetryable() {
        var script = SessionScript.searching()
        script.fail(SearchFailure(.engine, retryable: false))
        script.command(.retry)
        #expect(script.state == .searchFailed && script.last?.hint == .failed && script.refusals.count == 1)
    }

    @Test("iOS never leaves the state if a search has no end. Glimpse times out") func theTimeoutOfASearch() {
        var script = SessionScript.searching()
        script.frames(99)
        #expect(script.state == .searching)
        script.frames()
        #expect(script.state == .searchFailed && script.actions.contains(.cancel(query: "1.1")))
        #expect(script.last?.outcome == .failed(SearchFailure(.timeout, retryable: true, message: "no answer in time")))
    }

    @Test("Android stalls for good after one detector error. Glimpse continues")
    func detectorErrorsInASearchSession() {
        var script = SessionScript()
        script.frames(5, center)
        script.failures(5)
        script.frames(6, center)
        #expect(script.state == .searching)
        script.failures(100)
        #expect(script.state == .searchFailed)
        script.failures(100)
        #expect(script.state == .detecting)
        script.failures(301)
        #expect(script.state == .timedOut)
    }

    @Test("results: ordered, over the threshold, top only; no results differ from low confidence")
    func judgementsOfSearchResults() {
        func outcome(_ results: [SearchResult], _ change: (inout SearchConfiguration) -> Void = { _ in })
            -> SearchStatus?
        {
            var script = SessionScript.searching {
                $0.threshold = 0.5
                change(&$0)
            }
            script.report(.answered(query: "1.1", .results(results)))
            return script.last
        }
        #expect(outcome([])?.outcome == .noResults && outcome([])?.hint == .noResults)
        let unsure = outcome([.result("a", 0.4)])
        #expect(unsure?.outcome == .lowConfidence && unsure?.hint == .lowConfidence && unsure?.state == .searched)
        let some: [SearchResult] = [.result("a", 0.5), .result("c", 0.9), .result("b", 0.9), .result("d", 0.1)]
        #expect(
            outcome(some)?.outcome == .results([.result("b", 0.9), .result("c", 0.9), .result("a", 0.5)]))
        #expect(outcome(some) { $0.topOnly = true }?.outcome == .results([.result("b", 0.9)]))
        #expect(outcome([.result("a", .nan), .result("", 1)])?.outcome == .noResults)
    }

    @Test("a search without results may be retried, a search with results may not") func aRetryOfAFinishedSearch() {
        var script = SessionScript.searching()
        script.answer()
        script.command(.retry)
        #expect(script.begun.count == 2)
        script.answer(.result("a", 1))
        script.command(.retry)
        #expect(script.begun.count == 2 && script.refusals == ["retry: the search has its results"])
    }

    @Test("ignore_unknown: objects without a known class are ignored") func unknownObjectsAreIgnoredBySearches() {
        for (object, isThere) in [
            (Track.object(1), false), (.object(1, label: "N/A"), false), (.object(1, category: .unknown), false),
            (.object(1, label: "cup"), true), (.object(1, category: .food), true),
        ] {
            var script = SessionScript { $0.ignoresUnknown = true }
            script.frames(1, object)
            #expect(script.state == (isThere ? .confirming : .detecting))
        }
    }

    @Test("a short absence is held, but an absent object is not confirmed") func theHoldOfASearchState() {
        var script = SessionScript()
        script.frames(15, center)
        var missing = center.missing
        missing.lastSeen = Timestamp(nanoseconds: 1_400_000_000)
        script.frames(2, missing)
        #expect(script.state == .confirming && script.begun.isEmpty)
        var other = script
        other.frames(1, center)
        #expect(other.state == .searching)
        script.frames(1, missing)
        #expect(script.state == .detecting)
    }

    @Test("select: any live track, as if on the reticle, until it is gone") func aSearchOfASelectedTrack() {
        var script = SessionScript()
        let beside = Track.object(5, at: 0.85, size: 0.1)
        script.frames(3, center, beside)
        script.command(.select(TrackID(5)))
        script.frames(16, center, beside)
        #expect(script.begun.map(\.track) == [TrackID(5)])
        script.command(.select(TrackID(77)))
        #expect(script.refusals == ["select: not in state searching"])
        script.command(.dismiss)
        script.frames(1, center)
        script.command(.select(TrackID(77)))
        #expect(script.refusals.last == "select: track 77 is not live")
    }

    @Test("the crop is reported when it is complete") func theCropOfASearch() {
        var script = SessionScript.searching()
        script.report(.cropped(query: "1.1", path: "/state/1.1.jpg"))
        #expect(script.state == .searching && script.last?.crop == "/state/1.1.jpg")
        script.fail(SearchFailure(.network, retryable: true))
        script.command(.retry)
        #expect(script.begun.last?.crop == "/state/1.1.jpg")
    }

    @Test("a restart of time does not stall the session") func timeJumpsInASearchSession() {
        var script = SessionScript.searching()
        var earlier = SessionScript.info(1, interval: script.interval)
        earlier.epoch = 2
        script.note(script.withSession { $0.receive([], frame: earlier) })
        earlier.presentationTime = 10_000_000_000
        script.note(script.withSession { $0.receive([], frame: earlier) })
        #expect(script.state == .searchFailed)
    }
}
