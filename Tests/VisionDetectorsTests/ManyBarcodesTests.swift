import Observations
import Testing

/// Every symbology anywhere in the frame, and many in one frame.
@Suite struct ManyBarcodesTests {
    private static let columns = 4
    private static let rows = 4

    /// Sixteen symbols in a frame: all of one symbology, or one after the other of all.
    @Test(arguments: [Barcode.Format.qrCode, .dataMatrix, .aztec, .code128, .ean13, nil])
    func sixteenInOneFrame(_ only: Barcode.Format?) throws {
        var picture = SymbolPicture(width: 1280, height: 960)
        var expected: [String] = []
        for number in 0..<Self.columns * Self.rows {
            let symbols = DrawnSymbol.each(number + 10)
            let symbol = symbols.first { $0.format == only } ?? symbols[number % symbols.count]
            let isSquare = [.qrCode, .dataMatrix, .aztec].contains(symbol.format)
            let isLong = [.pdf417, .code39].contains(symbol.format)
            try picture.paint(
                symbol.drawn, as: symbol.format,
                center: Point(x: Float(160 + number % 4 * 320), y: Float(120 + number / 4 * 240)),
                module: isSquare ? 4 : isLong ? 1.5 : 2)
            expected.append(symbol.read)
        }
        let found = try barcodeDetector(.adaptive).detect(in: picture.frame()).compactMap { $0.barcode?.raw }
        #expect(found.sorted() == expected.sorted())
    }

    /// A detector that is asked for some symbologies reads no other.
    @Test func onlyWhatIsAskedFor() throws {
        var picture = SymbolPicture(width: 640, height: 480)
        try picture.paint("wanted", as: .qrCode, center: Point(x: 160, y: 240), module: 5)
        try picture.paint("unwanted", as: .dataMatrix, center: Point(x: 480, y: 240), module: 6)
        let found = try barcodeDetector(.hard, [.qrCode]).detect(in: picture.frame()).compactMap { $0.barcode?.raw }
        #expect(found == ["wanted"])
    }
}
