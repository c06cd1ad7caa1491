// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Installation
import Pipelines
import Settings
import Testing
import Tracking

@testable import Assembly

/// The tracker gets the values that the page of tracking documents.
@Suite struct TrackingDefaultsTests {
    private func tracking(_ detector: String, _ text: String = "") throws -> TrackerConfiguration {
        let settings = try PipelineSettings.parse("[source]\nkind = \"test\"\n[\(detector).tracking]\n\(text)\n")
        let lane = try #require(settings.lanes(models: ResourceFolders.ofThisProcess().models).first)
        return lane.plan.tracking
    }

    /// A row of the presets' table: face, barcode, object.
    private func row(_ key: String) throws -> [String] {
        let page = try String(contentsOfFile: "\(Checkout.root)/docs/reference/config-tracking.md", encoding: .utf8)
        let presets = try #require(page.components(separatedBy: "\nThe values of the presets:\n").last)
        let line = try #require(presets.components(separatedBy: "\n").first { $0.hasPrefix("| `\(key)` |") })
        return line.components(separatedBy: "|").dropFirst(2).prefix(3).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func theDocumentedTableOfTrackingDefaultsIsTrue() throws {
        for (column, detector) in ["face", "barcode", "object"].enumerated() {
            let configuration = try tracking(detector)
            guard case .time(let gap) = configuration.gap else {
                Issue.record("\(detector) has no time rule")
                continue
            }
            func number(_ value: Float) -> String { "\(value)" }
            let values = [
                ("hits", "\(configuration.hits)"), ("max_gap", "\(Int(gap)) s"), ("low", number(configuration.low)),
                ("high", number(configuration.high)), ("birth", number(configuration.birth)),
                ("certain", number(configuration.certainScore)), ("capacity", "\(configuration.capacity)"),
                ("camera_shift", "`\(configuration.cameraShift)`"),
                ("smoothed_box", "`\(configuration.smoothedBox)`"),
            ]
            if detector == "barcode" { #expect(try row("reentry")[1] == "\(Int(configuration.reentry)) s") }
            if detector == "face" {
                #expect(try row("smoothed_landmarks")[0] == "`\(configuration.faces.isSmoothed)`")
                #expect(try row("landmark_hold")[0] == "\(Int(configuration.faces.hold)) s")
            }
            for (key, value) in values { #expect(try row(key)[column] == value, "\(detector) \(key)") }
        }
    }

    @Test func eachKeyOfTrackingReachesTheTracker() throws {
        let text = """
            low = 0.2
            high = 0.4
            birth = 0.5
            certain = 0.95
            hits = 4
            max_gap_frames = 7
            capacity = 12
            camera_shift = false
            smoothed_box = true
            confusable = [["car", "truck"]]
            """
        var expected = TrackerConfiguration.object
        (expected.low, expected.high, expected.birth, expected.certainScore) = (0.2, 0.4, 0.5, 0.95)
        (expected.hits, expected.gap, expected.capacity) = (4, .frames(limit: 7), 12)
        (expected.cameraShift, expected.smoothedBox) = (false, true)
        expected.confusables = [["car", "truck"]]
        (expected.marksProminent, expected.reportLimit, expected.completeHits) = (true, 5, 3)
        #expect(try tracking("object", text) == expected)
    }

    private func plan(_ text: String) throws -> LanePlan {
        let settings = try PipelineSettings.parse("[source]\nkind = \"test\"\n[object]\n\(text)\n")
        return try #require(settings.lanes(models: ResourceFolders.ofThisProcess().models).first).plan
    }

    @Test func trackingDefaultsOfObjects() throws {
        #expect(try plan("").focus == .none)
        #expect(try plan("multiple = false").focus == .prominent)
        #expect(try plan("multiple = false\ntracking.focus = \"central\"").focus == .central)
        #expect(try plan("max_objects = 12").tracking.reportLimit == 12)
        // No track lives longer than one frame.
        var single = try plan("").tracking.untracked
        single.completeHits = 0
        #expect(try plan("mode = \"single\"").tracking == single)
        #expect(try plan("confidence = 0.3").tracking.birth == 0.3)
        #expect(try plan("max_rate = 4").maximumRate == 4)
    }

    @Test func eachKeyOfFacesReachesTheTracker() throws {
        var expected = TrackerConfiguration.face
        (expected.faces.isSmoothed, expected.faces.hold) = (false, 0.25)
        #expect(try tracking("face", "smoothed_landmarks = false\nlandmark_hold = \"250ms\"") == expected)
        #expect(try tracking("face", "enabled = false") == TrackerConfiguration.face.untracked)
        #expect(try tracking("face", "enabled = true") == .face)
    }

    @Test func reentryReachesTrackersOfBarcodesAndScenes() throws {
        #expect(try tracking("barcode", "reentry = \"3s\"").reentry == 3)
        #expect(try tracking("scene", "reentry = \"3s\"").reentry == 3)
    }

    /// A confidence that starts a track must also continue it.
    @Test func oneTrackingThresholdMovesTheOther() throws {
        let high = try tracking("face", "high = 0.8")
        #expect((high.high, high.birth) == (0.8, 0.8))
        let birth = try tracking("face", "birth = 0.4")
        #expect((birth.high, birth.birth) == (0.4, 0.4))
        let preset = try tracking("face", "preset = \"barcode\"\nlow = 0.1")
        #expect((preset.low, preset.high, preset.hits) == (0.1, 0.5, 3))
    }
}
