// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Tracking

/// The payloads read in one place, frame by frame, and the events of subscribers.
@Suite struct PayloadRulesTests {
    private static let place = Box(x: 100, y: 100, width: 60, height: 60)

    private func seen(
        _ text: String?, _ format: Barcode.Format? = .itf, x: Float = 100, isFollowed: Bool = false
    ) -> Detection {
        var detection = Detection.barcode(text, x: x, y: 100)
        guard case .barcode(var barcode) = detection.content else { return detection }
        barcode.format = text == nil ? nil : format
        barcode.isFollowed = isFollowed
        detection.content = .barcode(barcode)
        if isFollowed { detection.confidence = 0.95 }
        return detection
    }

    private func tracker(_ change: (inout PayloadRules) -> Void = { _ in }) -> Tracker {
        var configuration = TrackerConfiguration.barcode
        change(&configuration.payloads)
        return Tracker(configuration)
    }

    /// The changes as text: phase, id, payload, reads.
    private func lives(_ tracker: inout Tracker, _ frames: [[Detection]], from start: Double = 0) -> [[String]] {
        frames.enumerated().map { number, detections in
            tracker.process(detections, frame: .at(start + Double(number) / 10, number: number)).map { change in
                let phase =
                    switch change.phase {
                    case .detected: "D"
                    case .update: "U"
                    case .missing: "M"
                    case .completed(let reason): "C(\(reason.rawValue))"
                    }
                return "\(phase)\(change.track.id) \(change.track.detection.text ?? "-") \(change.track.reads)"
            }
        }
    }

