// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import BarcodeValues

@Suite struct ProductTests {
    static let vectors: [Vector] = [
        Vector("GS1 General Specifications, 7.9", "4006381333931", .ean13, "]E0", .product),
        Vector("GS1 General Specifications, 7.9", "96385074", .ean8, "]E4", .product),
        Vector("GS1 General Specifications, 7.9", "036000291452", .upcA, "]E0", .product),
        Vector("GS1 General Specifications: UPC-E, zero suppression", "04252614", .upcE, "]E0", .product),
        Vector("GS1 General Specifications, 7.9: wrong check digit", "4006381333932", .ean13, "]E0", .text),
        Vector("GS1 General Specifications, 7.9: wrong check digit", "04252615", .upcE, "]E0", .text),
        Vector("ISO 2108", "9783161484100", .ean13, "]E0", .isbn),
        Vector(
            "GS1 General Specifications: an add-on is no part of the number", "9771234567003 02", .ean13, "]E3", .text),
        Vector("ISO 10957: 979-0 is printed music", "9790260000438", .ean13, "]E0", .product),
        Vector("ISO 2108", "ISBN 0-306-40615-2", .isbn),
        Vector("ISO 2108: X", "ISBN 0-8044-2957-X", .isbn),
        Vector("ISO 2108", "ISBN-13: 978-0-306-40615-7", .isbn),
        Vector("RFC 8254", "urn:isbn:9780306406157", .isbn),
        Vector("ISO 2108: wrong check digit", "ISBN 0-306-40615-3", .text),
        Vector("ISO 2108: a number alone is not marked", "0306406152", .text),
        Vector("only EAN and UPC symbols hold products", "4006381333931", .code128, "]C0", .text),
    ]

    @Test(arguments: vectors) func productVectors(_ vector: Vector) { vector.check() }

    /// ISO 2108, and GS1 General Specifications, 7.9.1: one wrong digit is always found.
    @Test func everySingleWrongDigitOfAProductNumberIsFound() {
        for number in ["4006381333931", "9783161484100"] {
            for place in number.indices {
                for digit in "0123456789" where digit != number[place] {
                    var wrong = number
                    wrong.replaceSubrange(place...place, with: String(digit))
                    #expect(ProductNumber.value(of: Array(wrong.utf8)[...], format: .ean13) == nil)
                }
            }
        }
    }
}
