// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import JSONLines
import Testing

@Suite struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object(body)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func theJSONWriterKeepsTheOrderOfMembers() {
        let text = text { json in
            json.member("b", true)
            json.member("a", -7)
            json.object("o") { $0.member("f", false) }
            json.object("empty") { _ in }
            json.array("list") { json in
                json.element("x")
                json.element(1)
                json.object { $0.member("y", Float(0.5)) }
            }
            json.member(dynamicKey: "k\"", "v")
        }
        #expect(text == #"{"b":true,"a":-7,"o":{"f":false},"empty":{},"list":["x",1,{"y":0.5}],"k\"":"v"}"#)
    }

    @Test func resetEmptiesTheJSONWriter() {
        var json = JSONWriter()
        json.object { $0.member("a", 1) }
        json.reset()
        json.object { $0.member("b", 2) }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"b":2}"#)
    }

    @Test(arguments: [
        (Float(0), "0"), (-0.0, "0"), (1, "1"), (-3, "-3"), (0.1, "0.1"), (1.0 / 3, "0.33333334"),
        (16_777_215, "16777215"),
        (16_777_216, "16777216.0"), (1e-5, "1e-05"), (-123.456, "-123.456"),
        (.greatestFiniteMagnitude, "3.4028235e+38"),
        (.leastNonzeroMagnitude, "1e-45"),
    ])
    func jsonNumbersAreShortestAndExact(value: Float, expected: String) throws {
        let text = text { $0.member("n", value) }
        #expect(text == #"{"n":\#(expected)}"#)
        let parsed = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Double])
        #expect(parsed["n"].map { Float($0) } == value)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func theJSONWriterOmitsFloatsThatAreNotFinite(value: Float) {
        let text = text { json in
            json.member("a", value)
            json.member("b", 1)
        }
        #expect(text == #"{"b":1}"#)
    }

    @Test func jsonIntegersAtTheirLimits() {
        let text = text { json in
            json.member("least", Int64.min)
            json.member("most", UInt64.max)
            json.member("ten", UInt64(10_000_000_000_000_000_000))
        }
        #expect(
            text == #"{"least":-9223372036854775808,"most":18446744073709551615,"ten":10000000000000000000}"#)
    }

    @Test(arguments: [
        "plain", "quote \" and \\ and /", "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}", "\u{2028}\u{2029}",
        "é 漢 🙂 \u{1F468}\u{200D}\u{1F469}",
        "e\u{301}", "\u{FFFF}\u{10FFFF}", "\r\n",
        String(decoding: [0xED, 0xA0, 0x80, 0x41, 0xFF, 0xC3] as [UInt8], as: UTF8.self),
        "", "</script>",
    ])
    func jsonStringsReadBackEqual(string: String) throws {
        let text = text { json in
            json.member("s", string)
            json.member(dynamicKey: string, string)
        }
        #expect(text.utf8.allSatisfy { $0 >= 0x20 })
        let parsed = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
        #expect(parsed["s"]?.unicodeScalars.elementsEqual(string.unicodeScalars) == true)
        #expect(parsed.keys.contains { $0.unicodeScalars.elementsEqual(string.unicodeScalars) })
    }

    /// The vectors of RFC 4648, section 10, and one that uses the alphabet's end.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64MatchesTheVectorsOfRFC4648(plain: String, encoded: String) {
        #expect(text { $0.member("b", base64: Array(plain.utf8)) } == #"{"b":"\#(encoded)"}"#)
    }

    @Test func base64OfEveryByte() {
        let bytes = (0...255).map { UInt8($0) }.reversed() as [UInt8]
        #expect(text { $0.member("b", base64: bytes) } == #"{"b":"\#(Data(bytes).base64EncodedString())"}"#)
    }
}

/// The printer of `Float` against the standard library's.
@Suite struct ShortestDecimalTests {
    /// Every number of this form that the range has, near its ends and each power of two, and so many of the others.
    @Test func floatsPrintLikeTheirDescription() {
        var random = SeededRandom(seed: 11)
        var values = Fuzz.rounds(20_000).map { _ in Float(bitPattern: .random(in: 0...UInt32.max, using: &random)) }
        for exponent in -16...25 {
            let power = Float(sign: .plus, exponent: exponent, significand: 1)
            values += [power, power.nextUp, power.nextUp.nextUp, power.nextDown, power.nextDown.nextDown]
        }
        values += [1e-4, Float(1e-4).nextDown, 16_777_215.5]
        values += (0..<20_000).map { _ in Float(Int.random(in: 0..<1_000_000, using: &random)) / 100 }
        values += (0..<20_000).map { _ in Float.random(in: -2000...2000, using: &random) }
        for value in values where value.isFinite {
            var json = JSONWriter()
            json.element(value)
            var expected = value.description
            if value.magnitude < 16_777_216, expected.hasSuffix(".0") { expected.removeLast(2) }
            if expected == "-0" { expected = "0" }
            #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
        }
    }
}
