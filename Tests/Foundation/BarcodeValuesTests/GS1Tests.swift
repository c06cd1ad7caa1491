// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import BarcodeValues

@Suite struct GS1Tests {
    private static let lot =
        #"{"elements":[{"ai":"01","title":"GTIN","data":"09501101530003"},{"ai":"17","title":"USE BY or EXPIRY","data":"140704","date":"2014-07-04"},{"ai":"10","title":"BATCH/LOT","data":"AB-123"}]}"#

    static let vectors: [Vector] = [
        Vector(
            "GS1 General Specifications: data carriers", "01095011015300031714070410AB-123", .dataMatrix, "]d2",
            .gs1,
            lot),
        Vector("GS1 General Specifications: QR", "01095011015300031714070410AB-123", .qrCode, "]Q3", .gs1, lot),
        Vector(
            "GS1 General Specifications: GS1-128", "01095011015300031714070410AB-123", .code128, "]C1", .gs1, lot
        ),
        Vector(
            "GS1 General Specifications: FNC1 behind data of variable length",
            "10AB-123\u{1D}0109501101530003\u{1D}17140700", .code128, "]C1", .gs1,
            #"{"elements":[{"ai":"10","title":"BATCH/LOT","data":"AB-123"},{"ai":"01","title":"GTIN","data":"09501101530003"},{"ai":"17","title":"USE BY or EXPIRY","data":"140700","date":"2014-07"}]}"#
        ),
        Vector(
            "GS1 General Specifications, 3: weight", "01900123456789083103001750", .dataBarExpanded, "]e0", .gs1,
            #"{"elements":[{"ai":"01","title":"GTIN","data":"90012345678908"},{"ai":"3103","title":"NET WEIGHT","data":"001750","decimal":"1.750","unit":"kg"}]}"#
        ),
        Vector(
            "GS1 General Specifications, 3: price with currency", "01900123456789083932978001234", .dataBarExpanded,
            "]e0", .gs1,
            #"{"elements":[{"ai":"01","title":"GTIN","data":"90012345678908"},{"ai":"3932","title":"PRICE","data":"978001234","decimal":"12.34","currency":"978"}]}"#
        ),
        Vector(
            "GS1 General Specifications, 3: harvest dates", "7007250701250703", .dataMatrix, "]d2", .gs1,
            #"{"elements":[{"ai":"7007","title":"HARVEST DATE","data":"250701250703","date":"2025-07-01","end_date":"2025-07-03"}]}"#
        ),
        Vector(
            "GS1 General Specifications, 3: expiry with time", "70032512312359", .dataMatrix, "]d2", .gs1,
            #"{"elements":[{"ai":"7003","title":"EXPIRY TIME","data":"2512312359","date":"2025-12-31T23:59"}]}"#),
        Vector(
            "GS1 General Specifications, 7.9.5: check character pair of a GMN", "80131987654Ad4X4bL5ttr2310c2K",
            .dataMatrix,
            "]d2", .gs1, #"{"elements":[{"ai":"8013","title":"GMN","data":"1987654Ad4X4bL5ttr2310c2K"}]}"#),
        Vector(
            "GS1 General Specifications, 3: asset with serial number", "800303453120000011400A1", .dataMatrix,
            "]d2", .gs1,
            #"{"elements":[{"ai":"8003","title":"GRAI","data":"03453120000011400A1"}]}"#),
        Vector(
            "GS1 General Specifications, 7.9: SSCC", "00340123450000000001", .code128, "]C1", .text),
        Vector(
            "GS1 General Specifications, 7.9: SSCC", "00340123450000000017", .code128, "]C1", .gs1,
            #"{"elements":[{"ai":"00","title":"SSCC","data":"340123450000000017"}]}"#),
        Vector("GS1 General Specifications, 7.9: wrong check digit", "0109501101530004", .dataMatrix, "]d2", .text),
        Vector("GS1 General Specifications, 7.12: no such date", "17141304", .dataMatrix, "]d2", .text),
        Vector("GS1 General Specifications, 3: no such identifier", "05123", .dataMatrix, "]d2", .text),
        Vector("GS1 General Specifications, 3: too long", "10123456789012345678901", .dataMatrix, "]d2", .text),
        Vector("GS1 General Specifications, 7.11: no such character", "10AB#", .dataMatrix, "]d2", .text),
        Vector(
            "GS1 General Specifications, 7.9.5: wrong pair", "80131987654Ad4X4bL5ttr2310c2L", .dataMatrix, "]d2", .text),
        Vector("ISO/IEC 15424: no FNC1", "0109501101530003", .dataMatrix, "]d1", .text),
    ]

    @Test(arguments: vectors) func gs1Vectors(_ vector: Vector) { vector.check() }

    @Test func noGS1IdentifierIsAPrefixOfAnother() {
        let all = GS1Identifier.all.map(\.digits)
        #expect(Set(all).count == all.count)
        for digits in all {
            #expect((2...4).contains(digits.utf8.count))
            #expect(!all.contains { $0 != digits && $0.hasPrefix(digits) }, "\(digits)")
        }
    }

    /// The lengths that the General Specifications' table "element strings with predefined length" gives, identifier
    /// included.
    @Test func predefinedGS1LengthsAreThoseOfTheTable() {
        let table = [
            "00": 20, "01": 16, "02": 16, "03": 16, "11": 8, "12": 8, "13": 8, "15": 8, "16": 8, "17": 8, "20": 4,
            "31": 10, "32": 10, "33": 10, "34": 10, "35": 10, "36": 10, "41": 16,
        ]
        for identifier in GS1Identifier.all {
            let length = identifier.predefinedLength.map { $0 + identifier.digits.utf8.count }
            #expect(length == table[String(identifier.digits.prefix(2))], "\(identifier.digits)")
        }
    }

    /// Elements that are written and read again are equal, in any order, with FNC1 where the standard requires it.
    @Test func gs1ElementsRoundTrip() throws {
        let elements = ["0109501101530003", "10AB-123", "3103001750", "17140704", "21\"x%&'z", "400A", "39010001234"]
        for start in elements.indices {
            let order = elements[start...] + elements[..<start]
            let text = order.joined(separator: "\u{1D}")
            let value = try #require(GS1(Array(text.utf8)[...]))
            #expect(value.elements.map { $0.identifier + $0.data } == Array(order))
            #expect(value.display == value.elements.map { "(\($0.identifier))\($0.data)" }.joined())
        }
    }
}
