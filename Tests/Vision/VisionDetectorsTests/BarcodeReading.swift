// SPDX-License-Identifier: Apache-2.0
import Detectors
import Observations
import Settings
import Testing
import VisionDetectors

/// The barcode detector as a pipeline makes it.
func barcodeDetector(
    _ effort: BarcodeSettings.Effort, _ formats: Set<Barcode.Format> = Set(Barcode.Format.allCases)
) throws -> any Detector {
    var settings = BarcodeSettings()
    settings.effort = effort
    settings.formats = formats
    return try BarcodeDetectorFactory(settings).makeDetector().detector
}

extension Detection {
    var barcode: Barcode? {
        if case .barcode(let barcode) = content { barcode } else { nil }
    }
}

/// A drawing in each symbology that can be drawn, and the expected read.
struct DrawnSymbol: CustomTestStringConvertible {
    var format: Barcode.Format
    var drawn: String
    var read: String
    var testDescription: String { format.rawValue }

    /// - Parameter number: 0...99, to tell symbols apart.
    static func each(_ number: Int) -> [DrawnSymbol] {
        let two = number < 10 ? "0\(number)" : "\(number)"
        func same(_ format: Barcode.Format, _ text: String) -> DrawnSymbol {
            DrawnSymbol(format: format, drawn: text, read: text)
        }
        return [
            same(.qrCode, "https://example.com/\(two)"), same(.aztec, "Aztec \(two)"),
            same(.dataMatrix, "Matrix \(two)"),
            same(.pdf417, "PDF417 number \(two)"), same(.code128, "Code 128 \(two)"), same(.code39, "CODE39-\(two)"),
            same(.code93, "CODE93-\(two)"), same(.itf, "123456\(two)"),
            same(.ean13, withCheckDigit("4006381333\(two)")), same(.ean8, withCheckDigit("96385\(two)")),
            same(.upcA, withCheckDigit("036000291\(two)")),
            DrawnSymbol(format: .codabar, drawn: "A40156\(two)B", read: "40156\(two)"),
        ]
    }

    /// GS1 General Specifications, 7.9: from the right, digits weigh 3 and 1 in turn.
    private static func withCheckDigit(_ digits: String) -> String {
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            sum + (digit.element.wholeNumberValue ?? 0) * (digit.offset % 2 == 0 ? 3 : 1)
        }
        return digits + String((10 - sum % 10) % 10)
    }
}
