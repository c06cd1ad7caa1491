// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Search

/// Any objects in view, any commands, and any answers of engines or none.
@Suite struct PropertyTests {
    private struct World {
        var random: SeededRandom
        var script: SessionScript
        var open: String?

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            var random = random
            script = SessionScript(rate: [5, 10, 15, 30].randomElement(using: &random) ?? 10) { configuration in
                configuration.source = SearchConfiguration.Source.allCases.randomElement(using: &random) ?? .any
                configuration.isAutomatic = Bool.random(using: &random)
                configuration.minimumSize = Bool.random(using: &random) ? 0.2 : 0
                configuration.confirmation = Int64.random(in: 100_000_000...1_000_000_000, using: &random)
                configuration.cooldown = Bool.random(using: &random) ? 0 : 2_000_000_000
                configuration.ignoresUnknown = Bool.random(using: &random)
                configuration.hasEngine = configuration.source != .barcode || Bool.random(using: &random)
                configuration.delay = configuration.source == .barcode ? 500_000_000 : 0
                configuration.threshold = 0.5
                (configuration.timeout, configuration.resultTime, configuration.failureTime) =
                    (3_000_000_000, 2_000_000_000, 2_000_000_000)
                configuration.detectionTimeout = 5_000_000_000
            }
            self.random = random
        }

        mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

        mutating func step() {
            let isCode = script.session.configuration.source == .barcode
            let tracks = (0..<Int.random(in: 0...2, using: &random)).map { index -> Track in
                let (x, size) = (
                    Float.random(in: 0.4...0.6, using: &random), Float.random(in: 0.1...0.4, using: &random)
                )
                let id = UInt64(index + 1) + (chance(0.02) ? 10 : 0)
                let track: Track =
                    isCode
                    ? .barcode(id, at: x, size: size, text: "\(id)") : .object(id, at: x, size: size, label: "cup")
                return chance(0.1) ? track.missing : track
            }
            // The first object mostly stays in place, so that confirmations end.
            let steady: Track = isCode ? .barcode(1) : .object(1, label: "cup")
            if chance(0.05) {
                script.failures(1)
            } else if chance(0.7) {
                script.frames(1, steady)
            } else {
                script.show(tracks)
            }
            if chance(0.05) { act() }
        }

        private mutating func act() {
            let query = script.begun.last?.id ?? "1.1"
            let answers: [SearchAnswer] = [
                .results([]), .results([.result("a", 0.2)]), .results([.result("a", 0.9)]),
                .failed(SearchFailure(.network, retryable: true)), .failed(SearchFailure(.engine, retryable: false)),
            ]
            let answer = answers.randomElement(using: &random) ?? answers[0]
            switch Int.random(in: 0..<9, using: &random) {
            case 0: script.command(.search)
            case 1: script.command(.dismiss)
            case 2: script.command(.retry)
            case 3: script.command(.select(TrackID(UInt64.random(in: 1...4, using: &random))))
            case 4: script.command(.answer(query: query, answer))
            case 5: script.report(.answered(query: query, answer))
            case 6: script.report(.answered(query: "1.999", answer))
            case 7: script.report(.cropped(query: query, path: "/c.jpg"))
            default:
                script.command(.attend(false))
                script.command(.attend(true))
            }
        }
    }

    @Test(arguments: Fuzz.seeds(150)) func anyInputKeepsTheRulesOfASearchSession(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<400 { world.step() }
        let statuses = world.script.statuses
        // Each entry of the state begins exactly one search with a new id.
        let entered = zip([nil] + statuses.map(Optional.some), statuses).filter {
            $1.state == .searching && ($0?.state != .searching || $0?.query != $1.query)
        }
        if world.script.session.configuration.hasEngine {
            #expect(world.script.begun.count == entered.count)
            #expect(world.script.begun.map(\.id) == entered.map { $1.query })
        } else {
            #expect(world.script.begun.isEmpty)
        }
        #expect(Set(entered.compactMap { $1.query }).count == entered.count)
        for (before, after) in zip(statuses, statuses.dropFirst()) {
            // Progress is monotone while one object is confirmed.
            if before.state == .confirming, after.state == .confirming, before.track == after.track,
                let earlier = before.progress, let later = after.progress, later != 0
            {
                #expect(later >= earlier)
            }
            // No state is reported twice.
            #expect(before != after)
            // A result always belongs to the searched object.
            if after.state == .searched || after.state == .searchFailed {
                #expect(before.state == .searching && before.query == after.query && before.track == after.track)
            }
        }
        for status in statuses {
            if let progress = status.progress { #expect((0...1).contains(progress)) }
            #expect((status.outcome != nil) == (status.state == .searched || status.state == .searchFailed))
            #expect((status.query != nil) == [.searching, .searched, .searchFailed].contains(status.state))
        }
    }

    /// From any state, a session without objects and commands returns to `detecting`.
    @Test(arguments: Fuzz.seeds(100)) func everySearchStateHasAnExit(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<Int.random(in: 1...200, using: &world.random) { world.step() }
        world.script.frames(400)
        #expect(world.script.state == .timedOut || world.script.state == .detecting)
        // From `detecting`, an object continues the session.
        let object: Track =
            world.script.session.configuration.source == .barcode ? .barcode(50) : .object(50, label: "x")
        let told = world.script.statuses.count
        world.script.frames(60, object)
        let reached = Set(world.script.statuses.dropFirst(told).map(\.state))
        #expect(!reached.isDisjoint(with: [.searching, .confirmed]))
    }

    /// Equal inputs give equal lines.
    @Test func aSearchSessionIsAFunctionOfItsInputs() {
        for seed in 1...5 as ClosedRange<UInt64> {
            var (one, other) = (World(seed: seed), World(seed: seed))
            for _ in 0..<300 {
                one.step()
                other.step()
            }
            #expect(one.script.actions == other.script.actions)
        }
    }
}
