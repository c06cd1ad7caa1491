// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import Foundation
import GlimpseTesting
import Observations
import Testing

/// Values in the form of event lines.
@Suite struct EventLineTests {
    private func line(_ barcode: Barcode, _ phase: TrackPhase = .update, _ reporting: BarcodeReporting) -> [UInt8] {
        var event = SampleEvents.trackEvent(phase, .barcode, id: 1, frame: 2)
        event.track.detection.content = .barcode(barcode)
        var encoder = EventEncoder(pipeline: PipelineIdentity(name: "door"), barcodes: reporting)
        return encoder.encode(.track(event)).line
    }

    @Test func everyBarcodeVectorGivesALineOfTheSchema() throws {
        let lines = FuzzTests.vectors.map { line($0.barcode, .update, BarcodeReporting()) }
        #expect(try EventSchema.violations(in: lines) == [])
    }

    @Test func damagedBarcodePayloadsGiveLinesOfTheSchema() throws {
        var random = SeededRandom(seed: 0x11E5)
        let lines = Fuzz.rounds(1000).map { round in
            let vector = FuzzTests.vectors[round % FuzzTests.vectors.count]
            var barcode = vector.barcode
            barcode.bytes = Damage.payload(from: FuzzTests.vectors.map(\.text), &random)
            barcode.raw = String(decoding: barcode.bytes, as: UTF8.self)
            return line(barcode, .update, BarcodeReporting())
        }
        #expect(try EventSchema.violations(in: lines) == [])
    }

    /// The names that can be redacted are exactly the names of the schema.
    @Test func fieldNamesOfBarcodesAreInTheSchema() throws {
        let data = try Data(contentsOf: URL(filePath: "\(Checkout.root)/docs/events.schema.json"))
        let schema = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        for format in BarcodeValueFormat.allCases {
            let properties = definitions[format.rawValue]?["properties"] as? [String: Any] ?? [:]
            let names = format.fieldNames.filter { format != .gs1 || Int($0) == nil }
            #expect(Set(properties.keys) == Set(names), "\(format.rawValue)")
        }
    }

    /// No line contains a secret: neither in plain text, nor in base64, nor as a hash.
    @Test(arguments: [
        ("wifi.password", "WIFI:T:WPA;S:net;P:hunter2;;"), ("otp.secret", "otpauth://totp/a?secret=HUNTER2"),
        ("wifi", "WIFI:T:WPA;S:hunter2;;"), ("wifi.password", "WIFI:T:WPA;P:hunter2;;"), ("text", "hunter2"),
        ("contact.phones", "MECARD:N:A;TEL:2;NOTE:hunter2;;"),
    ])
    func noRedactedLineHasTheSecret(name: String, text: String) throws {
        let parts = name.split(separator: ".").map(String.init)
        let format = try #require(BarcodeValueFormat(rawValue: parts[0]))
        let redaction = parts.count > 1 ? try #require(BarcodeRedaction(format, field: parts[1])) : .init(format)
        let reporting = BarcodeReporting(redactions: [redaction])
        var barcode = FuzzTests.vectors[0].barcode
        // A short payload, and a payload that a line must cut.
        for padding in [0, 70_000] {
            barcode.raw = text + String(repeating: " ", count: padding)
            barcode.bytes = Array((barcode.raw ?? "").utf8)
            let lines = [TrackPhase.detected, .update, .missing, .completed(.gone)].map { line(barcode, $0, reporting) }
            #expect(try EventSchema.violations(in: lines) == [])
            for line in lines {
                let said = String(decoding: line, as: UTF8.self)
                #expect(said.contains(#""redacted":["\#(name.split(separator: ".")[0])"#), "\(said)")
                let isNote = name == "contact.phones"
                #expect(isNote || !said.lowercased().contains("hunter2"))
                #expect(!said.contains(#""raw"#), "\(said)")
            }
        }
    }
}
