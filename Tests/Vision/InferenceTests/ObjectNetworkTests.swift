import Detectors
import Frames
import GStreamerSource
import GlimpseTesting
import Inference
import ModelCatalog
import Observations
import Settings
import Testing

/// The networks of the catalogue on photographs.
@Suite(.enabled(if: SharedData.has("models"))) struct DetectionModelTests {
    private static let yolox = (
        path: SharedData.path("models/yolox_nano_416.onnx"),
        input: ModelInput(width: 416, height: 416, resize: .letterbox(.topLeft, padding: 114)),
        decoder: ModelDecoder.yolox(strides: [8, 16, 32], overlap: 0.5)
    )
    private static let fastestDet = (
        path: SharedData.path("models/FastestDet.onnx"),
        input: ModelInput(width: 352, height: 352, scale: [255, 255, 255]),
        decoder: ModelDecoder.fastestdet(overlap: 0.45)
    )

    private func frame(_ path: String) throws -> Frame {
        let source = GStreamerSource(SourceSettings(kind: .file(path: SharedData.path(path))))
        try source.start()
        defer { source.stop() }
        guard case .frame(let frame) = source.next(timeout: .seconds(10)) else {
            throw DetectorError("no picture in \(path)")
        }
        return frame
    }

    private func model(
        _ network: (path: String, input: ModelInput, decoder: ModelDecoder), _ score: Float, agnostic: Bool = false
    ) throws -> DetectionModel {
        try DetectionModel(
            InferenceOptions(path: network.path, input: network.input), decoder: network.decoder, labels: 80,
            selection: DetectionModel.Selection(minimumScore: score, isClassAgnostic: agnostic))
    }

    /// The network fed with a picture of its own size that was made one value at a time: what the graph does before it changes no box.
    @Test(arguments: [true, false])
    func theGraphChangesNoBox(isYOLOX: Bool) throws {
        let network = isYOLOX ? Self.yolox : Self.fastestDet
        let frame = try frame("corpora/coco-dev/000000000025.jpg")
        let found = try model(network, 0.3).detect(in: FrameView(frame))
        #expect(!found.isEmpty)
        let reference = try ReferenceDetection(frame, network.path, network.input, network.decoder, 0.25)
        for object in found {
            let isThere = reference.boxes.contains {
                $0.classIndex == object.classIndex && $0.box.intersectionOverUnion(object.box) > 0.95
                    && abs($0.score - object.score) < 0.03
            }
            #expect(isThere, "\(object)")
        }
    }

    @Test func aRegionIsSeenAlone() throws {
        let frame = try frame("corpora/coco-dev/000000000025.jpg")
        let model = try model(Self.yolox, 0.3)
        let half = FrameView(frame, region: NormalizedRegion(x: 0.5, y: 0, width: 0.5, height: 1))
        let whole = try model.detect(in: FrameView(frame))
        let found = try model.detect(in: half)
        #expect(found.allSatisfy { $0.box.maxX >= Float(half.x) && $0.box.maxX <= Float(frame.width) + 0.01 })
        // The giraffe at the right is in both.
        let giraffe = try #require(whole.first { $0.box.x > Float(half.x) && $0.score > 0.5 })
        #expect(
            found.contains { $0.classIndex == giraffe.classIndex && $0.box.intersectionOverUnion(giraffe.box) > 0.7 })
    }

    @Test func classAgnosticMeansOneThingInOnePlace() throws {
        let models = [try model(Self.yolox, 0.02), try model(Self.yolox, 0.02, agnostic: true)]
        var (perClass, agnostic) = (0, 0)
        for name in ["000000000042", "000000000061", "000000000071"] {
            let view = FrameView(try frame("corpora/coco-dev/\(name).jpg"))
            perClass += try models[0].detect(in: view).count
            let objects = try models[1].detect(in: view)
            agnostic += objects.count
            for (index, object) in objects.enumerated() {
                // Clipping to the picture may raise what was 0.5.
                #expect(objects[..<index].allSatisfy { $0.box.intersectionOverUnion(object.box) <= 0.6 })
            }
        }
        #expect(agnostic < perClass)
    }
}
