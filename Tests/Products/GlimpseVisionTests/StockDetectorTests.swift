// SPDX-License-Identifier: Apache-2.0
import LaneSettings
import Settings
import Testing

@testable import GlimpseVision

/// `.face()`, `.barcode()`, `.object()` and `.scene()`: their defaults, and wrong options.
@Suite struct StockDetectorTests {
    /// Without options, a program gets the detectors of a pipeline file with empty tables.
    @Test func stockDetectorsHaveTheDefaultsOfAPipelineFile() throws {
        let settings = try PipelineSettings.parse("[face]\n[barcode]\n[object]\n[scene]", source: "test:")
        let lanes: [LaneConfiguration] = [.face(), .barcode(), .object(), .scene()]
        #expect(lanes.map(\.plan) == settings.lanePlans)
        #expect(lanes.map(\.detector.name) == ["face", "barcode", "object", "scene"])
        #expect(lanes.map { ($0.detector as? StockDetector)?.configured } == settings.detectors)
    }

    @Test(arguments: [
        (LaneConfiguration.face(minSize: 1.5), "face: min_size must be 0 to 1, not 1.5"),
        (.face(confidence: .nan), "face: confidence must be 0 to 1, not nan"),
        (.face(region: Box(x: 0.5, y: 0, width: 0.6, height: 1)), "face: roi must lie inside the picture"),
        (.barcode(formats: []), "barcode: formats must not be empty"),
        (.object(maxObjects: 0), "object: max_objects must be 1 to 1000, not 0"),
        (.object(labels: ["cat"], any: true), "object: labels does not apply where any = true"),
        (.object(model: "nothing_like_it"), "object: unknown model \"nothing_like_it\""),
        (.scene(top: 1001), "scene: top must be 1 to 1000, not 1001"),
    ])
    func aDetectorWithAnOptionOutOfRangeIsNotOperational(lane: LaneConfiguration, says: String) throws {
        let error = #expect(throws: DetectorError.self) {
            try MultiDetector([lane]) { _, _ in nil }.waitUntilOperational()
        }
        #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    }

    /// A part of the picture whose numbers add up to 1 in decimals, and to more in binary.
    @Test func aRegionUpToThePicturesEdgeIsAccepted() throws {
        let lane = LaneConfiguration.barcode(region: Box(x: 0.2, y: 0.4, width: 0.8, height: 0.6))
        try MultiDetector([lane]) { _, _ in nil }.waitUntilOperational()
    }

    /// The lane takes the tracking rules that the program sets.
    @Test func theTrackingOfAStockDetectorCanBeChanged() {
        var faces = LaneConfiguration.face(minSize: 0.15)
        faces.plan.tracking.gap = .frames(limit: 3)
        faces.plan.focus = .largestFace
        faces.plan.maximumRate = 10
        #expect(faces.plan.detector == "face" && faces.plan != LaneConfiguration.face().plan)
    }
}
