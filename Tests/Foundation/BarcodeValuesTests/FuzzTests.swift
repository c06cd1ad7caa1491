// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import BarcodeValues

/// With any bytes, no parser ends the process, each result is well formed, and equal payloads give equal results.
@Suite struct FuzzTests {
    /// A parser with payloads of its format. The test damages these payloads.
    struct Subject: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let vectors: [Vector]
        let parse: @Sendable (TextBytes) -> ValueFields?

        init(_ name: String, _ vectors: [Vector], _ parse: @escaping @Sendable (TextBytes) -> ValueFields?) {
            testDescription = name
            self.vectors = vectors
            self.parse = parse
        }
    }

    static let subjects: [Subject] = [
        Subject("contact", ContactTests.vectors) { Contact($0)?.fields },
        Subject("email", MessageTests.vectors) { Email($0)?.fields ?? Email(bareAddress: $0)?.fields },
        Subject("isbn", ProductTests.vectors) {
            _ = ISBN.isMarked($0)
            return nil
        },
        Subject("phone", MessageTests.vectors) { Phone($0)?.fields },
        Subject("product", ProductTests.vectors) { text in
            for format in Barcode.Format.allCases { _ = ProductNumber.value(of: text, format: format) }
            return nil
        },
        Subject("sms", MessageTests.vectors) { SMS($0)?.fields },
        Subject("url", WebTests.vectors) { URLBookmark($0)?.fields },
        Subject("wifi", WiFiTests.vectors) { WiFi($0)?.fields },
        Subject("geo", WebTests.geo) { GeoPoint($0)?.fields },
        Subject("calendar_event", CalendarTests.vectors) { CalendarEvent($0)?.fields },
        Subject("driver_license", DriverLicenseTests.vectors) { DriverLicense($0)?.fields },
        Subject("gs1", GS1Tests.vectors) { GS1($0)?.fields },
        Subject("otp", WiFiTests.keys) { OneTimePassword($0)?.fields },
        Subject("payment", PaymentTests.vectors) { Payment($0)?.fields },
        Subject("boarding_pass", BoardingPassTests.vectors) { BoardingPass($0)?.fields },
    ]

    /// All `subjects` as one, for tests of complete payloads.
    static let vectors = subjects.flatMap(\.vectors)

    @Test(arguments: subjects) func noBytesCrashABarcodeParser(subject: Subject) {
        var random = SeededRandom(seed: 0x5EED)
        for _ in Fuzz.rounds(1500) {
            let bytes = Damage.payload(from: subject.vectors.map(\.text), &random)
            guard let fields = subject.parse(bytes[...]) else { continue }
            expectWellFormed(fields, bytes)
        }
    }

    /// Every parser receives every vector. The syntax of one format is damage to another format.
    @Test func barcodeParsersAcceptAnyOtherParsersPayloads() {
        for subject in Self.subjects {
            for vector in Self.vectors {
                let bytes = Array(vector.text.utf8)
                if let fields = subject.parse(bytes[...]) { expectWellFormed(fields, bytes) }
            }
        }
    }

    /// Beginnings of valid payloads, byte by byte.
    @Test func truncatedBarcodePayloadsAreParsed() {
        for subject in Self.subjects {
            for vector in subject.vectors {
                let bytes = Array(vector.text.utf8)
                for end in bytes.indices {
                    guard let fields = subject.parse(bytes[..<end]) else { continue }
                    expectWellFormed(fields, Array(bytes[..<end]))
                }
            }
        }
    }

    /// The raw value is never lost. A value that is not redacted has a display text, and parsing does not change the
    /// barcode.
    @Test func everyBarcodeTextHasAMeaningAndADisplay() {
        var random = SeededRandom(seed: 0xD15)
        for round in Fuzz.rounds(3000) {
            let bytes = Damage.payload(from: Self.vectors.map(\.text), &random)
            let vector = Self.vectors[round % Self.vectors.count]
            let text = String(decoding: bytes, as: UTF8.self)
            var barcode = vector.barcode
            barcode.raw = text
            barcode.bytes = bytes
            let value = barcode.value
            #expect(value != nil)
            #expect(value == barcode.value)
            let content = BarcodeReporting().content(of: barcode)
            #expect(content.format == value?.format)
            #expect(content.redacted.isEmpty)
            #expect(text.isEmpty || content.display?.isEmpty == false)
            barcode.raw = nil
            #expect(barcode.value == nil)
        }
    }

    /// The names are those of the format's list, each once, and texts are valid text.
    private func expectWellFormed(_ fields: ValueFields, _ bytes: [UInt8]) {
        #expect(!fields.isEmpty, "\(bytes)")
        let names = fields.fields.map(\.name)
        #expect(Set(names).count == names.count, "\(names)")
        for field in fields.fields {
            if case .number(let number) = field.content { #expect(number.isFinite) }
            if case .text(let text) = field.content { #expect(!text.isEmpty) }
        }
    }
}

/// Payloads that no reader gives.
enum Damage {
    private static let pieces: [String] = [
        ";", ":", "\\", "\"", ",", "=", "\r\n", "\n ", "\u{1D}", "%", "%zz", "%C3", "@", "?", "&", "/", "BEGIN:VCARD\n",
        "END:VCARD", "BEGIN:VEVENT\n", "DURATION:P400000W", "DTSTART:99991231T235960Z", "00000000",
        "99999999999999999999",
        "-", ".", "e77", "漢", "é", "\u{0}", "\u{7F}", "\u{301}", "😀", "M4", "ANSI 636000109999",
    ]

    /// A vector with one to four changes, or random bytes.
    static func payload(from vectors: [String], _ random: inout SeededRandom) -> [UInt8] {
        if Int.random(in: 0..<8, using: &random) == 0 {
            return (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        var bytes = Array((vectors.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, vectors, &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ vectors: [String], _ random: inout SeededRandom) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
        case 3: bytes.removeSubrange(place...)  // The rest is missing.
        case 4:
            guard place < bytes.count else { return }
            bytes[place] = UInt8.random(in: 0...255, using: &random)
        default:
            let other = Array((vectors.randomElement(using: &random) ?? "").utf8)
            bytes.replaceSubrange(place..., with: other.suffix(Int.random(in: 0...other.count, using: &random)))
        }
    }
}

extension Array {
    fileprivate mutating func removeSubrange(_ range: PartialRangeFrom<Int>) {
        removeSubrange(range.lowerBound..<count)
    }
    fileprivate mutating func replaceSubrange(_ range: PartialRangeFrom<Int>, with other: some Collection<Element>) {
        replaceSubrange(range.lowerBound..<count, with: other)
    }
}
