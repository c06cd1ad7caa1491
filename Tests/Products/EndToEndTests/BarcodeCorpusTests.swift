// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Reads all photographs and renderings of the barcode corpus with `glimpsed detect`. No read aborts or is false. The
/// table of matches in `docs/performance/barcodes.md` is true (`UPDATE_GOLDEN=1` rewrites it).
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"), .serialized)
struct BarcodeCorpusTests {
    @Test func theDocumentedTableOfTheBarcodeCorpusIsTrue() throws {
        let folders = try Corpus.folders()
        #expect(folders.count > 30)
        var rows: [Corpus.Row] = []
        for folder in folders {
            // One process for each folder, so that an abort would name its folder.
            let images = try Detected.inImages(Corpus.images(in: folder), ["--barcode"])
            #expect(images.count == Corpus.images(in: folder).count, "\(folder): lines for all images")
            rows.append(Corpus.Row(folder: folder, results: images))
        }
        let falsePositives = rows.first { $0.folder == "falsepositives-1" }
        #expect(falsePositives?.wrong == 0, "\(falsePositives?.details ?? [])")
        let total = Corpus.Row(folder: "**all**", adding: rows)
        try GoldenBlock(file: "docs/performance/barcodes.md", name: "barcode corpus").expect(
            ["| folder | images | matches | other reads |", "|---|---|---|---|"] + (rows + [total]).map(\.markdown))
    }
}

/// Photographs of symbols with an add-on: the symbol's number, and the digits beside it.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct AddOnTests {
    @Test(arguments: ["ean13-extension-1", "upca-extension-1"])
    func theAddOnOfACorpusSymbolStandsBesideItsNumber(folder: String) throws {
        let images = Corpus.images(in: folder)
        let whole = try images.map { image in
            let text = try String(contentsOfFile: (image as NSString).deletingPathExtension + ".txt", encoding: .utf8)
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let read = try Detected.inImages(images, ["--barcode"]).map { $0.features.compactMap(\.barcode) }
        var addOns = 0
        for (whole, barcodes) in zip(whole, read) {
            let number = String(folder.hasPrefix("ean13") ? whole.prefix(13) : whole.prefix(13).dropFirst())
            for barcode in barcodes where barcode.raw == number {
                #expect(barcode.raw_base64 == Data(number.utf8).base64EncodedString())
                guard let addOn = barcode.add_on else { continue }
                #expect(number + addOn == whole.suffix(number.count + addOn.count))
                addOns += 1
            }
        }
        // Half of the photographs show their add-on well enough.
        #expect(2 * addOns >= images.count, "\(read)")
    }
}

/// The corpus on disk and the expected values of each image.
enum Corpus {
    static let root = SharedData.path("corpora/barcodes")

    static func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
                && isFolder.boolValue
        }.sorted()
    }

    static func images(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return names.filter { ["png", "jpg", "webp"].contains($0.split(separator: ".").last ?? "") }.sorted()
            .map { "\(root)/\(folder)/\($0)" }
    }

    struct Row {
        var folder: String
        var images = 0
        var matches = 0
        /// Reads that differ from the values of the corpus.
        var wrong = 0
        var details: [String] = []

        init(folder: String, results: [Detected.Image]) {
            self.folder = folder
            images = results.count
            for image in results {
                let reads = image.features.compactMap(\.barcode)
                guard let expected = Expectation(image: image.file) else {
                    // A picture with several symbols, or without a symbol, has no expected text.
                    if folder.hasPrefix("falsepositives") { wrong += reads.count }
                    if folder.hasPrefix("multi"), !reads.isEmpty { matches += 1 }
                    continue
                }
                if reads.contains(where: expected.isMet) { matches += 1 }
                let others = reads.filter { !expected.isMet($0) }
                wrong += others.count
                details += others.map { "\(image.file): \($0.format) \($0.raw ?? $0.raw_base64)" }
            }
        }

        init(folder: String, adding rows: [Row]) {
            self.folder = folder
            images = rows.map(\.images).reduce(0, +)
            matches = rows.map(\.matches).reduce(0, +)
            wrong = rows.map(\.wrong).reduce(0, +)
        }

        var markdown: String { "| \(folder) | \(images) | \(matches) | \(wrong) |" }
    }

    /// The text or the bytes beside an image.
    struct Expectation {
        private var text: String?
        private var base64: String?

        init?(image: String) {
            let base = String(image[..<(image.lastIndex(of: ".") ?? image.endIndex)])
            if let text = try? String(contentsOfFile: "\(base).txt", encoding: .utf8) {
                self.text = Self.plain(text)
            } else if let bytes = FileManager.default.contents(atPath: "\(base).bin") {
                base64 = bytes.base64EncodedString()
            } else {
                return nil
            }
        }

        func isMet(_ barcode: Detected.Barcode) -> Bool {
            if let base64 { return barcode.raw_base64 == base64 }
            guard let text else { return false }
            guard let raw = barcode.raw else {
                return Data(base64Encoded: barcode.raw_base64).map { Self.plain(String(decoding: $0, as: UTF8.self)) }
                    == text
            }
            return Self.readings(raw, barcode.add_on, barcode.format).contains(text)
        }

        /// Whether a closer look gave the right value, and the add-on is still to be read.
        func isMetButForTheAddOn(_ barcode: Detected.Barcode) -> Bool {
            guard let text, let raw = barcode.raw, barcode.add_on == nil, barcode.evidence_frames != nil else {
                return false
            }
            return Self.readings(raw, nil, barcode.format).contains { reading in
                text.hasPrefix(reading) && [2, 5].contains(text.count - reading.count)
            }
        }

        /// The forms in which the corpus may write the value of `raw`.
        private static func readings(_ raw: String, _ addOn: String?, _ format: String) -> [String] {
            let read = plain(raw)
            switch format {
            case "ean_8", "ean_13", "upc_a", "upc_e":
                // With and without the add-on; UPC-A with a leading zero, and UPC-E as the UPC-A number that it stands
                // for.
                let forms = [read, "0" + read] + (UPCE.expanded(read).map { [$0, "0" + $0] } ?? [])
                return forms + (addOn.map { addOn in forms.map { $0 + addOn } } ?? [])
            case "codabar":
                // The corpus writes start and stop characters too.
                return "ABCD".flatMap { start in "ABCD".map { stop in "\(start)\(read)\(stop)" } }
            default: return [read]
            }
        }

        private static func plain(_ text: String) -> String {
            String(text.filter { !" ()\n\r\u{1D}".contains($0) })
        }
    }
}

/// UPC-E's eight digits as the UPC-A number that they stand for (GS1 General Specifications: zero suppression).
enum UPCE {
    static func expanded(_ digits: String) -> String? {
        let d = Array(digits)
        guard d.count == 8 else { return nil }
        let body =
            switch d[6] {
            case "0", "1", "2": "\(d[1])\(d[2])\(d[6])0000\(d[3])\(d[4])\(d[5])"
            case "3": "\(d[1])\(d[2])\(d[3])00000\(d[4])\(d[5])"
            case "4": "\(d[1])\(d[2])\(d[3])\(d[4])00000\(d[5])"
            default: "\(d[1])\(d[2])\(d[3])\(d[4])\(d[5])0000\(d[6])"
            }
        return "\(d[0])\(body)\(d[7])"
    }
}
