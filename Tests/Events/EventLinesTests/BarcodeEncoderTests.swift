// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import GlimpseTesting
import Observations
import Testing

@testable import EventLines
@testable import JSONLines

@Suite struct BarcodeEncoderTests {
    private func barcode(_ text: String, orientation: Float = 0) -> Barcode {
        let point = Point(x: 0, y: 0)
        return Barcode(
            format: .qrCode, raw: text, bytes: Array(text.utf8),
            corners: Quadrilateral(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point),
            orientation: orientation)
    }

    private func json(_ barcode: Barcode, _ encoder: inout BarcodeEncoder) -> String {
        var json = JSONWriter()
        json.object { encoder.encode(barcode, to: &$0, isCut: false) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A payload in view is parsed once, for any number of frames.
    @Test func aBarcodePayloadIsParsedOnce() {
        var encoder = BarcodeEncoder()
        let texts = (0..<BarcodeEncoder.generationPayloads).map { "geo:1,\($0)" }
        for frame in 0..<50 {
            for text in texts {
                let said = json(barcode(text, orientation: Float(frame)), &encoder)
                #expect(said.contains(#""orientation":\#(frame)}"#))
            }
        }
        #expect(encoder.parsed == texts.count)
    }

    @Test func aBarcodeWrittenAnewHasEqualBytes() {
        var encoder = BarcodeEncoder()
        for text in ["a", "geo:1,2", "a", "WIFI:S:b;;", "geo:1,2", "a"] {
            var fresh = BarcodeEncoder()
            #expect(json(barcode(text), &encoder) == json(barcode(text), &fresh))
        }
        #expect(encoder.parsed == 3)
    }

    /// Equal bytes have another meaning in another symbology or character set.
    @Test func theParsedMeaningOfABarcodeDependsOnSymbologyAndCharacterSet() {
        var encoder = BarcodeEncoder()
        var symbol = barcode("0109501101530003")
        #expect(json(symbol, &encoder).contains(#""value_format":"text""#))
        symbol.symbologyIdentifier = "]Q3"
        #expect(json(symbol, &encoder).contains(#""value_format":"gs1""#))
        symbol.raw = nil
        #expect(!json(symbol, &encoder).contains("value_format"))
    }

    /// The add-on may be read in one frame and not in the next. The payload does not change.
    @Test func theAddOnOfABarcodeStandsBesideThePayload() throws {
        var symbol = barcode("9780393058673")
        (symbol.format, symbol.symbologyIdentifier) = (.ean13, "]E0")
        var encoder = BarcodeEncoder()
        let without = json(symbol, &encoder)
        symbol.addOn = "52595"
        let with = json(symbol, &encoder)
        #expect(with.contains(#""raw":"9780393058673","#) && with.contains(#""add_on":"52595","#))
        #expect(with.replacing(#""add_on":"52595","#, with: "") == without)
        symbol.addOn = nil
        #expect(json(symbol, &encoder) == without)
    }

    @Test(arguments: ["9780393058673", "4006381333931", "4006381333932"])
    func theAddOnOfARedactedBarcodeIsRedacted(number: String) {
        var symbol = barcode(number)
        (symbol.format, symbol.addOn) = (.ean13, "52595")
        for parsesValues in [true, false] {
            var encoder = BarcodeEncoder(
                BarcodeReporting(
                    parsesValues: parsesValues, redactions: [BarcodeRedaction(.product), BarcodeRedaction(.isbn)]))
            let line = json(symbol, &encoder)
            #expect(line.contains("redacted") && !line.contains("add_on") && !line.contains("52595"))
        }
    }

    @Test func theCacheOfParsedBarcodesIsBounded() {
        var encoder = BarcodeEncoder()
        let many = BarcodeEncoder.generationPayloads * 5
        for round in 0..<2 {
            for number in 0..<many { _ = json(barcode("text \(number)"), &encoder) }
            #expect(encoder.parsed == many * (round + 1))
            #expect(encoder.remembered <= BarcodeEncoder.generationPayloads * 2)
        }
    }
}
