// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GStreamerSource
import GlimpseTesting
import ModelCatalog
import Observations
import Settings
import Testing

@testable import VisionDetectors

/// A network of the catalogue on photographs, as a lane runs it.
@Suite(.enabled(if: SharedData.has("models"))) struct ObjectDetectorTests {
    private static let labels = (0..<80).map { "class \($0)" }

    private func frame(_ name: String) throws -> Frame {
        let path = SharedData.path("corpora/coco-dev/\(name).jpg")
        let source = GStreamerSource(SourceSettings(kind: .file(path: path)))
        try source.start()
        defer { source.stop() }
        guard case .frame(let frame) = source.next(timeout: .seconds(10)) else {
            throw DetectorError("no picture in \(path)")
        }
        return frame
    }

    private func detector(
        _ network: String = "yolox_nano_416.onnx", labels: [String] = Self.labels, confidence: Double = 0.3,
        decoder: ModelDecoder = .yolox(strides: [8, 16, 32], overlap: 0.5),
        change: (inout ObjectSettings) -> Void = { _ in }
    ) throws(DetectorError) -> ObjectDetector {
        let entry = ModelEntry(
            name: "m", kind: .object, network: ModelFile(name: network),
            input: ModelInput(width: 416, height: 416, resize: .letterbox(.topLeft, padding: 114)), decoder: decoder)
        var settings = ObjectSettings()
        settings.confidence = confidence
        settings.classify = true
        change(&settings)
        return try ObjectDetector(
            entry, path: SharedData.path("models/\(network)"), labels: labels, settings: settings,
            low: Float(confidence), cacheFolder: nil)
    }

    private func label(_ detection: Detection) -> Int? {
        if case .object(let object) = detection.content { object.labels.first?.index } else { nil }
    }

    @Test func onlyObjectsInTheRegionAreDetected() throws {
        let frame = try frame("000000000025")
        let middle = Float(frame.width) / 2
        let whole = try detector().detect(in: frame)
        let found = try detector {
            $0.common.roi = RegionOfInterest(x: 0.5, y: 0, width: 0.5, height: 1)
        }.detect(in: frame)
        #expect(found.allSatisfy { $0.box.maxX >= middle && $0.box.maxX <= Float(frame.width) + 0.01 })
        // The giraffe at the right is in both regions.
        let giraffe = try #require(whole.first { $0.box.x > middle && $0.confidence ?? 0 > 0.5 })
        #expect(
            found.contains { label($0) == label(giraffe) && $0.box.intersectionOverUnion(giraffe.box) > 0.7 })
    }

    @Test func classAgnosticObjectsDoNotOverlap() throws {
        let detectors = [
            try detector(confidence: 0.02), try detector(confidence: 0.02) { $0.classAgnostic = true },
        ]
        var (perClass, agnostic) = (0, 0)
        for name in ["000000000042", "000000000061", "000000000071"] {
            let frame = try frame(name)
            perClass += try detectors[0].detect(in: frame).count
            let objects = try detectors[1].detect(in: frame)
            agnostic += objects.count
            for (index, object) in objects.enumerated() {
                // Clipping to the picture may raise what was 0.5.
                #expect(objects[..<index].allSatisfy { $0.box.intersectionOverUnion(object.box) <= 0.6 })
            }
        }
        #expect(agnostic < perClass)
    }

    @Test func anObjectNetworkOfAnotherKindIsRefused() {
        let decoders: [ModelDecoder] = [
            .yolox(strides: [8, 16, 32], overlap: 0.5), .fastestdet(overlap: 0.5),
            .ssd(.boxesAndScores, background: .none, overlap: 0.5), .softmax,
        ]
        for decoder in decoders {
            let error = #expect(throws: DetectorError.self) { try detector("yunet_s_640_640.onnx", decoder: decoder) }
            #expect(error?.description.hasPrefix("the model m cannot be used: ") == true)
        }
    }

    @Test func anObjectNetworkWithAnotherNumberOfLabelsIsRefused() {
        let error = #expect(throws: DetectorError.self) { try detector(labels: Array(Self.labels.dropLast())) }
        #expect(error?.description == "the model m has 80 classes, and 79 labels")
    }
}
