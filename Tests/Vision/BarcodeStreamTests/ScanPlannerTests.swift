// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import VisionDetectors

@Suite struct ScanPlannerTests {
    private let limits = ScanPlanner.Limits(
        calmFill: 1, fill: 1, capacity: 6, rescue: 0.5, calmInterval: 0.15, searchInterval: 0.06)

    /// The frames, of 30 in a second, in which the whole picture is searched.
    private func scans(_ sightings: ScanPlanner.Sightings, cost: Double = 0) -> [Int] {
        var planner = ScanPlanner(limits)
        planner.streamBegan(pixels: 1000)
        return (0..<30).filter { number in
            if number > 0 { planner.frameArrived() }
            guard planner.scan(at: Double(number) / 30, sightings) != nil else { return false }
            planner.spent(cost)
            return true
        }
    }

    @Test func scansAreFrequentWhileNoSymbolIsKnown() {
        #expect(scans(.init()) == Array(stride(from: 0, to: 30, by: 2)))
    }

    @Test func scansFollowADutyCycleWhileAllSymbolsAreInView() {
        #expect(scans(.init(seen: 3)) == [0, 5, 10, 15, 20, 25])
    }

    @Test func scansAreMoreFrequentWhileASymbolIsLostOrMoves() {
        #expect(scans(.init(seen: 2, lost: 1)).count == 15)
        #expect(scans(.init(seen: 2, somethingMoves: true)).count == 15)
    }

    @Test func aMovingSymbolIsSearchedOftenButFillsTheBudgetNoFaster() {
        var planner = ScanPlanner(.adaptive)
        planner.streamBegan(pixels: 1000)
        planner.spent(1e9)
        func filled(_ sightings: ScanPlanner.Sightings) -> Double {
            _ = planner.scan(at: 0, sightings)
            let before = planner.budget
            planner.frameArrived()
            return planner.budget - before
        }
        let calm = filled(.init(seen: 1))
        #expect(abs(filled(.init(seen: 1, somethingMoves: true)) - calm) < 1e-6)
        #expect(filled(.init(seen: 1, lost: 1)) > 2 * calm)
        #expect(filled(.init()) > 2 * calm)
    }

    @Test func theScanBudgetBoundsTheCostOfFailures() {
        // A frame adds 1000 and a search costs 5000. One frame in five is searched, after the searches that the full
        // budget pays.
        let expensive = scans(.init(), cost: 5000)
        #expect(expensive.count <= 8 && expensive.count >= 6)
        // The other searches pay for the overdraft of one, but never more than the capacity.
        #expect(scans(.init(), cost: 1e9) == [0, 6, 12, 18, 24])
    }

    @Test func anotherStreamBeginsWithAFullScanBudget() {
        var planner = ScanPlanner(limits)
        planner.streamBegan(pixels: 1000)
        planner.spent(1e9)
        #expect(!planner.mayRetry(for: 0))
        planner.streamBegan(pixels: 1000)
        #expect(planner.budget == 6000)
        #expect(planner.scan(at: 0, .init(seen: 1)) == 6000)
    }

    @Test func aLostSymbolIsSearchedForWithoutABudget() {
        var planner = ScanPlanner(limits)
        planner.streamBegan(pixels: 1000)
        planner.spent(1e9)
        #expect(planner.scan(at: 0, .init(seen: 1)) == nil)
        #expect(planner.scan(at: 0, .init(seen: 1, lost: 1)) == 500)
    }

    @Test func aNewPlaceIsSearchedInTimeWhateverOtherPlacesCost() {
        for moves in [false, true] {
            var planner = ScanPlanner(limits)
            planner.streamBegan(pixels: 1000)
            var searched: [Int] = []
            for number in 0..<60 {
                if number > 0 { planner.frameArrived() }
                if let allowance = planner.scan(at: Double(number) / 30, .init(seen: 3, somethingMoves: moves)) {
                    searched.append(number)
                    planner.spent(allowance)
                }
                // Places without a read take their share, and known symbols take nearly all of a frame's addition.
                planner.spent(850)
                while planner.mayRetry(for: 700) { planner.spent(700) }
            }
            let gaps = zip(searched, searched.dropFirst()).map { $1 - $0 }
            #expect((gaps.max() ?? 99) <= 5, "\(searched)")
        }
    }

    @Test func aRetryDoesNotMakeTheNextSearchWait() {
        var planner = ScanPlanner(limits)
        planner.streamBegan(pixels: 1000)
        #expect(planner.mayRetry(for: 9000), "nothing else has used the budget")
        planner.spent(5000)
        #expect(planner.mayRetry(for: 1400) && !planner.mayRetry(for: 1600))
        // A search that is cut short goes on first.
        planner.searched(for: 900, of: 900)
        _ = planner.scan(at: 0, .init(seen: 1))
        #expect(planner.budget == 100 && !planner.mayRetry(for: 1))
    }

    @Test func closerLooksComeInTimeWhateverTheSearchesCost() {
        var planner = ScanPlanner(limits)
        planner.streamBegan(pixels: 1000)
        planner.spent(1e9)
        let looks = (0..<12).filter { number in
            let seconds = Double(number) / 30
            guard planner.mayGather(at: seconds) else { return false }
            planner.gathered(at: seconds)
            return true
        }
        #expect(looks == [0, 3, 6, 9])
    }

    @Test func scansComeOnceASecondWhileTheFocusIsInView() {
        #expect(scans(.init(seen: 1, lost: 1, somethingMoves: true, hasFocus: true)) == [0])
    }

    // MARK: Places that resist

    @Test func scanAttemptsComeInTurnAndAtDoublingIntervals() {
        var schedule = AttemptSchedule(due: 1)
        var (times, ways): ([Double], [LookingWay]) = ([], [])
        for frame in 0..<900 {
            let now = Double(frame) / 30
            if schedule.isDue(at: now) {
                times.append(now)
                ways.append(schedule.attempt(at: now))
            }
        }
        #expect(times.first == 1)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $1 > $0 - 0.04 })
        #expect(gaps.max() ?? 0 < 2.05)
        #expect(Set(ways) == Set(LookingWay.allCases))
    }

    @Test func theLedgerOfScanPlacesIsBoundedAndForgets() {
        var ledger = PlaceLedger()
        let boxes = (0..<200).map { Box(x: Float($0) * 50, y: 0, width: 40, height: 40) }
        ledger.failed(boxes, at: 0)
        #expect(ledger.entries.count == PlaceLedger.capacity)
        var due = [ledger.next(at: 0)?.box.x]
        // Changed places are due at once, and no others.
        ledger.advance(to: 0.01) { $0.x == 100 }
        due += [ledger.next(at: 0.01)?.box.x, ledger.next(at: 0.01)?.box.x]
        // The least tried first.
        due.append(ledger.next(at: 0.04)?.box.x)
        #expect(due == [nil, 100, nil, 0])
        let affordable = ledger.next(at: 0.04) { box, way in box.x > 300 && way != .global }
        #expect(affordable?.box.x == 350)
        ledger.resolved(Box(x: 45, y: 0, width: 50, height: 40))
        #expect(!ledger.entries.contains { $0.box.x == 50 })
        #expect(ledger.boxes(changed: true).map(\.x) == [100])
        ledger.advance(to: PlaceLedger.lifetime + 0.1) { _ in false }
        #expect(ledger.entries.isEmpty)
    }
}
