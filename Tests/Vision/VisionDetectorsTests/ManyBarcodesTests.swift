// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

/// Every symbology anywhere in the frame, and many in one frame.
@Suite struct ManyBarcodesTests {
    private static let columns = 4
    private static let rows = 4

    /// Sixteen symbols of one symbology in a frame, within the budget of video.
    @Test(arguments: [Barcode.Format.qrCode, .dataMatrix, .aztec, .ean13])
    func sixteenBarcodesInOneFrameAreRead(_ format: Barcode.Format) throws {
        var picture = SymbolPicture(width: 1280, height: 960)
        var expected: [String] = []
        for number in 0..<Self.columns * Self.rows {
            let symbol = try #require(DrawnSymbol.each(number + 10).first { $0.format == format })
            try picture.paint(
                symbol.drawn, as: symbol.format,
                center: Point(x: Float(160 + number % 4 * 320), y: Float(120 + number / 4 * 240)),
                module: format == .ean13 ? 2 : 4)
            expected.append(symbol.read)
        }
        let found = try barcodeDetector(.adaptive).detect(in: picture.frame()).compactMap { $0.barcode?.raw }
        #expect(found.sorted() == expected.sorted())
    }

    /// A detector that is asked for some symbologies reads no other.
    @Test func onlyConfiguredBarcodeFormatsAreRead() throws {
        var picture = SymbolPicture(width: 640, height: 480)
        try picture.paint("wanted", as: .qrCode, center: Point(x: 160, y: 240), module: 5)
        try picture.paint("unwanted", as: .dataMatrix, center: Point(x: 480, y: 240), module: 6)
        let found = try barcodeDetector(.hard, [.qrCode]).detect(in: picture.frame()).compactMap { $0.barcode?.raw }
        #expect(found == ["wanted"])
    }
}