    @Test(arguments: [Barcode.Format.itf, .code39, .codabar, .telepen])
    func aPayloadOfAWeakSymbologyNeedsTwoEqualReads(format: Barcode.Format) {
        var tracker = tracker()
        #expect(
            lives(&tracker, [[seen("12", format)], [seen("12", format)], [seen("12", format)]]) == [
                [], ["D1 12 2", "U1 12 2"], ["U1 12 3"],
            ])
    }

    @Test func aPayloadOfAStrongSymbologyNeedsOneRead() {
        var tracker = tracker()
        #expect(lives(&tracker, [[seen("12", .ean13)]]) == [["D1 12 1", "U1 12 1"]])
    }

    /// The add-on is read in some frames only. It is not another payload, and stays known until another add-on is read.
    @Test func theAddOnOfAPayloadStaysForTheTracksLife() {
        var tracker = tracker()
        let addOns = [nil, "52595", nil, "12", nil] as [String?]
        var known: [[String?]] = []
        for (number, addOn) in addOns.enumerated() {
            var detection = seen("9780393058673", .ean13)
            guard case .barcode(var barcode) = detection.content else { continue }
            barcode.addOn = addOn
            detection.content = .barcode(barcode)
            let changes = tracker.process([detection], frame: .at(Double(number) / 10, number: number))
            known.append(changes.filter { $0.phase == .update }.map(\.track.detection.addOn))
            #expect(changes.allSatisfy { "\($0.track.id)" == "1" && $0.track.reads == number + 1 })
        }
        let located = tracker.process([seen(nil)], frame: .at(0.5, number: 5))
        known.append(located.map(\.track.detection.addOn))
        #expect(known == [[nil], ["52595"], ["52595"], ["12"], ["12"], ["12"]])
        // Another product in its place has an add-on of its own.
        let next = tracker.process([seen("4006381333931", .ean13)], frame: .at(0.6, number: 6))
        #expect(next.filter { $0.phase == .detected }.map(\.track.detection.addOn) == [nil])
    }

    @Test func aDoubtfulPayloadNeedsRepeatedReadsWithoutContradiction() {
        var tracker = tracker()
        var doubtful = seen("12", .ean13)
        doubtful.confidence = 0.9
        var misread = seen("99", .ean13)
        misread.confidence = 0.9
        #expect(lives(&tracker, [[doubtful], [doubtful]]) == [[], ["D1 12 2", "U1 12 2"]])
        // A contradicting payload needs another read.
        #expect(lives(&tracker, [[misread], [doubtful]], from: 0.2) == [["M1 12 2"], ["U1 12 3"]])
        var other = self.tracker()
        #expect(
            lives(&other, [[misread], [doubtful], [doubtful], [doubtful]]) == [[], [], [], ["D1 12 3", "U1 12 3"]])
        // A certain read is enough.
        var third = self.tracker()
        #expect(lives(&third, [[misread], [seen("12", .ean13)]]) == [[], ["D1 12 1", "U1 12 1"]])
    }

    @Test func theRequiredNumberOfReadsIsConfigurable() {
        var tracker = tracker { $0.confirmation = .reads(3) }
        let read = [seen("12", .qrCode)]
        #expect(lives(&tracker, [read, read, read]) == [[], [], ["D1 12 3", "U1 12 3"]])
    }

    @Test func aPayloadReadOnceIsNoEvent() {
        var tracker = tracker()
        // Each misread differs, like real misreads. The last one is repeated too late to count as one sighting.
        let frames = (0..<30).map { number in number % 3 == 0 ? [seen("\(number)")] : [] }
        let events = lives(&tracker, frames).joined()
        #expect(events.isEmpty)
    }

    @Test func aFollowedSymbolDoesNotCountAsARead() {
        var tracker = tracker()
        let followed = [seen("12", isFollowed: true)]
        #expect(
            lives(&tracker, [[seen("12")], followed, followed, followed, [seen("12")]]) == [
                [], [], [], [], ["D1 12 2", "U1 12 2"],
            ])
    }

    @Test func readsOfAPayloadMayBeSomeFramesApart() {
        var tracker = tracker()
        #expect(lives(&tracker, [[seen("12")], [], [], [seen("12")]]) == [[], [], [], ["D1 12 2", "U1 12 2"]])
    }

    @Test func aLocatedSymbolKeepsItsIDWhenItsPayloadIsConfirmed() {
        var tracker = tracker()
        let located = [seen(nil)]
        #expect(
            lives(&tracker, [[], located, located, located, [seen("12")], [seen("12")]]) == [
                [], [], [], ["D1 - 0", "U1 - 0"], ["U1 - 1"], ["U1 12 2"],
            ])
    }

    @Test func aMisreadInAKnownSymbolsPlaceDoesNotEndIt() {
        var tracker = tracker()
        let right = [seen("right", .code128)]
        #expect(
            lives(&tracker, [right, [seen("9")], right]) == [
                ["D1 right 1", "U1 right 1"], ["M1 right 1"], ["U1 right 2"],
            ])
        // Read three times in turn, it is another label.
        let repeated = lives(&tracker, [[seen("9")], [seen("9")], [seen("9")]], from: 0.4)
        #expect(repeated.last == ["C(payload_changed)1 right 2", "D2 9 3", "U2 9 3"])
    }

    @Test func equalValuesAreOneTrackIfConfigured() {
        var tracker = tracker { $0.identity = .value }
        let pair = [seen("a", .qrCode), seen("a", .qrCode, x: 500)]
        // The track follows the nearer symbol. When that symbol goes, the track continues with the other one.
        let lives = lives(&tracker, [pair, pair, [pair[1]], [seen("a", .qrCode, x: 3000)]])
        #expect(lives == [["D1 a 1", "U1 a 1"], ["U1 a 2"], ["U1 a 3"], ["U1 a 4"]])
    }

    @Test func theCooldownHoldsARepeatedPayloadBack() {
        var tracker = tracker { $0.cooldown = 3 }
        let label = [seen("a", .qrCode)]
        let frames = [label] + Array(repeating: [], count: 22) + Array(repeating: label, count: 40)
        let lives = lives(&tracker, frames)
        let completed = lives.firstIndex { $0.first?.hasPrefix("C") == true }
        let again = lives.firstIndex { $0.first?.hasPrefix("D2") == true }
        #expect(completed == 21)
        // The cooldown holds for three seconds at ten frames a second after the completion, though the symbol returns
        // after 0.2 s.
        #expect(again == 51 || again == 52)
        // Another value is reported at once.
        let other = self.lives(&tracker, [label + [seen("b", .qrCode, x: 900)]], from: 7)
        #expect(other.first?.first == "D3 b 1")
    }

    @Test func aHeldBackPayloadIsExplained() {
        var configuration = TrackerConfiguration.barcode
        configuration.payloads.cooldown = 3
        configuration.payloads.identity = .value
        var tracker = Tracker(configuration, explains: true)
        func causes(_ detections: [Detection], at seconds: Double) -> [Explanation.Untracked.Cause]? {
            _ = tracker.process(detections, frame: .at(seconds))
            return tracker.explanation?.untracked.map(\.cause)
        }
        #expect(causes([seen("1")], at: 0) == [.unconfirmed(reads: 1, limit: 2)])
        #expect(causes([seen("1")], at: 0.1) == [])
        let pair = [seen("1"), seen("1", x: 900)]
        #expect(causes(pair, at: 0.2) == [.sameValue])
        for step in 3...24 { _ = causes([], at: Double(step) / 10) }
        #expect(causes([seen("1")], at: 2.5) == [.unconfirmed(reads: 1, limit: 2)])
        #expect(causes([seen("1")], at: 2.6) == [.cooldown(limit: 3)])
        // A doubtful read that disappears again.
        #expect(causes([seen("1"), seen("2", x: 2000)], at: 2.7)?.last == .unconfirmed(reads: 1, limit: 2))
        var rules: [Explanation.Ended.Rule] = []
        for step in 28...60 {
            _ = causes([seen("1")], at: Double(step) / 10)
            rules += tracker.explanation?.ended.map(\.rule) ?? []
        }
        #expect(rules == [.confirmReads(reads: 1, limit: 2)])
    }

    // MARK: Predictions

    @Test func aPredictionOfATrackDoesNotChangeTheTrack() throws {
        var tracker = tracker()
        for number in 0..<10 {
            _ = tracker.process([seen("a", .qrCode, x: 100 + 20 * Float(number))], frame: .at(Double(number) / 10))
        }
        var untouched = tracker
        let hint = try #require(tracker.predicted(at: .at(1.1)).first)
        #expect(abs(hint.box.x - 320) < 8)
        #expect(hint.id == TrackID(1) && hint.detection.text == "a" && hint.missingFrames == 0 && !hint.wantsReads)
        #expect(hint.margin.x > 0)
        #expect(tracker.predicted(at: .at(1.1)).count == 1)
        let next = [seen("a", .qrCode, x: 300)]
        let (asked, unasked) = (tracker.process(next, frame: .at(1)), untouched.process(next, frame: .at(1)))
        #expect(asked == unasked)
    }

    @Test func aTentativeTrackIsPredictedAndRequestsReads() throws {
        var tracker = tracker()
        _ = tracker.process([seen("12")], frame: .at(0))
        let hint = try #require(tracker.predicted(at: .at(0.1)).first)
        #expect(hint.id == nil && hint.wantsReads && hint.detection.text == "12")
    }

    @Test func noTrackIsPredictedAcrossADiscontinuity() {
        var tracker = tracker()
        _ = tracker.process([seen("a", .qrCode)], frame: .at(0))
        #expect(tracker.predicted(at: .at(60)).isEmpty)
        #expect(tracker.predicted(at: .at(0.1, width: 640)).isEmpty)
    }
}

extension Detection {
    fileprivate var addOn: String? {
        if case .barcode(let barcode) = content { barcode.addOn } else { nil }
    }
}
