// SPDX-License-Identifier: Apache-2.0
import Observations

/// The number in an EAN or UPC symbol: of a product or of a book.
enum ProductNumber {
    /// nil when the check digit is wrong.
    static func value(of number: TextBytes, format: Barcode.Format) -> BarcodeValue? {
        let length =
            switch format {
            case .ean13: 13
            case .upcA: 12
            default: 8
            }
        let digits = format == .upcE ? expanded(number) : Array(number)
        guard number.count == length, let digits, CheckDigits.isGS1(digits) else { return nil }
        return format == .ean13 && ISBN.isBookland(number) ? .isbn : .product
    }

    /// The UPC-A number of UPC-E's eight digits (GS1 General Specifications: zero suppression).
    static func expanded(_ number: TextBytes) -> [UInt8]? {
        let d = Array(number)
        guard d.count == 8, number.isDigits else { return nil }
        let zeros = { [UInt8](repeating: UInt8(ascii: "0"), count: $0) }
        let body: [UInt8] =
            switch d[6] {
            case UInt8(ascii: "0")...UInt8(ascii: "2"): [d[1], d[2], d[6]] + zeros(4) + [d[3], d[4], d[5]]
            case UInt8(ascii: "3"): [d[1], d[2], d[3]] + zeros(5) + [d[4], d[5]]
            case UInt8(ascii: "4"): [d[1], d[2], d[3], d[4]] + zeros(5) + [d[5]]
            default: [d[1], d[2], d[3], d[4], d[5]] + zeros(4) + [d[6]]
            }
        return [d[0]] + body + [d[7]]
    }
}
