import Foundation
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// Damaged parts of the corpus's pictures: an abort of the decoder ends the test run.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct CorpusFuzzTests {
    private static let pictures: [String] = {
        let root = SharedData.path("corpora/barcodes")
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let endings: Set = ["png", "jpg", "jpeg", "webp", "gif"]
        return files.filter { endings.contains(($0 as NSString).pathExtension.lowercased()) }.sorted()
            .map { "\(root)/\($0)" }
    }()

    @Test(arguments: Fuzz.seeds(200)) func damagedPicturesDoNoHarm(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let path = try #require(Self.pictures.randomElement(using: &random))
        var picture = try SymbolPicture(window: Self.frame(path), longest: 360, &random)
        for _ in 0..<Int.random(in: 1...3, using: &random) { picture.damage(&random) }
        let effort = BarcodeSettings.Effort.allCases.randomElement(using: &random) ?? .hard
        for detection in try barcodeDetector(effort).detect(in: picture.frame()) {
            let barcode = try #require(detection.barcode)
            #expect(barcode.corners.points.allSatisfy { $0.isFinite }, "\(path)")
            #expect(detection.box.isValid && detection.box.maxX <= Float(picture.width), "\(path)")
            #expect(detection.box.maxY <= Float(picture.height), "\(path)")
        }
    }

    private static func frame(_ path: String) throws -> Frame {
        let source = try PlaylistSource(SourceSettings(kind: .images(path: path)))
        try source.start()
        defer { source.stop() }
        while true {
            switch source.next(timeout: .seconds(1)) {
            case .frame(let frame): return frame
            case .nothing: continue
            case .failed(let error): throw error
            case .ended: throw Unreadable(path: path)
            }
        }
    }

    private struct Unreadable: Error {
        var path: String
    }
}

extension SymbolPicture {
    /// A window anywhere in a frame, at most `longest` pixels wide and high.
    fileprivate init(window frame: Frame, longest: Int, _ random: inout SeededRandom) {
        let (columns, rows) = (min(frame.width, longest), min(frame.height, longest))
        let left = Int.random(in: 0...frame.width - columns, using: &random)
        let top = Int.random(in: 0...frame.height - rows, using: &random)
        self.init(width: columns, height: rows, padding: Int.random(in: 0...9, using: &random))
        frame.withPlanes { planes in
            for y in 0..<rows {
                for x in 0..<columns {
                    luma[y * stride + x] = planes[0].base[(top + y) * planes[0].stride + left + x]
                }
            }
        }
    }
}
